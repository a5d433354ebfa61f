// The device API of cuRAND (headers only): XORWOW, Philox, MRG32k3a, skipping ahead, several
// distributions.
#include <curand_kernel.h>

#include <cstdio>

template <typename State>
__global__ void raw(unsigned long long seed, unsigned* out) {
  const int t = threadIdx.x;
  State state;
  curand_init(seed, t, 3, &state);
  unsigned h = 0;
  for (int i = 0; i < 20; ++i) h = h * 31 + curand(&state);
  out[t] = h;
  skipahead(1000, &state);
  out[32 + t] = curand(&state);
  out[64 + t] = __float_as_uint(curand_uniform(&state));
}

__global__ void four_at_once(unsigned* out) {
  curandStatePhilox4_32_10_t state;
  curand_init(42, threadIdx.x, 0, &state);
  const uint4 four = curand4(&state);
  const float4 uniform = curand_uniform4(&state);
  out[threadIdx.x] = four.x ^ four.y ^ four.z ^ four.w;
  out[32 + threadIdx.x] = __float_as_uint(uniform.x) ^ __float_as_uint(uniform.w);
  out[64 + threadIdx.x] = 0;
}

// Moments only: the normal distribution uses functions that are not exact.
__global__ void normal(double* sums) {
  curandState state;
  curand_init(7, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
  double sum = 0, square = 0;
  for (int i = 0; i < 32; ++i) {
    const float v = curand_normal(&state);
    sum += v;
    square += v * v;
  }
  atomicAdd(&sums[0], sum);
  atomicAdd(&sums[1], square);
}

int main() {
  unsigned* out;
  double* sums;
  cudaMallocManaged(&out, 96 * 4);
  cudaMallocManaged(&sums, 16);
  sums[0] = sums[1] = 0;
  auto show = [&](const char* name) {
    printf("%s %s\n", name, cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < 96; i += 1) printf("%08x%c", out[i], i % 16 == 15 ? '\n' : ' ');
  };
  raw<curandStateXORWOW_t><<<1, 32>>>(1234, out);
  show("xorwow");
  raw<curandStatePhilox4_32_10_t><<<1, 32>>>(1234, out);
  show("philox");
  raw<curandStateMRG32k3a_t><<<1, 32>>>(1234, out);
  show("mrg");
  four_at_once<<<1, 32>>>(out);
  show("philox 4");
  normal<<<2, 64>>>(sums);
  cudaDeviceSynchronize();
  const double n = 2 * 64 * 32, mean = sums[0] / n, variance = sums[1] / n;
  printf("mean %s, variance %s\n", mean > -0.06 && mean < 0.06 ? "near 0" : "wrong",
         variance > 0.9 && variance < 1.1 ? "near 1" : "wrong");
  cudaFree(out);
  cudaFree(sums);
}
