// Stream capture: what becomes a graph, and what a capture forbids.
#include <thread>

#include "answers.h"

using namespace answers;

namespace {

struct Setting {
  cudaStream_t s = nullptr, t = nullptr, loose = nullptr;
  cudaEvent_t e = nullptr, f = nullptr;
  int* x = nullptr;
  int value = 3, n = 64;
  Setting() {
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaStreamCreateWithFlags(&loose, cudaStreamNonBlocking);
    cudaEventCreate(&e);
    cudaEventCreate(&f);
    cudaMalloc(reinterpret_cast<void**>(&x), 4096);
    cudaMemset(x, 0, 4096);
    cudaDeviceSynchronize();
  }
  cudaError_t launch(cudaStream_t stream) {
    void* arguments[] = {&x, &value, &n};
    return cudaLaunchKernel(fill, 1, 64, arguments, 0, stream);
  }
  cudaError_t launch_add(cudaStream_t stream) {
    void* arguments[] = {&x, &n};
    return cudaLaunchKernel(add_one, 1, 64, arguments, 0, stream);
  }
  int status(cudaStream_t stream) {
    cudaStreamCaptureStatus found = cudaStreamCaptureStatusNone;
    const cudaError_t error = cudaStreamIsCapturing(stream, &found);
    cudaGetLastError();
    return error == cudaSuccess ? static_cast<int>(found) : -static_cast<int>(error);
  }
  /// Ends the capture and says how many nodes there are; minus the code where there is no graph.
  int end(cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    const cudaError_t error = cudaStreamEndCapture(stream, &graph);
    cudaGetLastError();
    if (error != cudaSuccess) return -static_cast<int>(error);
    std::size_t nodes = 0, edges = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
    cudaGraphDestroy(graph);
    return static_cast<int>(nodes * 100 + edges);
  }
};

/// Begins a capture, does one thing that may be forbidden, and looks what is left of it.
template <typename Thing>
void during(const char* text, const Thing& thing,
            cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  static Setting& own = *new Setting;
  cudaStreamBeginCapture(own.s, mode);
  own.launch(own.s);
  ask(text, [&] { return thing(own); });
  std::printf("  status %d", own.status(own.s));
  std::printf(", end %d\n", own.end(own.s));
  cudaDeviceSynchronize();
  cudaGetLastError();
}

}  // namespace

