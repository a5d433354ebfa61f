/* Functions of the math library, most of which rest on the hardware's approximations: what each
 * gives for any bits, for numbers around 1 and for numbers from 0 to 1, added up. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdint.h>
#include <stdio.h>

const uint32_t inputs = 8192;

__device__ uint32_t mixed(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

/* One result that differs changes the sum. */
__device__ uint32_t addend(uint32_t index, uint32_t result) {
  uint32_t m = (result ^ index * 0x9e3779b1u) * 0x85ebca6bu;
  return (m ^ m >> 15) * 0xc2b2ae35u;
}
__device__ uint32_t bits(float x) { return __float_as_uint(x); }
__device__ uint32_t bits(__half x) { return __half_as_ushort(x); }
__device__ uint32_t bits(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }
__device__ uint32_t bits(__half2 x) { return *(uint32_t*)&x; }
__device__ uint32_t bits(double x) {
  uint64_t all = __double_as_longlong(x);
  return (uint32_t)all ^ mixed((uint32_t)(all >> 32));
}

__device__ void make(uint32_t index, int range, float& x) {
  uint32_t b = mixed(index);
  if (range == 0) x = __uint_as_float(b);
  if (range == 1) x = __uint_as_float((b & 0x807fffffu) | (118u + (b >> 23) % 14u) << 23);
  if (range == 2) x = (float)(int)(b >> 8) * (1.0f / 16777216.0f);
}
__device__ void make(uint32_t index, int range, double& x) {
  uint64_t b = (uint64_t)mixed(index) << 32 | mixed(index + 0x12345677u);
  if (range == 0) x = __longlong_as_double(b);
  if (range == 1)
    x = __longlong_as_double((b & 0x800fffffffffffffull) | (uint64_t)(1014 + (b >> 52) % 14) << 52);
  if (range == 2) x = (double)(b >> 11) * (1.0 / 9007199254740992.0);
}
__device__ void make(uint32_t index, int range, __half& x) {
  x = __ushort_as_half((unsigned short)(range == 2 ? 0x2000 + (index & 0x3fff) : index));
}
__device__ void make(uint32_t index, int, __nv_bfloat16& x) {
  x = __ushort_as_bfloat16((unsigned short)index);
}
__device__ void make(uint32_t index, int, __half2& x) {
  uint32_t b = mixed(index);
  x = *(__half2*)&b;
}

template <class T, class Function>
__global__ void add_up(uint32_t* sums, Function function) {
  for (int range = 0; range < 3; range++) {
    uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
    T x, y;
    make(index, range, x);
    make(index * 3u + 99u, range, y);
    atomicAdd(&sums[range], addend(index, bits(function(x, y))));
  }
}

template <class T, class Function>
void show(const char* name, Function function) {
  uint32_t *device, sums[3];
  cudaMalloc((void**)&device, sizeof(sums));
  cudaMemset(device, 0, sizeof(sums));
  add_up<T><<<inputs / 256, 256>>>(device, function);
  cudaMemcpy(sums, device, sizeof(sums), cudaMemcpyDeviceToHost);
  printf("%-18s %08x %08x %08x\n", name, sums[0], sums[1], sums[2]);
  cudaFree(device);
}
/* clang-format off */
#define FUNCTIONS(F) \
  F(f0, float, sinf(x)) \
  F(f1, float, cosf(x)) \
  F(f2, float, tanf(x)) \
  F(f3, float, expf(x)) \
  F(f4, float, exp10f(x)) \
  F(f5, float, logf(x)) \
  F(f6, float, log10f(x)) \
  F(f7, float, log1pf(x)) \
  F(f8, float, sinhf(x)) \
  F(f9, float, tanhf(x)) \
  F(f10, float, asinhf(x)) \
  F(f11, float, rsqrtf(x)) \
  F(f12, float, cbrtf(x)) \
  F(f13, float, rcbrtf(x)) \
  F(f14, float, erfcf(x)) \
  F(f15, float, normcdff(x)) \
  F(f16, float, tgammaf(x)) \
  F(f17, float, lgammaf(x)) \
  F(f18, float, __sinf(x)) \
  F(f19, float, __cosf(x)) \
  F(f20, float, __tanf(x)) \
  F(f21, float, __expf(x)) \
  F(f22, float, __exp10f(x)) \
  F(f23, float, __logf(x)) \
  F(f24, float, __log10f(x)) \
  F(f25, float, __frsqrt_rn(x)) \
  F(f26, float, __tanhf(x)) \
  F(f27, float, powf(x, y)) \
  F(f28, float, atan2f(x, y)) \
  F(f29, float, hypotf(x, y)) \
  F(f30, float, __powf(x, y)) \
  F(f31, float, __fdividef(x, y)) \
  F(f32, float, x / y) \
  F(f33, __half, hexp(x)) \
  F(f34, __half, hexp10(x)) \
  F(f35, __half, hlog(x)) \
  F(f36, __half, hsin(x)) \
  F(f37, __half, hcos(x)) \
  F(f38, __half, hrcp(x)) \
  F(f39, __half, hsqrt(x)) \
  F(f40, __half, hrsqrt(x)) \
  F(f41, __half, htanh(x)) \
  F(f42, __half, htanh_approx(x)) \
  F(f43, __half2, h2exp2(x)) \
  F(f44, __half2, h2tanh_approx(x)) \
  F(f45, __nv_bfloat16, hexp(x)) \
  F(f46, __nv_bfloat16, hlog(x)) \
  F(f47, __nv_bfloat16, hsin(x)) \
  F(f48, __nv_bfloat16, hrcp(x)) \
  F(f49, __nv_bfloat16, hrsqrt(x)) \
  F(f50, __nv_bfloat16, htanh(x)) \
  F(f51, double, exp(x)) \
  F(f52, double, log(x)) \
  F(f53, double, sin(x)) \
  F(f54, double, tan(x)) \
  F(f55, double, rsqrt(x)) \
  F(f56, double, sqrt(x)) \
  F(f57, double, cbrt(x)) \
  F(f58, double, rcbrt(x)) \
  F(f59, double, erf(x)) \
  F(f60, double, tgamma(x)) \
  F(f61, double, pow(x, y))
/* clang-format on */

#define DEFINE(name, T, ...)                                        \
  struct name {                                                     \
    __device__ T operator()(T x, T y) const { return __VA_ARGS__; } \
  };
FUNCTIONS(DEFINE)

int main(void) {
#define SHOW(name, T, ...) show<T>(#__VA_ARGS__, name{});
  FUNCTIONS(SHOW)
  return 0;
}
