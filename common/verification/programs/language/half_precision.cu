// __half and __half2: arithmetic, comparison and conversion, every result printed or hashed as
// bits.
#include <cuda_fp16.h>

#include <cstdio>
#include <vector>

using Bits = unsigned short;

__device__ Bits bits(__half h) { return __half_as_ushort(h); }

__device__ unsigned bits(__half2 h) {
  return (unsigned)bits(__low2half(h)) | (unsigned)bits(__high2half(h)) << 16;
}

__global__ void scalar(const Bits* in, int n, Bits* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n * n) return;
  const __half a = __ushort_as_half(in[t / n]), b = __ushort_as_half(in[t % n]);
  const __half c = __ushort_as_half(in[(t * 5 + 1) % n]);
  int k = 0;
  auto put = [&](Bits v) { out[k++ * stride + t] = v; };
  put(bits(__hadd(a, b)));
  put(bits(__hsub(a, b)));
  put(bits(__hmul(a, b)));
  put(bits(__hdiv(a, b)));
  put(bits(__hfma(a, b, c)));
  put(bits(__hadd_sat(a, b)));
  put(bits(__hmul_sat(a, b)));
  put(bits(__hfma_sat(a, b, c)));
  put(bits(__hfma_relu(a, b, c)));
  put(bits(__hneg(a)));
  put(bits(__habs(a)));
  put(bits(__hmin(a, b)));
  put(bits(__hmax(a, b)));
  put(bits(__hmin_nan(a, b)));
  put(bits(__hmax_nan(a, b)));
  put(__heq(a, b) | __hne(a, b) << 1 | __hlt(a, b) << 2 | __hle(a, b) << 3 | __hgt(a, b) << 4 |
      __hge(a, b) << 5 | __hequ(a, b) << 6 | __hltu(a, b) << 7 | __hisnan(a) << 8);
  put(bits(hfloor(a)));
  put(bits(hceil(a)));
  put(bits(hrint(a)));
  put(bits(htrunc(a)));
  put((Bits)__half2short_rn(a));
  put((Bits)__half2short_rd(a));
  put((Bits)__half2ushort_ru(a));
  put((Bits)__half2int_rz(a));
  put((Bits)__half2uint_rn(b));
  put(bits(__int2half_rn((short)in[t / n] * 3)));
  put(bits(__uint2half_rz(in[t / n] * 2u)));
  put(bits(__short2half_rd((short)in[t % n])));
  put(bits(__ll2half_ru((long long)in[t / n] - 40000)));
  put(bits(__float2half_rn(__half2float(a) * 1.0009765f)));
  put(bits(__float2half_rz(__half2float(a) * 1.3f)));
  put(bits(__float2half_ru(__half2float(a) * 0.7f)));
  put(bits(__float2half_rd(__half2float(b) * 1e-4f)));
  put(bits(__double2half((double)__half2float(a) / 3)));
  put(bits(hsqrt(__habs(a))));
}

__global__ void packed(const Bits* in, int n, unsigned* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n * n) return;
  const __half2 a = __halves2half2(__ushort_as_half(in[t / n]), __ushort_as_half(in[t % n]));
  const __half2 b =
      __halves2half2(__ushort_as_half(in[(t + 3) % n]), __ushort_as_half(in[(t * 3) % n]));
  const __half2 c = __lowhigh2highlow(a);
  int k = 0;
  auto put = [&](unsigned v) { out[k++ * stride + t] = v; };
  put(bits(__hadd2(a, b)));
  put(bits(__hsub2(a, b)));
  put(bits(__hmul2(a, b)));
  put(bits(__hfma2(a, b, c)));
  put(bits(__hadd2_sat(a, b)));
  put(bits(__hfma2_relu(a, b, c)));
  put(bits(__h2div(a, b)));
  put(bits(__hneg2(a)));
  put(bits(__habs2(a)));
  put(bits(__hmin2(a, b)));
  put(bits(__hmax2(a, b)));
  put(bits(__heq2(a, b)));
  put(bits(__hlt2(a, b)));
  put(__hgt2_mask(a, b));
  put(__hbge2(a, b) + 2 * __hbne2(a, b));
  put(bits(__lows2half2(a, b)));
  put(bits(__highs2half2(a, b)));
  put(bits(__low2half2(a)));
  put(bits(__float22half2_rn(make_float2(__low2float(a) * 0.3f, __high2float(a) * 7.0f))));
  put(bits(__hcmadd(a, b, c)));
  put(bits(a * b + __half2half2(__low2half(c))));
}

