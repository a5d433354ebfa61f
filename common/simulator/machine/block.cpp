#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/code/library_files.h"
#include "simulator/machine/validity.h"
#include "simulator/machine/worker.h"

namespace warpwise::machine {
unsigned cell_shift(const code::Program& program, code::Space space) {
  unsigned narrowest = 4;
  auto look_at = [&](code::Space at, unsigned bytes) {
    if (at == space || at == code::Space::generic) narrowest = std::min(narrowest, bytes);
  };
  for (const code::Site& site : program.sites) look_at(site.space, site.bytes);
  // What ptxas merges is counted as wide as it makes it, and made as PTX has it.
  for (const code::Access& access : program.accesses) look_at(access.space, access.bytes());
  return narrowest == 4 ? 2 : narrowest == 2 ? 1 : 0;
}

Block::Block(const Grid& grid)
    : shared(grid.shared_bytes + 16),
      shared_validity(grid.shared_bytes),
      copies(code::shared_base, grid.shared_bytes, (grid.threads_per_block + 31) / 32) {
  const code::Program& program = grid.program;
  unsigned count = (grid.threads_per_block + 31) / 32;
  if (grid.options.check_races) order.emplace(count);
  if (order && grid.shared_bytes)
    races.emplace(*order, code::shared_base, grid.shared_bytes,
                  cell_shift(program, code::Space::shared));
  if (order && program.has_update_loops)
    updates.emplace(*order, code::shared_base, grid.shared_bytes);
  warps.reserve(count);
  for (unsigned i = 0; i < count; ++i) {
    Warp& warp = warps.emplace_back(program);
    for (const code::Program::ParameterSlot& parameter : program.parameter_slots) {
      std::int64_t value = 0;
      std::memcpy(&value, grid.launch.parameters.data() + parameter.offset, parameter.memory_bytes);
      unsigned unused = 64 - 8 * parameter.memory_bytes;
      if (parameter.is_signed && unused) value = value << unused >> unused;
      for (int lane = 0; lane < 32; ++lane)
        std::memcpy(warp.slot(parameter.slot) + lane * parameter.bytes, &value, parameter.bytes);
    }
  }
}

void Worker::start_block(Block& block, std::uint64_t index) {
  block_ = &block;
  block.index = index;
  block.spent = block.counted = block.slept = block.awake_at = 0;
  count_spent();
  if (uses_reserved_) block.reserved.assign(code::reserved_tiles_bytes, {});
  std::fill(std::begin(block.barriers), std::end(block.barriers), Block::Barrier{});
  block.mbarriers.clear();
  block.copies.start_block();
  block.arrived_copies.start_block();
  block.readers = 0;
  block.bulk_targets.start_block();
  if (watches_proxies_) block.ordinary_writes.begin(code::shared_base, grid_.shared_bytes);
  block.live_threads = grid_.threads_per_block;
  if (block.order) block.order->start_block(index);
  block.reserved_points.clear();
  if (early_) early_->start_block();
  if (global_watch_) global_watch_->start_block();
  if (grid_races_) grid_races_->start_block(index);
  block.derived_from.clear();
  block.made_from_nothing.clear();
  block.texels_written.clear();
  if (grid_.shared_bytes) {
    std::memset(block.shared.data(), undefined_pattern, grid_.shared_bytes);
    std::fill(block.shared_validity.begin(), block.shared_validity.end(), never_written);
    if (block.races) block.races->start_block();
  }
  for (unsigned i = 0; i < block.warps.size(); ++i) {
    unsigned threads = std::min(32u, grid_.threads_per_block - 32 * i);
    block.warps[i].start(threads == 32 ? ~0u : (1u << threads) - 1);
    set_specials(i, SpecialsOf::block);
  }
}

watch::Finding Worker::finding(std::string kind, std::string message, unsigned lane) const {
  watch::Finding result;
  result.kind = std::move(kind);
  result.message = std::move(message);
  result.instruction = static_cast<std::uint32_t>(current_ - program_.code.data());
  result.block = block_->index;
  result.thread = warp_index_ * 32 + lane;
  result.called_at = user_call(result.instruction, lane);
  return result;
}

/// Without inlining the instruction may be in a function of a library: where the program's own code
/// called that. @return Finding::not_called where it is the program's own.
std::uint32_t Worker::user_call(std::uint32_t instruction, unsigned lane) const {
  const auto is_users = [&](std::uint32_t at) {
    const auto known = is_users_.find(at);
    if (known != is_users_.end()) return known->second;
    const code::Place& place = program_.places[program_.code[at].place];
    return is_users_[at] = place.line != 0 && !code::is_library_file(place.file);
  };
  const code::Place& own = program_.places[program_.code[instruction].place];
  if (!own.is_library && own.line != 0) return watch::Finding::not_called;
  if (is_users(instruction)) return watch::Finding::not_called;  // It was inlined there.
  for (const Group& group : block_->warps[warp_index_].groups) {
    if (!(group.mask >> lane & 1)) continue;
    for (const Frame* frame = group.frame; frame && frame->caller; frame = frame->caller)
      if (is_users(frame->return_pc - 1)) return frame->return_pc - 1;
  }
  return watch::Finding::not_called;
}

void Worker::fault(watch::Finding found) {
  diagnoses_.report(std::move(found));
  throw LaunchFault{};
}

std::string Worker::thread_text(std::uint32_t thread) const {
  const watch::Index3& block = grid_.launch.block;
  return fmt::format("({}, {}, {})", thread % block[0], thread / block[0] % block[1],
                     thread / block[0] / block[1]);
}

}  // namespace warpwise::machine
