// Built in every way that nvcc offers (common/cmake/stand_in.cmake), by build_modes_test.cpp.
#include <cstdio>
#include <vector>

#include "header.h"
#ifdef __CUDACC_RDC__
static __device__ __noinline__ int same_name(int x) { return x - 1; }
#define minus_one same_name
#else
#include "other.cu"
static __device__ int minus_one(int x) { return x - 1; }
#endif
struct Animal {
  __device__ virtual int legs(int age) const = 0;
  __device__ virtual ~Animal() {}
};
struct Dog : Animal {
  __device__ int legs(int age) const override { return largest(4, age); }
};
struct Bird : Animal {
  __device__ int legs(int) const override { return 2; }
};
__device__ __noinline__ Matrix transposed(Matrix m) {
  Matrix t;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) t.values[i][j] = m.values[j][i];
  t.scale = m.scale * 2;
  return t;
}
__device__ int collatz(int n) { return n <= 1 ? 0 : 1 + collatz(n % 2 ? 3 * n + 1 : n / 2); }
__device__ int chosen(int which, int x) {
  switch (which % 7) {
    case 0:
      return x * 3;
    case 1:
      return x / 7;
    case 2:
      return x ^ 0x55;
    case 3:
      return __popc(x);
    case 4:
      return x - 11;
    case 5:
      return x << 3;
    default:
      return -x;
  }
}
__managed__ int managed = 5;
__global__ void kernel(int* out, float* floats, Matrix m) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = scaled(t) + (*operations[t & 1])(t, 9);
  __syncthreads();
  Matrix r = transposed(m);
  Animal* animal = t % 3 ? static_cast<Animal*>(new Dog) : new Bird;
  out[t] = tile[63 - t] + r.values[t % 3][t / 3 % 3] + int(r.scale) + animal->legs(t) +
           collatz(t + 1) + chosen(t, t * 13) + minus_one(t) + managed;
  delete animal;
  floats[t] = 1.0f / (t + 1) * 3.0f + sqrtf(t);
  if (t == 5) printf("from the device: %d %s\n", out[t], "text");
}
int main() {
  const int n = 64;
  int* out;
  float* floats;
  cudaMalloc(&out, n * 4);
  cudaMalloc(&floats, n * 4);
  Matrix m;
  for (int i = 0; i < 9; ++i) m.values[i / 3][i % 3] = i * i;
  m.scale = 1.5;
  int seven = 7;
  cudaMemcpyToSymbol(factor, &seven, 4);
  std::vector<int> got(n), second(n);
  std::vector<float> got_floats(n);
  cudaDeviceSetLimit(cudaLimitStackSize, 16384);  // for collatz, 112 calls deep
  kernel<<<1, n>>>(out, floats, m);
  cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(got_floats.data(), floats, n * 4, cudaMemcpyDeviceToHost);
  second_kernel<<<1, n>>>(out);
  cudaMemcpy(second.data(), out, n * 4, cudaMemcpyDeviceToHost);
  int weights[4] = {1, 10, 100, 1000}, wrong = 0;
  auto scaled = [&](int x) { return x * 7 + weights[x & 3]; };
  auto steps = [](int k) {
    int s = 0;
    for (; k > 1; ++s) k = k % 2 ? 3 * k + 1 : k / 2;
    return s;
  };
  for (int t = 0; t < n; ++t) {
    int u = 63 - t, x = t * 13;
    int cases[7] = {x * 3, x / 7, x ^ 0x55, __builtin_popcount(x), x - 11, x << 3, -x};
    int want = scaled(u) + (u & 1 ? u - 9 : u + 9) + m.values[t / 3 % 3][t % 3] + 3 +
               (t % 3 ? (t > 4 ? t : 4) : 2) + steps(t + 1) + cases[t % 7] + t - 1 + 5;
    float near = 1.0f / (t + 1) * 3.0f + __builtin_sqrtf(t);
    if (got[t] != want || second[t] != 2 * scaled(t)) ++wrong;
    if (__builtin_fabsf(got_floats[t] - near) > 1e-5f * near) ++wrong;
  }
  printf("%d wrong, %s\n", wrong, cudaGetErrorName(cudaDeviceSynchronize()));
  return wrong != 0;
}
