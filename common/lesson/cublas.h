#pragma once
#include <string>

#include "base/function.h"
#include "lesson/compare/product_reference.h"

/// \file
/// cuBLAS as a baseline for products of matrices. Found when a program asks for it, on a GPU;
/// neither building nor running a chapter needs it.
/// \ingroup lesson
namespace warpwise::lesson {

/// The call of a library, or why it is not there.
struct LibraryCall {
  std::function<void()>
      launch;          ///< starts the work and returns; empty where the library is absent.
  std::string absent;  ///< one clause: why there is none.
};

/// How cuBLAS multiplies: types of A and B, and of the arithmetic. C is float, sums are fp32.
enum class CublasPrecision {
  fp32,  ///< float, each product and sum in fp32, no tensor cores ("pedantic").
  tf32,  ///< float, rounded to TF32 for the tensor cores.
  bf16,  ///< __nv_bfloat16, on the tensor cores.
};

/// C = A B with row-major matrices without gaps.
/// @param a M * K, device. @param b as `layout` says, device. @param c M * N floats, device.
/// @return a call that throws Stop when cuBLAS refuses; the pointers must live as long as it does.
LibraryCall cublas_product(CublasPrecision precision, int M, int N, int K, const void* a,
                           const void* b, float* c, SecondMatrix layout = SecondMatrix::plain);

/// Extents of each product of a batch.
struct BatchedExtents {
  int M, N, K, count;
};

/// A row-major matrix of each product of a batch. @tparam T float or const float.
template <class T>
struct BatchedMatrix {
  T* first;            ///< of the first product, device.
  int pitch;           ///< numbers from one row to the next.
  long long distance;  ///< numbers from one product's matrix to the next one's.
};

/// C = A B for each product of a batch, in fp32 without tensor cores; matrices may have gaps.
/// @return as cublas_product.
LibraryCall cublas_batched_product(const BatchedExtents& e, const BatchedMatrix<const float>& a,
                                   const BatchedMatrix<const float>& b,
                                   const BatchedMatrix<float>& c,
                                   SecondMatrix layout = SecondMatrix::plain);

}  // namespace warpwise::lesson
