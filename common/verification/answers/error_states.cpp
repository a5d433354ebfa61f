// Where the fault of a kernel shows first, and what functions of streams may ask.
#include <unistd.h>

#include <thread>

#include "answers.h"

using namespace answers;

namespace {

/// The objects that exist when a kernel faults in the stream.
struct Things {
  cudaStream_t stream = nullptr, loose = nullptr;
  cudaEvent_t before = nullptr, behind = nullptr;
  int *x = nullptr, *pinned = nullptr, *managed = nullptr, *pooled = nullptr;
  int host[4] = {};

  Things() {
    cudaStreamCreate(&stream);
    cudaStreamCreateWithFlags(&loose, cudaStreamNonBlocking);
    cudaEventCreate(&before);
    cudaEventCreate(&behind);
    cudaMalloc(reinterpret_cast<void**>(&x), 4096);
    cudaMallocHost(reinterpret_cast<void**>(&pinned), 4096);
    cudaMallocManaged(reinterpret_cast<void**>(&managed), 4096);
    cudaMallocAsync(reinterpret_cast<void**>(&pooled), 4096, stream);
    cudaMemset(x, 0, 4096);
    cudaDeviceSynchronize();
  }
  void fault() {
    int* nowhere = reinterpret_cast<int*>(0x10);
    void* arguments[] = {&nowhere};
    cudaEventRecord(before, stream);
    cudaLaunchKernel(wild, 1, 1, arguments, 0, stream);
    cudaEventRecord(behind, stream);
  }
};

/// Asks as the first call after a fault that has happened.
void first_after(const char* what, const std::function<cudaError_t(Things&)>& question) {
  apart(what, [&] {
    Things things;
    things.fault();
    usleep(400000);
    SHOW(peek());
    ASK(question(things));
    ASK(cudaDeviceSynchronize());
  });
}

}  // namespace

#define FIRST(call) first_after(#call, [](Things& o) { return call; })

SUBJECT(fault_shows_first) {
  FIRST(cudaDeviceSynchronize());
  FIRST(cudaStreamSynchronize(o.stream));
  FIRST(cudaStreamSynchronize(o.loose));
  FIRST(cudaStreamSynchronize(nullptr));
  FIRST(cudaStreamQuery(o.stream));
  FIRST(cudaStreamQuery(o.loose));
  FIRST(cudaStreamQuery(nullptr));
  FIRST(cudaEventQuery(o.before));
  FIRST(cudaEventQuery(o.behind));
  FIRST(cudaEventSynchronize(o.before));
  FIRST(cudaEventSynchronize(o.behind));
  FIRST(cudaEventRecord(o.before, o.stream));
  FIRST(cudaEventRecord(o.before, o.loose));
  FIRST(cudaStreamWaitEvent(o.loose, o.behind, 0));
  FIRST(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, o.stream));
  FIRST(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, o.loose));
  FIRST(cudaLaunchKernel(nothing, 1, 2000, nullptr, 0, o.loose));
  FIRST(cudaMemcpy(o.host, o.x, 16, cudaMemcpyDeviceToHost));
  FIRST(cudaMemcpyAsync(o.pinned, o.x, 16, cudaMemcpyDeviceToHost, o.loose));
  FIRST(cudaMemset(o.x, 0, 16));
  FIRST(cudaMemsetAsync(o.x, 0, 16, o.loose));
  FIRST(cudaFree(o.x));
  FIRST(cudaFree(nullptr));
  FIRST(cudaFreeHost(o.pinned));
  FIRST(cudaFreeAsync(o.pooled, o.loose));
  FIRST(cudaMalloc(reinterpret_cast<void**>(&o.x), 16));
  FIRST(cudaMallocHost(reinterpret_cast<void**>(&o.pinned), 16));
  FIRST(cudaMallocManaged(reinterpret_cast<void**>(&o.managed), 16));
  FIRST(cudaMallocAsync(reinterpret_cast<void**>(&o.x), 16, o.loose));
  FIRST(cudaStreamCreate(&o.loose));
  FIRST(cudaStreamDestroy(o.stream));
  FIRST(cudaStreamDestroy(o.loose));
  FIRST(cudaEventCreate(&o.before));
  FIRST(cudaEventDestroy(o.behind));
  FIRST(cudaMemGetInfo(nullptr, nullptr));
  FIRST(cudaDeviceReset());
  FIRST(cudaSetDevice(0));
  FIRST(cudaLaunchHostFunc(
      o.loose, [](void*) { about("called"); }, nullptr));
  FIRST(cudaMemcpyToSymbol(counter, o.host, 4, 0, cudaMemcpyHostToDevice));
  FIRST(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 16));
}

