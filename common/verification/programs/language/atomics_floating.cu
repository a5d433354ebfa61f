// Floating-point atomics on values whose sums are exact in any order.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>

struct Sums {
  float f;
  float2 f2;
  float4 f4;
  double d;
  __half h;
  __half2 h2;
  __nv_bfloat16 b;
  __nv_bfloat162 b2;
  float last;
};

__global__ void add(Sums* sums, float* shared_out) {
  __shared__ float sf[2];
  __shared__ double sd;
  __shared__ __half2 sh;
  const int t = threadIdx.x;
  if (t == 0) sf[0] = sf[1] = 0, sd = 0, sh = __half2half2(__ushort_as_half(0));
  __syncthreads();
  atomicAdd(&sums->f, (float)t);
  atomicAdd(&sums->f2, make_float2(t, -t));
  atomicAdd(&sums->f4, make_float4(1, 2, 3, t));
  atomicAdd(&sums->d, t * 0.125);
  atomicAdd(&sums->h, __float2half(0.25f));
  atomicAdd(&sums->h2, __floats2half2_rn(1.0f, -0.5f));
  atomicAdd(&sums->b, __float2bfloat16(0.5f));
  atomicAdd(&sums->b2, __floats2bfloat162_rn(0.25f, (t & 1) ? 1.0f : -1.0f));
  atomicAdd(&sf[t & 1], t * 0.5f);
  atomicAdd(&sd, (double)(1ull << (t % 40)));
  atomicAdd(&sh, __floats2half2_rn(0.5f, 1.0f));
  __syncthreads();
  if (t == 0) {
    shared_out[0] = sf[0];
    shared_out[1] = sf[1];
    shared_out[2] = (float)(sd / 1024);
    shared_out[3] = __low2float(sh);
    shared_out[4] = __high2float(sh);
    shared_out[5] = atomicExch(&sums->last, 3.5f);
    shared_out[6] = atomicExch(&sums->last, -1.0f);
    shared_out[7] = atomicAdd(&sums->last, 0.5f);
  }
}

// Single-threaded: rounding and subnormals of each addition are visible. The unit that adds floats
// in global memory keeps subnormal numbers where one in shared memory also does.
__global__ void rounding(float* f, double* d, float* out) {
  __shared__ float s;
  s = 1.0f;
  *f = 1.0f;
  *d = 1.0;
  for (int i = 0; i < 10; ++i) {
    atomicAdd(f, 0x1p-24f * (i + 1));
    atomicAdd(&s, 0x1p-24f * (i + 1));
    atomicAdd(d, 0x1p-53 * (i + 1));
  }
  out[0] = *f, out[1] = s;
  *f = s = 3e38f;
  atomicAdd(f, 3e38f);
  atomicAdd(&s, 3e38f);
  out[2] = *f, out[3] = s;
  *f = -0.0f;
  atomicAdd(f, -0.0f);
  out[4] = *f;
}

int main() {
  Sums* sums;
  float* out;
  double* d;
  cudaMallocManaged(&sums, sizeof(Sums));
  cudaMallocManaged(&out, 16 * sizeof(float));
  cudaMallocManaged(&d, sizeof(double));
  cudaMemset(sums, 0, sizeof(Sums));
  cudaMemset(out, 0, 64);
  add<<<1, 96>>>(sums, out);
  cudaDeviceSynchronize();
  printf("%a  %a %a  %a %a %a %a  %a\n", sums->f, sums->f2.x, sums->f2.y, sums->f4.x, sums->f4.y,
         sums->f4.z, sums->f4.w, sums->d);
  printf("%a  %a %a  %a  %a %a  %a\n", __half2float(sums->h), __low2float(sums->h2),
         __high2float(sums->h2), __bfloat162float(sums->b), __low2float(sums->b2),
         __high2float(sums->b2), sums->last);
  for (int i = 0; i < 8; ++i) printf("%a ", out[i]);
  rounding<<<1, 1>>>(&sums->f, d, out);
  cudaDeviceSynchronize();
  printf("\n%a %a %a %a %a %a\n", out[0], out[1], out[2], out[3], out[4], *d);
  cudaFree(sums), cudaFree(out), cudaFree(d);
}
