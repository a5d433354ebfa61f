// Graphs that kernels launch: in parallel with their own graph, as its tail, and themselves again.
// Built with -rdc=true.
#include <algorithm>
#include <cstdio>
#include <vector>

__device__ int log_length;
__device__ int log_of[4096];

// The events in their order.
__device__ void note(int what) { log_of[atomicAdd(&log_length, 1)] = what; }

__device__ void tell(const char* what, cudaError_t error) {
  printf("%s -> %d, last %d\n", what, static_cast<int>(error),
         static_cast<int>(cudaGetLastError()));
}

__device__ cudaGraphExec_t first, second, third;

__global__ void noted(int what) { note(what); }

// Kernels of graphs that the device launches: they ask for no last error, which such a graph may
// not.
__global__ void again(int* left) {
  note(*left);
  if (--*left > 0) {
    const cudaError_t error = cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
    if (error != cudaSuccess) note(1000 + static_cast<int>(error));
  }
}

__global__ void loud() { printf("loud\n"); }

__global__ void asks_for_errors() { note(static_cast<int>(cudaGetLastError())); }

__global__ void sibling() {
  note(1);
  note(1000 + static_cast<int>(cudaGraphLaunch(first, cudaStreamGraphFireAndForgetAsSibling)));
}

__global__ void itself() {
  note(1000 +
       static_cast<int>(cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphFireAndForget)));
  note(cudaGetCurrentGraphExec() != nullptr);
}

__global__ void spread(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * 3 + i;
}

// Half the work in each round, as a graph with a copy and a fill does it.
__global__ void decide(int* x, int* rounds) {
  ++*rounds;
  if (x[1] < 1000) cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

// Kernels of graphs that the host launches.
__global__ void fire() {
  note(1);
  tell("fire and forget", cudaGraphLaunch(first, cudaStreamGraphFireAndForget));
}

__global__ void tails() {
  note(1);
  tell("first tail", cudaGraphLaunch(first, cudaStreamGraphTailLaunch));
  tell("second tail", cudaGraphLaunch(second, cudaStreamGraphTailLaunch));
  note(2);
}

__global__ void calls(cudaGraphExec_t graph, cudaGraphExec_t behind) {
  note(5);
  tell("child", cudaGraphLaunch(graph, cudaStreamGraphFireAndForget));
  tell("tail", cudaGraphLaunch(behind, cudaStreamGraphTailLaunch));
}

__global__ void questions() {
  printf("current %d\n", cudaGetCurrentGraphExec() != nullptr);
  tell("null", cudaGraphLaunch(nullptr, cudaStreamGraphFireAndForget));
  tell("in stream 0", cudaGraphLaunch(first, nullptr));
  tell("in a tail of grids", cudaGraphLaunch(first, cudaStreamTailLaunch));
  tell("in a stream of grids", cudaGraphLaunch(first, cudaStreamFireAndForget));
  tell("from no graph, as sibling", cudaGraphLaunch(first, cudaStreamGraphFireAndForgetAsSibling));
  tell("from no graph, at its side", cudaGraphLaunch(third, cudaStreamGraphFireAndForget));
  tell("from no graph, after it", cudaGraphLaunch(second, cudaStreamGraphTailLaunch));
}

__global__ void twice() {
  tell("once", cudaGraphLaunch(first, cudaStreamGraphFireAndForget));
  tell("tail once", cudaGraphLaunch(second, cudaStreamGraphTailLaunch));
  tell("tail twice", cudaGraphLaunch(second, cudaStreamGraphTailLaunch));
}

const char* name(cudaError_t error) { return cudaGetErrorName(error); }

void show(const char* what, bool in_order = true) {
  const cudaError_t error = cudaDeviceSynchronize();
  int length = 0;
  std::vector<int> all(4096);
  cudaMemcpyFromSymbol(&length, log_length, sizeof length);
  cudaMemcpyFromSymbol(all.data(), log_of, all.size() * sizeof(int));
  all.resize(length);
  if (!in_order) std::sort(all.begin(), all.end());
  printf("%s: %s;", what, name(error));
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t same = 1;
    while (i + 1 < all.size() && all[i + 1] == all[i]) ++i, ++same;
    same == 1 ? printf(" %d", all[i]) : printf(" %d x %zu", all[i], same);
  }
  printf("\n");
  length = 0;
  cudaMemcpyToSymbol(log_length, &length, sizeof length);
}