SUBJECT(fault_of_a_kind) {
  const auto kind = [](const char* what, const void* kernel) {
    apart(what, [&] {
      int* x = nullptr;
      cudaMalloc(reinterpret_cast<void**>(&x), 4096);
      cudaMemset(x, 0, 4096);
      void* arguments[] = {&x};
      const cudaError_t launched = cudaLaunchKernel(kernel, 1, 64, arguments, 1024, nullptr);
      const cudaError_t first = cudaDeviceSynchronize(), second = cudaDeviceSynchronize();
      std::printf("%s: %s, %s, %s\n", what, cudaGetErrorName(launched), cudaGetErrorName(first),
                  cudaGetErrorName(second));
    });
  };
  kind("shared memory, far past it", shared_beyond);
  kind("shared memory, crooked", shared_crooked);
  kind("global memory, crooked", global_crooked);
  kind("an atomic operation on a local variable", local_atomic);
  kind("calls without end", endless);
  kind("a store to a constant", constant_store);
  kind("a load from null", null_load);
  kind("a breakpoint", break_point);
  kind("free of memory from cudaMalloc", wild_free);
  kind("free twice", double_free);
  kind("free of the middle of a block", middle_free);
  kind("a barrier of 33 threads", crooked_barrier);
  kind("a barrier with number 20", absent_barrier);
}

SUBJECT(graphs_and_errors) {
  const auto graph_of = [](const void* kernel, dim3 grid, dim3 block, void** arguments) {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaKernelNodeParams params = {};
    params.func = const_cast<void*>(kernel);
    params.gridDim = grid;
    params.blockDim = block;
    params.kernelParams = arguments;
    cudaGraphCreate(&graph, 0);
    ASK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
    return graph;
  };
  apart("a graph whose kernel faults", [&] {
    int* nowhere = reinterpret_cast<int*>(0x10);
    void* arguments[] = {&nowhere};
    cudaGraphExec_t exec = nullptr;
    cudaGraph_t graph = graph_of(wild, 1, 1, arguments);
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    ASK(cudaGraphLaunch(exec, nullptr));
    SHOW(peek());
    usleep(300000);
    ASK(cudaGraphLaunch(exec, nullptr));
    ASK(cudaStreamSynchronize(nullptr));
    ASK(cudaGraphLaunch(exec, nullptr));
    ASK(cudaGraphExecDestroy(exec));
    ASK(cudaGraphDestroy(graph));
  });
  apart("launches that cannot be", [&] {
    graph_of(nothing, 0, 1, nullptr);
    graph_of(nothing, 1, 1025, nullptr);
    graph_of(nothing, dim3(1, 65536), 1, nullptr);
    graph_of(nothing, 1, dim3(1, 1, 65), nullptr);
    graph_of(nullptr, 1, 1, nullptr);
    graph_of(hungry, 1, 1024, nullptr);
    graph_of(bounded, 1, 65, nullptr);
  });
  apart("a captured launch that cannot be", [] {
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    cudaGraph_t graph = nullptr;
    ASK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    ASK(cudaLaunchKernel(nothing, 1, 2000, nullptr, 0, stream));
    ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 1 << 20, stream));
    ASK(cudaLaunchKernel(hungry, 1, 1024, nullptr, 0, stream));
    ASK(cudaStreamEndCapture(stream, &graph));
    SHOW(peek());
  });
  apart("a captured fill of null", [] {
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    ASK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    ASK(cudaMemsetAsync(nullptr, 0, 4, stream));
    ASK(cudaStreamEndCapture(stream, &graph));
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    ASK(cudaGraphLaunch(exec, stream));
    ASK(cudaStreamSynchronize(stream));
  });
  apart("a captured fill of the host's memory, and a copy", [] {
    static int host[4];
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    cudaGraph_t graph = nullptr;
    ASK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    ASK(cudaMemsetAsync(host, 0, 4, stream));
    ASK(cudaMemcpyAsync(nullptr, host, 4, cudaMemcpyHostToDevice, stream));
    ASK(cudaMemcpyAsync(host, nullptr, 4, cudaMemcpyDeviceToHost, stream));
    ASK(cudaMemset2DAsync(nullptr, 64, 0, 16, 4, stream));
    ASK(cudaStreamEndCapture(stream, &graph));
  });
}

