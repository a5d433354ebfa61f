// wmma: all element types and shapes, with small integers, so that every result is exact.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdio>

using namespace nvcuda;

template <typename T>
__device__ T small(int v) {
  return T(v);
}
template <>
__device__ __half small<__half>(int v) {
  return __float2half((float)v);
}
template <>
__device__ __nv_bfloat16 small<__nv_bfloat16>(int v) {
  return __float2bfloat16((float)v);
}

// The types: tf32 numbers are floats in memory.
template <typename Element, typename Memory, typename Sum, int M, int N, int K, typename LayoutA,
          typename LayoutB>
__global__ void product(Sum* out, int seed) {
  __shared__ alignas(32) Memory a[M * K];
  __shared__ alignas(32) Memory b[K * N];
  __shared__ alignas(32) Sum c[M * N];
  for (int i = threadIdx.x; i < M * K; i += 32)
    a[i] = small<Memory>((i * 7 + seed) % 11 - (sizeof(Memory) == 1 ? 0 : 5));
  for (int i = threadIdx.x; i < K * N; i += 32) b[i] = small<Memory>((i * 5 + seed) % 13);
  for (int i = threadIdx.x; i < M * N; i += 32) c[i] = Sum(i % 9);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, M, N, K, Element, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, Element, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> fc, fd;
  constexpr bool a_rows = std::is_same<LayoutA, wmma::row_major>::value,
                 b_rows = std::is_same<LayoutB, wmma::row_major>::value;
  wmma::load_matrix_sync(fa, a, a_rows ? K : M);
  wmma::load_matrix_sync(fb, b, b_rows ? N : K);
  wmma::load_matrix_sync(fc, c, N, wmma::mem_row_major);
  wmma::mma_sync(fd, fa, fb, fc);
  for (int i = 0; i < fd.num_elements; ++i) fd.x[i] = fd.x[i] + Sum(1);
  wmma::store_matrix_sync(out, fd, N, wmma::mem_row_major);
  wmma::fill_fragment(fc, Sum(2));
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(out + M * N, fc, M, wmma::mem_col_major);
}

template <typename Sum>
void show(const char* name, Sum* out) {
  const auto status = cudaDeviceSynchronize();
  double weighted = 0;
  for (int i = 0; i < 512; ++i) weighted += (double)(float)out[i] * (i % 17 + 1);
  printf("%-24s %s %.0f:", name, cudaGetErrorName(status), weighted);
  for (int i = 0; i < 512; i += 43) printf(" %g", (double)(float)out[i]);
  printf("\n");
}

using Row = wmma::row_major;
using Column = wmma::col_major;

int main() {
  void* memory;
  cudaMallocManaged(&memory, 2048);
  auto* f = (float*)memory;
  auto* h = (__half*)memory;
  auto* i = (int*)memory;
  product<__half, __half, float, 16, 16, 16, Row, Column><<<1, 32>>>(f, 1);
  show("half 16x16x16 float", f);
  product<__half, __half, float, 32, 8, 16, Row, Row><<<1, 32>>>(f, 2);
  show("half 32x8x16 float", f);
  product<__half, __half, float, 8, 32, 16, Column, Column><<<1, 32>>>(f, 3);
  show("half 8x32x16 float", f);
  product<__half, __half, __half, 16, 16, 16, Column, Row><<<1, 32>>>(h, 4);
  show("half 16x16x16 half", h);
  product<__nv_bfloat16, __nv_bfloat16, float, 16, 16, 16, Row, Row><<<1, 32>>>(f, 5);
  show("bfloat16 16x16x16", f);
  product<__nv_bfloat16, __nv_bfloat16, float, 32, 8, 16, Column, Row><<<1, 32>>>(f, 6);
  show("bfloat16 32x8x16", f);
  product<wmma::precision::tf32, float, float, 16, 16, 8, Row, Column><<<1, 32>>>(f, 7);
  show("tf32 16x16x8", f);
  product<signed char, signed char, int, 16, 16, 16, Row, Column><<<1, 32>>>(i, 8);
  show("signed char 16x16x16", i);
  product<unsigned char, unsigned char, int, 8, 32, 16, Row, Row><<<1, 32>>>(i, 9);
  show("unsigned char 8x32x16", i);
  product<signed char, signed char, int, 32, 8, 16, Column, Column><<<1, 32>>>(i, 10);
  show("signed char 32x8x16", i);
  cudaFree(memory);
}
