#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

#include "simulator/cudart/tests/child.h"
#include "simulator/cudart/tests/fake_module.h"

// Access of the host to page-locked memory that asynchronous copies use.
namespace warpwise::cudart {
namespace pending_copies_test {

constexpr std::size_t bytes = 64 << 10;

/// Memory of the device, which holds 7 in every byte, and of the host, which holds 5.
struct Buffers {
  char *device = nullptr, *host = nullptr;
  cudaStream_t stream = nullptr;
  Buffers() {
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), bytes) == cudaSuccess);
    REQUIRE(cudaMallocHost(reinterpret_cast<void**>(&host), bytes) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    cudaMemset(device, 7, bytes);
    std::memset(host, 5, bytes);
  }
  void fetch(std::size_t from, std::size_t count) const {
    CHECK(cudaMemcpyAsync(host + from, device + from, count, cudaMemcpyDeviceToHost, stream) ==
          cudaSuccess);
  }
  void send(std::size_t count) const {
    CHECK(cudaMemcpyAsync(device, host, count, cudaMemcpyHostToDevice, stream) == cudaSuccess);
  }
  char at(std::size_t i) const { return *static_cast<volatile char*>(host + i); }
  ~Buffers() { cudaFree(device), cudaFreeHost(host), cudaStreamDestroy(stream); }
};

TEST_CASE("child: the result of a copy is read too early" * doctest::skip()) {
  const Buffers used;
  used.fetch(0, bytes);
  CHECK(used.at(3) == 7);
}

TEST_CASE("child: the source of a copy is written too early" * doctest::skip()) {
  const Buffers used;
  used.send(bytes);
  used.host[9] = 1;
}

TEST_CASE("child: a source is written that has been one before" * doctest::skip()) {
  const Buffers used;
  used.send(bytes);
  cudaStreamSynchronize(used.stream);
  used.host[9] = 1;
  used.send(bytes);
  CHECK(used.at(9) == 1);
  used.host[9] = 2;
}

/// As far as the library can know a copy and a kernel of another stream both read the memory.
void send_and_launch(const Buffers& used) {
  cudaStream_t other = nullptr;
  REQUIRE(cudaStreamCreate(&other) == cudaSuccess);
  used.send(bytes);
  CHECK(launch_fake_on("fill", reinterpret_cast<int*>(used.host), 0, 0, other) == cudaSuccess);
}

TEST_CASE("child: a source is written that a kernel also reads" * doctest::skip()) {
  const Buffers used;
  send_and_launch(used);
  CHECK(used.at(3) == 5);
  used.host[9] = 1;
}

TEST_CASE("child: the host looks at a source that a kernel also reads" * doctest::skip()) {
  const Buffers used;
  send_and_launch(used);
  CHECK(used.at(3) == 5);
  cudaStreamSynchronize(used.stream);
  used.host[9] = 1;
}

TEST_CASE("the host may look at a source that a kernel also reads") {
  const Ending read = run_case("child: the host looks at a source that a kernel also reads");
  INFO(read.text);
  CHECK(read.status == 0);
  const Ending written = run_case("child: a source is written that a kernel also reads");
  CHECK(written.says("missing-sync: the host wrote byte 9 of allocation 2"));
  CHECK_FALSE(written.says("ERROR: CHECK"));
}

TEST_CASE("an access before the host has waited is a missing synchronisation") {
  const Ending read = run_case("child: the result of a copy is read too early");
  INFO(read.text);
  CHECK(read.status == 1);
  CHECK(read.says("missing-sync: the host read byte 3 of allocation 2 (65536 bytes of pinned"));
  CHECK(read.says("call cudaStreamSynchronize() between the copy and this access"));
  const Ending written = run_case("child: the source of a copy is written too early");
  CHECK(written.says("missing-sync: the host wrote byte 9 of allocation 2"));
  const Ending again = run_case("child: a source is written that has been one before");
  CHECK(again.says("missing-sync: the host wrote byte 9 of allocation 2"));
  CHECK_FALSE(again.says("ERROR: CHECK"));
}

TEST_CASE("child: the result of a part is read too early" * doctest::skip()) {
  const Buffers used;
  for (const std::size_t part : {0, 1000, 2000}) used.fetch(part, 1000);
  CHECK(used.at(1500) == 7);
}

TEST_CASE("child: the host touches bytes next to parts" * doctest::skip()) {
  const Buffers used;
  used.send(100);
  used.fetch(200, 100);
  CHECK(used.at(50) == 5);
  used.host[150] = 1;
  used.host[350] = 2;
  cudaStreamSynchronize(used.stream);
  used.host[50] = 3;
  CHECK(used.at(250) == 7);
  CHECK(used.at(150) == 1);
}