SUBJECT(in_a_function_of_a_stream) {
  static Things* o = nullptr;
  static void (*questions)() = [] {
    int value = 0;
    unsigned flags = 0;
    std::size_t bytes = 0;
    float ms = 0;
    void* p = nullptr;
    cudaEvent_t event = nullptr;
    cudaStream_t stream = nullptr;
    ASK(cudaGetDevice(&value));
    ASK(cudaGetDeviceCount(&value));
    ASK(cudaSetDevice(0));
    ASK(cudaRuntimeGetVersion(&value));
    ASK(cudaDriverGetVersion(&value));
    ASK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
    cudaDeviceProp properties;
    ASK(cudaGetDeviceProperties(&properties, 0));
    ASK(cudaGetDeviceFlags(&flags));
    cudaPointerAttributes of = {};
    ASK(cudaPointerGetAttributes(&of, o->x));
    ASK(cudaMemGetInfo(&bytes, &bytes));
    ASK(cudaMalloc(&p, 16));
    ASK(cudaMallocHost(&p, 16));
    ASK(cudaFree(nullptr));
    ASK(cudaFreeHost(nullptr));
    ASK(cudaMemcpyAsync(o->pinned, o->x, 16, cudaMemcpyDeviceToHost, o->loose));
    ASK(cudaMemsetAsync(o->x, 0, 16, o->loose));
    ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, o->loose));
    ASK(cudaLaunchKernel(nothing, 1, 2000, nullptr, 0, o->loose));
    ASK(cudaEventCreate(&event));
    ASK(cudaEventRecord(o->before, o->loose));
    ASK(cudaEventQuery(o->before));
    ASK(cudaEventElapsedTime(&ms, o->before, o->before));
    ASK(cudaStreamCreate(&stream));
    ASK(cudaStreamQuery(o->stream));
    ASK(cudaStreamQuery(o->loose));
    ASK(cudaStreamGetFlags(o->stream, &flags));
    ASK(cudaStreamWaitEvent(o->loose, o->before, 0));
    ASK(cudaLaunchHostFunc(
        o->loose, [](void*) {}, nullptr));
    cudaFuncAttributes attributes;
    ASK(cudaFuncGetAttributes(&attributes, nothing));
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, nothing, 32, 0));
    ASK(cudaGetSymbolAddress(&p, counter));
    ASK(cudaDeviceSynchronize());
    SHOW(peek());
    SHOW(take());
  };
  apart("cudaLaunchHostFunc", [] {
    o = new Things;
    ASK(cudaLaunchHostFunc(
        o->stream, [](void*) { questions(); }, nullptr));
    ASK(cudaStreamSynchronize(o->stream));
    SHOW(peek());
  });
  apart("cudaStreamAddCallback", [] {
    o = new Things;
    ASK(cudaStreamAddCallback(
        o->stream, [](cudaStream_t, cudaError_t, void*) { questions(); }, nullptr, 0));
    ASK(cudaStreamSynchronize(o->stream));
    SHOW(peek());
  });
  apart("functions after a fault", [] {
    o = new Things;
    o->fault();
    ASK(cudaLaunchHostFunc(
        o->stream, [](void*) { about("called"); }, nullptr));
    static cudaError_t status = cudaSuccess;
    ASK(cudaStreamAddCallback(
        o->stream, [](cudaStream_t, cudaError_t told, void*) { status = told; }, nullptr, 0));
    ASK(cudaStreamSynchronize(o->stream));
    usleep(100000);
    SHOW(cudaGetErrorName(status));
  });
}

