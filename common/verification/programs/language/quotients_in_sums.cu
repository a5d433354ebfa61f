// Quotients that are not exact, and approximations of constants, in sums and products: the bits
// that come out depend on what ptxas works out itself, and on what it makes one fma of. Each value
// is printed with all its bits, as a sum over threads.
#include <cstdio>
#include <vector>

constexpr int threads = 64, results = 20;

__device__ unsigned mixed(float value) {
  return __reduce_xor_sync(~0u, __float_as_uint(value) * (2 * threadIdx.x + 1));
}

__global__ void literals(const float* a, const float* b, unsigned* out) {
  const float x = a[threadIdx.x], y = b[threadIdx.x];
  float sum = 0;
#pragma unroll
  for (int k = 1; k < 12; ++k) sum += __fdividef(x, k) + __fdividef(y, k + 0.5f);
  float terms = 0;
#pragma unroll
  for (int k = 1; k < 9; ++k) terms += a[k] * __expf(-0.5f * k) * rsqrtf(k);
  const float values[results] = {x * rsqrtf(32.f),
                                 x * __expf(1.7f),
                                 x + __logf(7.3f),
                                 x * __sinf(2.1f),
                                 x * __cosf(-5.3f),
                                 x + __powf(3.3f, 1.9f),
                                 __fdividef(x, 3.7f) + y,
                                 y - __fdividef(x, 7.3f),
                                 __fdividef(2.3f, 7.1f) * x + y,
                                 __fdividef(x, 3e38f) + y,
                                 __fdividef(x, 1.f) + __fdividef(y, 1.5f),
                                 x * rsqrtf(3.f) - y,
                                 x * __tanf(0.4f),
                                 x + __log2f(11.f),
                                 x * __frcp_rn(7.7f),
                                 __fdividef(x, y) + __fdividef(y, 3.3f),
                                 x * rsqrtf(1e-30f),
                                 __expf(x) * __expf(0.123f),
                                 sum,
                                 terms};
#pragma unroll
  for (int k = 0; k < results; ++k) {
    const unsigned all = mixed(values[k]);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32 * results + k] = all;
  }
}

int main() {
  std::vector<float> a(threads), b(threads);
  for (int i = 0; i < threads; ++i) a[i] = (i * 37 % 64 - 31) * 0.173f, b[i] = i * 0.059f + 0.7f;
  float *in_a, *in_b;
  unsigned* out;
  cudaMalloc(&in_a, threads * sizeof(float));
  cudaMalloc(&in_b, threads * sizeof(float));
  cudaMalloc(&out, 2 * results * sizeof(unsigned));
  cudaMemcpy(in_a, a.data(), threads * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(in_b, b.data(), threads * sizeof(float), cudaMemcpyHostToDevice);
  literals<<<1, threads>>>(in_a, in_b, out);
  std::vector<unsigned> values(2 * results);
  cudaMemcpy(values.data(), out, values.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
  for (int k = 0; k < results; ++k) printf("%d: %08x %08x\n", k, values[k], values[results + k]);
  cudaFree(in_a);
  cudaFree(in_b);
  cudaFree(out);
}
