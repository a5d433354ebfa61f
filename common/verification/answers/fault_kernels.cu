// Kernels that fault, each in a way of its own.
#include "answers.h"

__constant__ int constant_word;

namespace {

extern __shared__ int shared_words[];

__global__ void shared_beyond_kernel(int* x) {
  shared_words[x[0] + (1 << 20)] = 1;
  x[1] = shared_words[x[0]];
}

__global__ void shared_crooked_kernel(int* x) {
  shared_words[threadIdx.x] = 1;
  const char* at = reinterpret_cast<const char*>(shared_words) + 4 + x[0];
  const int4 four = *reinterpret_cast<const int4*>(at);
  x[1] = four.x + four.y + four.z + four.w;
}

__global__ void global_crooked_kernel(int* x) {
  const char* at = reinterpret_cast<const char*>(x) + 4 + x[0];
  const int2 two = *reinterpret_cast<const int2*>(at);
  x[8] = two.x + two.y;
}

__device__ __noinline__ void add_to(int* x) { atomicAdd(x, 1); }

__global__ void local_atomic_kernel(int* x) {
  int own[4] = {};
  add_to(own + x[0]);
  x[1] = own[x[0]];
}

__device__ __noinline__ int deeper(volatile int* x, int depth) {
  int own[64];
  for (int i = 0; i < 64; ++i) own[i] = x[0] + i + depth;
  if (x[0] == 77) return own[depth % 64];
  return deeper(x, depth + 1) + own[depth % 64];
}

__global__ void endless_kernel(int* x) { x[1] = deeper(x, 0); }

__global__ void constant_store_kernel(int* x) {
  *const_cast<int*>(&constant_word + x[0]) = 3;
  x[1] = constant_word;
}

__global__ void null_load_kernel(int* x) {
  const volatile int* nowhere = reinterpret_cast<int*>(static_cast<long long>(x[0]));
  x[1] = *nowhere;
}

__global__ void break_point_kernel(int*) { __brkpt(); }

__global__ void wild_free_kernel(int* x) { free(x); }

__global__ void double_free_kernel(int*) {
  void* block = malloc(64);
  free(block);
  free(block);
}

__global__ void middle_free_kernel(int*) {
  char* block = static_cast<char*>(malloc(64));
  free(block + 16);
}

__global__ void crooked_barrier_kernel(int* x) { asm volatile("bar.sync 1, %0;" ::"r"(33 + x[0])); }

__global__ void absent_barrier_kernel(int* x) { asm volatile("bar.sync %0;" ::"r"(20 + x[0])); }

template <typename Kernel>
const void* address(Kernel* kernel) {
  return reinterpret_cast<const void*>(kernel);
}

}  // namespace

namespace answers {
const void* const shared_beyond = address(shared_beyond_kernel);
const void* const shared_crooked = address(shared_crooked_kernel);
const void* const global_crooked = address(global_crooked_kernel);
const void* const local_atomic = address(local_atomic_kernel);
const void* const endless = address(endless_kernel);
const void* const constant_store = address(constant_store_kernel);
const void* const null_load = address(null_load_kernel);
const void* const break_point = address(break_point_kernel);
const void* const wild_free = address(wild_free_kernel);
const void* const double_free = address(double_free_kernel);
const void* const middle_free = address(middle_free_kernel);
const void* const crooked_barrier = address(crooked_barrier_kernel);
const void* const absent_barrier = address(absent_barrier_kernel);
}  // namespace answers