__global__ void functions(int* bad) {
  const float x = -3.0f + threadIdx.x * 0.046875f;  // exact in half
  const __half h = __float2half(x), p = __float2half(x + 3.0625f);
  const float pf = __half2float(p);
  auto off = [](__half got, float want) {
    return fabsf(__half2float(got) - want) > fmaxf(fabsf(want) * 2e-3f, 1.3e-3f);
  };
  if (off(hexp(h), expf(x))) atomicAdd(bad + 0, 1);
  if (off(hexp2(h), exp2f(x))) atomicAdd(bad + 1, 1);
  if (off(hlog(p), logf(pf))) atomicAdd(bad + 2, 1);
  if (off(hlog2(p), log2f(pf))) atomicAdd(bad + 3, 1);
  if (off(hsin(h), sinf(x))) atomicAdd(bad + 4, 1);
  if (off(hcos(h), cosf(x))) atomicAdd(bad + 5, 1);
  if (off(hrcp(p), 1 / pf)) atomicAdd(bad + 6, 1);
  if (off(hrsqrt(p), rsqrtf(pf))) atomicAdd(bad + 7, 1);
  if (off(htanh(h), tanhf(x))) atomicAdd(bad + 8, 1);
  if (off(hexp10(h), exp10f(x))) atomicAdd(bad + 9, 1);
}

template <typename T>
void show(const char* title, const T* rows, int count, int stride) {
  for (int k = 0; k < count; ++k) {
    unsigned long long h = 7;
    for (int i = 0; i < stride; ++i) h = h * 6364136223846793005ull + rows[k * stride + i];
    printf("%s %2d %016llx", title, k, h);
    for (int i = 2; i < stride; i += 29) printf(" %x", (unsigned)rows[k * stride + i]);
    printf("\n");
  }
}

int main() {
  std::vector<Bits> in = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x0001, 0x83ff, 0x0400,
                          0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x3555, 0x4248,
                          0xc500, 0x2e66, 0x6400, 0x3801, 0xb801};
  const int n = (int)in.size(), pairs = n * n;
  Bits *d_in, *d_scalar;
  unsigned* d_packed;
  int* bad;
  cudaMalloc(&d_in, n * 2);
  cudaMalloc(&d_scalar, 35 * pairs * 2);
  cudaMalloc(&d_packed, 21 * pairs * 4);
  cudaMallocManaged(&bad, 40);
  cudaMemset(bad, 0, 40);
  cudaMemcpy(d_in, in.data(), n * 2, cudaMemcpyHostToDevice);
  scalar<<<6, 64>>>(d_in, n, d_scalar, pairs);
  packed<<<6, 64>>>(d_in, n, d_packed, pairs);
  functions<<<1, 128>>>(bad);
  std::vector<Bits> s(35 * pairs);
  std::vector<unsigned> p(21 * pairs);
  cudaMemcpy(s.data(), d_scalar, s.size() * 2, cudaMemcpyDeviceToHost);
  cudaMemcpy(p.data(), d_packed, p.size() * 4, cudaMemcpyDeviceToHost);
  show("half", s.data(), 35, pairs);
  show("half2", p.data(), 21, pairs);
  for (int i = 0; i < 10; ++i) printf("function %d: %d outside the bound\n", i, bad[i]);
  cudaFree(d_in), cudaFree(d_scalar), cudaFree(d_packed), cudaFree(bad);
}
