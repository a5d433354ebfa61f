#pragma once
#include <memory>

#include "simulator/code/lowering/resolve.h"
#include "simulator/code/program.h"
#include "simulator/image/cubin.h"

namespace warpwise::code {

/// Translates one kernel with all functions that it may call.
/// @param facts of the compiled kernel, or null: then no access is confirmed.
/// @throws ptx::ParseError for code that cannot be run, with PTX line and source line.
std::shared_ptr<const Program> compile(const ptx::Module& module, const ptx::Function& kernel,
                                       const Resolve& resolve, const image::KernelFacts* facts);

}  // namespace warpwise::code
