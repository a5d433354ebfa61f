/// \file
/// The devices that the ladders use: streams and events of each, access to the others' memory.
#include "devices.h"

#include <string>

#include "lesson/device/error.h"

namespace lesson = warpwise::lesson;

OnDevice::OnDevice(int device) {
  lesson::check(cudaGetDevice(&before_));
  lesson::check(cudaSetDevice(device));
}

OnDevice::~OnDevice() { (void)cudaSetDevice(before_); }

Shared<void> device_memory(int device, std::size_t bytes) {
  const OnDevice current(device);
  void* memory = nullptr;
  lesson::check(cudaMalloc(&memory, bytes));
  return {memory, [](void* pointer) { (void)cudaFree(pointer); }};
}

Shared<void> pinned_memory(std::size_t bytes) {
  void* memory = nullptr;
  lesson::check(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable));
  return {memory, [](void* pointer) { (void)cudaFreeHost(pointer); }};
}

Devices::Devices(int count) : all_(count) {
  each([this](int d) {
    for (int s = 0; s < streams_of_each; ++s) {
      lesson::check(cudaStreamCreateWithFlags(&all_[d].streams[s], cudaStreamNonBlocking));
      lesson::check(cudaEventCreateWithFlags(&all_[d].marks[s], cudaEventDisableTiming));
    }
  });
  lesson::check(cudaEventCreateWithFlags(&began_, cudaEventDisableTiming));
  enable_access();
}

Devices::~Devices() {
  for (One& one : all_) {
    for (cudaStream_t stream : one.streams) (void)cudaStreamDestroy(stream);
    for (cudaEvent_t mark : one.marks) (void)cudaEventDestroy(mark);
  }
  (void)cudaEventDestroy(began_);
}

//! [enable]
void Devices::enable_access() {
  each([this](int reader) {
    for (int owner = 0; owner < count(); ++owner) {
      if (owner == reader) continue;
      int can = 0;
      lesson::check(cudaDeviceCanAccessPeer(&can, reader, owner));
      if (can != 0) {
        lesson::check(cudaDeviceEnablePeerAccess(owner, 0));  // for the current device, the reader
      } else if (unreachable_.empty()) {
        unreachable_ =
            "device " + std::to_string(reader) + " cannot reach device " + std::to_string(owner);
      }
    }
  });
}
//! [enable]

void Devices::each(const std::function<void(int)>& call) const {
  for (int d = 0; d < count(); ++d) {
    const OnDevice current(d);
    call(d);
  }
}

void Devices::record(int device, int which) const {
  lesson::check(cudaEventRecord(all_[device].marks[which], stream(device, which)));
}

void Devices::wait(int device, int which, int marked, int marked_which) const {
  lesson::check(cudaStreamWaitEvent(stream(device, which), all_[marked].marks[marked_which], 0));
}

void Devices::begin() const {
  lesson::check(cudaEventRecord(began_));
  for (const One& one : all_) {
    for (cudaStream_t stream : one.streams) lesson::check(cudaStreamWaitEvent(stream, began_, 0));
  }
}

void Devices::end() const {
  for (int d = 0; d < count(); ++d) {
    for (int s = 0; s < streams_of_each; ++s) {
      record(d, s);
      lesson::check(cudaStreamWaitEvent(nullptr, all_[d].marks[s], 0));
    }
  }
}

std::function<void()> Devices::timed(const std::function<void()>& start) const {
  return [this, start] {
    begin();
    start();
    end();
  };
}

std::vector<double> Devices::for_each_of(const std::vector<double>& once) const {
  std::vector<double> all;
  for (int d = 0; d < count(); ++d) all.insert(all.end(), once.begin(), once.end());
  return all;
}

void Devices::synchronise() const {
  each([](int) { lesson::check(cudaDeviceSynchronize()); });
}
