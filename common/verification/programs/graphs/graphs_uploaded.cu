// A kernel launches a graph as it was uploaded last; what such a graph may hold; its launchers.
// Built with -rdc=true.
#include <cooperative_groups.h>

#include <algorithm>
#include <cstdio>
#include <vector>

__device__ int log_length;
__device__ int log_of[256];
__device__ void note(int what) { log_of[atomicAdd(&log_length, 1)] = what; }

__global__ void noted(int what) { note(what); }

__global__ void launches(cudaGraphExec_t graph, cudaStream_t how) {
  note(1000 + static_cast<int>(cudaGraphLaunch(graph, how)));
}

const char* name(cudaError_t error) { return cudaGetErrorName(error); }

void show(const char* what) {
  const cudaError_t error = cudaDeviceSynchronize();
  int length = 0;
  std::vector<int> all(256);
  cudaMemcpyFromSymbol(&length, log_length, sizeof length);
  cudaMemcpyFromSymbol(all.data(), log_of, all.size() * sizeof(int));
  all.resize(length);
  std::sort(all.begin(), all.end());
  printf("%s: %s;", what, name(error));
  for (int i = 0; i < length; ++i) printf(" %d", all[i]);
  printf("\n");
  length = 0;
  cudaMemcpyToSymbol(log_length, &length, sizeof length);
}

template <typename... P, typename... A>
cudaGraphNode_t add_kernel(cudaGraph_t graph, cudaGraphNode_t before, int blocks, int threads,
                           void (*function)(P...), A... given) {
  void* arguments[] = {&given..., nullptr};
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void*>(function);
  params.gridDim = dim3(blocks);
  params.blockDim = dim3(threads);
  params.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  cudaGraphAddKernelNode(&node, graph, &before, before != nullptr, &params);
  return node;
}

/// A graph of one kernel.
template <typename... P, typename... A>
cudaGraph_t graph_of(void (*function)(P...), A... given) {
  cudaGraph_t graph = nullptr;
  cudaGraphCreate(&graph, 0);
  add_kernel(graph, nullptr, 1, 1, function, given...);
  return graph;
}

cudaGraphNode_t only_node(cudaGraph_t graph) {
  cudaGraphNode_t node = nullptr;
  std::size_t count = 1;
  cudaGraphGetNodes(graph, &node, &count);
  return node;
}

cudaGraphExec_t instance(cudaGraph_t graph, unsigned long long flags) {
  cudaGraphExec_t exec = nullptr;
  const cudaError_t error = cudaGraphInstantiate(&exec, graph, flags);
  if (error != cudaSuccess) printf("instantiate: %s\n", name(error));
  return exec;
}

void by_kernel(const char* what, cudaGraphExec_t graph,
               cudaStream_t how = cudaStreamGraphFireAndForget) {
  cudaGraphLaunch(instance(graph_of(launches, graph, how), 0), nullptr);
  show(what);
}

void by_host(const char* what, cudaGraphExec_t graph) {
  cudaGraphLaunch(graph, nullptr);
  show(what);
}

constexpr unsigned long long of_device = cudaGraphInstantiateFlagDeviceLaunch;

void uploads() {
  const cudaGraphExec_t never = instance(graph_of(noted, 1), of_device);
  by_kernel("never uploaded", never);
  by_kernel("never uploaded, after it", never, cudaStreamGraphTailLaunch);
  by_host("by the host, which uploads it", never);
  by_kernel("afterwards", never);
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiateParams params = {};
  params.flags = of_device | cudaGraphInstantiateFlagUpload;
  printf("with an upload: %s\n",
         name(cudaGraphInstantiateWithParams(&exec, graph_of(noted, 2), &params)));
  by_kernel("uploaded so", exec);
  cudaGraph_t graph = graph_of(noted, 2);
  printf("an upload without a stream: %s\n",
         name(cudaGraphInstantiate(&exec, graph, of_device | cudaGraphInstantiateFlagUpload)));
  printf("the same of a graph for the host: %s\n",
         name(cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagUpload)));
  cudaGetLastError();
}

