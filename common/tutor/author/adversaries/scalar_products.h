#pragma once
#include <string>

namespace warpwise::tutor {

/// A kernel with its tensor cores left idle: `mma.sync` of shapes m16n8k16 (halfs) and m16n8k8
/// (TF32) in inline PTX, and nvcuda::wmma of 16 x 16 x 16 halfs with row-major matrices, become
/// sums over shuffles with the same result.
/// @return empty where the text has none of these.
std::string scalar_products(const std::string& text);

}  // namespace warpwise::tutor
