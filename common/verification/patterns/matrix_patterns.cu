/// \file
/// Patterns of matrix loads and stores whose counts are recorded on hardware:
/// common/verification/recorded/matrix_patterns.json.
///
/// Every launch is one pattern. For ldmatrix and stmatrix lane i gives row (((i & keep) * stride) ^
/// flip) + (i / 8) * apart of 16 bytes; for wmma `stride` is the distance of lines in elements.
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

using std::uint32_t;
namespace wmma = nvcuda::wmma;

struct Pattern {
  const char* name;
  unsigned stride;
  unsigned flip = 0;
  unsigned apart = 0;
  unsigned keep = 31;
};

__device__ uint32_t row_address(const Pattern& p) {
  extern __shared__ __align__(128) char memory[];
  const unsigned lane = threadIdx.x % 32;
  auto base = static_cast<uint32_t>(__cvta_generic_to_shared(memory));
  return base + 16 * ((((lane & p.keep) * p.stride) ^ p.flip) + lane / 8 * p.apart);
}

// The results are used: ptxas drops loads of which nothing is, volatile or not.
#define LOAD(NAME, OPCODE)                                                               \
  __global__ void NAME(char* data, Pattern p) {                                          \
    uint32_t a, b, c, d;                                                                 \
    asm volatile("{ mov.b32 %0, 0; mov.b32 %1, 0; mov.b32 %2, 0; mov.b32 %3, 0; " OPCODE \
                 ", [%4]; }"                                                             \
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)                                    \
                 : "r"(row_address(p)));                                                 \
    reinterpret_cast<uint32_t*>(data)[threadIdx.x] = a ^ b ^ c ^ d;                      \
  }
#define STORE(NAME, OPCODE)                                                                    \
  __global__ void NAME(char*, Pattern p) {                                                     \
    asm volatile(OPCODE ";" ::"r"(row_address(p)), "r"(0), "r"(0), "r"(0), "r"(0) : "memory"); \
  }
LOAD(ldmatrix_x1, "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}")
LOAD(ldmatrix_x2, "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}")
LOAD(ldmatrix_x4, "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}")
LOAD(ldmatrix_x4_trans, "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}")
STORE(stmatrix_x1, "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1}")
STORE(stmatrix_x2, "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1,%2}")
STORE(stmatrix_x4, "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4}")
STORE(stmatrix_x4_trans, "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4}")

template <class Fragment, class T>
__device__ void copy_tile(T* from, char* out, unsigned pitch) {
  Fragment fragment;
  wmma::load_matrix_sync(fragment, from, pitch);
  using Bits = std::conditional_t<sizeof(T) == 1, unsigned char, unsigned short>;
  unsigned mixed = 0;
  for (T& x : fragment.x) mixed = 3 * mixed ^ reinterpret_cast<const Bits&>(x);
  *reinterpret_cast<unsigned*>(out + 16 * threadIdx.x) = mixed;
}
#define TILE(NAME, ROLE, LAYOUT, T)                                         \
  __global__ void global_##NAME(char* data, Pattern p) {                    \
    using F = wmma::fragment<wmma::ROLE, 16, 16, 16, T, wmma::LAYOUT>;      \
    copy_tile<F>(reinterpret_cast<T*>(data), data + 32 * 1024, p.stride);   \
  }                                                                         \
  __global__ void shared_##NAME(char* data, Pattern p) {                    \
    extern __shared__ __align__(128) char memory[];                         \
    using F = wmma::fragment<wmma::ROLE, 16, 16, 16, T, wmma::LAYOUT>;      \
    copy_tile<F>(reinterpret_cast<T*>(memory), data + 32 * 1024, p.stride); \
  }
TILE(a_row_f16, matrix_a, row_major, half)
TILE(a_col_f16, matrix_a, col_major, half)
TILE(b_row_f16, matrix_b, row_major, half)
TILE(a_row_s8, matrix_a, row_major, signed char)
TILE(a_col_s8, matrix_a, col_major, signed char)

