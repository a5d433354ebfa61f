#pragma once
#include "layout.h"

/// \file
/// The forms of GELU: for the ladder of gelu.cu, and for products that end with one.
namespace attention {

/// sqrt(2 / pi) (x + 0.044715 x^3), what tanh is taken of.
__host__ __device__ constexpr float inner(float x) {
  return 0.7978845608F * (x + 0.044715F * x * x * x);
}

/// GPT-2's form, by the library's tanh. @source Hendrycks and Gimpel, "Gaussian Error Linear Units"
struct Tanh {
  static __device__ float of(float x) { return 0.5F * x * (1 + tanhf(inner(x))); }
};

/// The same: (1 + tanh u) / 2 = 1 / (1 + exp(-2u)), one exponential and one division.
struct Sigmoid {
  static __device__ float of(float x) {
    // 2 log2(e), so that the exponential is a power of two.
    return __fdividef(x, 1 + power_of_two(-2.885390082F * inner(x)));
  }
};

/// The definition, by the library's erf.
struct Erf {
  static __device__ float of(float x) { return 0.5F * x * (1 + erff(x * 0.7071067812F)); }
};

}  // namespace attention
