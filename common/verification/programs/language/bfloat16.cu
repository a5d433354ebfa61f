// bfloat16 arithmetic and conversions, scalar and in pairs.
#include <cuda_bf16.h>
#include <stdio.h>

#define N 18
#define SCALARS 26
#define PAIRS 12

static __device__ unsigned pack(__nv_bfloat162 v) {
  return __bfloat16_as_ushort(v.x) | (unsigned)__bfloat16_as_ushort(v.y) << 16;
}

__global__ void kernel(const unsigned short* in, unsigned short* out, unsigned* out2) {
  int t = threadIdx.x + blockIdx.x * N;
  __nv_bfloat16 a = __ushort_as_bfloat16(in[blockIdx.x]);
  __nv_bfloat16 b = __ushort_as_bfloat16(in[threadIdx.x]);
  __nv_bfloat16 c = __ushort_as_bfloat16(in[(blockIdx.x + threadIdx.x) % N]);
  __nv_bfloat16 r[SCALARS];
  r[0] = __hadd(a, b);
  r[1] = __hsub(a, b);
  r[2] = __hmul(a, b);
  r[3] = __hdiv(a, b);
  r[4] = __hfma(a, b, c);
  r[5] = __hfma_relu(a, b, c);
  r[6] = __hadd_sat(a, b);
  r[7] = __hmin(a, b);
  r[8] = __hmax(a, b);
  r[9] = __hmin_nan(a, b);
  r[10] = __hneg(a);
  r[11] = __habs(a);
  r[12] = hfloor(a);
  r[13] = hceil(a);
  r[14] = hrint(a);
  r[15] = htrunc(a);
  r[16] = __float2bfloat16_rn(__bfloat162float(a) * 1.01f);
  r[17] = __float2bfloat16_rz(__bfloat162float(a) * 1.01f);
  r[18] = __float2bfloat16_ru(__bfloat162float(a) * 1.01f);
  r[19] = __float2bfloat16_rd(__bfloat162float(a) * 1.01f);
  r[20] = __double2bfloat16((double)__bfloat162float(a) * 0.99);
  r[21] = __int2bfloat16_rn((int)in[threadIdx.x] * 77);
  r[22] = __uint2bfloat16_rz(in[threadIdx.x] * 99u);
  r[23] = hsqrt(__habs(a));
  r[24] = __ushort_as_bfloat16((unsigned short)__bfloat162int_rz(a));
  r[25] = __ushort_as_bfloat16(
      (unsigned short)(__heq(a, b) + 2 * __hlt(a, b) + 4 * __hgeu(a, b) + 8 * __hisinf(a)));
  for (int k = 0; k < SCALARS; ++k) out[k * N * N + t] = __bfloat16_as_ushort(r[k]);

  __nv_bfloat162 v = __halves2bfloat162(a, b), w = __halves2bfloat162(b, c);
  unsigned* o = out2 + t * PAIRS;
  o[0] = pack(__hadd2(v, w));
  o[1] = pack(__hmul2(v, w));
  o[2] = pack(__hfma2(v, w, v));
  o[3] = pack(__hmax2(v, w));
  o[4] = pack(__hmin2_nan(v, w));
  o[5] = pack(__hneg2(v));
  o[6] = pack(__hlt2(v, w));
  o[7] = __hle2_mask(v, w);
  o[8] = pack(__floats2bfloat162_rn(__low2float(v) * 3.3f, __high2float(w) / 7.7f));
  o[9] = pack(__h2div(v, w));
  o[10] = pack(__lowhigh2highlow(v));
  o[11] = pack(__hsub2_sat(v, w));
}

int main() {
  unsigned short in[N] = {0x0000, 0x8000, 0x3f80, 0xbf80, 0x0001, 0x807f, 0x0080, 0x7f7f, 0xff7f,
                          0x7f80, 0xff80, 0x7fc0, 0x3eab, 0x4049, 0xc0a0, 0x3dcd, 0x4380, 0x42f7};
  unsigned short *d_in, *d_out;
  unsigned* d_out2;
  static unsigned short out[SCALARS * N * N];
  static unsigned out2[PAIRS * N * N];
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMalloc(&d_out2, sizeof out2);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  kernel<<<N, N>>>(d_in, d_out, d_out2);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemcpy(out2, d_out2, sizeof out2, cudaMemcpyDeviceToHost);
  for (int k = 0; k < SCALARS; ++k) {
    unsigned h = 0;
    for (int i = 0; i < N * N; ++i) h = h * 16777619u + out[k * N * N + i];
    printf("scalar %2d: %08x", k, h);
    for (int i = 5; i < N * N; i += 23) printf(" %04x", out[k * N * N + i]);
    printf("\n");
  }
  for (int k = 0; k < PAIRS; ++k) {
    unsigned h = 0;
    for (int i = 0; i < N * N; ++i) h = h * 16777619u + out2[i * PAIRS + k];
    printf("pair %2d: %08x", k, h);
    for (int i = 5; i < N * N; i += 37) printf(" %08x", out2[i * PAIRS + k]);
    printf("\n");
  }
  cudaFree(d_in);
  cudaFree(d_out);
  cudaFree(d_out2);
  return 0;
}
