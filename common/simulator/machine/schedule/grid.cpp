#include "simulator/machine/schedule/grid.h"

#include <algorithm>

namespace warpwise::machine {

watch::Index3 position(std::uint64_t linear, const watch::Index3& extent) {
  return {static_cast<unsigned>(linear % extent[0]),
          static_cast<unsigned>(linear / extent[0] % extent[1]),
          static_cast<unsigned>(linear / extent[0] / extent[1])};
}

Grid::Clusters Grid::take_clusters() {
  constexpr std::uint64_t shares = 16;
  const std::uint64_t all = blocks / cluster_blocks;
  std::uint64_t first = next_cluster.load(), count = 0;
  do {
    count = std::min(all - first, 1 + (all - first) / (shares * runners));
  } while (!next_cluster.compare_exchange_weak(first, first + count));
  return {first, first + count};
}

std::uint64_t Grid::block_index(std::uint64_t cluster, std::uint64_t rank) const {
  if (cluster_blocks == 1) return cluster;
  const watch::Index3 &size = launch.cluster, &all = launch.grid;
  const watch::Index3 clusters = {all[0] / size[0], all[1] / size[1], all[2] / size[2]};
  const watch::Index3 at = position(cluster, clusters), in = position(rank, size);
  auto axis = [&](int i) { return std::uint64_t{at[i]} * size[i] + in[i]; };
  return axis(0) + all[0] * (axis(1) + all[1] * axis(2));
}

}  // namespace warpwise::machine
