/// \file
/// How numbers come from the host to a kernel: pageable, pinned, mapped and managed memory.
///
/// The question: the kernel reads each number once. Is it better to copy them first, or to let the
/// kernel read the host's memory?
///
///     build/ch09_streams_and_graphs --only host_memory
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "base/function.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

/// y = 2 x + 1. @param[in] x n floats that the device can read, wherever they are. @param[out] y n
/// floats, device. @pre blocks and grid in one dimension, at least n threads.
/// @cost 4 bytes over the bus, 4 of device memory.
__global__ void twice_plus_one(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i] + 1;
}

using Buffer = std::shared_ptr<float>;

/// Page-locked: the system may not move it, so that the copy engine reads it directly.
Buffer pinned(std::size_t count) {
  void* memory = nullptr;
  lesson::check(cudaHostAlloc(&memory, count * sizeof(float), cudaHostAllocMapped));
  return {static_cast<float*>(memory), [](float* pointer) { (void)cudaFreeHost(pointer); }};
}

/// One address for both sides; pages move to who touches them.
Buffer managed(std::size_t count) {
  void* memory = nullptr;
  lesson::check(cudaMallocManaged(&memory, count * sizeof(float)));
  return {static_cast<float*>(memory), [](float* pointer) { (void)cudaFree(pointer); }};
}

Buffer pageable(std::size_t count) {
  return {new float[count], [](const float* pointer) { delete[] pointer; }};
}

/// Brings managed pages to the device before a kernel asks for them.
void prefetch(const Buffer& memory, std::size_t bytes) {
  const cudaMemLocation device{.type = cudaMemLocationTypeDevice, .id = 0};
  lesson::check(cudaMemPrefetchAsync(memory.get(), bytes, device, 0, nullptr));
}

void host_memory_rungs(lesson::Trial& run) {
  const int n = run.size()[0];
  const std::size_t bytes = n * sizeof(float);
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 4096) * 0.25F;
  std::vector<double> expected(host.begin(), host.end());
  for (double& value : expected) value = 2 * value + 1;
  float* copied = run.input("copied", std::vector<float>(n));
  float* y = run.output("y", std::move(expected), {});
  const auto filled = [&](Buffer memory) {
    std::memcpy(memory.get(), host.data(), bytes);
    return memory;
  };
  const auto kernel = [n, y](const float* x) {
    twice_plus_one<<<(n + 255) / 256, 256>>>(x, y, n);
    lesson::check(cudaGetLastError());
  };
  const auto copy_first = [=](const Buffer& from) {
    return [=] {
      lesson::check(cudaMemcpyAsync(copied, from.get(), bytes, cudaMemcpyHostToDevice));
      kernel(copied);
    };
  };
  run.work("pageable, copied", copy_first(filled(pageable(n))));
  const Buffer locked = filled(pinned(n));
  run.work("pinned, copied", copy_first(locked));
  run.work("mapped, read in place", [=] {
    void* mapped = nullptr;
    lesson::check(cudaHostGetDevicePointer(&mapped, locked.get(), 0));
    kernel(static_cast<const float*>(mapped));
  });
  const Buffer shared = filled(managed(n));
  // The host writes it again before each run, so that the pages are the host's.
  const auto touch = [=] { std::memcpy(shared.get(), locked.get(), bytes); };
  run.work(
      "managed, on demand", [=] { kernel(shared.get()); }, touch);
  const auto bring = [=] {
    prefetch(shared, bytes);
    kernel(shared.get());
  };
  run.work("managed, prefetched", bring, touch);
  run.work("managed, already there", [=] { kernel(shared.get()); });
}

}  // namespace

void host_memory_ladder(lesson::Run& run) {
  run.ladder({.name = "host_memory",
              .title = "y = 2 x + 1 with x on the host: the first kernel that needs it",
              .full = {1 << 24},
              .small = {1 << 14},
              .awkward = {{1}, {31}, {257}},
              .needs =
                  [](const lesson::Size& size) {
                    return lesson::Needs{.bytes = 4 * static_cast<double>(size[0])};
                  },
              .limit = "pinned, copied"},
             host_memory_rungs);
}
