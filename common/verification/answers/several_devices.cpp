// What the runtime says on two devices: things of the wrong device, access to a peer, faults of one
// of them. The simulator is asked with two devices as well.
#include "answers.h"

using namespace answers;

namespace {

constexpr std::size_t bytes = 1024;

/// Two devices with memory, a stream and an event each. Device 0 is current.
struct Pair {
  int* x[2] = {};
  cudaStream_t s[2] = {};
  cudaEvent_t e[2] = {};

  Pair() {
    for (int d : {1, 0}) {
      cudaSetDevice(d);
      x[d] = static_cast<int*>(device_bytes(bytes));
      cudaMemset(x[d], 0, bytes);
      cudaStreamCreate(&s[d]);
      cudaEventCreate(&e[d]);
      cudaDeviceSynchronize();
    }
  }
};

cudaError_t add(int* x, cudaStream_t stream = nullptr, int n = 4) {
  void* arguments[] = {&x, &n};
  return cudaLaunchKernel(add_one, 1, n, arguments, 0, stream);
}

int owner(const void* pointer) {
  cudaPointerAttributes place{};
  cudaPointerGetAttributes(&place, pointer);
  return place.device;
}

/// x[0], through the host.
int first(const int* x) {
  int value = -1;
  cudaMemcpy(&value, x, sizeof value, cudaMemcpyDefault);
  return value;
}

void streams_of_another() {
  Pair of;
  void* one[] = {&of.x[1]};
  int device = -1;
  ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, of.s[1]));
  ASK(cudaLaunchCooperativeKernel(grid_sum, 1, 32, one, 0, of.s[1]));
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = configuration.blockDim = 1;
  configuration.stream = of.s[1];
  ASK(cudaLaunchKernelExC(&configuration, nothing, nullptr));
  ASK(cudaLaunchHostFunc(
      of.s[1], [](void*) {}, nullptr));
  ASK(cudaStreamSynchronize(of.s[1]));
  ASK(cudaStreamQuery(of.s[1]));
  ASK(cudaStreamGetDevice(of.s[1], &device));
  SHOW(device);
  cudaSetDevice(1);
  ASK(cudaStreamGetDevice(nullptr, &device));
  SHOW(device);
  cudaSetDevice(0);
  unsigned flags = 9;
  ASK(cudaStreamGetFlags(of.s[1], &flags));
  ASK(cudaMemsetAsync(of.x[1], 0, 4, of.s[1]));
  ASK(cudaMemsetAsync(of.x[1], 0, 4, of.s[0]));
  ASK(cudaMemsetAsync(of.x[0], 0, 4, of.s[1]));
  ASK(cudaMemset(of.x[1], 0, 4));
  ASK(cudaMemcpyAsync(of.x[1], &device, 4, cudaMemcpyHostToDevice, of.s[1]));
  ASK(cudaMemcpyAsync(of.x[1], &device, 4, cudaMemcpyHostToDevice, of.s[0]));
  ASK(cudaMemcpyAsync(of.x[0], of.x[1], 4, cudaMemcpyDeviceToDevice, of.s[1]));
  ASK(cudaMemcpyToSymbolAsync(table, &device, 4, 0, cudaMemcpyHostToDevice, of.s[1]));
  ASK(cudaStreamDestroy(of.s[1]));
  ASK(cudaDeviceSynchronize());
}

void events_of_another() {
  Pair of;
  float ms = 0;
  ASK(cudaEventRecord(of.e[1], of.s[0]));
  ASK(cudaEventRecord(of.e[0], of.s[1]));
  ASK(cudaEventRecord(of.e[1], nullptr));
  ASK(cudaEventRecord(of.e[1], of.s[1]));
  ASK(cudaEventRecordWithFlags(of.e[1], of.s[0], cudaEventRecordDefault));
  ASK(cudaEventRecord(of.e[0], of.s[0]));
  ASK(cudaEventSynchronize(of.e[1]));
  ASK(cudaEventSynchronize(of.e[0]));
  ASK(cudaEventQuery(of.e[0]));
  ASK(cudaEventQuery(of.e[1]));
  ASK(cudaEventElapsedTime(&ms, of.e[0], of.e[1]));
  ASK(cudaStreamWaitEvent(of.s[0], of.e[1], 0));
  ASK(cudaStreamWaitEvent(of.s[1], of.e[0], 0));
  ASK(cudaStreamWaitEvent(nullptr, of.e[1], 0));
  ASK(cudaEventDestroy(of.e[1]));
}

