#pragma once
#include <set>
#include <string>
#include <vector>

#include "simulator/code/program.h"

/// \file
/// Values that follow from what other threads have written, or from the time of their computation.
namespace warpwise::code {

/// Instructions of a function, as places in its body.
using Places = std::set<std::size_t>;

/// atomicAdd(&x, 0): not a count, but the value at that moment.
bool only_reads(const ptx::Instruction& atomic);

/// Whether the memory that an instruction reads may change while the kernel runs, judged by its
/// text.
bool looks_at_memory(const ptx::Instruction& instruction);

/// Likewise, or it gives all lanes of a warp a value that may differ another time: whether an
/// mbarrier's phase is over, a clock, the SM of the block.
bool looks_at_others(const ptx::Instruction& instruction);

/// Likewise, and the order decides which values are given, not only which thread gets each one. The
/// values of a count are the same in any order.
bool chooses_by_order(const ptx::Instruction& instruction);

/// A question about an instruction.
using Matches = bool (*)(const ptx::Instruction& instruction);

/// Names of the functions that have such an instruction, or call such functions.
using FunctionNames = std::set<std::string>;
FunctionNames functions_with(const Program& program, Matches matches);

/// The places where a function fetches the results of calls of these functions.
Places results_of(const FunctionNames& functions, const ptx::Function& function);

/// Registers of a function whose values follow from what others wrote.
/// @param sources instructions that are known to give such values, in addition to those whose text
/// says so.
/// @param matches whether an instruction's text says so.
std::vector<bool> changed_by_others(const ptx::Function& function, const Places& sources,
                                    Matches matches);

}  // namespace warpwise::code