SUBJECT(streams_beside) {
  cudaStream_t blocking = nullptr, loose = nullptr;
  cudaEvent_t event = nullptr, other = nullptr;
  float ms = 0;
  cudaStreamCreate(&blocking);
  cudaStreamCreateWithFlags(&loose, cudaStreamNonBlocking);
  cudaEventCreate(&event);
  cudaEventCreate(&other);
  cudaLaunchKernel(nothing, 1, 1, nullptr, 0, nullptr);
  cudaDeviceSynchronize();
  const auto beside = [&](const char* what, cudaStream_t busy) {
    about(what);
    // Each answer is of a kernel that no question has used: here, it takes no time once it runs.
    const auto while_busy = [&](const std::function<void()>& question) {
      cudaLaunchKernel(slow, 1, 1, nullptr, 0, busy);
      question();
      cudaDeviceSynchronize();
    };
    while_busy([&] { ASK(cudaStreamQuery(nullptr)); });
    while_busy([&] { ASK(cudaStreamQuery(cudaStreamLegacy)); });
    while_busy([&] { ASK(cudaStreamQuery(cudaStreamPerThread)); });
    while_busy([&] { ASK(cudaStreamQuery(blocking)); });
    while_busy([&] { ASK(cudaStreamQuery(loose)); });
    cudaLaunchKernel(slow, 1, 1, nullptr, 0, busy);
    ASK(cudaEventRecord(event, loose));
    ASK(cudaEventSynchronize(event));
    ASK(cudaEventQuery(event));
    cudaLaunchKernel(slow, 1, 1, nullptr, 0, busy);
    ASK(cudaEventRecord(event, nullptr));
    ASK(cudaEventQuery(event));
    ASK(cudaDeviceSynchronize());
    cudaLaunchKernel(slow, 1, 1, nullptr, 0, busy);
    ASK(cudaEventRecord(event, nullptr));
    ASK(cudaEventElapsedTime(&ms, event, event));
    ASK(cudaDeviceSynchronize());
    cudaLaunchKernel(slow, 1, 1, nullptr, 0, busy);
    ASK(cudaEventRecord(other, blocking));
    ASK(cudaEventQuery(other));
    ASK(cudaDeviceSynchronize());
    ASK(cudaEventQuery(event));
    ASK(cudaEventElapsedTime(&ms, event, event));
    SHOW(ms == 0);
  };
  beside("the default stream is busy", nullptr);
  beside("a stream is busy", blocking);
  beside("one that does not block is busy", loose);
  beside("that of the thread is busy", cudaStreamPerThread);
  about("another thread's stream");
  cudaLaunchKernel(slow, 1, 1, nullptr, 0, cudaStreamPerThread);
  std::thread([] {
    ASK(cudaStreamQuery(cudaStreamPerThread));
    ASK(cudaStreamSynchronize(cudaStreamPerThread));
    ASK(cudaStreamQuery(cudaStreamLegacy));
  }).join();
  ASK(cudaDeviceSynchronize());
  about("an event that is recorded again");
  cudaEventRecord(event, blocking);
  cudaLaunchKernel(slow, 1, 1, nullptr, 0, blocking);
  ASK(cudaEventSynchronize(event));
  cudaEventRecord(event, blocking);
  ASK(cudaEventQuery(event));
  cudaLaunchKernel(slow, 1, 1, nullptr, 0, blocking);
  cudaEventRecord(event, blocking);
  ASK(cudaEventElapsedTime(&ms, event, event));
  ASK(cudaStreamSynchronize(blocking));
  ASK(cudaEventQuery(event));
  about("a busy stream is destroyed, and a busy event");
  cudaLaunchKernel(slow, 1, 1, nullptr, 0, blocking);
  cudaEventRecord(event, blocking);
  ASK(cudaEventDestroy(event));
  ASK(cudaStreamDestroy(blocking));
  ASK(cudaStreamQuery(nullptr));
  ASK(cudaDeviceSynchronize());
}

SUBJECT(reset_without_fault) {
  int* x = nullptr;
  int host = 0;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&x), 64);
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  cudaSetDevice(99);
  ASK(cudaDeviceReset());
  cudaSetDevice(99);
  cudaDeviceReset();
  SHOW(peek());
  SHOW(take());
  ASK(cudaMemcpy(&host, x, 4, cudaMemcpyDeviceToHost));
  ASK(cudaMemset(x, 0, 4));
  ASK(cudaFree(x));
  ASK(cudaMalloc(reinterpret_cast<void**>(&x), 64));
  ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, nullptr));
  ASK(cudaDeviceSynchronize());
  ASK(cudaDeviceReset());
  ASK(cudaDeviceReset());
  ASK(cudaDeviceSynchronize());
}
