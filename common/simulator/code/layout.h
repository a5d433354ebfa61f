#pragma once
#include <map>
#include <string>

#include "simulator/code/program.h"

namespace warpwise::code {

/// Offsets of a kernel's parameters, shared and local variables.
struct Layout {
  std::map<std::string, std::uint32_t> parameters;
  std::map<std::string, std::uint32_t> shared;  ///< shared-space addresses (from shared_base)
  std::map<std::string, std::uint32_t> local;   ///< local-space addresses
};

/// Offsets as the ABI lays parameters out: each at the next multiple of its alignment.
std::vector<std::uint32_t> parameter_offsets(const ptx::Function& kernel);

/// Places the variables that the kernel can name and fills the sizes of the program.
Layout lay_out(const ptx::Module& module, const ptx::Function& kernel, Program& program);

}  // namespace warpwise::code
