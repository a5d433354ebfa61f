#pragma once
#include <map>
#include <string>

#include "simulator/code/callees.h"
#include "simulator/code/program.h"

namespace warpwise::code {

/// Offsets of everything that a function can name.
struct Layout {
  std::map<std::string, std::uint32_t> parameters;  ///< a kernel's, as the host lays them out
  std::map<std::string, Piece> passed;              ///< values that calls pass in and out
  std::map<std::string, std::uint32_t> local;       ///< from the start of the frame
};

using SharedLayout = std::map<std::string, std::uint32_t>;  ///< addresses (from shared_base)

/// Offsets as the ABI lays parameters out: each at the next multiple of its alignment.
std::vector<std::uint32_t> parameter_offsets(const ptx::Function& kernel);

/// Places the shared variables that the kernel and its callees can name, and fills the sizes of the
/// program.
SharedLayout lay_out_shared(const ptx::Module& module, const ptx::Function& kernel,
                            const std::vector<Callee>& callees, Program& program);

/// Places the private variables of one function and fills the sizes of its frame.
Layout lay_out(const ptx::Function& function, FrameLayout& frame);

}  // namespace warpwise::code
