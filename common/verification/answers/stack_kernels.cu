// Kernels of one thread that need more or less of the stack.
#include "answers.h"

namespace {

template <int bytes>
__global__ void framed_kernel(int* x) {
  volatile char own[bytes];
  for (int i = 0; i < bytes; ++i) own[(i * 7 + x[0]) % bytes] = static_cast<char>(i);
  x[1] = own[x[0] % bytes];
}

template <int bytes>
__device__ __noinline__ int framed(const int* x) {
  volatile char own[bytes];
  for (int i = 0; i < bytes; ++i) own[(i * 7 + x[0]) % bytes] = static_cast<char>(i);
  return own[x[0] % bytes];
}

__device__ int (*framed_functions[])(const int*) = {framed<100>, framed<3000>, framed<9000>};

__global__ void by_address_kernel(int* x) {
  for (auto function : framed_functions) x[1] += function(x);
}

__device__ __noinline__ int deeper(const volatile int* x, int depth) {
  volatile int own[16];
  for (int i = 0; i < 16; ++i) own[i] = x[0] + i + depth;
  if (depth == 0) return own[x[0] % 16];
  return deeper(x, depth - 1) + own[depth % 16];
}

__global__ void recursive_kernel(int* x, int depth) {
  volatile char own[2000];
  for (int i = 0; i < 2000; ++i) own[(i * 7 + x[0]) % 2000] = static_cast<char>(i);
  x[1] = deeper(x, depth) + own[x[0] % 2000];
}

template <typename Kernel>
const void* address(Kernel* kernel) {
  return reinterpret_cast<const void*>(kernel);
}

}  // namespace

namespace answers {
const void* const framed_1000 = address(framed_kernel<1000>);
const void* const framed_1300 = address(framed_kernel<1300>);
const void* const framed_5000 = address(framed_kernel<5000>);
const void* const framed_by_address = address(by_address_kernel);
const void* const framed_recursive = address(recursive_kernel);
}  // namespace answers