#define DURING(call) \
  during(#call, [&](Setting& o) { return o.x == nullptr ? cudaErrorUnknown : call; })
#define DURING_RELAXED(call)                                                                   \
  during(                                                                                      \
      "relaxed: " #call, [&](Setting& o) { return o.x == nullptr ? cudaErrorUnknown : call; }, \
      cudaStreamCaptureModeRelaxed)

SUBJECT(capture) {
  Setting o;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  int host[64] = {};
  ASK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  ASK(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal));
  ASK(cudaStreamBeginCapture(o.s, static_cast<cudaStreamCaptureMode>(9)));
  ASK(cudaStreamEndCapture(o.s, &graph));
  ASK(cudaStreamEndCapture(nullptr, &graph));
  ASK(cudaStreamIsCapturing(o.s, nullptr));
  ASK(cudaStreamIsCapturing(nullptr, &status));
  ASK(cudaStreamBeginCapture(o.s, cudaStreamCaptureModeGlobal));
  ASK(cudaStreamBeginCapture(o.s, cudaStreamCaptureModeGlobal));
  ASK(cudaStreamIsCapturing(o.s, &status));
  SHOW(static_cast<int>(status));
  ASK(cudaStreamIsCapturing(o.t, &status));
  SHOW(static_cast<int>(status));
  ASK(cudaStreamIsCapturing(nullptr, &status));
  SHOW(static_cast<int>(status));
  SHOW(o.end(o.s));
  ASK(cudaStreamBeginCapture(o.s, cudaStreamCaptureModeGlobal));
  ASK(o.launch(o.s));
  ASK(o.launch_add(o.s));
  ASK(cudaMemcpyAsync(host, o.x, 256, cudaMemcpyDeviceToHost, o.s));
  ASK(cudaStreamEndCapture(o.s, &graph));
  std::size_t nodes = 0, edges = 0;
  ASK(cudaGraphGetNodes(graph, nullptr, &nodes));
  SHOW(nodes);
  ASK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  SHOW(edges);
  ASK(cudaGraphInstantiate(&exec, graph, 0));
  ASK(cudaGraphLaunch(exec, o.s));
  ASK(cudaStreamSynchronize(o.s));
  SHOW(host[5]);
  o.value = 99;  // The graph has its own copy of the arguments.
  ASK(cudaGraphLaunch(exec, o.s));
  ASK(cudaStreamSynchronize(o.s));
  SHOW(host[5]);
  ASK(cudaGraphExecDestroy(exec));
  ASK(cudaGraphDestroy(graph));
  about("fork and join");
  unsigned long long id = 0, other = 0;
  const cudaGraphNode_t* dependencies = nullptr;
  std::size_t count = 9;
  ASK(cudaStreamGetCaptureInfo(o.s, &status, &id, &graph, &dependencies, nullptr, &count));
  SHOW(static_cast<int>(status));
  ASK(cudaStreamBeginCapture(o.s, cudaStreamCaptureModeGlobal));
  ASK(cudaStreamGetCaptureInfo(o.s, &status, &id, &graph, &dependencies, nullptr, &count));
  SHOW(static_cast<int>(status));
  SHOW(count);
  ASK(o.launch(o.s));
  ASK(cudaEventRecord(o.e, o.s));
  ASK(cudaStreamWaitEvent(o.t, o.e, 0));
  ASK(cudaStreamGetCaptureInfo(o.t, &status, &other, &graph, &dependencies, nullptr, &count));
  SHOW(static_cast<int>(status));
  SHOW(id == other);
  SHOW(count);
  ASK(cudaMemsetAsync(o.x + 512, 1, 16, o.t));
  ASK(o.launch_add(o.s));
  ASK(cudaEventQuery(o.e));
  SHOW(o.status(o.s));
  ASK(cudaEventRecord(o.f, o.t));
  ASK(cudaStreamWaitEvent(o.s, o.f, 0));
  ASK(cudaStreamGetCaptureInfo(o.s, &status, &id, &graph, &dependencies, nullptr, &count));
  SHOW(count);
  ASK(cudaMemcpyAsync(host, o.x + 512, 4, cudaMemcpyDeviceToHost, o.s));
  ASK(cudaStreamEndCapture(o.t, &graph));
  SHOW(o.end(o.s));
  SHOW(o.status(o.t));
  ASK(cudaEventQuery(o.e));
  ASK(cudaEventSynchronize(o.e));
  ASK(cudaStreamWaitEvent(o.s, o.e, 0));
  ASK(cudaStreamBeginCapture(o.s, cudaStreamCaptureModeGlobal));
  ASK(cudaEventRecord(o.e, o.s));
  ASK(cudaStreamWaitEvent(o.t, o.e, 0));
  ASK(o.launch(o.t));
  SHOW(o.end(o.s));
  SHOW(o.status(o.t));
  ASK(cudaStreamSynchronize(o.t));
  about("merge and isolation");
  ASK(cudaStreamBeginCapture(o.s, cudaStreamCaptureModeRelaxed));
  ASK(cudaStreamBeginCapture(o.loose, cudaStreamCaptureModeRelaxed));
  ASK(cudaEventRecord(o.e, o.s));
  ASK(cudaStreamWaitEvent(o.loose, o.e, 0));
  SHOW(o.status(o.s));
  SHOW(o.status(o.loose));
  SHOW(o.end(o.s));
  SHOW(o.end(o.loose));
  ASK(cudaEventRecord(o.f, o.t));
  ASK(cudaStreamBeginCapture(o.s, cudaStreamCaptureModeRelaxed));
  ASK(cudaStreamWaitEvent(o.s, o.f, 0));
  SHOW(o.status(o.s));
  SHOW(o.end(o.s));
  about("threads and modes");
  ASK(cudaStreamBeginCapture(o.s, cudaStreamCaptureModeGlobal));
  std::thread([&] { SHOW(o.end(o.s)); }).join();
  SHOW(o.status(o.s));
  SHOW(o.end(o.s));
  ASK(cudaStreamBeginCapture(o.s, cudaStreamCaptureModeRelaxed));
  std::thread([&] { SHOW(o.end(o.s)); }).join();
  ASK(cudaStreamBeginCapture(o.s, cudaStreamCaptureModeThreadLocal));
  void* memory = nullptr;
  std::thread([&] { ASK(cudaMalloc(&memory, 4)); }).join();
  SHOW(o.end(o.s));
  ASK(cudaStreamBeginCapture(o.s, cudaStreamCaptureModeGlobal));
  std::thread([&] { ASK(cudaMalloc(&memory, 4)); }).join();
  SHOW(o.end(o.s));
  ASK(cudaStreamBeginCapture(o.s, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  ASK(cudaThreadExchangeStreamCaptureMode(&mode));
  SHOW(static_cast<int>(mode));
  ASK(cudaMalloc(&memory, 4));
  SHOW(o.status(o.s));
  ASK(cudaThreadExchangeStreamCaptureMode(&mode));
  SHOW(static_cast<int>(mode));
  mode = static_cast<cudaStreamCaptureMode>(9);
  ASK(cudaThreadExchangeStreamCaptureMode(&mode));
  ASK(cudaThreadExchangeStreamCaptureMode(nullptr));
  SHOW(o.end(o.s));
  about("to a graph");
  cudaGraphNode_t node = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddEmptyNode(&node, graph, nullptr, 0);
  ASK(cudaStreamBeginCaptureToGraph(o.s, graph, &node, nullptr, 1, cudaStreamCaptureModeGlobal));
  ASK(o.launch(o.s));
  ASK(cudaStreamUpdateCaptureDependencies(o.s, &node, nullptr, 1,
                                          cudaStreamSetCaptureDependencies));
  ASK(o.launch_add(o.s));
  ASK(cudaStreamUpdateCaptureDependencies(o.s, &node, nullptr, 1,
                                          cudaStreamAddCaptureDependencies));
  ASK(cudaStreamGetCaptureInfo(o.s, &status, &id, nullptr, nullptr, nullptr, &count));
  SHOW(count);
  ASK(cudaStreamEndCapture(o.s, &graph));
  ASK(cudaGraphGetNodes(graph, nullptr, &nodes));
  SHOW(nodes);
  ASK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  SHOW(edges);
  ASK(cudaStreamUpdateCaptureDependencies(o.s, &node, nullptr, 1,
                                          cudaStreamSetCaptureDependencies));
  ASK(cudaStreamBeginCaptureToGraph(o.s, nullptr, nullptr, nullptr, 0,
                                    cudaStreamCaptureModeGlobal));
}

SUBJECT(capture_forbids) {
  static int host[1024];
  static void* p = nullptr;
  static char* pinned = nullptr;
  cudaMallocHost(reinterpret_cast<void**>(&pinned), 4096);
  std::size_t bytes = 0;
  int value = 0;
  cudaStream_t fresh = nullptr;
  cudaEvent_t event = nullptr;
  cudaFuncAttributes attributes;
  DURING(cudaStreamSynchronize(o.s));
  DURING(cudaStreamSynchronize(o.t));
  DURING(cudaStreamSynchronize(nullptr));
  DURING(cudaStreamSynchronize(o.loose));
  DURING(cudaStreamQuery(o.s));
  DURING(cudaStreamQuery(o.t));
  DURING(cudaDeviceSynchronize());
  DURING_RELAXED(cudaDeviceSynchronize());
  DURING(cudaMalloc(&p, 4));
  DURING_RELAXED(cudaMalloc(&p, 4));
  DURING(cudaFree(p));
  DURING(cudaFree(nullptr));
  DURING(cudaMallocHost(&p, 4));
  DURING(cudaMallocManaged(&p, 4, cudaMemAttachGlobal));
  DURING(cudaMemGetInfo(&bytes, &bytes));
  DURING(cudaMemcpy(o.x, host, 4, cudaMemcpyHostToDevice));
  DURING_RELAXED(cudaMemcpy(o.x, host, 4, cudaMemcpyHostToDevice));
  DURING(cudaMemset(o.x, 0, 4));
  DURING_RELAXED(cudaMemset(o.x, 0, 4));
  DURING(cudaMemcpyAsync(o.x, host, 4096, cudaMemcpyHostToDevice, o.s));
  DURING(cudaMemcpyAsync(o.x, pinned, 4096, cudaMemcpyHostToDevice, o.s));
  DURING(cudaMemcpyAsync(host, o.x, 4096, cudaMemcpyDeviceToHost, o.s));
  DURING(cudaMemcpyAsync(host, host + 512, 4, cudaMemcpyHostToHost, o.s));
  DURING(cudaMemcpyAsync(o.x, host, 4, cudaMemcpyDeviceToDevice, o.s));
  DURING(cudaMemcpyAsync(o.x, host, 0, cudaMemcpyHostToDevice, o.s));
  DURING(cudaMemsetAsync(o.x, 0, 4, o.s));
  DURING(cudaMemsetAsync(o.x, 0, 0, o.s));
  DURING(cudaMemset2DAsync(o.x, 64, 0, 32, 4, o.s));
  DURING(cudaMemcpy2DAsync(o.x, 64, host, 64, 32, 4, cudaMemcpyHostToDevice, o.s));
  DURING(cudaMemcpyToSymbolAsync(counter, host, 4, 0, cudaMemcpyHostToDevice, o.s));
  DURING(cudaMemcpyToSymbol(counter, host, 4, 0, cudaMemcpyHostToDevice));
  DURING(o.launch(nullptr));
  DURING(o.launch(o.t));
  DURING(o.launch(o.loose));
  DURING(o.launch(cudaStreamPerThread));
  DURING_RELAXED(o.launch(nullptr));
  DURING(cudaLaunchKernel(nothing, 0, 1, nullptr, 0, o.s));
  DURING(cudaLaunchKernel(nothing, 1, 2000, nullptr, 0, o.s));
  DURING(cudaLaunchHostFunc(
      o.s, [](void*) {}, nullptr));
  DURING(cudaLaunchHostFunc(
      nullptr, [](void*) {}, nullptr));
  DURING(cudaStreamAddCallback(
      o.s, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0));
  DURING(cudaStreamCreate(&fresh));
  DURING(cudaStreamDestroy(fresh));
  DURING(cudaEventCreate(&event));
  DURING(cudaEventRecord(o.e, o.s));
  DURING(cudaEventRecord(o.f, o.t));
  DURING(cudaEventRecord(o.f, nullptr));
  DURING(cudaEventRecordWithFlags(o.f, o.s, cudaEventRecordExternal));
  DURING(cudaEventQuery(event));
  DURING((cudaEventRecord(o.e, o.s), cudaEventSynchronize(o.e)));
  DURING((cudaEventRecord(o.e, o.s), cudaEventQuery(o.e)));
  float ms = 0;
  DURING((cudaEventRecord(o.e, o.s), cudaEventElapsedTime(&ms, o.e, o.e)));
  DURING(cudaEventSynchronize(event));
  DURING(cudaStreamWaitEvent(o.s, event, 0));
  DURING(cudaStreamWaitEvent(o.s, event, cudaEventWaitExternal));
  DURING((cudaEventRecord(o.e, o.s), cudaStreamWaitEvent(nullptr, o.e, 0)));
  DURING((cudaEventRecord(event, o.t), cudaStreamWaitEvent(o.s, event, 0)));
  DURING(cudaEventDestroy(event));
  DURING(cudaGetDevice(&value));
  DURING(cudaSetDevice(0));
  DURING(cudaFuncGetAttributes(&attributes, fill));
  DURING(cudaGetSymbolAddress(&p, counter));
  DURING(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, fill, 32, 0));
  DURING(cudaMallocAsync(&p, 100, o.s));
  DURING(cudaMallocAsync(&p, 100, nullptr));
  DURING(cudaMallocAsync(&p, 100, o.t));
  DURING((cudaMallocAsync(&p, 100, o.s), cudaFreeAsync(p, o.s)));
  DURING(cudaHostRegister(host, 4096, 0));
  DURING(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
  DURING(cudaGraphLaunch(nullptr, o.s));
  DURING(cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
}

SUBJECT(capture_questions) {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  unsigned flags = 0;
  int device = 0, priority = 0;
  unsigned long long id = 0;
  cudaStreamCaptureStatus status = {};
  const auto after = [&](const char* what, const std::function<cudaError_t()>& question) {
    about(what);
    cudaGraph_t graph = nullptr;
    ASK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    ASK(question());
    ASK(cudaStreamIsCapturing(stream, &status));
    SHOW(static_cast<int>(status));
    ASK(cudaStreamEndCapture(stream, &graph));
  };
  after("flags", [&] { return cudaStreamGetFlags(stream, &flags); });
  after("number", [&] { return cudaStreamGetId(stream, &id); });
  after("device", [&] { return cudaStreamGetDevice(stream, &device); });
  after("priority", [&] { return cudaStreamGetPriority(stream, &priority); });
  after("flags of the default stream", [&] { return cudaStreamGetFlags(nullptr, &flags); });
  after("number of the default stream", [&] { return cudaStreamGetId(nullptr, &id); });
  after("device of the default stream", [&] { return cudaStreamGetDevice(nullptr, &device); });
}

// The error that comes first where the stream cannot be used and another argument is also wrong.
SUBJECT(capture_and_wrong_arguments) {
  cudaStream_t captured = nullptr, other = nullptr;
  cudaStreamCreate(&captured);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  void *device = nullptr, *p = nullptr;
  cudaMalloc(&device, 64);
  cudaEvent_t event = nullptr;
  cudaEventCreate(&event);
  cudaStreamAttrValue value = {};
  cudaGraph_t empty = nullptr;
  cudaGraphCreate(&empty, 0);
  const auto ask_beside = [&](const char* text, const std::function<cudaError_t()>& question) {
    cudaStreamCaptureStatus status = {};
    cudaGraph_t graph = nullptr;
    cudaStreamBeginCapture(captured, cudaStreamCaptureModeRelaxed);
    ask(text, question);
    cudaStreamIsCapturing(captured, &status);
    SHOW(static_cast<int>(status));
    cudaStreamEndCapture(captured, &graph);
    cudaGetLastError();
  };
#define BESIDE(call) ask_beside(#call, [&] { return call; })
  about("attributes");
  BESIDE(cudaStreamCopyAttributes(other, captured));
  BESIDE(cudaStreamCopyAttributes(captured, other));
  BESIDE(cudaStreamCopyAttributes(other, nullptr));
  BESIDE(cudaStreamCopyAttributes(nullptr, other));
  BESIDE(cudaStreamCopyAttributes(nullptr, nullptr));
  for (cudaStream_t stream : {captured, cudaStream_t{nullptr}}) {
    about(stream == nullptr ? "the default stream" : "the captured stream");
    BESIDE(cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &value));
    BESIDE(cudaStreamGetAttribute(stream, cudaStreamAttributePriority, nullptr));
    BESIDE(cudaStreamGetAttribute(stream, static_cast<cudaLaunchAttributeID>(99), &value));
    BESIDE(cudaStreamSetAttribute(stream, cudaStreamAttributePriority, &value));
    BESIDE(cudaStreamSetAttribute(stream, cudaStreamAttributePriority, nullptr));
    BESIDE(cudaStreamSetAttribute(stream, static_cast<cudaLaunchAttributeID>(99), &value));
    BESIDE(cudaStreamGetFlags(stream, nullptr));
    BESIDE(cudaStreamGetId(stream, nullptr));
    BESIDE(cudaStreamGetDevice(stream, nullptr));
    BESIDE(cudaStreamGetPriority(stream, nullptr));
    BESIDE(cudaStreamIsCapturing(stream, nullptr));
    BESIDE(cudaEventRecord(nullptr, stream));
    BESIDE(cudaEventRecord(event, stream));
    BESIDE(cudaEventRecordWithFlags(nullptr, stream, 0));
    BESIDE(cudaEventRecordWithFlags(event, stream, 99));
    BESIDE(cudaStreamWaitEvent(stream, nullptr, 0));
    BESIDE(cudaStreamWaitEvent(stream, event, 99));
    BESIDE(cudaStreamWaitEvent(stream, event, 0));
    BESIDE(cudaFreeAsync(nullptr, stream));
    BESIDE(cudaFreeAsync(&value, stream));
    BESIDE(cudaFreeAsync(device, stream));
    BESIDE(cudaMallocAsync(nullptr, 4, stream));
    BESIDE(cudaMallocAsync(&p, 0, stream));
    BESIDE(cudaStreamAttachMemAsync(stream, nullptr, 0, 0));
    BESIDE(cudaStreamAttachMemAsync(stream, nullptr, 0, 99));
    BESIDE(cudaStreamAttachMemAsync(stream, device, 0, cudaMemAttachGlobal));
    BESIDE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    BESIDE(cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(99)));
    BESIDE(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 0));
    BESIDE(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 1, 0));
    BESIDE(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 99));
    BESIDE(cudaLaunchHostFunc(stream, nullptr, nullptr));
    BESIDE(cudaStreamAddCallback(stream, nullptr, nullptr, 0));
    BESIDE(cudaMemcpyAsync(nullptr, nullptr, 4, cudaMemcpyDefault, stream));
    BESIDE(cudaMemcpyAsync(nullptr, nullptr, 0, cudaMemcpyDefault, stream));
    BESIDE(cudaMemcpyAsync(device, device, 4, static_cast<cudaMemcpyKind>(99), stream));
    BESIDE(cudaMemsetAsync(nullptr, 0, 4, stream));
    BESIDE(cudaMemsetAsync(nullptr, 0, 0, stream));
    BESIDE(cudaMemPrefetchAsync(device, 4, {cudaMemLocationTypeDevice, 99}, 0, stream));
    BESIDE(cudaLaunchKernel(nullptr, 1, 1, nullptr, 0, stream));
    BESIDE(cudaLaunchKernel(nothing, 0, 1, nullptr, 0, stream));
    BESIDE(cudaLaunchKernel(bounded, 1, 128, nullptr, 0, stream));
    BESIDE(cudaGraphLaunch(nullptr, stream));
    BESIDE(cudaGraphUpload(nullptr, stream));
    BESIDE(cudaStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0,
                                         cudaStreamCaptureModeGlobal));
    BESIDE(cudaStreamEndCapture(stream, nullptr));
    BESIDE(cudaStreamGetCaptureInfo(stream, nullptr));
  }
