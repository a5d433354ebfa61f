// The effect of the stack's limit on launches.
#include "answers.h"

using namespace answers;

namespace {

std::size_t limit() {
  std::size_t bytes = 0;
  cudaDeviceGetLimit(&bytes, cudaLimitStackSize);
  return bytes;
}

int* zeros() {
  int* x = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&x), 64);
  cudaMemset(x, 0, 64);
  return x;
}

void launch(const void* kernel, int depth = 0, cudaStream_t stream = nullptr) {
  int* x = zeros();
  void* arguments[] = {&x, &depth};
  ASK(cudaLaunchKernel(kernel, 1, 1, arguments, 0, stream));
}

}  // namespace

SUBJECT(stack_limit) {
  apart("a kernel that has room", [] {
    launch(framed_1000);
    SHOW(limit());
  });
  apart("kernels that need more", [] {
    launch(framed_1300);
    SHOW(limit());
    launch(framed_5000);
    SHOW(limit());
    launch(framed_1000);
    SHOW(limit());
    ASK(cudaDeviceSynchronize());
    SHOW(limit());
    ASK(cudaDeviceSetLimit(cudaLimitStackSize, 1024));
    SHOW(limit());
    launch(framed_5000);
    SHOW(limit());
    ASK(cudaDeviceSynchronize());
  });
  apart("functions called by their addresses", [] {
    launch(framed_by_address);
    SHOW(limit());
    ASK(cudaDeviceSynchronize());
  });
  apart("in a graph", [] {
    int* x = zeros();
    void* arguments[] = {&x};
    cudaKernelNodeParams params = {};
    params.func = const_cast<void*>(framed_5000);
    params.gridDim = params.blockDim = 1;
    params.kernelParams = arguments;
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaGraphExec_t exec = nullptr;
    ASK(cudaGraphCreate(&graph, 0));
    ASK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
    SHOW(limit());
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    SHOW(limit());
    ASK(cudaGraphLaunch(exec, nullptr));
    ASK(cudaDeviceSynchronize());
  });
  apart("captured", [] {
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaStreamCreate(&stream);
    int* x = zeros();
    void* arguments[] = {&x};
    ASK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    ASK(cudaLaunchKernel(framed_5000, 1, 1, arguments, 0, stream));
    ASK(cudaStreamEndCapture(stream, &graph));
    SHOW(limit());
  });
  // The kernel's own arrays are known to need more than 1,024 bytes; its function calls itself.
  for (const int depth : {3, 12, 40})
    for (const std::size_t bytes : {1024, 4096}) {
      char text[60];
      std::snprintf(text, sizeof text, "%d calls, a limit of %zu bytes", depth, bytes);
      apart(text, [depth, bytes] {
        ASK(cudaDeviceSetLimit(cudaLimitStackSize, bytes));
        launch(framed_recursive, depth);
        ASK(cudaDeviceSynchronize());
      });
    }
}
