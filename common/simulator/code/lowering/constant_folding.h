#pragma once
#include <optional>

#include "simulator/ptx/module.h"

namespace warpwise::code {

/// Does the arithmetic that ptxas does itself because the text has all operands: the f32
/// approximations of constants, which ptxas rounds correctly where the GPU's unit need not, and
/// what follows from them. Replaces an approximate division by a constant with a product with its
/// reciprocal. Recorded on a GPU: verification/programs/language/constants_of_approximations.cu.
/// @return the function with moves and products in their places; nothing where there are none. Not
/// for debug builds, which ptxas leaves as they are.
std::optional<ptx::Function> fold_constants(const ptx::Function& function);

}  // namespace warpwise::code