void access_to_a_peer() {
  int can = -1;
  ASK(cudaDeviceCanAccessPeer(&can, 0, 1));
  SHOW(can);
  ASK(cudaDeviceCanAccessPeer(&can, 1, 0));
  SHOW(can);
  ASK(cudaDeviceCanAccessPeer(&can, 0, 0));
  SHOW(can);
  ASK(cudaSetDevice(0));
  ASK(cudaDeviceDisablePeerAccess(1));
  ASK(cudaDeviceDisablePeerAccess(0));
  ASK(cudaDeviceDisablePeerAccess(99));
  ASK(cudaDeviceEnablePeerAccess(1, 1));
  ASK(cudaDeviceEnablePeerAccess(0, 0));
  ASK(cudaDeviceEnablePeerAccess(0, 1));
  ASK(cudaDeviceEnablePeerAccess(99, 0));
  ASK(cudaDeviceEnablePeerAccess(99, 1));
  ASK(cudaDeviceEnablePeerAccess(1, 0));
  ASK(cudaDeviceEnablePeerAccess(1, 0));
  ASK(cudaDeviceEnablePeerAccess(1, 1));
  ASK(cudaDeviceDisablePeerAccess(1));
  ASK(cudaDeviceDisablePeerAccess(1));
  ASK(cudaSetDevice(1));
  ASK(cudaDeviceDisablePeerAccess(0));
  int value = -1;
  ASK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
  SHOW(value);
  ASK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrNativeAtomicSupported, 0, 1));
  SHOW(value);
  ASK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrCudaArrayAccessSupported, 0, 1));
  SHOW(value);
  ASK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrPerformanceRank, 0, 1));
  SHOW(value);
  ASK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
  ASK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 99));
}

/// Fills go where their stream's device has access.
void filled_with_access() {
  Pair of;
  ASK(cudaDeviceEnablePeerAccess(1, 0));
  ASK(cudaMemset(of.x[1], 1, 4));
  ASK(cudaMemsetAsync(of.x[1], 1, 4, of.s[0]));
  ASK(cudaMemset2D(of.x[1], 16, 1, 4, 2));
  ASK(cudaMemsetAsync(of.x[0], 1, 4, of.s[1]));
  ASK(cudaDeviceSynchronize());
  SHOW(first(of.x[1]));
}

/// Which device works: the one of the stream, not the current one.
void launched_from_another() {
  Pair of;
  ASK(add(of.x[1], of.s[1]));
  ASK(cudaStreamSynchronize(of.s[1]));
  SHOW(first(of.x[1]));
  int* number[2] = {};
  for (int d : {0, 1}) {
    cudaSetDevice(d);
    cudaGetSymbolAddress(reinterpret_cast<void**>(&number[d]), counter);
  }
  cudaSetDevice(0);
  ASK(add(number[1], of.s[1], 1));
  ASK(cudaStreamSynchronize(of.s[1]));
  SHOW(first(number[1]) - first(number[0]));
  ASK(add(of.x[0], of.s[1]));
  ASK(cudaStreamSynchronize(of.s[1]));
}

