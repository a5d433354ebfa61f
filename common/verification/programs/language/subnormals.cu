// Results near zero: gradual underflow by default, flushing where the instruction asks for it.
#include <cstdio>

__device__ float add_ftz(float a, float b) {
  float r;
  asm("add.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
__device__ float mul_ftz(float a, float b) {
  float r;
  asm("mul.rn.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
__device__ float mul_sat(float a, float b) {
  float r;
  asm("mul.sat.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
__device__ float fma_ftz(float a, float b, float c) {
  float r;
  asm("fma.rn.ftz.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));
  return r;
}
__device__ float fma_sat(float a, float b, float c) {
  float r;
  asm("fma.rz.ftz.sat.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));
  return r;
}
__device__ float min_ftz(float a, float b) {
  float r;
  asm("min.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
__device__ float max_nan(float a, float b) {
  float r;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
__device__ float min_xorsign(float a, float b) {
  float r;
  asm("min.xorsign.abs.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
__device__ float abs_ftz(float a) {
  float r;
  asm("abs.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}
__device__ float neg_ftz(float a) {
  float r;
  asm("neg.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}
__device__ float sqrt_ftz(float a) {
  float r;
  asm("sqrt.rn.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}
__device__ float div_ftz(float a, float b) {
  float r;
  asm("div.rn.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
__device__ int less_ftz(float a, float b) {
  int r;
  asm("{.reg .pred p; setp.lt.ftz.f32 p, %1, %2; selp.s32 %0, 1, 0, p;}"
      : "=r"(r)
      : "f"(a), "f"(b));
  return r;
}
__device__ int equal_unordered(float a, float b) {
  int r;
  asm("{.reg .pred p; setp.equ.f32 p, %1, %2; selp.s32 %0, 1, 0, p;}" : "=r"(r) : "f"(a), "f"(b));
  return r;
}
__device__ int round_ftz(float a) {
  int r;
  asm("cvt.rpi.ftz.s32.f32 %0, %1;" : "=r"(r) : "f"(a));
  return r;
}
__device__ int subnormal(float a) {
  int r;
  asm("{.reg .pred p; testp.subnormal.f32 p, %1; selp.s32 %0, 1, 0, p;}" : "=r"(r) : "f"(a));
  return r;
}

__global__ void underflow(const float* x, int n, unsigned* out) {
  const int i = threadIdx.x;
  const float a = x[i], b = x[(i + 1) % n], c = x[(i + 5) % n];
  unsigned* o = out + i * 22;
  o[0] = __float_as_uint(a + b);
  o[1] = __float_as_uint(add_ftz(a, b));
  o[2] = __float_as_uint(a * 0.5f);
  o[3] = __float_as_uint(mul_ftz(a, 0.5f));
  o[4] = __float_as_uint(mul_sat(a, b));
  o[5] = __float_as_uint(fmaf(a, b, c));
  o[6] = __float_as_uint(fma_ftz(a, b, c));
  o[7] = __float_as_uint(fma_sat(a, b, c));
  o[8] = __float_as_uint(fminf(a, b));
  o[9] = __float_as_uint(min_ftz(a, b));
  o[10] = __float_as_uint(max_nan(a, b));
  o[11] = __float_as_uint(min_xorsign(a, b));
  o[12] = __float_as_uint(abs_ftz(a));
  o[13] = __float_as_uint(neg_ftz(a));
  o[14] = __float_as_uint(sqrtf(fabsf(a)));
  o[15] = __float_as_uint(sqrt_ftz(fabsf(a)));
  o[16] = __float_as_uint(a / b);
  o[17] = __float_as_uint(div_ftz(a, b));
  o[18] = less_ftz(0.0f, a) * 8 + (0.0f < a) * 4 + equal_unordered(a, b) * 2 + (a == b);
  o[19] = round_ftz(a);
  o[20] = subnormal(a);
  o[21] = __float_as_uint(a - a * 3.0f + b * c);
}

int main() {
  float x[] = {0.0f,           -0.0f,     1e-45f,      -1e-45f,    5.9e-39f, 1.1754942e-38f,
               1.1754944e-38f, -2.3e-38f, 1e-30f,      0.25f,      1.0f,     -1.0f,
               2.0f,           3e38f,     1.0f / 0.0f, 0.0f / 0.0f};
  const int n = 16;
  float* d_x;
  unsigned *d_out, out[n * 22];
  cudaMalloc((void**)&d_x, sizeof x);
  cudaMalloc((void**)&d_out, sizeof out);
  cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
  underflow<<<1, n>>>(d_x, n, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) {
    printf("%-13a", x[i]);
    for (int k = 0; k < 22; k++) printf(" %08x", out[i * 22 + k]);
    printf("\n");
  }
  cudaFree(d_x);
  cudaFree(d_out);
}
