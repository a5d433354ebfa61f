#pragma once
#include <map>
#include <string>
#include <vector>

#include "simulator/code/lowering/layout.h"

namespace warpwise::code {

/// For each register of a function the shared array into which all addresses that it holds point,
/// whatever the number added to the array's start: an index of Program::shared_arrays. None where
/// the register holds no address of an array that the function names, or where several are
/// possible. A pointer that comes from memory or from a caller is a number like others.
/// @param arrays what array_indices gave.
std::vector<std::uint32_t> shared_origins(const ptx::Function& function,
                                          const std::map<std::string, std::uint32_t>& arrays);

/// Which of Program::shared_arrays a name means. Empty for a program that has only dynamic ones,
/// where an address has nowhere else to go.
std::map<std::string, std::uint32_t> array_indices(const SharedLayout& layout,
                                                   const Program& program);

}  // namespace warpwise::code
