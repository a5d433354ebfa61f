#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "simulator/cudart/tests/child.h"
#include "simulator/cudart/tests/fake_module.h"

namespace warpwise::cudart {
namespace {

using Clock = std::chrono::steady_clock;

// An array on the device and its latest value there, seen past the queue.
struct Cell {
  int* device = nullptr;
  Cell() {
    // However busy this machine is, nothing starts here that the test did not ask for.
    runtime().queue.set_grace_period(std::chrono::hours(1));
    cudaMalloc(reinterpret_cast<void**>(&device), sizeof(int));
    cudaMemset(device, 0, sizeof(int));
    cudaDeviceSynchronize();
  }
  ~Cell() { cudaFree(device); }
  int now() const {
    int value = 0;
    std::memcpy(&value, runtime().memory.host(reinterpret_cast<std::uint64_t>(device)),
                sizeof value);
    return value;
  }
};

cudaStream_t new_stream(unsigned flags = cudaStreamDefault) {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, flags) == cudaSuccess);
  return stream;
}

TEST_CASE("synchronising one stream does only what it depends on") {
  const Cell a, b;
  const cudaStream_t first = new_stream(), second = new_stream();
  launch_fake_on("fill", a.device, 1, 1, first);
  launch_fake_on("fill", b.device, 2, 1, second);
  CHECK(cudaStreamSynchronize(second) == cudaSuccess);
  CHECK(b.now() == 2);
  CHECK(a.now() == 0);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(a.now() == 1);
  cudaStreamDestroy(first), cudaStreamDestroy(second);
}

TEST_CASE("an event carries a dependency from stream to stream") {
  const Cell a;
  const cudaStream_t first = new_stream(), second = new_stream();
  cudaEvent_t ready = nullptr;
  REQUIRE(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming) == cudaSuccess);
  launch_fake_on("fill", a.device, 10, 1, first);
  CHECK(cudaEventRecord(ready, first) == cudaSuccess);
  launch_fake_on("fill", a.device, 99, 1, first);  // After the event: not waited for.
  CHECK(cudaStreamWaitEvent(second, ready, 0) == cudaSuccess);
  launch_fake_on("add", a.device, 1, 1, second);
  CHECK(cudaStreamSynchronize(second) == cudaSuccess);
  CHECK(a.now() == 11);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(a.now() == 99);
  cudaEventDestroy(ready), cudaStreamDestroy(first), cudaStreamDestroy(second);
}

TEST_CASE("the legacy default stream comes after and before blocking streams") {
  const Cell a;
  const cudaStream_t blocking = new_stream(), other = new_stream(cudaStreamNonBlocking);
  const Cell b;
  launch_fake_on("fill", a.device, 5, 1, blocking);
  launch_fake_on("fill", b.device, 5, 1, other);
  launch_fake_on("add", a.device, 1, 1, nullptr);
  CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
  CHECK(a.now() == 6);
  CHECK(b.now() == 0);
  launch_fake_on("add", a.device, 10, 1, cudaStreamLegacy);
  launch_fake_on("add", a.device, 100, 1, blocking);
  CHECK(cudaStreamSynchronize(blocking) == cudaSuccess);
  CHECK(a.now() == 116);
  cudaStreamSynchronize(other);
  CHECK(b.now() == 5);
  cudaStreamDestroy(blocking), cudaStreamDestroy(other);
}

