#include "lesson/cublas.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <library_types.h>

#include "lesson/device/error.h"
#include "lesson/device/stand_in.h"
#include "lesson/open_library.h"

namespace warpwise::lesson {
namespace {

constexpr const char* library_name = "libcublas.so.13";

// The few declarations that are needed, as in cublas_api.h, which not every toolkit has.
using Handle = void*;
constexpr int operation_none = 0, operation_transpose = 1;
constexpr int algorithm_default = -1;
constexpr int compute_32f = 68, compute_32f_pedantic = 69, compute_32f_fast_tf32 = 77;
using Create = int(Handle*);
using GemmEx = int(Handle, int, int, int, int, int, const void*, const void*, cudaDataType, int,
                   const void*, cudaDataType, int, const void*, void*, cudaDataType, int, int, int);
using GemmStridedBatchedEx = int(Handle, int, int, int, int, int, const void*, const void*,
                                 cudaDataType, int, long long, const void*, cudaDataType, int,
                                 long long, const void*, void*, cudaDataType, int, long long, int,
                                 int, int);

/// Opened once, kept to the end of the program.
struct Library {
  Handle handle = nullptr;
  GemmEx* gemm = nullptr;
  GemmStridedBatchedEx* batched = nullptr;
  std::string absent;

  Library() {
    if (simulator_present()) {
      absent = "cuBLAS runs on a GPU only";
      return;
    }
    void* library = open_library(library_name);
    if (library == nullptr) {
      absent = fmt::format("{} is not installed (package libcublas-13-0)", library_name);
      return;
    }
    auto* create = reinterpret_cast<Create*>(::dlsym(library, "cublasCreate_v2"));
    gemm = reinterpret_cast<GemmEx*>(::dlsym(library, "cublasGemmEx"));
    batched =
        reinterpret_cast<GemmStridedBatchedEx*>(::dlsym(library, "cublasGemmStridedBatchedEx"));
    if (create == nullptr || gemm == nullptr || batched == nullptr || create(&handle) != 0) {
      absent = "cuBLAS is there but does not start";
    }
  }
};

Library& library() {
  static Library opened;
  return opened;
}

int compute_type(CublasPrecision precision) {
  switch (precision) {
    case CublasPrecision::fp32:
      return compute_32f_pedantic;
    case CublasPrecision::tf32:
      return compute_32f_fast_tf32;
    case CublasPrecision::bf16:
      return compute_32f;
  }
  return compute_32f;
}

void refuse(int status) {
  if (status == 0) return;
  throw Stop(something_wrong, fmt::format("cuBLAS refuses the product: status {}", status));
}

}  // namespace

LibraryCall cublas_product(CublasPrecision precision, int M, int N, int K, const void* a,
                           const void* b, float* c, SecondMatrix layout) {
  if (!library().absent.empty()) return {{}, library().absent};
  const cudaDataType input = precision == CublasPrecision::bf16 ? CUDA_R_16BF : CUDA_R_32F;
  const int compute = compute_type(precision);
  const bool transposed = layout == SecondMatrix::transposed;
  const int operation = transposed ? operation_transpose : operation_none;
  const int row_of_b = transposed ? K : N;
  return {[=] {
            const float one = 1, zero = 0;
            // cuBLAS counts down the columns, so it sees the transposes: C^T = B^T A^T.
            const int status = library().gemm(library().handle, operation, operation_none, N, M, K,
                                              &one, b, input, row_of_b, a, input, K, &zero, c,
                                              CUDA_R_32F, N, compute, algorithm_default);
            refuse(status);
          },
          ""};
}

LibraryCall cublas_batched_product(const BatchedExtents& e, const BatchedMatrix<const float>& a,
                                   const BatchedMatrix<const float>& b,
                                   const BatchedMatrix<float>& c, SecondMatrix layout) {
  if (!library().absent.empty()) return {{}, library().absent};
  const int operation = layout == SecondMatrix::transposed ? operation_transpose : operation_none;
  return {
      [=] {
        const float one = 1, zero = 0;
        // As above: C^T = B^T A^T.
        refuse(library().batched(library().handle, operation, operation_none, e.N, e.M, e.K, &one,
                                 b.first, CUDA_R_32F, b.pitch, b.distance, a.first, CUDA_R_32F,
                                 a.pitch, a.distance, &zero, c.first, CUDA_R_32F, c.pitch,
                                 c.distance, e.count, compute_32f_pedantic, algorithm_default));
      },
      ""};
}

}  // namespace warpwise::lesson
