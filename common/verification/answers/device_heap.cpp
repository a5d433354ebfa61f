// The part of the device's heap that kernels can have, and the host's access to it.
#include "answers.h"

using namespace answers;

namespace {

unsigned long long number_from(const void* kernel, std::size_t bytes = 0) {
  unsigned long long *x = nullptr, value = 0;
  cudaMalloc(reinterpret_cast<void**>(&x), 64);
  void* arguments[] = {&x, &bytes};
  cudaLaunchKernel(kernel, 1, 1, arguments, 0, nullptr);
  cudaMemcpy(&value, x, sizeof value, cudaMemcpyDeviceToHost);
  cudaFree(x);
  return value;
}

}  // namespace

SUBJECT(heap_room) {
  for (const std::size_t limit : {0, 4, 5, 12, 28, 33, 64}) {
    char text[40];
    std::snprintf(text, sizeof text, "a limit of %zu MB", limit);
    apart(text, [limit] {
      std::size_t told = 0;
      if (limit != 0) ASK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, limit << 20));
      ASK(cudaDeviceGetLimit(&told, cudaLimitMallocHeapSize));
      SHOW(told);
      SHOW(number_from(heap_largest));
    });
  }
}

SUBJECT(heap_blocks) {
  for (const std::size_t bytes : {1000, 1024, 1025, 2000, 2048, 2049, 4000, 4096, 5000, 8192, 10000,
                                  20000, 65536, 100000, 500000, 1 << 20, 2000000}) {
    char text[40];
    std::snprintf(text, sizeof text, "blocks of %zu bytes", bytes);
    apart(text, [bytes] { SHOW(number_from(heap_count, bytes)); });
  }
}

SUBJECT(heap_and_host) {
  void **x = nullptr, *block = nullptr;
  std::size_t bytes = 4096;
  int host[4] = {1, 2, 3, 4};
  cudaMalloc(reinterpret_cast<void**>(&x), 64);
  void* arguments[] = {&x, &bytes};
  ASK(cudaLaunchKernel(heap_take, 1, 1, arguments, 0, nullptr));
  ASK(cudaMemcpy(&block, x, sizeof block, cudaMemcpyDeviceToHost));
  SHOW(block);
  cudaPointerAttributes found = {};
  ASK(cudaPointerGetAttributes(&found, block));
  SHOW(static_cast<int>(found.type));
  SHOW(found.device);
  SHOW(found.devicePointer);
  SHOW(found.hostPointer == block);
  ASK(cudaMemcpy(host, block, 16, cudaMemcpyDeviceToHost));
  ASK(cudaMemcpy(block, host, 16, cudaMemcpyHostToDevice));
  ASK(cudaMemcpy(x, block, 16, cudaMemcpyDeviceToDevice));
  ASK(cudaMemcpy(block, x, 16, cudaMemcpyDeviceToDevice));
  ASK(cudaMemcpyAsync(host, block, 16, cudaMemcpyDeviceToHost, nullptr));
  ASK(cudaMemset(block, 0, 16));
  ASK(cudaMemsetAsync(block, 0, 16, nullptr));
  ASK(cudaMemcpy2D(block, 16, host, 16, 16, 1, cudaMemcpyHostToDevice));
  ASK(cudaMemset2D(block, 16, 0, 16, 1));
  ASK(cudaFree(block));
  ASK(cudaFreeAsync(block, nullptr));
  ASK(cudaHostRegister(block, 4096, 0));
  ASK(cudaMemAdvise(block, 4096, cudaMemAdviseSetReadMostly, {cudaMemLocationTypeDevice, 0}));
  int* ints = static_cast<int*>(block);
  int value = 5, n = 4;
  void* filled[] = {&ints, &value, &n};
  ASK(cudaLaunchKernel(fill, 1, 32, filled, 0, nullptr));
  ASK(cudaDeviceSynchronize());
  ASK(cudaLaunchKernel(heap_free, 1, 1, arguments, 0, nullptr));
  ASK(cudaDeviceSynchronize());
  ASK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20));
}
