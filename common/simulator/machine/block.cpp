#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/machine/worker.h"

namespace warpwise::machine {
namespace {

bool has_narrow_shared(const code::Program& program) {
  return std::any_of(program.sites.begin(), program.sites.end(), [](const code::Site& site) {
    bool may_be_shared = site.space == code::Space::shared || site.space == code::Space::generic;
    return may_be_shared && site.bytes < 4;
  });
}

/// Calls visit(warp index, group) for the groups in this state, the one with the lowest thread
/// first.
template <class Visit>
void for_waiting(std::vector<Warp>& warps, Group::State state, Visit visit) {
  for (unsigned i = 0; i < warps.size(); ++i) {
    std::vector<const Group*> waiting;
    for (const Group& group : warps[i].groups)
      if (group.state == state) waiting.push_back(&group);
    std::sort(waiting.begin(), waiting.end(), [](const Group* a, const Group* b) {
      return std::countr_zero(a->mask) < std::countr_zero(b->mask);
    });
    for (const Group* group : waiting) visit(i, *group);
  }
}

}  // namespace

Block::Block(const Grid& grid) : shared(grid.shared_bytes + 16) {
  const code::Program& program = grid.program;
  unsigned count = (grid.threads_per_block + 31) / 32;
  if (grid.shared_bytes && grid.options.check_races)
    races.emplace(code::shared_base, grid.shared_bytes, count, has_narrow_shared(program));
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
  block.spent = block.counted = 0;
  count_spent();
  std::fill(std::begin(block.barriers), std::end(block.barriers), Block::Barrier{});
  block.live_threads = grid_.threads_per_block;
  if (grid_.shared_bytes) {
    std::memset(block.shared.data(), undefined_pattern, grid_.shared_bytes);
    if (block.races) block.races->start_block();
  }
  for (unsigned i = 0; i < block.warps.size(); ++i) {
    unsigned threads = std::min(32u, grid_.threads_per_block - 32 * i);
    block.warps[i].start(threads == 32 ? ~0u : (1u << threads) - 1);
    set_specials(i, SpecialsOf::block);
  }
}

bool Worker::complete_barriers() {
  bool any = false;
  for (std::uint32_t id = 0; id < 16; ++id) {
    Block::Barrier& barrier = block_->barriers[id];
    if (barrier.arrived == 0 || missing_threads(id) > 0) continue;
    std::uint32_t warps = 0;
    for (unsigned i = 0; i < block_->warps.size(); ++i) {
      for (Group& group : block_->warps[i].groups) {
        if (group.state != Group::State::at_barrier || group.barrier != id) continue;
        warps |= 1u << i;
        group.state = Group::State::ready;
        ++group.pc;
      }
    }
    if (block_->races) block_->races->block_barrier(warps);
    counters_.barrier();
    barrier = {};
    any = true;
  }
  return any;
}

/// How many threads a barrier still waits for. With a count of its own it counts whole warps: lanes
/// that have exited or never existed arrive with the others of their warp.
std::uint32_t Worker::missing_threads(std::uint32_t id) const {
  const Block::Barrier& barrier = block_->barriers[id];
  std::uint32_t expected = barrier.expected ? barrier.expected : block_->live_threads;
  std::uint32_t arrived = barrier.arrived;
  for (const Warp& warp : block_->warps) {
    bool waits = barrier.expected &&
                 std::any_of(warp.groups.begin(), warp.groups.end(), [&](const Group& group) {
                   return group.state == Group::State::at_barrier && group.barrier == id;
                 });
    if (waits) arrived += 32 - std::popcount(warp.live);
  }
  return expected > arrived ? expected - arrived : 0;
}

void Worker::report_deadlock() {
  // A group that waits for lanes of its own warp is the cause; barriers that wait are the
  // consequence.
  for_waiting(block_->warps, Group::State::at_warp_sync, [&](unsigned index, const Group& group) {
    warp_index_ = index;
    current_ = &program_.code[group.pc];
    std::uint32_t missing = group.barrier & block_->warps[index].live;
    for (const Group& other : block_->warps[index].groups)
      if (other.state == group.state && other.stands_with(group)) missing &= ~other.mask;
    if (current_->op == code::Op::matrix) report_missing_lanes(group.mask);
    fault(
        finding("invalid-shuffle",
                fmt::format("the mask 0x{:08x} names lane {}, which never arrives here. Name only "
                            "lanes that execute this call, or move the call out of the branch.",
                            group.barrier, std::countr_zero(missing)),
                std::countr_zero(group.mask)));
  });
  for_waiting(block_->warps, Group::State::at_barrier, [&](unsigned index, const Group& group) {
    const Block::Barrier& barrier = block_->barriers[group.barrier];
    warp_index_ = index;
    current_ = &program_.code[group.pc];
    fault(finding(
        "deadlock",
        fmt::format("{} of {} threads wait at this barrier for ever: the others wait "
                    "elsewhere. All threads of the block must reach the same barrier.",
                    barrier.arrived, barrier.expected ? barrier.expected : block_->live_threads),
        std::countr_zero(group.mask)));
  });
  throw LaunchFault{};
}

watch::Finding Worker::finding(std::string kind, std::string message, unsigned lane) const {
  watch::Finding result;
  result.kind = std::move(kind);
  result.message = std::move(message);
  result.instruction = static_cast<std::uint32_t>(current_ - program_.code.data());
  result.block = block_->index;
  result.thread = warp_index_ * 32 + lane;
  return result;
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
