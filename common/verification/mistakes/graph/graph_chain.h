#pragma once
/// \file
/// Graphs for programs whose kernels launch graphs.
#include <cuda_runtime.h>

/// Kernels one after the other, of 2 blocks of 64 threads.
struct Chain {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t last = nullptr;
  Chain() { cudaGraphCreate(&graph, 0); }
  template <typename... P, typename... A>
  Chain& kernel(void (*function)(P...), A... given) {
    void* arguments[] = {&given..., nullptr};
    cudaKernelNodeParams params = {};
    params.func = reinterpret_cast<void*>(function);
    params.gridDim = dim3(2);
    params.blockDim = dim3(64);
    params.kernelParams = arguments;
    const cudaGraphNode_t before = last;
    cudaGraphAddKernelNode(&last, graph, &before, before != nullptr, &params);
    return *this;
  }
  /// Instantiated, and uploaded where kernels can launch it.
  cudaGraphExec_t instance(unsigned long long flags) const {
    cudaGraphExec_t exec = nullptr;
    cudaGraphInstantiate(&exec, graph, flags);
    cudaGraphUpload(exec, nullptr);
    return exec;
  }
};