template <class T, wmma::layout_t Layout>
__device__ void copy_accumulator(T* from, T* to, unsigned pitch) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, T> fragment;
  wmma::load_matrix_sync(fragment, from, pitch, Layout);
  wmma::store_matrix_sync(to, fragment, pitch, Layout);
}
#define ACCUMULATOR(NAME, LAYOUT, T)                                                       \
  __global__ void global_##NAME(char* data, Pattern p) {                                   \
    copy_accumulator<T, wmma::LAYOUT>(reinterpret_cast<T*>(data),                          \
                                      reinterpret_cast<T*>(data + 32 * 1024), p.stride);   \
  }                                                                                        \
  __global__ void shared_##NAME(char*, Pattern p) {                                        \
    extern __shared__ __align__(128) char memory[];                                        \
    copy_accumulator<T, wmma::LAYOUT>(reinterpret_cast<T*>(memory),                        \
                                      reinterpret_cast<T*>(memory + 16 * 1024), p.stride); \
  }
ACCUMULATOR(c_row_f32, mem_row_major, float)
ACCUMULATOR(c_col_f32, mem_col_major, float)
ACCUMULATOR(c_row_f16, mem_row_major, half)
ACCUMULATOR(c_col_f16, mem_col_major, half)

struct Kernel {
  const char* name;
  const void* function;
};
#define KERNEL(NAME) \
  Kernel { #NAME, reinterpret_cast < const void*>(NAME) }
#define KERNELS(NAME) KERNEL(global_##NAME), KERNEL(shared_##NAME)

bool run(const Kernel& kernel, Pattern pattern, char* data) {
  void* arguments[] = {&data, &pattern};
  std::printf("%s: %s\n", kernel.name, pattern.name);
  return cudaLaunchKernel(kernel.function, dim3(2), dim3(32), arguments, 32 * 1024, nullptr) ==
         cudaSuccess;
}

int main() {
  const Kernel rows[] = {KERNEL(ldmatrix_x1),       KERNEL(ldmatrix_x2),      KERNEL(ldmatrix_x4),
                         KERNEL(ldmatrix_x4_trans), KERNEL(stmatrix_x1),      KERNEL(stmatrix_x2),
                         KERNEL(stmatrix_x4),       KERNEL(stmatrix_x4_trans)};
  const Kernel tiles[] = {KERNELS(a_row_f16), KERNELS(a_col_f16), KERNELS(b_row_f16),
                          KERNELS(a_row_s8),  KERNELS(a_col_s8),  KERNELS(c_row_f32),
                          KERNELS(c_col_f32), KERNELS(c_row_f16), KERNELS(c_col_f16)};
  const Pattern row_patterns[] = {{"unit", 1},
                                  {"rows of 32 bytes", 2},
                                  {"rows of 48 bytes", 3},
                                  {"rows of 64 bytes", 4},
                                  {"rows of 80 bytes", 5},
                                  {"rows of 128 bytes", 8},
                                  {"rows of 144 bytes", 9},
                                  {"rows of 256 bytes", 16},
                                  {"reversed", 1, 31},
                                  {"swizzled", 1, 5},
                                  {"one row", 0},
                                  {"one row a matrix", 0, 0, 8},
                                  {"pairs share", 1, 0, 0, 30},
                                  {"lanes 2 apart share", 1, 0, 0, 29},
                                  {"fours share", 1, 0, 0, 28},
                                  {"pairs share rows of 128 bytes", 8, 0, 0, 30},
                                  {"lanes 2 apart share rows of 128 bytes", 8, 0, 0, 29},
                                  {"all matrices the same", 1, 0, 0, 7},
                                  {"all matrices the same, rows of 128 bytes", 8, 0, 0, 7},
                                  {"side by side in rows of 128 bytes", 8, 0, 1, 7}};
  const Pattern tile_patterns[] = {{"pitch 16", 16},  {"pitch 48", 48}, {"pitch 32", 32},
                                   {"pitch 64", 64},  {"pitch 80", 80}, {"pitch 128", 128},
                                   {"pitch 144", 144}};
  char* data = nullptr;
  const int bytes = 64 * 1024;
  if (cudaMalloc(&data, bytes) != cudaSuccess || cudaMemset(data, 0, bytes) != cudaSuccess)
    return 3;
  bool good = true;
  for (const Kernel& kernel : rows)
    for (const Pattern& pattern : row_patterns) good &= run(kernel, pattern, data);
  for (const Kernel& kernel : tiles)
    for (const Pattern& pattern : tile_patterns) good &= run(kernel, pattern, data);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return good && error == cudaSuccess ? 0 : 1;
}