void memory_of_another() {
  Pair of;
  int host = 7;
  SHOW(owner(of.x[1]));
  ASK(cudaMemcpy(of.x[1], &host, 4, cudaMemcpyHostToDevice));
  ASK(cudaMemcpy(of.x[0], of.x[1], 4, cudaMemcpyDeviceToDevice));
  SHOW(first(of.x[0]));
  ASK(cudaMemcpy(of.x[0] + 1, of.x[1], 4, cudaMemcpyDefault));
  ASK(cudaMemcpyPeer(of.x[0], 0, of.x[1], 1, 4));
  ASK(cudaMemcpyPeer(of.x[0], 1, of.x[1], 0, 4));
  ASK(cudaMemcpyPeer(of.x[0], 0, of.x[1], 0, 4));
  ASK(cudaMemcpyPeer(of.x[0], 0, of.x[0] + 8, 0, 4));
  ASK(cudaMemcpyPeer(of.x[0], 99, of.x[1], 1, 4));
  ASK(cudaMemcpyPeer(of.x[0], 0, of.x[1], -1, 4));
  ASK(cudaMemcpyPeer(of.x[0], 0, of.x[1], 1, 0));
  ASK(cudaMemcpyPeer(&host, 0, of.x[1], 1, 4));
  ASK(cudaMemcpyPeer(of.x[0], 0, of.x[1], 1, std::size_t{1} << 30));
  ASK(cudaMemcpyPeerAsync(of.x[0], 0, of.x[1], 1, 4, of.s[1]));
  ASK(cudaMemcpyPeerAsync(of.x[0], 0, of.x[1], 1, 4, of.s[0]));
  ASK(cudaMemcpyPeerAsync(of.x[0], 1, of.x[1], 0, 4, of.s[0]));
  ASK(cudaMemcpyPeerAsync(of.x[1], 1, of.x[1] + 8, 1, 4, of.s[0]));
  ASK(cudaDeviceSynchronize());
  void* symbol[2] = {};
  for (int d : {1, 0}) {
    cudaSetDevice(d);
    ASK(cudaGetSymbolAddress(&symbol[d], counter));
    SHOW(owner(symbol[d]));
  }
  SHOW(static_cast<long long>(symbol[0] == symbol[1]));
  void* managed = nullptr;
  ASK(cudaMallocManaged(&managed, bytes));
  cudaSetDevice(1);
  SHOW(owner(managed));
  ASK(cudaFree(managed));
  ASK(cudaFree(of.x[0]));
  ASK(cudaFree(of.x[0]));
  void* pinned = nullptr;
  ASK(cudaMallocHost(&pinned, bytes));
  SHOW(owner(pinned));
  cudaSetDevice(0);
  SHOW(owner(pinned));
  ASK(cudaMemcpyAsync(of.x[1], pinned, 4, cudaMemcpyHostToDevice, of.s[1]));
  ASK(cudaFreeHost(pinned));
}

cudaMemAccessDesc access_of(int device, cudaMemAccessFlags flags) {
  cudaMemAccessDesc access{};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = device;
  access.flags = flags;
  return access;
}

int granted(cudaMemPool_t pool, int device) {
  cudaMemLocation place{};
  place.type = cudaMemLocationTypeDevice;
  place.id = device;
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  cudaMemPoolGetAccess(&flags, pool, &place);
  return static_cast<int>(flags);
}

void pools_of_another() {
  Pair of;
  cudaMemPool_t pool = nullptr;
  int* p = nullptr;
  ASK(cudaDeviceGetDefaultMemPool(&pool, 1));
  SHOW(granted(pool, 0));
  SHOW(granted(pool, 1));
  ASK(cudaMallocAsync(reinterpret_cast<void**>(&p), bytes, of.s[1]));
  SHOW(owner(p));
  ASK(cudaFreeAsync(p, of.s[0]));
  ASK(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&p), bytes, pool, of.s[0]));
  SHOW(owner(p));
  const cudaMemAccessDesc all = access_of(0, cudaMemAccessFlagsProtReadWrite);
  const cudaMemAccessDesc read = access_of(0, cudaMemAccessFlagsProtRead);
  const cudaMemAccessDesc none = access_of(0, cudaMemAccessFlagsProtNone);
  const cudaMemAccessDesc own = access_of(1, cudaMemAccessFlagsProtNone);
  const cudaMemAccessDesc absent = access_of(99, cudaMemAccessFlagsProtReadWrite);
  ASK(cudaMemPoolSetAccess(pool, &all, 1));
  SHOW(granted(pool, 0));
  ASK(cudaMemPoolSetAccess(pool, &read, 1));
  ASK(cudaMemPoolSetAccess(pool, &own, 1));
  ASK(cudaMemPoolSetAccess(pool, &absent, 1));
  ASK(cudaStreamSynchronize(of.s[0]));
  ASK(cudaMemsetAsync(p, 0, bytes, of.s[0]));
  ASK(add(p, of.s[0]));
  ASK(cudaStreamSynchronize(of.s[0]));
  SHOW(first(p));
  ASK(cudaMemPoolSetAccess(pool, &none, 1));
  SHOW(granted(pool, 0));
  ASK(cudaDeviceSetMemPool(0, pool));
  ASK(cudaDeviceSetMemPool(1, pool));
  ASK(cudaFree(p));
}