TEST_CASE("work of a destroyed stream is done before later default work") {
  const Cell a;
  const cudaStream_t stream = new_stream();
  launch_fake_on("fill", a.device, 5, 1, stream);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  launch_fake_on("add", a.device, 1, 1);
  CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
  CHECK(a.now() == 6);
  CHECK(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST_CASE("a query says not ready, and later ready") {
  const Cell a;
  const cudaStream_t stream = new_stream();
  launch_fake("slow", 1, 32, 0, stream);
  CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
  const auto give_up = Clock::now() + std::chrono::minutes(2);
  while (cudaStreamQuery(stream) == cudaErrorNotReady && Clock::now() < give_up) {
    std::this_thread::yield();
  }
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  launch_fake("slow");
  while (cudaStreamQuery(nullptr) == cudaErrorNotReady && Clock::now() < give_up) {
    std::this_thread::yield();
  }
  CHECK(cudaStreamQuery(nullptr) == cudaSuccess);
  cudaStreamDestroy(stream), cudaGetLastError();
}

TEST_CASE("work that no call waits for starts on its own") {
  const Cell a;
  launch_fake_on("fill", a.device, 3, 1);
  CHECK(a.now() == 0);
  runtime().queue.set_grace_period(std::chrono::milliseconds(20));
  const auto give_up = Clock::now() + std::chrono::minutes(2);
  while (a.now() != 3 && Clock::now() < give_up) std::this_thread::yield();
  CHECK(a.now() == 3);
}

TEST_CASE("a function for the host comes soon, with what it follows, and other work does not") {
  const Cell a, b;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  launch_fake_on("fill", b.device, 5, 1);
  launch_fake_on("fill", a.device, 3, 1, stream);
  static std::atomic<int> calls = 0;
  // A function has to come within a fiftieth of it, and has most of it where this machine is busy.
  runtime().queue.set_grace_period(std::chrono::seconds(100));
  CHECK(cudaLaunchHostFunc(
            stream, [](void*) { ++calls; }, nullptr) == cudaSuccess);
  const auto give_up = Clock::now() + std::chrono::seconds(60);
  // Asleep: one that only gives way hardly gets a processor beside busy programs, and does not ask.
  while (calls == 0 && Clock::now() < give_up)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(calls == 1);
  CHECK(a.now() == 3);
  CHECK(b.now() == 0);
  runtime().queue.set_grace_period(std::chrono::hours(1));
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(b.now() == 5);
  cudaStreamDestroy(stream);
}

/// A function of a stream that takes its time.
struct Slow {
  std::atomic<bool> begun = false, ended = false;
  static void run(void* data) {
    auto& self = *static_cast<Slow*>(data);
    self.begun = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    self.ended = true;
  }
};

TEST_CASE("a synchronisation waits for a function that has begun by itself") {
  const cudaStream_t stream = new_stream(cudaStreamNonBlocking);
  runtime().queue.set_grace_period(std::chrono::seconds(1));
  const auto begun_by_itself = [&](Slow& slow, const auto& ask) {
    CHECK(ask(&slow) == cudaSuccess);
    while (!slow.begun) std::this_thread::yield();
  };
  const auto launched = [&](void* data) { return cudaLaunchHostFunc(stream, Slow::run, data); };
  const auto called_back = [&](void* data) {
    return cudaStreamAddCallback(
        stream, [](cudaStream_t, cudaError_t, void* slow) { Slow::run(slow); }, data, 0);
  };
  Slow first, second, third;
  begun_by_itself(first, launched);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(first.ended);
  begun_by_itself(second, called_back);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(second.ended);
  begun_by_itself(third, launched);
  CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(third.ended);
  runtime().queue.set_grace_period(std::chrono::hours(1));
  cudaStreamDestroy(stream);
}

TEST_CASE("thousands of launches do not pile up and stay in order") {
  const Cell a;
  for (int i = 0; i < 5000; ++i) launch_fake_on("add", a.device, 1, 1);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(a.now() == 5000);
}

TEST_CASE("a long chain through many streams is done to its end, in order") {
  std::vector<cudaStream_t> streams(20);
  for (auto& stream : streams) REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  cudaEvent_t event = nullptr;
  REQUIRE(cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess);
  static std::vector<int> calls;
  calls.clear();
  constexpr int length = 20000;
  for (int i = 0; i < length; ++i) {
    const cudaStream_t stream = streams[static_cast<std::size_t>(i) % streams.size()];
    CHECK(cudaStreamWaitEvent(stream, event, 0) == cudaSuccess);
    CHECK(cudaLaunchHostFunc(
              stream, [](void* i) { calls.push_back(static_cast<int>(reinterpret_cast<long>(i))); },
              reinterpret_cast<void*>(long{i})) == cudaSuccess);
    CHECK(cudaEventRecord(event, stream) == cudaSuccess);
  }
  CHECK(cudaEventSynchronize(event) == cudaSuccess);
  CHECK(calls.size() == length);
  CHECK(std::is_sorted(calls.begin(), calls.end()));
  for (auto& stream : streams) cudaStreamDestroy(stream);
  cudaEventDestroy(event);
}

TEST_CASE("an asynchronous copy of pinned memory reads it late, of pageable memory at once") {
  const Cell a;
  // Memory of cudaMallocHost would be closed to the host meanwhile.
  int pageable = 1, registered = 0, *pinned = &registered;
  REQUIRE(cudaHostRegister(pinned, sizeof(int), 0) == cudaSuccess);
  CHECK(cudaMemcpyAsync(a.device, &pageable, 4, cudaMemcpyHostToDevice, nullptr) == cudaSuccess);
  pageable = 2;
  CHECK(a.now() == 0);
  cudaDeviceSynchronize();
  CHECK(a.now() == 1);
  *pinned = 3;
  CHECK(cudaMemcpyAsync(a.device, pinned, 4, cudaMemcpyHostToDevice, nullptr) == cudaSuccess);
  *pinned = 4;
  cudaDeviceSynchronize();
  CHECK(a.now() == 4);
  *pinned = 0;
  CHECK(cudaMemcpyAsync(pinned, a.device, 4, cudaMemcpyDeviceToHost, nullptr) == cudaSuccess);
  CHECK(*pinned == 0);  // Not before the synchronisation.
  cudaDeviceSynchronize();
  CHECK(*pinned == 4);
  CHECK(cudaMemcpyAsync(&pageable, a.device, 4, cudaMemcpyDeviceToHost, nullptr) == cudaSuccess);
  CHECK(pageable == 4);
  std::vector<char> large(1 << 20, 'x');
  char* device = nullptr;
  REQUIRE(cudaMallocAsync(reinterpret_cast<void**>(&device), large.size(), nullptr) == cudaSuccess);
  CHECK(cudaMemcpyAsync(device, large.data(), large.size(), cudaMemcpyHostToDevice, nullptr) ==
        cudaSuccess);
  large.assign(large.size(), 'y');
  char last = 0;
  CHECK(cudaMemcpy(&last, device + large.size() - 1, 1, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(last == 'x');
  CHECK(cudaFreeAsync(device, nullptr) == cudaSuccess);
  cudaDeviceSynchronize();
  CHECK(cudaFreeAsync(device, nullptr) == cudaErrorInvalidValue);
  cudaHostUnregister(pinned), cudaGetLastError();
}

TEST_CASE("host functions run in stream order and may not call the runtime") {
  const Cell a;
  struct Seen {
    const Cell* cell;
    int value = -1;
    cudaError_t error = cudaSuccess;
  } seen{&a};
  launch_fake_on("fill", a.device, 8, 1);
  const auto look = [](void* data) {
    auto* out = static_cast<Seen*>(data);
    out->value = out->cell->now();
    out->error = cudaDeviceSynchronize();
  };
  CHECK(cudaLaunchHostFunc(nullptr, look, &seen) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(seen.value == 8);
  CHECK(seen.error == cudaErrorNotPermitted);
  CHECK(cudaLaunchHostFunc(nullptr, nullptr, nullptr) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("events measure and complain as the real ones") {
  const Cell patient;
  cudaEvent_t start = nullptr, stop = nullptr, untimed = nullptr;
  REQUIRE(cudaEventCreate(&start) == cudaSuccess);
  REQUIRE(cudaEventCreate(&stop) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming) == cudaSuccess);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventQuery(start) == cudaSuccess);
  CHECK(cudaEventRecord(start, nullptr) == cudaSuccess);
  launch_fake("slow");
  CHECK(cudaEventRecord(stop, nullptr) == cudaSuccess);
  CHECK(cudaEventRecord(untimed, nullptr) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop) == cudaErrorNotReady);
  CHECK(cudaEventSynchronize(stop) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess);
  CHECK(milliseconds >= 29.0f);
  cudaEventSynchronize(untimed);
  CHECK(cudaEventElapsedTime(&milliseconds, start, untimed) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventCreateWithFlags(&untimed, 0x100) == cudaErrorInvalidValue);
  CHECK(cudaEventDestroy(start) == cudaSuccess);
  CHECK(cudaEventDestroy(start) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(start, nullptr) == cudaErrorInvalidResourceHandle);
  cudaEventDestroy(stop), cudaGetLastError();
}

TEST_CASE("streams remember how they were made") {
  cudaStream_t stream = nullptr;
  unsigned flags = 0;
  int priority = 0, device = -1;
  CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -3) == cudaSuccess);
  CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
  CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
  CHECK(cudaStreamGetDevice(stream, &device) == cudaSuccess);
  CHECK(flags == cudaStreamNonBlocking);
  CHECK(priority == -3);
  CHECK(device == 0);
  CHECK(cudaStreamCreateWithFlags(&stream, 0x40) == cudaErrorInvalidValue);
  CHECK(cudaStreamCreate(nullptr) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE(
    "a captured stream that is destroyed takes no capture with it into the next at its place") {
  cudaStream_t captured = nullptr, next = nullptr;
  REQUIRE(cudaStreamCreate(&captured) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaStreamDestroy(captured) == cudaSuccess);
  void* memory = nullptr;
  CHECK(cudaMalloc(&memory, 4) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
  for (int i = 0; i < 10; ++i) {
    REQUIRE(cudaStreamCreate(&next) == cudaSuccess);
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
    CHECK(cudaStreamIsCapturing(next, &status) == cudaSuccess);
    CHECK(status == cudaStreamCaptureStatusNone);
    CHECK(cudaStreamDestroy(next) == cudaSuccess);
  }
}

TEST_CASE("host threads may use the runtime at once, each with its own errors") {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  CHECK(cudaFree(&wrong) == cudaErrorInvalidValue);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      if (cudaPeekAtLastError() != cudaSuccess) ++wrong;
      int* x = nullptr;
      int host[8] = {};
      for (int i = 0; i < 50; ++i) {
        cudaMalloc(reinterpret_cast<void**>(&x), sizeof host);
        launch_fake_on("fill", x, t * 100 + i, 8, cudaStreamPerThread);
        cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, cudaStreamPerThread);
        cudaStreamSynchronize(cudaStreamPerThread);
        if (host[7] != t * 100 + i) ++wrong;
        cudaFree(x);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("child: a kernel that does not end" * doctest::skip()) {
  launch_fake("endless");
  cudaDeviceSynchronize();
}

TEST_CASE("the time limit names what was running") {
  const Ending ending = run_case("child: a kernel that does not end", "WARPWISE_LIMIT=2");
  CHECK(ending.status == 1);
  CHECK(ending.says("time-limit: stopped after 2 s"));
  CHECK(ending.says("kernel endless was still running"));
}

TEST_CASE("a window of the L2 cache has a ratio of hits, and what misses does not persist") {
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream) == cudaSuccess);
  cudaLaunchAttributeValue value = {};
  value.accessPolicyWindow.hitRatio = 0.5f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  const auto set = [&] {
    return cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value);
  };
  CHECK(set() == cudaSuccess);
  value.accessPolicyWindow.hitRatio = 1.5f;
  CHECK(set() == cudaErrorInvalidValue);
  value.accessPolicyWindow.hitRatio = 1;
  value.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
  CHECK(set() == cudaErrorInvalidValue);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  cudaGetLastError();
}

}  // namespace
}  // namespace warpwise::cudart
