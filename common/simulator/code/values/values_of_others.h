#pragma once
#include <vector>

#include "simulator/code/function_code.h"
#include "simulator/code/values/changed_values.h"

namespace warpwise::code {

/// An atomic that replaces the value in memory with a thread's own.
bool is_swap(const ptx::Instruction& instruction);
/// The address of an access follows from one of the registers.
bool is_placed_by(const ptx::Instruction& instruction, const std::vector<bool>& registers);
/// The value that a store writes, or an atomic writes or adds, follows from one of the registers.
bool has_value_of(const ptx::Instruction& instruction, const std::vector<bool>& registers);

/// The sources of values that follow from what others wrote.
struct OthersValues {
  Matches matches;  ///< whether an instruction gives such a value, by its text
  Places results;   ///< instructions that fetch such values from calls
  Matches chooses;  ///< whether its value lets a branch choose by arrival order
  Places choices;   ///< instructions that fetch those from calls
};

/// Registers whose values follow from what others wrote, also by way of shared memory (a queue
/// whose places an atomic gives) and of choices (`done = true` after a branch that others decide).
std::vector<bool> values_of_others(const FunctionCode& code, const OthersValues& from);

}  // namespace warpwise::code