std::size_t nodes_of(cudaGraph_t graph) {
  std::size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  return nodes;
}

void captured() {
  Pair of;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  about("a stream of device 1, captured while device 0 is current");
  ASK(cudaStreamBeginCapture(of.s[1], cudaStreamCaptureModeRelaxed));
  ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, of.s[1]));
  cudaSetDevice(1);
  ASK(add(of.x[1], of.s[1]));
  cudaSetDevice(0);
  ASK(cudaStreamEndCapture(of.s[1], &graph));
  about("over two devices");
  ASK(cudaStreamBeginCapture(of.s[0], cudaStreamCaptureModeRelaxed));
  ASK(add(of.x[0], of.s[0]));
  ASK(cudaEventRecord(of.e[0], of.s[0]));
  ASK(cudaStreamWaitEvent(of.s[1], of.e[0], 0));
  cudaSetDevice(1);
  ASK(add(of.x[1], of.s[1]));
  ASK(cudaMemcpyPeerAsync(of.x[1] + 8, 1, of.x[0], 0, 4, of.s[1]));
  ASK(cudaEventRecord(of.e[1], of.s[1]));
  cudaSetDevice(0);
  ASK(cudaStreamWaitEvent(of.s[0], of.e[1], 0));
  ASK(cudaStreamEndCapture(of.s[0], &graph));
  SHOW(static_cast<long long>(nodes_of(graph)));
  ASK(cudaGraphInstantiate(&exec, graph, 0));
  ASK(cudaGraphLaunch(exec, of.s[0]));
  ASK(cudaStreamSynchronize(of.s[0]));
  ASK(cudaGraphLaunch(exec, of.s[1]));
  ASK(cudaStreamSynchronize(of.s[1]));
  SHOW(first(of.x[0]));
  SHOW(first(of.x[1]));
  SHOW(first(of.x[1] + 8));
}

/// Each device, asked after a fault of device 1. Device 0 is current at the end.
void ask_both(Pair& of) {
  int host = 0;
  void* p = nullptr;
  cudaEvent_t event = nullptr;
  for (int d : {0, 1}) {
    about(d == 0 ? "device 0 is current" : "device 1 is current");
    cudaSetDevice(d);
    SHOW(cudaGetErrorName(cudaPeekAtLastError()));
    ASK(cudaDeviceSynchronize());
    ASK(cudaMalloc(&p, 16));
    ASK(cudaMemcpy(&host, of.x[0], 4, cudaMemcpyDefault));
    ASK(cudaMemcpy(&host, of.x[1], 4, cudaMemcpyDefault));
    ASK(cudaMemcpyPeer(of.x[0], 0, of.x[1], 1, 4));
    ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, nullptr));
    ASK(cudaStreamQuery(of.s[0]));
    ASK(cudaStreamQuery(of.s[1]));
    ASK(cudaStreamSynchronize(of.s[0]));
    ASK(cudaStreamSynchronize(of.s[1]));
    ASK(cudaEventRecord(of.e[0], of.s[0]));
    ASK(cudaEventRecord(of.e[1], of.s[1]));
    ASK(cudaEventSynchronize(of.e[0]));
    ASK(cudaEventSynchronize(of.e[1]));
    ASK(cudaStreamWaitEvent(of.s[0], of.e[1], 0));
    ASK(cudaStreamWaitEvent(of.s[1], of.e[0], 0));
    ASK(cudaEventCreate(&event));
    ASK(cudaFree(p));
    ASK(cudaMallocHost(&p, 16));
    ASK(cudaDeviceSynchronize());
  }
  cudaSetDevice(0);
}

void no_access() {
  Pair of;
  cudaSetDevice(1);
  ASK(add(of.x[0]));
  ASK(cudaDeviceSynchronize());
  ask_both(of);
  cudaSetDevice(1);
  ASK(cudaDeviceReset());
  about("after the reset of device 1");
  ask_both(of);
}

