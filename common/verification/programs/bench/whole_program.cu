/// \file
/// The program that program_bench runs: `whole_program start` launches small kernels of CUB and of
/// tensor cores, as a program does that just begins; `whole_program memory MEGABYTES` reads and
/// writes so much.
#include <mma.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/cub.cuh>

namespace {

__global__ void scan(const int* in, int* out) {
  using Scan = cub::BlockScan<int, 256>;
  __shared__ typename Scan::TempStorage storage;
  int value = in[threadIdx.x];
  Scan(storage).InclusiveSum(value, value);
  out[threadIdx.x] = value;
}

__global__ void product(const half* a, const half* b, float* c) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> left;
  fragment<matrix_b, 16, 16, 16, half, row_major> right;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.0f);
  load_matrix_sync(left, a, 16);
  load_matrix_sync(right, b, 16);
  mma_sync(sum, left, right, sum);
  store_matrix_sync(c, sum, 16, mem_row_major);
}

__global__ void scale(float* x, std::size_t n) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    x[i] = x[i] * 2 + 1;
}

__global__ void scatter(const float* x, float* y, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i * 40503 % n] = x[i];
}

int finished() {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

int start() {
  constexpr int count = 256;
  int* numbers;
  cudaMalloc(&numbers, 3 * count * sizeof(int));
  cudaMemset(numbers, 0, 3 * count * sizeof(int));
  scan<<<1, count>>>(numbers, numbers + count);
  product<<<1, 32>>>(reinterpret_cast<half*>(numbers), reinterpret_cast<half*>(numbers),
                     reinterpret_cast<float*>(numbers + 2 * count));
  void* storage = nullptr;
  std::size_t bytes = 0;
  cub::DeviceReduce::Sum(storage, bytes, numbers + count, numbers, count);
  cudaMalloc(&storage, bytes);
  cub::DeviceReduce::Sum(storage, bytes, numbers + count, numbers, count);
  const int failed = finished();
  cudaFree(storage);
  cudaFree(numbers);
  return failed;
}

/// Half of it is read and written, then scattered over the other half.
int touch(std::size_t megabytes) {
  const std::size_t n = (megabytes << 20) / 2 / sizeof(float);
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  scale<<<1024, 256>>>(x, n);
  scatter<<<static_cast<unsigned>((n + 255) / 256), 256>>>(x, y, n);
  const int failed = finished();
  cudaFree(x);
  cudaFree(y);
  return failed;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2 && std::strcmp(arguments[1], "start") == 0) return start();
  if (count == 3 && std::strcmp(arguments[1], "memory") == 0)
    return touch(std::strtoul(arguments[2], nullptr, 10));
  std::fprintf(stderr, "usage: whole_program start | memory MEGABYTES\n");
  return 2;
}
