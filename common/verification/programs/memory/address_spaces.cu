// The same function reached with pointers into global, shared, local, constant and managed memory,
// cache hints, and what the address-space predicates say.
#include <cstdio>

__constant__ int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
__device__ int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};

__device__ __noinline__ int total(const int* p, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 3 + p[i];
  return sum;
}

__device__ __noinline__ int kind(const void* p) {
  return (__isGlobal(p) != 0) | (__isShared(p) != 0) << 1 | (__isLocal(p) != 0) << 2 |
         (__isConstant(p) != 0) << 3;
}

__global__ void spaces(int* global, const __grid_constant__ int4 parameter, int* out, int which) {
  __shared__ int shared[8];
  int local[8];
  for (int i = 0; i < 8; ++i) local[i] = i * which;
  if (threadIdx.x < 8) shared[threadIdx.x] = threadIdx.x * 11;
  __syncthreads();
  const int* pointers[] = {global, shared, local, primes, squares};
  if (threadIdx.x == 0) {
    for (int i = 0; i < 5; ++i) {
      out[i] = total(pointers[(i + which) % 5], 8);
      out[5 + i] = kind(pointers[i]);
    }
    out[10] = parameter.x + parameter.w;
    // Through explicit conversions and back.
    const size_t s = __cvta_generic_to_shared(shared), g = __cvta_generic_to_global(global);
    out[11] = ((int*)__cvta_shared_to_generic(s))[3];
    out[12] = ((int*)__cvta_global_to_generic(g))[3];
    out[13] = ((int*)__cvta_constant_to_generic(__cvta_generic_to_constant(primes)))[4];
    out[14] = ((int*)__cvta_local_to_generic(__cvta_generic_to_local(local)))[5];
    out[15] = shared == pointers[1] && (size_t)shared != s + 1;
    *const_cast<int*>(pointers[which % 3]) = 77;
    out[16] = global[0] * 10000 + shared[0] * 100 + local[0];
  }
}

__global__ void hints(const int* in, int* out) {
  const int t = threadIdx.x;
  int a = __ldg(in + t);
  a += __ldca(in + t + 1);
  a += __ldcg(in + t + 2);
  a += __ldcs(in + t + 3);
  a += __ldlu(in + t + 4);
  a += __ldcv(in + t + 5);
  const int4 v = __ldg(reinterpret_cast<const int4*>(in) + t / 8);
  __stwb(out + t, a);
  __stcg(out + 32 + t, a * 2);
  __stcs(out + 64 + t, v.x + v.w);
  __stwt(out + 96 + t, a - v.y);
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in + t));
}

int main() {
  int *g, *out;
  cudaMallocManaged(&g, 64 * sizeof(int));
  cudaMallocManaged(&out, 128 * sizeof(int));
  for (int which = 0; which < 5; ++which) {
    for (int i = 0; i < 64; ++i) g[i] = i * i + 1;
    spaces<<<1, 32>>>(g, make_int4(which, 0, 0, 100), out, which);
    cudaDeviceSynchronize();
    for (int i = 0; i < 17; ++i) printf("%d%c", out[i], i == 16 ? '\n' : ' ');
  }
  hints<<<1, 32>>>(g, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 128; i += 7) printf("%d ", out[i]);
  printf("\n%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(g);
  cudaFree(out);
}
