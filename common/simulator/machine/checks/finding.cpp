// A finding at the current instruction: which thread, and which call of the user's code.

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "simulator/machine/checks/bad_address.h"
#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

watch::Finding RunnerState::finding(std::string kind, std::string message, unsigned lane) const {
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
std::uint32_t RunnerState::user_call(std::uint32_t instruction, unsigned lane) const {
  const auto is_users = [&](std::uint32_t at) {
    return program_.places[program_.code[at].place].is_users;
  };
  const code::Place& own = program_.places[program_.code[instruction].place];
  if (!own.is_library && own.line != 0) return watch::Finding::not_called;
  if (is_users(instruction)) return watch::Finding::not_called;  // It was inlined there.
  for (const Group& group : block_->warps[warp_index_].groups) {
    if (!(group.mask >> lane & 1)) continue;
    for (const CallFrame* frame = group.frame; frame && frame->caller; frame = frame->caller)
      if (is_users(frame->return_pc - 1)) return frame->return_pc - 1;
  }
  return watch::Finding::not_called;
}

std::shared_ptr<const memory::CodeLine> RunnerState::users_line(unsigned lane) const {
  const auto own = static_cast<std::uint32_t>(current_ - program_.code.data());
  const std::uint32_t called_at = user_call(own, lane);
  const std::uint32_t users = called_at == watch::Finding::not_called ? own : called_at;
  const code::Place& place = program_.places[program_.code[users].place];
  return std::make_shared<const memory::CodeLine>(
      memory::CodeLine{place.file, place.line, place.column});
}

void RunnerState::fault(watch::Finding found) {
  diagnoses_.report(std::move(found));
  throw LaunchFault{};
}

std::string RunnerState::thread_text(std::uint32_t thread) const {
  const watch::Index3& block = grid_.launch.block;
  return fmt::format("({}, {}, {})", thread % block[0], thread / block[0] % block[1],
                     thread / block[0] / block[1]);
}

std::vector<unsigned> RunnerState::lines_of_sites() const {
  std::vector<unsigned> lines;
  for (const code::Site& site : program_.sites) lines.push_back(program_.places[site.place].line);
  return lines;
}

WhoPastEnd RunnerState::who_past_end() const {
  return {.block = position(block_->index, grid_.launch.grid),
          .grid = grid_.launch.grid,
          .parameters = grid_.launch.parameters};
}

void RunnerState::report_unreadable(std::uint64_t address, unsigned lane) {
  const bool is_of_thread = address >= code::shared_window && address < code::parameter_window;
  auto [kind, rest] =
      is_of_thread ? std::pair{"out-of-bounds",
                               fmt::format("address 0x{:x}, outside its shared or local variables. "
                                           "Is it one of another thread, or has it ended?",
                                           address)}
                   : explained(grid_, address, 1, who_past_end());
  fault(finding(kind, fmt::format("thread {} reads {}", thread_text(warp_index_ * 32 + lane), rest),
                lane));
}

/// The next instruction that has a line: a block's entry has none, nor has what the compiler put
/// there by itself.
void RunnerState::stand_at(const Group& group) {
  const code::Instruction* const end = program_.code.data() + program_.code.size();
  current_ = &program_.code[group.pc];
  for (const auto* next = current_; next != end; ++next) {
    if (next->op == code::Op::enter || program_.places[next->place].line == 0) continue;
    current_ = next;
    return;
  }
}

}  // namespace warpwise::machine