/// A graph of kernels, one after the other.
struct Builder {
  cudaGraph_t graph = nullptr;
  std::vector<cudaGraphNode_t> last;
  Builder() { cudaGraphCreate(&graph, 0); }
  template <typename... P, typename... A>
  Builder& kernel(void (*function)(P...), int blocks, int threads, A... given) {
    std::vector<void*> arguments = {&given...};
    cudaKernelNodeParams params = {};
    params.func = reinterpret_cast<void*>(function);
    params.gridDim = dim3(blocks);
    params.blockDim = dim3(threads);
    params.kernelParams = arguments.data();
    cudaGraphNode_t node = nullptr;
    const cudaError_t error =
        cudaGraphAddKernelNode(&node, graph, last.data(), last.size(), &params);
    if (error != cudaSuccess) printf("kernel node %s\n", name(error));
    last = {node};
    return *this;
  }
  cudaGraphExec_t instance(const char* what, unsigned long long flags) {
    cudaGraphExec_t exec = nullptr;
    cudaGraphInstantiateParams params = {};
    params.flags = flags;
    const cudaError_t error = cudaGraphInstantiateWithParams(&exec, graph, &params);
    unsigned long long told = 0;
    if (error == cudaSuccess) cudaGraphExecGetFlags(exec, &told);
    printf("%s: %s, result %d, node %d, flags %llu, last %s\n", what, name(error),
           params.result_out, params.errNode_out != nullptr, told, name(cudaGetLastError()));
    return exec;
  }
};

constexpr unsigned long long of_device = cudaGraphInstantiateFlagDeviceLaunch;

template <typename T>
void set(T& symbol, cudaGraphExec_t exec) {
  cudaMemcpyToSymbol(symbol, &exec, sizeof exec);
}

void launch(const char* what, cudaGraphExec_t exec, bool in_order = true) {
  const cudaError_t error = cudaGraphLaunch(exec, nullptr);
  if (error != cudaSuccess) printf("launch %s\n", name(error));
  show(what, in_order);
}

