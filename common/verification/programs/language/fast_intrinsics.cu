/* Hardware approximations (__expf and friends). Their results are not specified to the bit, so the
 * program checks the documented error bounds. */
#include <stdio.h>

__global__ void approximate(int* violations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; /* 0 .. 511 */
  float x = -3.14159f + i * (6.28318f / 511.0f);
  float p = 0.5f + i * (1.5f / 511.0f);
  float wide = ldexpf(1.0f + i / 512.0f, i % 200 - 100);

  if (fabsf(__sinf(x) - sinf(x)) > 5.0e-7f) atomicAdd(&violations[0], 1);
  if (fabsf(__cosf(x) - cosf(x)) > 5.0e-7f) atomicAdd(&violations[1], 1);
  float s, c;
  __sincosf(x, &s, &c);
  if (s != __sinf(x) || c != __cosf(x)) atomicAdd(&violations[2], 1);
  float e = expf(x);
  if (fabsf(__expf(x) - e) > (2 + floorf(fabsf(1.173f * x))) * e * 1.2e-7f)
    atomicAdd(&violations[3], 1);
  if (fabsf(__logf(p) - logf(p)) > 5.0e-7f) atomicAdd(&violations[4], 1);
  if (fabsf(__log2f(p) - log2f(p)) > 5.0e-7f) atomicAdd(&violations[5], 1);
  if (fabsf(__log10f(p) - log10f(p)) > 5.0e-7f) atomicAdd(&violations[6], 1);
  if (fabsf(__powf(p, 3.0f) - p * p * p) > 8e-6f) atomicAdd(&violations[7], 1);
  if (fabsf(__fdividef(x, p) * p - x) > 1e-6f) atomicAdd(&violations[8], 1);
  if (fabsf(__frsqrt_rn(p) * __frsqrt_rn(p) * p - 1.0f) > 4e-7f) atomicAdd(&violations[9], 1);
  if (fabsf(__tanf(x * 0.3f) - tanf(x * 0.3f)) > 3e-6f) atomicAdd(&violations[10], 1);
  if (fabsf(__exp10f(x) - exp10f(x)) > exp10f(x) * 2e-6f) atomicAdd(&violations[11], 1);
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(wide));
  if (fabsf(r * wide - 1.0f) > 3e-7f) atomicAdd(&violations[12], 1);
  asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(wide));
  if (fabsf(r * r / wide - 1.0f) > 6e-7f) atomicAdd(&violations[13], 1);
  asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  if (fabsf(r - tanhf(x)) > 6e-4f) atomicAdd(&violations[14], 1);
  asm("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"((float)(i - 256)));
  if (i > 140 && i < 380 && r != ldexpf(1.0f, i - 256)) atomicAdd(&violations[15], 1);
  asm("lg2.approx.f32 %0, %1;" : "=f"(r) : "f"(ldexpf(1.0f, i % 250 - 125)));
  if (fabsf(r - (i % 250 - 125)) > 2.4e-7f * abs(i % 250 - 125)) atomicAdd(&violations[16], 1);
}

__global__ void limits(unsigned* out) {
  float inf = __int_as_float(0x7f800000), zero = 0.0f;
  out[0] = __float_as_uint(__expf(inf));
  out[1] = __float_as_uint(__expf(-inf));
  out[2] = __float_as_uint(__logf(zero));
  out[3] = isnan(__logf(-1.0f));
  out[4] = isnan(__sinf(inf));
  out[5] = __float_as_uint(__fdividef(1.0f, inf));
  out[6] = __float_as_uint(__fdividef(1.0f, 1.7e38f));
  out[7] = __float_as_uint(__frsqrt_rn(zero));
  out[8] = __float_as_uint(__frsqrt_rn(4.0f));
  out[9] = __float_as_uint(__sinf(zero));
  out[10] = __float_as_uint(__cosf(zero));
  out[11] = __float_as_uint(__frcp_rn(-zero));
}

int main(void) {
  int *v, host[17] = {0};
  unsigned *l, lim[12];
  cudaMalloc((void**)&v, sizeof(host));
  cudaMalloc((void**)&l, sizeof(lim));
  cudaMemset(v, 0, sizeof(host));
  approximate<<<4, 128>>>(v);
  limits<<<1, 1>>>(l);
  cudaMemcpy(host, v, sizeof(host), cudaMemcpyDeviceToHost);
  cudaMemcpy(lim, l, sizeof(lim), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 17; i++) printf("test %d: %d outside\n", i, host[i]);
  for (int i = 0; i < 12; i++) printf("limit %d: %08x\n", i, lim[i]);
  cudaFree(v);
  cudaFree(l);
  return 0;
}