#undef BESIDE
}

SUBJECT(capture_destroyed) {
  cudaStream_t origin = nullptr, other = nullptr;
  cudaEvent_t event = nullptr;
  void* p = nullptr;
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureStatus status = {};
  cudaFree(nullptr);
  cudaEventCreate(&event);
  const auto begin = [&] {
    cudaStreamCreate(&origin);
    cudaStreamCreate(&other);
    ASK(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
    ASK(cudaEventRecord(event, origin));
    ASK(cudaStreamWaitEvent(other, event));
    ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, other));
  };
  const auto after = [&] {
    ASK(cudaEventQuery(event));
    ASK(cudaMalloc(&p, 4));
    ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, nullptr));
    ASK(cudaDeviceSynchronize());
  };
  about("the only stream");
  cudaStreamCreate(&origin);
  ASK(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
  ASK(cudaStreamDestroy(origin));
  after();
  about("a stream that joined");
  begin();
  ASK(cudaStreamDestroy(other));
  ASK(cudaStreamIsCapturing(origin, &status));
  SHOW(static_cast<int>(status));
  ASK(cudaStreamEndCapture(origin, &graph));
  SHOW(graph);
  after();
  about("the first of two streams");
  begin();
  ASK(cudaStreamDestroy(origin));
  ASK(cudaStreamIsCapturing(other, &status));
  SHOW(static_cast<int>(status));
  ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, other));
  ASK(cudaStreamEndCapture(other, &graph));
  ASK(cudaStreamIsCapturing(other, &status));
  SHOW(static_cast<int>(status));
  ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, other));
  after();
}