/// A fault of device 1 that has nothing to do with device 0, which is asked first.
void fault_of_one(const void* kernel) {
  Pair of;
  cudaSetDevice(1);
  int* nowhere = reinterpret_cast<int*>(0x10);
  void* arguments[] = {&nowhere};
  ASK(cudaLaunchKernel(kernel, 1, 1, arguments, 0, nullptr));
  ASK(cudaDeviceSynchronize());
  cudaSetDevice(0);
  void* p = nullptr;
  int host = 0;
  ASK(cudaDeviceSynchronize());
  ASK(cudaMalloc(&p, 16));
  ASK(cudaMemcpy(&host, of.x[0], 4, cudaMemcpyDefault));
  ASK(cudaMemcpy(&host, of.x[1], 4, cudaMemcpyDefault));
  ASK(add(of.x[0]));
  ASK(cudaDeviceSynchronize());
  ASK(cudaGetDeviceCount(&host));
  ASK(cudaSetDevice(1));
  ASK(cudaSetDevice(0));
}

void access_enabled_late() {
  Pair of;
  cudaSetDevice(1);
  ASK(cudaDeviceEnablePeerAccess(0, 0));
  ASK(add(of.x[0]));
  ASK(cudaDeviceSynchronize());
  SHOW(first(of.x[0]));
  ASK(cudaDeviceDisablePeerAccess(0));
  ASK(add(of.x[0]));
  ASK(cudaDeviceSynchronize());
}

void access_of_the_owner() {
  Pair of;
  ASK(cudaDeviceEnablePeerAccess(1, 0));
  cudaSetDevice(1);
  ASK(add(of.x[0]));
  ASK(cudaDeviceSynchronize());
}

void pool_without_access() {
  Pair of;
  int* p = nullptr;
  cudaSetDevice(1);
  ASK(cudaMallocAsync(reinterpret_cast<void**>(&p), bytes, nullptr));
  ASK(cudaMemsetAsync(p, 0, bytes, nullptr));
  ASK(cudaDeviceSynchronize());
  cudaSetDevice(0);
  ASK(cudaDeviceEnablePeerAccess(1, 0));
  ASK(add(p));
  ASK(cudaDeviceSynchronize());
}

void reset_of_one() {
  Pair of;
  int host = 0;
  cudaSetDevice(0);
  ASK(cudaDeviceEnablePeerAccess(1, 0));
  cudaSetDevice(1);
  ASK(cudaDeviceReset());
  int device = -1;
  ASK(cudaGetDevice(&device));
  SHOW(device);
  ASK(cudaMemcpy(&host, of.x[0], 4, cudaMemcpyDefault));
  cudaSetDevice(0);
  ASK(add(of.x[0], of.s[0]));
  ASK(cudaDeviceSynchronize());
  ASK(cudaFree(of.x[1]));
  ASK(cudaFree(of.x[0]));
  cudaSetDevice(1);
  ASK(cudaMalloc(reinterpret_cast<void**>(&of.x[1]), bytes));
  cudaSetDevice(0);
  ASK(cudaDeviceEnablePeerAccess(1, 0));
}

}  // namespace

SUBJECT(several_devices) {
  apart("streams of another device", streams_of_another);
  apart("events of another device", events_of_another);
  apart("access to a peer", access_to_a_peer);
  apart("memory of another device", memory_of_another);
  apart("pools of another device", pools_of_another);
  apart("captured", captured);
  apart("filled with access", filled_with_access);
  apart("launched into a stream of another device", launched_from_another);
}

SUBJECT(several_devices_and_faults) {
  apart("a kernel without access", no_access);
  apart("enabled after the allocation, then disabled", access_enabled_late);
  apart("enabled on the owner", access_of_the_owner);
  apart("a pool without access", pool_without_access);
  apart("one device is reset", reset_of_one);
  apart("a wild pointer", [] { fault_of_one(wild); });
  apart("a trap", [] { fault_of_one(trapping); });
  apart("an assertion", [] { fault_of_one(asserting); });
}
