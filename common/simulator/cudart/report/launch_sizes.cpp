#include "simulator/cudart/report/launch_sizes.h"

#include <cstddef>
#include <mutex>
#include <set>
#include <utility>

namespace warpwise::cudart {
namespace {

struct KeptSizes {
  std::mutex mutex;
  std::set<std::pair<std::uint64_t, std::uint64_t>> launches;  ///< threads of each, and of a block
};
KeptSizes& sizes = *new KeptSizes;

}  // namespace

void keep_launch_size(const watch::LaunchReport& report) {
  constexpr std::size_t most_kept = 64;
  const auto product = [](const watch::Index3& size) {
    return std::uint64_t{size[0]} * size[1] * size[2];
  };
  const std::uint64_t of_block = product(report.block);
  const std::lock_guard lock(sizes.mutex);
  if (of_block > 1 && sizes.launches.size() < most_kept)
    sizes.launches.emplace(product(report.grid) * of_block, of_block);
}

LaunchSize launch_that_left(std::uint64_t written, std::uint64_t unwritten) {
  const std::lock_guard lock(sizes.mutex);
  for (const auto& [threads, of_block] : sizes.launches)
    for (const std::uint64_t bytes : {1, 2, 4, 8, 16})
      if (threads * bytes == written && unwritten < of_block * bytes) return {threads, of_block};
  return {};
}

}  // namespace warpwise::cudart
