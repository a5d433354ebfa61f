// The compiler's own atomics, __nv_atomic_*: every order in every scope, in global, shared and
// generic memory, of 1 to 16 bytes.
#include <cstdio>

template <int Order, int Scope, class T>
__device__ T modify(T* p, T v) {
  T before = __nv_atomic_fetch_add(p, v, Order, Scope);
  T exchanged = __nv_atomic_exchange_n(p, before + v, Order, Scope);
  T expected = exchanged, desired = exchanged + 1;
  __nv_atomic_compare_exchange_n(p, &expected, desired, false, Order, __NV_ATOMIC_RELAXED, Scope);
  __nv_atomic_fetch_sub(p, v, Order, Scope);
  __nv_atomic_add(p, v, Order, Scope);
  __nv_atomic_sub(p, v, Order, Scope);
  __nv_atomic_or(p, (T)1, Order, Scope);
  __nv_atomic_and(p, (T) ~(T)0, Order, Scope);
  __nv_atomic_xor(p, (T)2, Order, Scope);
  __nv_atomic_min(p, (T)1000000, Order, Scope);
  __nv_atomic_max(p, (T)1, Order, Scope);
  return before + __nv_atomic_fetch_xor(p, (T)2, Order, Scope) + exchanged;
}

template <int Scope, class T>
__device__ T every_order(T* p) {
  T sum = modify<__NV_ATOMIC_RELAXED, Scope>(p, (T)3);
  sum += modify<__NV_ATOMIC_ACQUIRE, Scope>(p, (T)3);
  sum += modify<__NV_ATOMIC_RELEASE, Scope>(p, (T)3);
  sum += modify<__NV_ATOMIC_ACQ_REL, Scope>(p, (T)3);
  sum += modify<__NV_ATOMIC_SEQ_CST, Scope>(p, (T)3);
  sum += modify<__NV_ATOMIC_CONSUME, Scope>(p, (T)3);
  __nv_atomic_store_n(p, sum, __NV_ATOMIC_RELEASE, Scope);
  sum += __nv_atomic_load_n(p, __NV_ATOMIC_ACQUIRE, Scope);
  __nv_atomic_store_n(p, sum, __NV_ATOMIC_SEQ_CST, Scope);
  sum += __nv_atomic_load_n(p, __NV_ATOMIC_SEQ_CST, Scope);
  __nv_atomic_store_n(p, sum, __NV_ATOMIC_RELAXED, Scope);
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_CLUSTER);
  __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
  return sum;
}

template <class T>
__device__ T every_scope(T* p) {
  return every_order<__NV_THREAD_SCOPE_BLOCK>(p) + every_order<__NV_THREAD_SCOPE_CLUSTER>(p) +
         every_order<__NV_THREAD_SCOPE_DEVICE>(p) + every_order<__NV_THREAD_SCOPE_SYSTEM>(p) +
         every_order<__NV_THREAD_SCOPE_THREAD>(p);
}

template <class T>
__global__ void in_every_space(T* global, T* out) {
  __shared__ T shared;
  shared = 0;
  out[0] = every_scope(global);
  out[1] = *global;
  out[2] = every_scope(&shared);
  out[3] = shared;
  T* generic = out[0] == out[2] ? global : &shared;
  out[4] = every_scope(generic);
  out[5] = *generic;
  T local = 0;
  out[6] = every_scope(&local);
}

struct alignas(16) Wide {
  unsigned long long low, high;
};

__device__ Wide change_wide(Wide* p) {
  Wide value{5, 6}, old, expected{5, 6}, desired{7, 8};
  __nv_atomic_exchange(p, &value, &old, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_compare_exchange(p, &expected, &desired, false, __NV_ATOMIC_SEQ_CST,
                               __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_load(p, &value, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_SYSTEM);
  value.low += old.low;
  __nv_atomic_store(p, &value, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_load(p, &old, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_CLUSTER);
  return old;
}

__global__ void wide(Wide* global, Wide* out) {
  __shared__ Wide shared;
  shared = {1, 2};
  out[0] = change_wide(global);
  out[1] = change_wide(&shared);
  out[2] = shared;
}

__global__ void narrow(unsigned char* bytes, unsigned short* halves, unsigned* out) {
  unsigned short expected = 0;
  out[0] = __nv_atomic_compare_exchange_n(halves + 1, &expected, (unsigned short)9, false,
                                          __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED,
                                          __NV_THREAD_SCOPE_DEVICE);
  out[1] = halves[1];
  __nv_atomic_store_n(bytes + 1, (unsigned char)200, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  out[2] = __nv_atomic_load_n(bytes + 1, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  out[3] = atomicCAS(halves, (unsigned short)0, (unsigned short)77);
  out[4] = halves[0];
}

template <class T>
T* zeros(int count) {
  T* result;
  cudaMallocManaged(&result, count * sizeof(T));
  cudaMemset(result, 0, count * sizeof(T));
  return result;
}

template <class T>
void show(const char* name) {
  T *global = zeros<T>(1), *out = zeros<T>(7);
  in_every_space<T><<<1, 1>>>(global, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 7; ++i) printf("%.17g ", (double)out[i]);
  printf("%s\n", name);
  cudaFree(global);
  cudaFree(out);
}

int main() {
  show<int>("int");
  show<unsigned>("unsigned");
  show<unsigned long long>("u64");
  Wide *global = zeros<Wide>(1), *out = zeros<Wide>(3);
  wide<<<1, 1>>>(global, out);
  auto* bytes = zeros<unsigned char>(4);
  auto* halves = zeros<unsigned short>(2);
  auto* words = zeros<unsigned>(5);
  narrow<<<1, 1>>>(bytes, halves, words);
  cudaDeviceSynchronize();
  for (int i = 0; i < 3; ++i) printf("%llu %llu, ", out[i].low, out[i].high);
  for (int i = 0; i < 5; ++i) printf("%u ", words[i]);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  for (void* p : {(void*)global, (void*)out, (void*)bytes, (void*)halves, (void*)words})
    cudaFree(p);
}
