#pragma once
#include <optional>

#include "simulator/ptx/module.h"

namespace warpwise::code {

/// What ptxas computes itself because all that it needs stands in the text: the approximations of
/// f32 of constants, which it rounds correctly where the GPU's unit need not, and what follows from
/// them; and instead of an approximate division by a constant, a product with its reciprocal.
/// Recorded on a GPU: verification/programs/language/constants_of_approximations.cu.
/// @return the function with moves and products in their places; nothing where there are none. Not
/// for debug builds, which ptxas leaves as they are.
std::optional<ptx::Function> fold_constants(const ptx::Function& function);

}  // namespace warpwise::code
