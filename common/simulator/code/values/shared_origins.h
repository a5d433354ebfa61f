#pragma once
#include <map>
#include <string>
#include <vector>

#include "simulator/code/lowering/layout.h"

namespace warpwise::code {

/// For each register of a function, the shared array that all its addresses point into, whatever
/// number is added to the array's start: an index of Program::shared_arrays. None where the
/// register does not hold an address of an array that the function names, or where several are
/// possible. A pointer that comes from memory or from a caller is a number like others.
/// @param arrays the result of array_indices.
std::vector<std::uint32_t> shared_origins(const ptx::Function& function,
                                          const std::map<std::string, std::uint32_t>& arrays);

/// Which of Program::shared_arrays a name means. Empty for a program with only dynamic arrays,
/// where every address is in the same one.
std::map<std::string, std::uint32_t> array_indices(const SharedLayout& layout,
                                                   const Program& program);

}  // namespace warpwise::code