void refusals() {
  cudaGraphNode_t node = nullptr, other = nullptr;
  Builder empty;
  empty.instance("an empty graph", of_device);
  Builder two_roots;
  two_roots.kernel(noted, 1, 1, 1);
  two_roots.last.clear();
  two_roots.kernel(noted, 1, 1, 2);
  two_roots.instance("two roots", of_device);
  Builder host;
  host.kernel(noted, 1, 1, 1);
  cudaHostNodeParams call = {[](void*) {}, nullptr};
  cudaGraphAddHostNode(&node, host.graph, host.last.data(), 1, &call);
  host.instance("a host node", of_device);
  Builder event;
  cudaEvent_t e = nullptr;
  cudaEventCreate(&e);
  event.kernel(noted, 1, 1, 1);
  cudaGraphAddEventRecordNode(&node, event.graph, event.last.data(), 1, e);
  event.instance("an event", of_device);
  Builder nothing;
  nothing.kernel(noted, 1, 1, 1);
  cudaGraphAddEmptyNode(&node, nothing.graph, nothing.last.data(), 1);
  nothing.instance("an empty node", of_device);
  Builder child;
  child.kernel(noted, 1, 1, 1);
  cudaGraphAddChildGraphNode(&node, child.graph, child.last.data(), 1, nothing.graph);
  child.instance("a child", of_device);
  Builder memory;
  cudaMemAllocNodeParams alloc = {};
  alloc.poolProps.allocType = cudaMemAllocationTypePinned;
  alloc.poolProps.location = {cudaMemLocationTypeDevice, 0};
  alloc.bytesize = 64;
  cudaGraphAddMemAllocNode(&node, memory.graph, nullptr, 0, &alloc);
  cudaGraphAddMemFreeNode(&other, memory.graph, &node, 1, alloc.dptr);
  memory.instance("memory", of_device);
  Builder copies;
  void *a = nullptr, *b = nullptr, *pinned = nullptr, *managed = nullptr;
  static char plain[64];
  cudaMalloc(&a, 64), cudaMalloc(&b, 64), cudaMallocHost(&pinned, 64);
  cudaMallocManaged(&managed, 64);
  cudaGraphAddMemcpyNode1D(&node, copies.graph, nullptr, 0, a, b, 64, cudaMemcpyDeviceToDevice);
  copies.instance("a copy", of_device);
  cudaGraphAddMemcpyNode1D(&other, copies.graph, &node, 1, a, pinned, 64, cudaMemcpyHostToDevice);
  copies.instance("a pinned copy", of_device);
  cudaGraphAddMemcpyNode1D(&node, copies.graph, &other, 1, a, managed, 64, cudaMemcpyDefault);
  copies.instance("a managed copy", of_device);
  cudaGraphAddMemcpyNode1D(&other, copies.graph, &node, 1, a, plain, 64, cudaMemcpyHostToDevice);
  copies.instance("a pageable copy", of_device);
  Builder conditional;
  cudaGraphConditionalHandle handle = 0;
  cudaGraphConditionalHandleCreate(&handle, conditional.graph, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeIf;
  params.conditional.size = 1;
  cudaGraphAddNode(&node, conditional.graph, nullptr, nullptr, 0, &params);
  conditional.instance("a condition", of_device);
  Builder plain_one;
  plain_one.kernel(noted, 1, 1, 1);
  plain_one.instance("with automatic frees", of_device | cudaGraphInstantiateFlagAutoFreeOnLaunch);
  plain_one.instance("with upload", of_device | cudaGraphInstantiateFlagUpload);
  plain_one.instance("with priorities", of_device | cudaGraphInstantiateFlagUseNodePriority);
  plain_one.instance("with all", of_device | cudaGraphInstantiateFlagUpload |
                                     cudaGraphInstantiateFlagUseNodePriority);
  cudaGraphExec_t exec = nullptr;
  printf("instantiate: %s\n", name(cudaGraphInstantiate(&exec, plain_one.graph, of_device)));
  printf("upload: %s\n", name(cudaGraphUpload(exec, nullptr)));
  printf("upload again: %s\n", name(cudaGraphUpload(exec, nullptr)));
  cudaGraphExecUpdateResultInfo info = {};
  printf("update: %s", name(cudaGraphExecUpdate(exec, plain_one.graph, &info)));
  printf(", result %d\n", info.result);
  printf("update by another: %s", name(cudaGraphExecUpdate(exec, nothing.graph, &info)));
  printf(", result %d\n", info.result);
  int seven = 7;
  void* arguments[] = {&seven};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(noted);
  kernel.gridDim = kernel.blockDim = dim3(1);
  kernel.kernelParams = arguments;
  printf("kernel: %s\n", name(cudaGraphExecKernelNodeSetParams(exec, plain_one.last[0], &kernel)));
  printf("disabled: %s\n", name(cudaGraphNodeSetEnabled(exec, plain_one.last[0], 0)));
  printf("enabled: %s\n", name(cudaGraphNodeSetEnabled(exec, plain_one.last[0], 1)));
  launch("after an update", exec);
  printf("destroy: %s\n", name(cudaGraphExecDestroy(exec)));
  cudaGetLastError();
}

cudaGraphExec_t uploaded(cudaGraphExec_t exec) {
  printf("upload %s\n", name(cudaGraphUpload(exec, nullptr)));
  return exec;
}

void orders() {
  cudaGraphExec_t one = uploaded(Builder().kernel(noted, 1, 1, 100).instance("one", of_device));
  cudaGraphExec_t two = uploaded(
      Builder().kernel(noted, 1, 1, 200).kernel(noted, 1, 1, 201).instance("two", of_device));
  cudaGraphExec_t wide = uploaded(Builder().kernel(noted, 2, 32, 300).instance("wide", of_device));
  cudaGraphExec_t three = uploaded(Builder().kernel(noted, 1, 1, 102).instance("three", of_device));
  set(first, one), set(second, two), set(third, three);
  launch("fire and forget", Builder().kernel(fire, 1, 1).kernel(noted, 1, 1, 2).instance("fire", 0),
         false);
  launch("tails", Builder().kernel(tails, 1, 1).kernel(noted, 1, 1, 3).instance("tails", 0));
  launch("child and tail", Builder().kernel(calls, 1, 1, wide, two).instance("calls", 0));
  launch("questions in a graph", Builder().kernel(questions, 1, 1).instance("questions", 0), false);
  questions<<<1, 1>>>();
  show("questions of a plain kernel", false);
  launch("twice", Builder().kernel(twice, 1, 1).instance("twice", 0), false);
  cudaGraphExec_t middle = uploaded(
      Builder().kernel(sibling, 1, 1).kernel(noted, 1, 1, 2).instance("sibling", of_device));
  launch("siblings", Builder().kernel(calls, 1, 1, middle, wide).instance("calls", 0), false);
  launch("itself", uploaded(Builder().kernel(itself, 1, 1).instance("itself", of_device)));
  launch("by the host", one);
  launch("by the host again", one);
}

void loops() {
  int *left = nullptr, rounds = 5;
  cudaMalloc(&left, sizeof *left);
  cudaMemcpy(left, &rounds, sizeof rounds, cudaMemcpyHostToDevice);
  Builder body;
  body.kernel(again, 1, 1, left).kernel(noted, 1, 1, 9);
  cudaGraphExec_t loop = uploaded(body.instance("loop", of_device));
  launch("five rounds", loop);
  rounds = 2;
  cudaMemcpy(left, &rounds, sizeof rounds, cudaMemcpyHostToDevice);
  launch("two rounds", loop);
  // A graph that runs cannot be launched: the second round has an instance of its own.
  cudaGraphExec_t again = uploaded(body.instance("again", of_device));
  launch("a loop that a graph begins",
         Builder().kernel(calls, 1, 1, loop, again).instance("calls", 0), false);
  Builder().kernel(loud, 1, 1).instance("prints", of_device);
  Builder().kernel(asks_for_errors, 1, 1).instance("asks for errors", of_device);
  cudaGetLastError();
}

void data() {
  const int n = 1000;
  int *x = nullptr, *copy = nullptr, *rounds = nullptr;
  cudaMalloc(&x, n * 4), cudaMalloc(&copy, n * 4), cudaMalloc(&rounds, 4);
  cudaMemset(x, 0, n * 4), cudaMemset(copy, 0, n * 4), cudaMemset(rounds, 0, 4);
  Builder body;
  body.kernel(spread, 8, 128, x, n);
  cudaGraphNode_t moved = nullptr;
  cudaGraphAddMemcpyNode1D(&moved, body.graph, body.last.data(), 1, copy, x, n * 4,
                           cudaMemcpyDeviceToDevice);
  body.last = {moved};
  body.kernel(decide, 1, 1, x, rounds);
  cudaGraphExec_t loop = uploaded(body.instance("data", of_device));
  launch("data", loop);
  std::vector<int> host(n);
  int count = 0;
  cudaMemcpy(&count, rounds, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(host.data(), copy, n * 4, cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int value : host) sum = sum * 31 + static_cast<unsigned>(value);
  printf("%d rounds, %d, hash %08x\n", count, host[1], sum);
}

int main() {
  refusals();
  orders();
  loops();
  data();
  printf("%s\n", name(cudaGetLastError()));
}