void updates() {
  cudaGraph_t graph = graph_of(noted, 10), other = graph_of(noted, 11);
  const cudaGraphExec_t exec = instance(graph, of_device);
  cudaGraphUpload(exec, nullptr);
  cudaGraphExecUpdateResultInfo info = {};
  printf("update: %s\n", name(cudaGraphExecUpdate(exec, other, &info)));
  by_kernel("updated", exec);
  cudaGraphUpload(exec, nullptr);
  by_kernel("updated and uploaded", exec);
  int value = 12;
  void* arguments[] = {&value};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(noted);
  kernel.gridDim = kernel.blockDim = dim3(1);
  kernel.kernelParams = arguments;
  cudaGraphExecKernelNodeSetParams(exec, only_node(graph), &kernel);
  by_kernel("another argument", exec);
  by_host("by the host", exec);
  by_kernel("afterwards", exec);
  cudaGraphNodeSetEnabled(exec, only_node(graph), 0);
  by_kernel("disabled", exec);
  cudaGraphUpload(exec, nullptr);
  by_kernel("disabled and uploaded", exec);
  cudaGraphDestroy(graph);
  by_kernel("after the graph is destroyed", exec);
}

__global__ void together() {
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) note(21);
}
__global__ void current() { note(cudaGetCurrentGraphExec() != nullptr); }
__global__ void on_the_heap() {
  int* x = static_cast<int*>(malloc(sizeof(int)));
  note(x != nullptr);
  free(x);
}
__global__ void by_the_runtime() {
  void* x = nullptr;
  note(static_cast<int>(cudaMalloc(&x, 16)));
}
__global__ void launches_kernel() { noted<<<1, 1>>>(1); }

/// A node more, and what an instance of such a graph does.
template <typename Add>
void with_node(const char* what, Add add) {
  cudaGraph_t graph = graph_of(noted, 20);
  const cudaGraphNode_t before = only_node(graph);
  add(graph, before);
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiateParams params = {};
  params.flags = of_device | cudaGraphInstantiateFlagUpload;
  const cudaError_t error = cudaGraphInstantiateWithParams(&exec, graph, &params);
  printf("%s: %s, result %d, node %d\n", what, name(error), params.result_out,
         params.errNode_out != nullptr);
  cudaGetLastError();
  if (error == cudaSuccess) by_kernel(what, exec);
}

void nodes() {
  static int plain[16];
  int *x = nullptr, *managed = nullptr, *pinned = nullptr;
  cudaMalloc(&x, 4096), cudaMallocManaged(&managed, 64), cudaMallocHost(&pinned, 64);
  cudaMemset(x, 0, 4096);
  const auto fill = [](void* to, std::size_t rows) {
    return [=](cudaGraph_t graph, cudaGraphNode_t before) {
      cudaMemsetParams params = {};
      params.dst = to;
      params.value = 7;
      params.elementSize = 1;
      params.width = 8;
      params.height = rows;
      params.pitch = 64;
      cudaGraphNode_t node = nullptr;
      cudaGraphAddMemsetNode(&node, graph, &before, 1, &params);
    };
  };
  const auto copy = [](void* to, const void* from, cudaMemcpyKind kind) {
    return [=](cudaGraph_t graph, cudaGraphNode_t before) {
      cudaGraphNode_t node = nullptr;
      cudaGraphAddMemcpyNode1D(&node, graph, &before, 1, to, from, 8, kind);
    };
  };
  const auto kernel = [](void (*function)(), int blocks, int threads, bool is_cooperative = false) {
    return [=](cudaGraph_t graph, cudaGraphNode_t before) {
      const cudaGraphNode_t node = add_kernel(graph, before, blocks, threads, function);
      cudaKernelNodeAttrValue value = {};
      value.cooperative = is_cooperative;
      cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &value);
    };
  };
  const auto child = [](cudaGraph_t inner) {
    return [=](cudaGraph_t graph, cudaGraphNode_t before) {
      cudaGraphNode_t node = nullptr;
      cudaGraphAddChildGraphNode(&node, graph, &before, 1, inner);
    };
  };
  cudaGraph_t empty = nullptr, calling = nullptr;
  cudaGraphCreate(&empty, 0), cudaGraphCreate(&calling, 0);
  cudaGraphNode_t node = nullptr;
  cudaHostNodeParams call = {[](void*) {}, nullptr};
  cudaGraphAddHostNode(&node, calling, nullptr, 0, &call);
  with_node("a fill", fill(x, 1));
  with_node("a fill of rows", fill(x, 4));
  with_node("a fill of managed memory", fill(managed, 1));
  with_node("a fill of pinned memory", fill(pinned, 1));
  with_node("a copy", copy(x + 64, x, cudaMemcpyDeviceToDevice));
  with_node("a copy to pinned memory", copy(pinned, x, cudaMemcpyDeviceToHost));
  with_node("a copy to plain memory", copy(plain, x, cudaMemcpyDeviceToHost));
  with_node("a copy of an array", [&](cudaGraph_t graph, cudaGraphNode_t before) {
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaMemcpy3DParms params = {};
    cudaMallocArray(&params.dstArray, &channels, 16, 4);
    params.srcPtr = make_cudaPitchedPtr(x, 64, 16, 4);
    params.extent = make_cudaExtent(16, 4, 1);
    params.kind = cudaMemcpyDeviceToDevice;
    cudaGraphNode_t added = nullptr;
    cudaGraphAddMemcpyNode(&added, graph, &before, 1, &params);
  });
  with_node("a child", child(graph_of(current)));
  with_node("an empty child", child(empty));
  with_node("a child that calls the host", child(calling));
  with_node("a cooperative kernel", kernel(together, 2, 32, true));
  with_node("a kernel with a heap", kernel(on_the_heap, 1, 1));
  with_node("a kernel that calls the runtime", kernel(by_the_runtime, 1, 1));
  with_node("a kernel that launches one", kernel(launches_kernel, 1, 1));
}

