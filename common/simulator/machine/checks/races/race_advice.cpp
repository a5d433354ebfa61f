// Advice about races, as far as the text of the kernel tells what its author meant.

#include "simulator/machine/checks/races/race_advice.h"

#include <optional>

#include "simulator/code/flow/look_before.h"
#include "simulator/code/flow/marks.h"

namespace warpwise::machine {
namespace {

/// An instruction of the text of one function.
struct InText {
  const ptx::Function* function = nullptr;
  std::uint32_t at = 0;
  bool is_known() const { return function && at != code::Instruction::no_text; }
};

InText in_text(const code::Program& program, std::uint32_t instruction) {
  InText found = {program.text, program.code[instruction].text};
  std::uint32_t entry = 0;
  for (const code::Function& function : program.functions)
    if (function.entry <= instruction && function.entry >= entry) {
      found.function = function.text;
      entry = function.entry;
    }
  return found;
}

/// One side of a race: its place in the text and its access.
struct Side {
  InText text;
  const code::Access* access;  ///< null: no load, store or atomic
};

/// Null for what is not a load, store or atomic.
const code::Access* access_of_instruction(const code::Program& program, std::uint32_t index) {
  const code::Instruction& instruction = program.code[index];
  const bool is_access = instruction.op == code::Op::load || instruction.op == code::Op::store ||
                         instruction.op == code::Op::atomic;
  return is_access ? &program.accesses[instruction.access] : nullptr;
}

Side side_of(const code::Program& program, std::uint32_t site) {
  const std::uint32_t index = instruction_of_site(program, site);
  return {in_text(program, index), access_of_instruction(program, index)};
}

std::string advice_on_look(const code::LookBefore& look, const code::Access& write,
                           bool is_same_block) {
  if (write.is_atomic && write.atomic == code::AtomicOp::compare_and_swap)
    return "Look at what atomicCAS returns: if that is not the expected value, it has stored "
           "nothing, and the thread must try again.";
  if (!look.decides)
    return std::string(
               "Each thread reads there, computes and writes, and another may write in "
               "between. ") +
           (is_same_block
                ? "If each thread uses what others left there, a __syncthreads() is "
                  "missing; if all add to one sum, use an atomic, such as atomicAdd."
                : "If all add to one sum, use an atomic, such as atomicAdd; otherwise write "
                  "into a second array, because blocks have no order.");
  const std::string start =
      "Each thread looks there and then writes, and another may write in between. Let one atomic "
      "do both: ";
  if (!look.compares_size)
    return start + "atomicCAS, which returns what was there, so that one thread knows it is first.";
  if (look.is_float)
    return start + "atomicCAS, in a loop, since CUDA has no atomicMax or atomicMin of floats.";
  return start + "atomicMax or atomicMin.";
}

/// @param write a store or an atomic. @param is_store whether the other also is one.
/// @param is_same_block of both threads: a barrier can order them.
std::string advice_on_look(const Side& write, const Side& other, bool is_store,
                           bool is_same_block) {
  if (!write.access || !other.access || !write.text.is_known()) return "";
  const bool is_same_function = write.text.function == other.text.function;
  const auto look = code::look_before(*write.text.function, write.text.at);
  // One thread hands out what all have looked at, such as the next piece of work.
  if (look && look->is_by_chosen && write.access->space == code::Space::shared) return "";
  // A thread that stores without a look, such as the values to begin with, does not want to be one
  // of them.
  const bool looks_too = is_store && is_same_function && other.text.is_known() &&
                         code::look_before(*other.text.function, other.text.at);
  if (look && is_same_function && (looks_too || (!is_store && look->load == other.text.at)))
    return advice_on_look(*look, *write.access, is_same_block);
  if (!is_store && is_same_function && write.access->is_atomic && !other.access->is_strong() &&
      code::looks_behind(*write.text.function, write.text.at, other.text.at))
    return "Another thread's atomic may come in between, or later. To see what all have made "
           "there, let them meet first, by __syncthreads(), grid.sync() or the end of the kernel; "
           "to see what its own atomic has made, use what that returns, which is what was there "
           "before.";
  return "";
}

}  // namespace

std::uint32_t instruction_of_site(const code::Program& program, std::uint32_t site) {
  std::uint32_t at_place = 0;
  for (std::uint32_t i = 0; i < program.code.size(); ++i) {
    const code::Access* const access = access_of_instruction(program, i);
    if (access && access->site == site) return i;
    if (!at_place && program.code[i].place == program.sites[site].place) at_place = i;
  }
  return at_place;
}

code::Gathered gathering_between(const code::Program& program, const RaceSides& sides) {
  if (!sides.here_is_store || sides.other_is_store) return {};
  const Side write = side_of(program, sides.here), read = side_of(program, sides.other);
  const bool are_known = write.access && read.access && write.text.is_known() &&
                         read.text.is_known() && write.text.function == read.text.function;
  return are_known ? code::gathering_between(*write.text.function, read.text.at, write.text.at)
                   : code::Gathered{};
}

namespace {

bool is_benign_mark_race(const code::Program& program, const RaceSides& sides) {
  if (sides.here_is_store == sides.other_is_store) return false;
  const Side here = side_of(program, sides.here), other = side_of(program, sides.other);
  const Side &write = sides.here_is_store ? here : other,
             &read = sides.here_is_store ? other : here;
  return write.access && !write.access->is_atomic && write.text.is_known() && read.access &&
         read.text.is_known() && read.text.function == write.text.function &&
         code::is_benign_mark_race(*write.text.function, read.text.at, write.text.at);
}

}  // namespace

bool BenignMarkRaces::are_such(const RaceSides& sides) const {
  const auto [entry, is_new] = known_.try_emplace(sides, false);
  if (is_new) entry->second = is_benign_mark_race(program_, sides);
  return entry->second;
}

std::string advice_on_looks(const code::Program& program, const RaceSides& sides,
                            bool is_same_block) {
  const Side here = side_of(program, sides.here), other = side_of(program, sides.other);
  if (sides.here_is_store)
    if (std::string advice = advice_on_look(here, other, sides.other_is_store, is_same_block);
        !advice.empty())
      return advice;
  return sides.other_is_store ? advice_on_look(other, here, sides.here_is_store, is_same_block)
                              : "";
}

std::string advice_on_two_writes(const code::Program& program, const RaceSides& sides) {
  const std::string advice = advice_on_looks(program, sides);
  return advice.empty() ? "Should both write there, or is an index or a guard wrong?" : advice;
}

std::string advice_between_blocks(const code::Program& program,
                                  const watch::InterBlockRaces::Race& race) {
  using watch::LineAccess;
  const LineAccess::Kind lower = race.lower.kind, higher = race.higher.kind;
  const RaceSides sides = {race.higher.site, race.lower.site, higher != LineAccess::read,
                           lower != LineAccess::read};
  const std::string advice = advice_on_looks(program, sides, false);
  if (!advice.empty()) return advice;
  const bool has_read = lower == LineAccess::read || higher == LineAccess::read;
  const bool has_update = lower == LineAccess::strong || higher == LineAccess::strong;
  if (has_read && has_update)
    return "A result that blocks put together is complete when the kernel has ended: read it in a "
           "second kernel.";
  if (has_update)
    return "Set it before the launch, such as by cudaMemset, or let both accesses be atomic.";
  if (has_read)
    return "A block cannot wait for another: write into a second array, or start a second kernel.";
  return "Should both write there, or is an index or a guard wrong? Give each block its own place; "
         "only where all add to one sum, use an atomic.";
}

}  // namespace warpwise::machine
