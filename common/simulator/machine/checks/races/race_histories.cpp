// What the checks for races keep: when it begins, and when it is forgotten.

#include <algorithm>

#include "simulator/machine/checks/races/races.h"

namespace warpwise::machine {
namespace {

/// Bytes of all host threads together, where little memory is touched.
constexpr std::size_t small_log_bytes = 128 << 20;

/// True where blocks of a cluster reach each other's shared memory, and only the cluster's barrier
/// can tell them when: what mbarriers order between blocks is not known.
bool has_cluster_memory(const code::Program& program) {
  const auto maps = [](const code::Operation& operation) {
    return operation.kind == isa::Kind::map_shared;
  };
  const auto counts = [](const code::Access& access) {
    return access.is_atomic && code::is_of_mbarrier(access.atomic);
  };
  return std::any_of(program.operations.begin(), program.operations.end(), maps) &&
         std::none_of(program.accesses.begin(), program.accesses.end(), counts);
}

/// True where loads may go by a cache that does not see what is stored meanwhile.
bool has_non_coherent(const code::Program& program) {
  return std::any_of(program.accesses.begin(), program.accesses.end(),
                     [](const code::Access& access) { return access.is_non_coherent; });
}

}  // namespace

Races::Races(RunnerState& here, const Parts& parts)
    : here_(here),
      parts_(parts),
      shared_cell_shift_(cell_shift(here.program_, code::Space::shared)) {
  const Grid& grid = here.grid_;
  if (!grid.options.check_races) return;
  const unsigned warps = (grid.threads_per_block + 31) / 32;
  if (grid.has_one_history)
    grid_races_
        .emplace(here.global_cell_shift_, grid.blocks, warps, !has_non_coherent(here.program_))
        .end_when(grid.options.time_is_over);
  else
    global_watch_.emplace(here.global_cell_shift_, warps, grid.inter_block_races.get(),
                          !grid.wants_footprint, small_log_bytes / grid.runners, grid.runners);
  if (grid.cluster_blocks > 1 && has_cluster_memory(here.program_))
    cluster_races_.emplace(shared_cell_shift_, false);
}

void Races::start_block(std::uint64_t index) {
  if (global_watch_) global_watch_->start_block();
  if (grid_races_) grid_races_->start_block(index);
}

void Races::finish_block(const Block& block) {
  if (global_watch_ && block.live_threads == 0) global_watch_->finish_block(block.index);
  if (grid_races_) grid_races_->finish_block(block.index);
}

void Races::start_clusters() {
  if (cluster_races_) cluster_races_->start_block();
}

void Races::meet() {
  if (!grid_races_) return;
  if (const auto past = grid_races_->meet(*here_.block_->order)) forget(*past);
}

/// Forgets what came before a barrier of the whole grid.
void Races::forget(const watch::VectorClock& past) {
  watch::Forgetting forgetting(past);
  for (const auto& block : here_.resident_) block->order->forget(forgetting);
  sync_points_.forget(forgetting);
  parts_.other_launches.forget(past);
  parts_.first_stores.forget(past);
}

}  // namespace warpwise::machine