__device__ cudaGraphExec_t target;
__device__ __noinline__ int launch_far_away(int how) {
  return static_cast<int>(
      cudaGraphLaunch(target, how ? cudaStreamGraphTailLaunch : cudaStreamGraphFireAndForget));
}
__device__ __noinline__ float twice(float x, float y) { return 2 * x + y; }
__device__ int (*chosen)(int) = launch_far_away;
__device__ float (*harmless)(float, float) = twice;

__global__ void never_does(int yes) {
  note(30);
  if (yes) note(static_cast<int>(cudaGraphLaunch(target, cudaStreamGraphFireAndForget)));
}
__global__ void by_function(int yes) {
  note(31);
  if (yes) note(launch_far_away(yes));
}
__global__ void by_pointer(int yes) {
  note(32);
  if (yes) note(chosen(yes));
}
__global__ void by_harmless_pointer(int yes) { note(static_cast<int>(harmless(16, yes))); }

/// Kernels that launch graphs run in graphs alone, even if they do not do it.
void who_may() {
  const cudaGraphExec_t exec = instance(graph_of(noted, 40), of_device);
  cudaGraphUpload(exec, nullptr);
  cudaMemcpyToSymbol(target, &exec, sizeof exec);
  void (*const kernels[])(int) = {never_does, by_function, by_pointer, by_harmless_pointer};
  int no = 0;
  void* arguments[] = {&no};
  for (auto* kernel : kernels) {
    kernel<<<1, 1>>>(0);
    printf("<<<>>>: %s\n", name(cudaGetLastError()));
    // Refused before anything else is looked at.
    if (kernel != by_harmless_pointer)
      printf("without a block: %s\n",
             name(cudaLaunchKernel(reinterpret_cast<void*>(kernel), dim3(0), dim3(1), arguments, 0,
                                   nullptr)));
    cudaGetLastError();
    show("by itself");
    by_host("in a graph", instance(graph_of(kernel, 1), 0));
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    kernel<<<1, 1, 0, stream>>>(0);
    printf("captured: %s\n", name(cudaGetLastError()));
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(stream, &graph);
    by_host("captured", instance(graph, 0));
  }
  current<<<1, 1>>>();
  show("the current graph of a plain kernel");
  by_host("of a graph of the host's", instance(graph_of(current), 0));
  by_host("of one of the device's", instance(graph_of(current), of_device));
}

int main() {
  uploads();
  updates();
  nodes();
  who_may();
  printf("%s\n", name(cudaGetLastError()));
}
