#include "simulator/cudart/device/devices.h"

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "simulator/cudart/tests/child.h"
#include "simulator/cudart/tests/fake_module.h"
#include "simulator/cudart/warpwise_report.h"

// Cases named "child: ..." run in processes of their own, with several devices.
namespace warpwise::cudart {
namespace {

using nlohmann::json;

/// Runs the case with `devices` devices. @param more of the environment.
void check_child(const std::string& name, int devices, const std::string& more = "") {
  const Ending ending =
      run_case("child: " + name, "WARPWISE_GPUS=" + std::to_string(devices) + " " + more);
  INFO(ending.text);
  CHECK(ending.status == 0);
  CHECK(ending.says("1 passed"));  // There is a case of that name.
}

int* array_on(int device, std::size_t bytes = 256) {
  int* pointer = nullptr;
  CHECK(cudaSetDevice(device) == cudaSuccess);
  CHECK(cudaMalloc(reinterpret_cast<void**>(&pointer), bytes) == cudaSuccess);
  return pointer;
}

int owner_of(const void* pointer) {
  cudaPointerAttributes attributes{};
  CHECK(cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess);
  return attributes.device;
}

json counted() { return json::parse(warpwise_take_operations()); }

TEST_CASE("CUDA_VISIBLE_DEVICES chooses devices and their order; the first wrong entry ends it") {
  CHECK(visible_devices("0", 4) == std::vector<int>{0});
  CHECK(visible_devices("2,0", 4) == std::vector<int>{2, 0});
  CHECK(visible_devices(" 3 , 1 ", 4) == std::vector<int>{3, 1});
  CHECK(visible_devices("1,4,0", 4) == std::vector<int>{1});
  CHECK(visible_devices("1,-1,0", 4) == std::vector<int>{1});
  CHECK(visible_devices("1,1,0", 4) == std::vector<int>{1});
  CHECK(visible_devices("", 4).empty());
  CHECK(visible_devices("x", 4).empty());
}

TEST_CASE("peers are all devices, none, or pairs") {
  CHECK((pairs_of_peers("all").of(0) & 0xff) == 0xff);
  CHECK(pairs_of_peers("none").of(0) == 0);
  const PerDevice<unsigned> pairs = pairs_of_peers("0-1,2-3");
  CHECK(pairs.of(0) == 2);
  CHECK(pairs.of(1) == 1);
  CHECK(pairs.of(2) == 8);
  CHECK(pairs.of(4) == 0);
  for (const char* wrong : {"", "0", "0-", "0-0", "0-8", "0-1,", "some"})
    CHECK_THROWS(pairs_of_peers(wrong));
}

TEST_CASE("child: eight devices" * doctest::skip()) {
  int count = 0, device = -1;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 8);
  CHECK(cudaSetDevice(8) == cudaErrorInvalidDevice);
  CHECK(cudaSetDevice(7) == cudaSuccess);
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 7);
  std::thread([&] { cudaGetDevice(&device); }).join();
  CHECK(device == 0);
  cudaDeviceProp first{}, last{};
  cudaGetDeviceProperties(&first, 0), cudaGetDeviceProperties(&last, 7);
  CHECK(first.pciBusID == 1);
  CHECK(last.pciBusID == 8);
  CHECK(std::string(first.uuid.bytes, 16) != std::string(last.uuid.bytes, 16));
}

TEST_CASE("child: one device" * doctest::skip()) {
  int count = 0;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 1);
}

TEST_CASE("child: chosen devices" * doctest::skip()) {
  int count = 0, device = -1;
  cudaGetDeviceCount(&count);
  CHECK(count == 2);
  char id[20];
  CHECK(cudaDeviceGetPCIBusId(id, sizeof id, 0) == cudaSuccess);
  CHECK(std::string(id) == "0000:04:00.0");
  CHECK(cudaDeviceGetByPCIBusId(&device, "0000:02:00.0") == cudaSuccess);
  CHECK(device == 1);
  // The pair that can be peers is a pair of places on the machine.
  int can = 0;
  cudaDeviceCanAccessPeer(&can, 0, 1);
  CHECK(can == 1);
}

TEST_CASE("child: no device is left" * doctest::skip()) {
  int count = -1;
  CHECK(cudaGetDeviceCount(&count) == cudaErrorNoDevice);
  CHECK(count == 0);
  CHECK(cudaFree(nullptr) == cudaErrorNoDevice);
}

TEST_CASE("the number of devices comes from the environment, one without it") {
  check_child("eight devices", 8);
  check_child("chosen devices", 4, "CUDA_VISIBLE_DEVICES=3,1 WARPWISE_PEERS=1-3");
  check_child("no device is left", 2, "CUDA_VISIBLE_DEVICES=");
  const Ending many = run_case("child: eight devices", "WARPWISE_GPUS=9");
  CHECK(many.status == 3);
  CHECK(many.says("1 to 8 devices"));
  // Without a number, the variable does not affect the one simulated device.
  const Ending one = run_case("child: one device", "CUDA_VISIBLE_DEVICES=5");
  INFO(one.text);
  CHECK(one.status == 0);
  CHECK(one.says("1 passed"));
}