TEST_CASE("parts of a page are distinguished") {
  const Ending early = run_case("child: the result of a part is read too early");
  CHECK(early.says("missing-sync: the host read byte 1500 of allocation 2"));
  const Ending beside = run_case("child: the host touches bytes next to parts");
  INFO(beside.text);
  CHECK(beside.status == 0);
}

/// Memory that the program has registered.
struct Registered : Buffers {
  char* own = static_cast<char*>(std::aligned_alloc(4096, bytes));
  Registered() {
    std::memset(own, 5, bytes);
    REQUIRE(cudaHostRegister(own, bytes, 0) == cudaSuccess);
  }
  void fetch_own(std::size_t count) const {
    CHECK(cudaMemcpyAsync(own, device, count, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  }
  char own_at(std::size_t i) const { return *static_cast<volatile char*>(own + i); }
  ~Registered() { cudaHostUnregister(own), std::free(own); }
};

TEST_CASE("child: registered memory is read before a copy has filled it" * doctest::skip()) {
  const Registered used;
  used.fetch_own(100);
  CHECK(used.own_at(3) == 7);
}

TEST_CASE("child: registered memory is used during a copy and after it" * doctest::skip()) {
  const Registered used;
  used.fetch_own(100);
  CHECK(used.own_at(100) == 5);
  used.own[5000] = 1;
  cudaStreamSynchronize(used.stream);
  CHECK(used.own_at(3) == 7);
  CHECK(used.own_at(5000) == 1);
  CHECK(cudaMemcpyAsync(used.device, used.own, bytes, cudaMemcpyHostToDevice, used.stream) ==
        cudaSuccess);
  CHECK(used.own_at(3) == 7);
  cudaDeviceSynchronize();
  used.own[3] = 4;
}

TEST_CASE("registered memory is watched just as closely") {
  const Ending early = run_case("child: registered memory is read before a copy has filled it");
  CHECK(early.says("missing-sync: the host read byte 3 of allocation 3"));
  const Ending right = run_case("child: registered memory is used during a copy and after it");
  INFO(right.text);
  CHECK(right.status == 0);
}

TEST_CASE("the host may look where no copy is, at sources, and everywhere after a wait") {
  Buffers used;
  used.send(bytes / 2);
  CHECK(used.at(3) == 5);
  used.host[bytes / 2] = 6;
  used.fetch(bytes / 2, bytes / 4);
  used.host[bytes - 1] = 4;
  cudaStreamSynchronize(used.stream);
  CHECK(used.at(bytes / 2) == 7);
  used.host[0] = 9;

  cudaEvent_t event = nullptr;
  cudaEventCreate(&event);
  used.fetch(0, bytes);
  cudaEventRecord(event, used.stream);
  while (cudaEventQuery(event) == cudaErrorNotReady) {
  }
  CHECK(used.at(bytes - 77) == 7);
  cudaEventDestroy(event);
}

TEST_CASE("a host function finds what came before it") {
  Buffers used;
  used.fetch(0, bytes);
  static std::atomic<int> seen;
  cudaLaunchHostFunc(
      used.stream, [](void* memory) { seen = static_cast<char*>(memory)[5]; }, used.host);
  cudaStreamSynchronize(used.stream);
  CHECK(seen == 7);
}

TEST_CASE("a callback finds what came before it") {
  Buffers used;
  used.fetch(0, bytes);
  static std::atomic<int> seen;
  seen = 0;
  cudaStreamAddCallback(
      used.stream,
      [](cudaStream_t, cudaError_t, void* memory) { seen = static_cast<char*>(memory)[5]; },
      used.host, 0);
  cudaStreamSynchronize(used.stream);
  CHECK(seen == 7);
}

TEST_CASE("a host that waits for a sign of a later kernel finds what was copied before") {
  Buffers used;
  int* sign = nullptr;
  REQUIRE(cudaHostAlloc(reinterpret_cast<void**>(&sign), 4, cudaHostAllocMapped) == cudaSuccess);
  *sign = 0;
  used.fetch(0, bytes);
  CHECK(launch_fake_on("add", sign, 1, 1, used.stream) == cudaSuccess);
  while (*static_cast<volatile int*>(sign) == 0) {
  }
  CHECK(used.at(5) == 7);
  CHECK(cudaStreamSynchronize(used.stream) == cudaSuccess);
  CHECK(cudaFreeHost(sign) == cudaSuccess);
}

}  // namespace pending_copies_test
}  // namespace warpwise::cudart
