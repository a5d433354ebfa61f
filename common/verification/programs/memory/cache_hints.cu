// Hints that change nothing but speed: cached loads and stores, prefetches, policies, annotated
// pointers, assumptions, discards.
#include <cstdint>
#include <cstdio>
#include <cuda/annotated_ptr>
#include <cuda/discard_memory>

__global__ void hints(const float* __restrict__ in, float* out, const int4* q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __builtin_assume(i >= 0);
  const float* p = (const float*)__builtin_assume_aligned(in, 16);
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in + i));
  asm volatile("prefetch.global.L1 [%0];" ::"l"(in + i));
  asm volatile("prefetchu.L1 [%0];" ::"l"(in + i));
  float v = __ldg(p + i) + __ldca(in + i) + __ldcg(in + i) + __ldcs(in + i) + __ldlu(in + i) +
            __ldcv(in + i);
  int4 w = __ldcs(q + i);
  v += w.x + w.w;
  if (__builtin_expect(i == 7, 0)) v += 100;
  switch (i & 3) {
    case 0:
      v += 1;
      break;
    case 1:
      v += 2;
      break;
    case 2:
      v += 3;
      break;
    case 3:
      v += 4;
      break;
    default:
      __builtin_unreachable();
  }
  uint64_t policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  float x;
  asm("ld.global.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(x) : "l"(in + i), "l"(policy));
  v += x;
  asm("ld.global.nc.L1::no_allocate.L2::128B.f32 %0, [%1];" : "=f"(x) : "l"(in + i));
  v += x;
  cuda::annotated_ptr<const float, cuda::access_property::persisting> a(in);
  v += a[i];
  __stcg(out + i, v);
  __stcs(out + n + i, v * 2);
  __stwb(out + 2 * n + i, v + 1);
  __stwt(out + 3 * n + i, -v);
  cuda::annotated_ptr<float, cuda::access_property::streaming> b(out);
  b[4 * n + i] = __isGlobal(out) + 2 * __isShared(out) + 4 * __isLocal(&v) + 8 * __isConstant(&v);
  asm volatile("st.global.L2::cache_hint.f32 [%0], %1, %2;" ::"l"(out + 5 * n + i), "f"(v),
               "l"(policy)
               : "memory");
}

__global__ void throw_away(float* scratch, float* out) {
  __shared__ float s[32];
  int t = threadIdx.x;
  scratch[t] = t;
  __syncwarp();
  s[31 - t] = scratch[t];
  __syncthreads();
  out[t] = s[t];
  if (t == 0) cuda::discard_memory(scratch, 128);
  asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(scratch));
}

int main() {
  const int n = 200;
  float *in, *out;
  int4* q;
  cudaMallocManaged(&in, n * 4);
  cudaMallocManaged(&out, 6 * n * 4);
  cudaMallocManaged(&q, n * 16);
  for (int i = 0; i < n; ++i) in[i] = i * 0.25f, q[i] = {i, 0, 0, 2 * i};
  hints<<<2, 128>>>(in, out, q, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    float v = 6 * in[i] + 3 * i + (i == 7) * 100 + i % 4 + 1 + 3 * in[i];
    bad += out[i] != v || out[n + i] != v * 2 || out[2 * n + i] != v + 1 || out[3 * n + i] != -v ||
           out[5 * n + i] != v;
  }
  printf("%d wrong, kind %g\n", bad, out[4 * n]);
  if (bad) puts("BAD");
  float* scratch;
  cudaMalloc(&scratch, 128);
  throw_away<<<1, 32>>>(scratch, out);
  puts(cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%g\n", out[0]);
  cudaFree(in);
  cudaFree(out);
  cudaFree(q);
  cudaFree(scratch);
}
