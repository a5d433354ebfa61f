// The answers of calls after a kernel has faulted, and after the device was reset then.
#include <cuda_profiler_api.h>

#include <thread>

#include "answers.h"

using namespace answers;

namespace {

/// The answer of each call after a kernel has faulted.
/// @param crooked wild's pointer is that of an allocation, and 1.
void after_fault(const void* kernel, bool crooked = false) {
  int* x = nullptr;
  int host = 0;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&x), 100);
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  int* nowhere = crooked ? reinterpret_cast<int*>(reinterpret_cast<char*>(x) + 1)
                         : reinterpret_cast<int*>(0x10);
  void* arguments[] = {&nowhere};
  ASK(cudaLaunchKernel(kernel, 1, 1, arguments, 0, nullptr));
  ASK(cudaDeviceSynchronize());
  ASK(cudaDeviceSynchronize());
  ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, nullptr));
  ASK(cudaMalloc(reinterpret_cast<void**>(&x), 100));
  ASK(cudaMemcpy(&host, x, 4, cudaMemcpyDeviceToHost));
  ASK(cudaMemset(x, 0, 4));
  ASK(cudaFree(x));
  ASK(cudaStreamSynchronize(stream));
  ASK(cudaStreamQuery(stream));
  ASK(cudaEventRecord(event, stream));
  ASK(cudaEventQuery(event));
  ASK(cudaEventSynchronize(event));
  ASK(cudaStreamCreate(&stream));
  int value = 0;
  std::size_t bytes = 0;
  ASK(cudaGetDevice(&value));
  ASK(cudaGetDeviceCount(&value));
  ASK(cudaSetDevice(0));
  ASK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  cudaDeviceProp properties;
  ASK(cudaGetDeviceProperties(&properties, 0));
  cudaFuncAttributes attributes;
  ASK(cudaFuncGetAttributes(&attributes, nothing));
  ASK(cudaMemGetInfo(&bytes, &bytes));
  ASK(cudaRuntimeGetVersion(&value));
  ASK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
  cudaDeviceSynchronize();
  SHOW(cudaGetErrorName(cudaPeekAtLastError()));
  SHOW(cudaGetErrorName(cudaGetLastError()));
  SHOW(cudaGetErrorName(cudaGetLastError()));
  cudaDeviceSynchronize();
  std::thread([] { SHOW(cudaGetErrorName(cudaGetLastError())); }).join();
  ASK(cudaEventDestroy(event));
  ASK(cudaDeviceReset());
  ASK(cudaMalloc(reinterpret_cast<void**>(&x), 100));
  ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, nullptr));
  ASK(cudaDeviceSynchronize());
}

/// Calls with right arguments that need nothing from before the fault.
void ask_for_everything() {
  void* p = nullptr;
  int value = 0;
  unsigned count = 0;
  std::size_t bytes = 0;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  ASK(cudaGetDevice(&value));
  ASK(cudaGetDeviceCount(&value));
  ASK(cudaSetDevice(0));
  ASK(cudaInitDevice(0, 0, 0));
  ASK(cudaGetDeviceFlags(&count));
  ASK(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
  ASK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  cudaDeviceProp properties;
  ASK(cudaGetDeviceProperties(&properties, 0));
  ASK(cudaRuntimeGetVersion(&value));
  ASK(cudaDriverGetVersion(&value));
  ASK(cudaDeviceCanAccessPeer(&value, 0, 0));
  ASK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
  ASK(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
  cudaFuncCache cache = {};
  ASK(cudaDeviceGetCacheConfig(&cache));
  ASK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  ASK(cudaDeviceGetStreamPriorityRange(&value, &value));
  ASK(cudaMemGetInfo(&bytes, &bytes));
  ASK(cudaMalloc(&p, 16));
  ASK(cudaMallocHost(&p, 16));
  ASK(cudaMallocManaged(&p, 16));
  ASK(cudaMallocAsync(&p, 16, nullptr));
  ASK(cudaFree(nullptr));
  ASK(cudaFreeHost(nullptr));
  cudaPointerAttributes place;
  ASK(cudaPointerGetAttributes(&place, &value));
  ASK(cudaMemcpy(&value, &count, 4, cudaMemcpyDefault));
  ASK(cudaMemcpy(&value, &count, 4, cudaMemcpyHostToHost));
  ASK(cudaMemcpyToSymbol(table, &value, 4, 0, cudaMemcpyHostToDevice));
  ASK(cudaGetSymbolAddress(&p, table));
  ASK(cudaGetSymbolSize(&bytes, table));
  ASK(cudaStreamCreate(&stream));
  ASK(cudaStreamSynchronize(nullptr));
  ASK(cudaStreamSynchronize(cudaStreamPerThread));
  ASK(cudaStreamQuery(nullptr));
  ASK(cudaEventCreate(&event));
  ASK(cudaEventQuery(event));
  ASK(cudaLaunchHostFunc(
      nullptr, [](void*) {}, nullptr));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t node = nullptr;
  ASK(cudaGraphCreate(&graph, 0));
  ASK(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
  ASK(cudaGraphInstantiate(&exec, graph, 0));
  ASK(cudaGraphDestroy(graph));
  cudaUserObject_t object = nullptr;
  ASK(cudaUserObjectCreate(
      &object, &value, [](void*) {}, 1, cudaUserObjectNoDestructorSync));
  ASK(cudaUserObjectRelease(object, 1));
  cudaMemPool_t pool = nullptr;
  ASK(cudaDeviceGetDefaultMemPool(&pool, 0));
  ASK(cudaDeviceGetMemPool(&pool, 0));
  const char* name = nullptr;
  cudaFuncAttributes attributes;
  ASK(cudaFuncGetAttributes(&attributes, nothing));
  ASK(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 1000));
  ASK(cudaFuncGetName(&name, nothing));
  ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, nothing, 32, 0));
  ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, nullptr));
  cudaKernel_t kernel = nullptr;
  cudaFunction_t function = nullptr;
  ASK(cudaGetKernel(&kernel, nothing));
  ASK(cudaGetFuncBySymbol(&function, nothing));
  const char* text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry one() { ret; }\n";
  cudaLibrary_t library = nullptr;
  ASK(cudaLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
  ASK(cudaLibraryGetKernelCount(&count, library));
  ASK(cudaLibraryUnload(library));
  cudaDriverEntryPointQueryResult found = {};
  ASK(cudaGetDriverEntryPointByVersion("cuInit", &p, 13000, 0, &found));
  ASK(cudaProfilerStart());
  ASK(cudaDeviceSynchronize());
}

}  // namespace

SUBJECT(fault_address) { after_fault(wild); }
SUBJECT(fault_misaligned) { after_fault(wild, true); }
SUBJECT(fault_trap) { after_fault(trapping); }
SUBJECT(fault_assert) { after_fault(asserting); }

SUBJECT(fault_and_reset) {
  fault();
  about("before cudaDeviceReset");
  ask_for_everything();
  ASK(cudaDeviceReset());
  about("after it");
  ask_for_everything();
  std::thread([] {
    about("in another thread");
    SHOW(cudaGetErrorName(cudaGetLastError()));
    ASK(cudaDeviceSynchronize());
  }).join();
  ASK(cudaDeviceReset());
  about("after the second");
  ASK(cudaDeviceSynchronize());
  int value = 0;
  ASK(cudaGetDeviceCount(&value));
  ASK(cudaSetDevice(0));
  ASK(cudaDeviceSynchronize());
}
