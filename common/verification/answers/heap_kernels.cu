// Kernels of one thread that ask for memory of the device's heap.
#include "answers.h"

namespace {

__global__ void heap_largest_kernel(unsigned long long* bytes) {
  unsigned long long fits = 0;
  for (unsigned long long step = 1ull << 36; step != 0; step /= 2) {
    void* block = malloc(fits + step);
    if (block == nullptr) continue;
    free(block);
    fits += step;
  }
  *bytes = fits;
}

__global__ void heap_count_kernel(unsigned long long* n, std::size_t bytes) {
  unsigned long long count = 0;
  while (malloc(bytes) != nullptr) ++count;
  *n = count;
}

__global__ void heap_take_kernel(void** x, std::size_t bytes) { *x = malloc(bytes); }

__global__ void heap_free_kernel(void** x) { free(*x); }

template <typename Kernel>
const void* address(Kernel* kernel) {
  return reinterpret_cast<const void*>(kernel);
}

}  // namespace

namespace answers {
const void* const heap_largest = address(heap_largest_kernel);
const void* const heap_count = address(heap_count_kernel);
const void* const heap_take = address(heap_take_kernel);
const void* const heap_free = address(heap_free_kernel);
}  // namespace answers
