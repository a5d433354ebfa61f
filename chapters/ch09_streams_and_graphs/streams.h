#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "base/numbers.h"
#include "lesson/run.h"

/// \file
/// What the ladders of this chapter share: streams, events and page-locked memory that are given
/// back.

/// Streams that the legacy default stream waits for, so that the times of a ladder hold them.
class Streams {
 public:
  explicit Streams(int count) : all_(count) {
    for (cudaStream_t& stream : all_) warpwise::lesson::check(cudaStreamCreate(&stream));
  }
  ~Streams() {
    for (cudaStream_t stream : all_) (void)cudaStreamDestroy(stream);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  /// Stream i modulo their number.
  cudaStream_t operator[](int i) const { return all_[i % all_.size()]; }

 private:
  std::vector<cudaStream_t> all_;
};

/// An event without a time, for order alone.
class OrderEvent {
 public:
  OrderEvent() {
    warpwise::lesson::check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
  }
  ~OrderEvent() { (void)cudaEventDestroy(event_); }
  OrderEvent(const OrderEvent&) = delete;
  OrderEvent& operator=(const OrderEvent&) = delete;
  /// Makes `later` wait for what `earlier` has now.
  void order(cudaStream_t earlier, cudaStream_t later) const {
    warpwise::lesson::check(cudaEventRecord(event_, earlier));
    warpwise::lesson::check(cudaStreamWaitEvent(later, event_, 0));
  }

 private:
  cudaEvent_t event_ = nullptr;
};

using HostFloats = std::shared_ptr<float>;

/// `count` floats of page-locked host memory, mapped for the device.
inline HostFloats pinned_floats(std::size_t count) {
  void* memory = nullptr;
  warpwise::lesson::check(cudaHostAlloc(&memory, count * sizeof(float), cudaHostAllocMapped));
  return {static_cast<float*>(memory), [](float* pointer) { (void)cudaFreeHost(pointer); }};
}

/// `count` floats of device memory.
inline HostFloats device_floats(std::size_t count) {
  void* memory = nullptr;
  warpwise::lesson::check(cudaMalloc(&memory, count * sizeof(float)));
  return {static_cast<float*>(memory), [](float* pointer) { (void)cudaFree(pointer); }};
}