TEST_CASE("child: memory has an owner" * doctest::skip()) {
  std::size_t before = 0, after = 0, all = 0;
  cudaSetDevice(0), cudaMemGetInfo(&before, &all);
  int* of_1 = array_on(1, 1 << 26);
  CHECK(owner_of(of_1) == 1);
  cudaSetDevice(0), cudaMemGetInfo(&after, &all);
  CHECK(before == after);
  // All of device 0's memory is there, whatever device 1 has taken.
  int* large = array_on(1, all - (3ull << 30));
  CHECK(large != nullptr);
  int* as_large = array_on(0, all - (3ull << 30));
  CHECK(as_large != nullptr);
  CHECK(cudaMalloc(reinterpret_cast<void**>(&large), 4ull << 30) == cudaErrorMemoryAllocation);
  cudaGetLastError();
  int* pooled = nullptr;
  cudaSetDevice(1);
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaSetDevice(0);
  CHECK(cudaMallocAsync(reinterpret_cast<void**>(&pooled), 64, stream) == cudaSuccess);
  CHECK(owner_of(pooled) == 1);
}

/// The variable of the current device.
void* counter() {
  void* pointer = nullptr;
  std::size_t bytes = 0;
  CHECK(cudaLibraryGetGlobal(&pointer, &bytes, fake_library(), "counter") == cudaSuccess);
  return pointer;
}

int value_of(const void* pointer) {
  int value = -1;
  CHECK(cudaMemcpy(&value, pointer, sizeof value, cudaMemcpyDefault) == cudaSuccess);
  return value;
}

TEST_CASE("child: variables of two devices" * doctest::skip()) {
  const int set = 11;
  int* kept = array_on(0);
  void* of_0 = counter();
  int* gone = array_on(1);
  void* of_1 = counter();
  CHECK(of_0 != of_1);
  CHECK(owner_of(of_0) == 0);
  CHECK(owner_of(of_1) == 1);
  for (void* one : {of_0, of_1}) cudaMemcpy(one, &set, sizeof set, cudaMemcpyDefault);
  // After the reset of one device, the other keeps its state.
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(value_of(of_1) == 0);
  CHECK(value_of(of_0) == set);
  CHECK(owner_of(gone) == -2);
  CHECK(owner_of(kept) == 0);
}

TEST_CASE("memory and variables belong to one device") {
  check_child("memory has an owner", 2);
  check_child("variables of two devices", 2);
}

TEST_CASE("child: one device is waited for" * doctest::skip()) {
  int *a = array_on(0), *b = array_on(1);
  cudaSetDevice(0);
  launch_fake_on("fill", a, 5, 8);
  cudaSetDevice(1);
  launch_fake_on("fill", b, 6, 8);
  CHECK(cudaStreamQuery(nullptr) != cudaErrorInvalidValue);
  warpwise_count_operations(1);
  cudaSetDevice(0);
  launch_fake_on("fill", a, 5, 8);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  cudaSetDevice(1);
  launch_fake_on("fill", b, 6, 8);
  cudaSetDevice(0);
  launch_fake_on("fill", a, 7, 8);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  // The two devices are not ordered: a chain has only the work of device 0.
  const json counts = counted();
  CHECK(counts["longest_chain"] == 2);
  CHECK(counts["operations"][1]["device"] == 1);
  CHECK(counts["operations"][1]["column"] == 1);
  CHECK(counts["operations"][2]["device"] == 0);
}

TEST_CASE("child: a fault of one device" * doctest::skip()) {
  cudaSetDevice(1);
  launch_fake("fault");
  cudaSetDevice(0);
  int* x = array_on(0);
  launch_fake_on("fill", x, 3, 4);
  // Until the host has waited for device 1, it is device 1's alone.
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  cudaSetDevice(1);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  cudaDeviceReset();
  int got = 0;
  cudaSetDevice(0);
  CHECK(cudaMemcpy(&got, x, sizeof got, cudaMemcpyDefault) == cudaErrorIllegalAddress);
  CHECK(cudaSetDevice(1) == cudaErrorDevicesUnavailable);
}

TEST_CASE("a device is waited for by itself, and its fault is seen by all") {
  check_child("one device is waited for", 2);
  check_child("a fault of one device", 2);
}

