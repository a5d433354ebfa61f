#include "simulator/machine/runner_state.h"

#include <algorithm>
#include <utility>

namespace warpwise::machine {
namespace {

/// True where something reads shared memory another way than loads do.
bool has_async_reads(const code::Program& program) {
  const auto reads_shared = [&](const code::Operation& operation) {
    return (operation.kind == isa::Kind::copy_bulk || operation.kind == isa::Kind::copy_tensor) &&
           operation.from != code::Operation::no_access &&
           program.accesses[operation.from].space == code::Space::shared;
  };
  return !program.warpgroup_products.empty() ||
         std::any_of(program.operations.begin(), program.operations.end(), reads_shared);
}

/// True where the program asks for the shared memory that a GPU keeps for cooperative groups.
bool uses_reserved(const code::Program& program) {
  const auto asks = [](const code::FrameLayout& layout) {
    return std::any_of(layout.specials.begin(), layout.specials.end(), [](const auto& special) {
      return special.special == code::Special::reserved_shared_tiles;
    });
  };
  return asks(program) || std::any_of(program.functions.begin(), program.functions.end(), asks);
}

/// The arrays that a lesson has named.
std::vector<watch::Participation::Array> named_arrays(const memory::AddressSpace& memory) {
  std::vector<watch::Participation::Array> arrays;
  for (const memory::Allocation* one : memory.live()) {
    if (one->kind == memory::Kind::device && !one->is_variable && !one->name.empty())
      arrays.push_back({one->name, one->base, one->end()});
  }
  return arrays;
}

}  // namespace

RunnerState::RunnerState(Grid& grid)
    : grid_(grid),
      program_(grid.program),
      uses_reserved_(uses_reserved(grid.program)),
      watches_proxies_(has_async_reads(grid.program)),
      cached_(program_.sites.size()),
      counters_(program_),
      global_cell_shift_(cell_shift(program_, code::Space::global)) {
  for (auto [bytes, opcode] : {std::pair{2, "selp.b16"}, {4, "selp.b32"}, {8, "selp.b64"}})
    select_[bytes] = isa::find_row(opcode)->function;
  const std::uint64_t threads = grid.blocks * grid.threads_per_block;
  if (grid.options.counts_participants && threads <= watch::Participation::most_threads)
    participation_.emplace(named_arrays(grid.memory), threads);
}

void RunnerState::turn_to(unsigned index) {
  warp_index_ = index;
  warp_ = &block_->warps[index];
  watch::Trace* wanted = grid_.options.trace;
  trace_ = wanted && wanted->follows(block_->index, index) ? wanted : nullptr;
}

}  // namespace warpwise::machine
