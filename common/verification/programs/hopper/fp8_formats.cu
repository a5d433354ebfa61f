// The two 8-bit floating-point formats: decode all codes, encode values around every rounding
// boundary.
#include <cuda_fp8.h>

#include <cstdio>

__global__ void decode(unsigned short* half_bits, unsigned* float_bits) {
  const int code = threadIdx.x;
  const __nv_fp8_interpretation_t kind = blockIdx.x == 0 ? __NV_E4M3 : __NV_E5M2;
  const __half_raw raw = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)code, kind);
  half_bits[blockIdx.x * 256 + code] = raw.x;
  float f;
  if (blockIdx.x == 0) {
    __nv_fp8_e4m3 v;
    v.__x = (__nv_fp8_storage_t)code;
    f = (float)v;
  } else {
    __nv_fp8_e5m2 v;
    v.__x = (__nv_fp8_storage_t)code;
    f = (float)v;
  }
  float_bits[blockIdx.x * 256 + code] = isnan(f) ? 0x7fffffff : __float_as_uint(f);
}

__global__ void encode(const float* in, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  out[i] = __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3);
  out[n + i] = __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2);
  out[2 * n + i] = __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E5M2);
  out[3 * n + i] = __nv_cvt_double_to_fp8((double)x, __NV_SATFINITE, __NV_E4M3);
  const __nv_fp8x2_storage_t two =
      __nv_cvt_float2_to_fp8x2(make_float2(x, -x), __NV_SATFINITE, __NV_E4M3);
  out[4 * n + i] = (unsigned char)(two ^ (two >> 8));
  out[5 * n + i] = __nv_cvt_halfraw_to_fp8(__float2half(x), __NV_SATFINITE, __NV_E5M2);
}

int main() {
  unsigned short* h;
  unsigned* f;
  cudaMallocManaged(&h, 512 * sizeof *h);
  cudaMallocManaged(&f, 512 * sizeof *f);
  decode<<<2, 256>>>(h, f);
  cudaDeviceSynchronize();
  for (int kind = 0; kind < 2; ++kind) {
    printf("%s\n", kind ? "e5m2" : "e4m3");
    for (int i = 0; i < 256; ++i)
      printf("%04x/%08x%s", h[kind * 256 + i], f[kind * 256 + i], i % 8 == 7 ? "\n" : " ");
  }
  constexpr int n = 1200;
  float* in;
  unsigned char* out;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, 6 * n);
  unsigned state = 12345;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    // Exponents around both formats' ranges, mantissas near ties.
    const unsigned exponent = 127 - 20 + (state >> 8) % 40;
    const unsigned tie = ((state >> 20) & 15) << 19 | ((state >> 5) % 3 == 0 ? 0
                                                       : (state & 1)         ? 1
                                                                             : 0x7ffff);
    const unsigned word = (state & 0x80000000u) | exponent << 23 | tie;
    __builtin_memcpy(&in[i], &word, 4);
  }
  in[0] = 0, in[1] = -0.0f, in[2] = 448, in[3] = 464, in[4] = 465, in[5] = 57344, in[6] = 61440,
  in[7] = 1.0f / 0.0f;
  encode<<<(n + 127) / 128, 128>>>(in, out, n);
  cudaDeviceSynchronize();
  for (int k = 0; k < 6; ++k) {
    unsigned hash = 0;
    for (int i = 0; i < n; ++i) hash = hash * 131 + out[k * n + i];
    printf("encode %d: %08x:", k, hash);
    for (int i = 0; i < 40; ++i) printf(" %02x", out[k * n + i]);
    printf("\n");
  }
  cudaFree(h), cudaFree(f), cudaFree(in), cudaFree(out);
}