TEST_CASE("child: copies between devices" * doctest::skip()) {
  constexpr std::size_t bytes = 64;
  int *a = array_on(0, bytes), *b = array_on(1, bytes);
  cudaMemset(b, 0, bytes);
  cudaSetDevice(0), cudaMemset(a, 1, bytes);
  cudaDeviceSynchronize();
  warpwise_count_operations(1);
  CHECK(cudaMemcpyPeer(b, 1, a, 0, bytes) == cudaSuccess);
  json counts = counted();
  CHECK(counts["staged_bytes"] == bytes);
  CHECK(counts["peer_bytes"] == 0);
  CHECK(counts["host_waits"] == 0);
  // The owner's access is enough for a copy, though not for a kernel.
  cudaSetDevice(0);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess);
  CHECK(cudaMemcpyAsync(a, b, bytes, cudaMemcpyDefault, nullptr) == cudaSuccess);
  counts = counted();
  CHECK(counts["staged_bytes"] == 0);
  CHECK(counts["peer_bytes"] == bytes);
  const json& moved = counts["operations"][0]["moved"];
  CHECK(moved[0]["from"] == 1);
  CHECK(moved[0]["to"] == 0);
  CHECK(moved[0]["bytes"] == bytes);
  CHECK(counts["operations"][0]["peer_bytes"] == bytes);
  CHECK(cudaMemcpyPeer(b, 2, a, 0, bytes) == cudaErrorInvalidDevice);
  cudaGetLastError();
}

TEST_CASE("child: what a copy without a stream waits for" * doctest::skip()) {
  int *a = array_on(0), *b = array_on(1);
  cudaStream_t apart = nullptr;
  cudaSetDevice(0), cudaMemset(a, 0, 256), cudaDeviceSynchronize();
  cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
  warpwise_count_operations(1);
  launch_fake_on("fill", a, 1, 8, apart);
  cudaSetDevice(1);
  cudaMemcpyPeer(b, 1, a, 0, 32);
  cudaSetDevice(0);
  launch_fake_on("fill", a, 2, 8, apart);
  CHECK(counted()["longest_chain"] == 3);
  // With a stream it is ordered by that alone.
  launch_fake_on("fill", a, 1, 8, apart);
  cudaSetDevice(1);
  cudaMemcpyPeerAsync(b, 1, a, 0, 32, nullptr);
  cudaSetDevice(0);
  launch_fake_on("fill", a, 2, 8, apart);
  CHECK(counted()["longest_chain"] == 2);
}

TEST_CASE("copies between devices take the link where one has access, else the host") {
  check_child("copies between devices", 2);
  check_child("what a copy without a stream waits for", 2);
}

TEST_CASE("child: peers that cannot be" * doctest::skip()) {
  int can = 1, value = -1;
  cudaDeviceCanAccessPeer(&can, 0, 2);
  CHECK(can == 0);
  CHECK(cudaDeviceEnablePeerAccess(2, 0) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
  CHECK(cudaDeviceDisablePeerAccess(3) == cudaErrorPeerAccessNotEnabled);
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1) == cudaSuccess);
  CHECK(value == 1);
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrNativeAtomicSupported, 0, 3) ==
        cudaSuccess);
  CHECK(value == 0);
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 1, 1) ==
        cudaErrorInvalidDevice);
  cudaGetLastError();
}

TEST_CASE("child: a stream of another device" * doctest::skip()) {
  int* x = array_on(1);
  cudaStream_t of_1 = nullptr;
  cudaEvent_t event_of_1 = nullptr, event_of_0 = nullptr;
  cudaStreamCreate(&of_1), cudaEventCreate(&event_of_1);
  cudaSetDevice(0), cudaEventCreate(&event_of_0);
  CHECK(launch_fake_on("fill", x, 1, 8, of_1) == cudaSuccess);
  CHECK(cudaMemset(x, 0, 32) == cudaErrorInvalidValue);
  CHECK(cudaMemsetAsync(x, 0, 32, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaEventRecord(event_of_0, of_1) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(event_of_1, nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(event_of_1, of_1) == cudaSuccess);
  CHECK(cudaEventRecord(event_of_0, nullptr) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(nullptr, event_of_1, 0) == cudaSuccess);
  CHECK(cudaMemsetAsync(x, 0, 32, of_1) == cudaSuccess);
  CHECK(cudaStreamSynchronize(of_1) == cudaSuccess);
  CHECK(cudaEventSynchronize(event_of_0) == cudaSuccess);
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, event_of_0, event_of_1) ==
        cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  const std::string report = warpwise_take_report();
  CHECK(report.find("wrong-device") != std::string::npos);
  CHECK(report.find("cudaSetDevice(1)") != std::string::npos);
}

TEST_CASE("peers that cannot be are refused, and streams of another device are named") {
  check_child("peers that cannot be", 4, "WARPWISE_PEERS=0-1,2-3");
  check_child("a stream of another device", 2);
}

}  // namespace
}  // namespace warpwise::cudart
