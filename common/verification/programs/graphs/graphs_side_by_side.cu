// Graphs that a kernel launches in parallel with its own, and what waits for them.
// Built with -rdc=true.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int workers = 8, part = 256, n = workers * part;

__device__ int log_length;
__device__ int log_of[1024];
__device__ void note(int what) { log_of[atomicAdd(&log_length, 1)] = what; }

/// A graph of kernels, one after the other.
struct Chain {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t last = nullptr;
  Chain() { cudaGraphCreate(&graph, 0); }
  template <typename... P, typename... A>
  Chain& kernel(void (*function)(P...), int blocks, int threads, A... given) {
    void* arguments[] = {&given..., nullptr};
    cudaKernelNodeParams params = {};
    params.func = reinterpret_cast<void*>(function);
    params.gridDim = dim3(blocks);
    params.blockDim = dim3(threads);
    params.kernelParams = arguments;
    const cudaGraphNode_t before = last;
    cudaGraphAddKernelNode(&last, graph, &before, before != nullptr, &params);
    return *this;
  }
  cudaGraphExec_t instance(unsigned long long flags) const {
    cudaGraphExec_t exec = nullptr;
    const cudaError_t error = cudaGraphInstantiate(&exec, graph, flags);
    if (error != cudaSuccess) printf("instantiate: %s\n", cudaGetErrorName(error));
    return exec;
  }
  /// One that kernels can launch.
  cudaGraphExec_t on_device() const {
    cudaGraphExec_t exec = instance(cudaGraphInstantiateFlagDeviceLaunch);
    cudaGraphUpload(exec, nullptr);
    return exec;
  }
};

void launch(const char* what, const Chain& chain, bool in_order = true) {
  cudaGraphLaunch(chain.instance(0), nullptr);
  const cudaError_t error = cudaDeviceSynchronize();
  int length = 0;
  std::vector<int> all(1024);
  cudaMemcpyFromSymbol(&length, log_length, sizeof length);
  cudaMemcpyFromSymbol(all.data(), log_of, all.size() * sizeof(int));
  all.resize(length);
  if (!in_order) std::sort(all.begin(), all.end());
  printf("%s: %s;", what, cudaGetErrorName(error));
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t same = 1;
    while (i + 1 < all.size() && all[i + 1] == all[i]) ++i, ++same;
    same == 1 ? printf(" %d", all[i]) : printf(" %d x %zu", all[i], same);
  }
  printf("\n");
  length = 0;
  cudaMemcpyToSymbol(log_length, &length, sizeof length);
}

__global__ void noted(int what) { note(what); }

// A queue of work: each graph has its part, and one more, after them all, adds up what they found.
__device__ cudaGraphExec_t worker[workers], merger;

__global__ void search(const int* x, int* best, int index) {
  __shared__ int mine;
  if (threadIdx.x == 0) mine = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < part; i += blockDim.x) atomicMax(&mine, x[index * part + i] % 1009);
  __syncthreads();
  if (threadIdx.x == 0) best[index] = mine;
}

__global__ void give_out(int* best) {
  for (int i = 0; i < workers; ++i) {
    best[i] = -1;
    const cudaError_t error = cudaGraphLaunch(worker[i], cudaStreamGraphFireAndForget);
    if (error != cudaSuccess) note(static_cast<int>(error));
  }
  cudaGraphLaunch(merger, cudaStreamGraphTailLaunch);
}

__global__ void merge(const int* best) {
  int sum = 0;
  for (int i = 0; i < workers; ++i) sum += best[i];
  note(sum);
}

void work_queue() {
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = (i * 7919 + 13) % 65536;
  int *x = nullptr, *best = nullptr;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&best, workers * sizeof(int));
  cudaMemcpy(x, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaGraphExec_t all[workers];
  for (int i = 0; i < workers; ++i) all[i] = Chain().kernel(search, 1, 64, x, best, i).on_device();
  const cudaGraphExec_t last = Chain().kernel(merge, 1, 1, best).on_device();
  cudaMemcpyToSymbol(worker, all, sizeof all);
  cudaMemcpyToSymbol(merger, &last, sizeof last);
  launch("a queue of work", Chain().kernel(give_out, 1, 1, best));
  launch("once more", Chain().kernel(give_out, 1, 1, best));
}

// Graphs by number: what a kernel is to launch, and how.
__device__ cudaGraphExec_t graphs[300];
struct Plan {
  int count;
  int which[4];
  char how[4];  // b: in parallel, s: as sibling, t: as tail
};

__device__ cudaStream_t stream_of(char how) {
  return how == 't'   ? cudaStreamGraphTailLaunch
         : how == 's' ? cudaStreamGraphFireAndForgetAsSibling
                      : cudaStreamGraphFireAndForget;
}

__global__ void follow(int what, Plan plan) {
  note(what);
  for (int i = 0; i < plan.count; ++i) {
    const cudaError_t error = cudaGraphLaunch(graphs[plan.which[i]], stream_of(plan.how[i]));
    if (error != cudaSuccess) note(1000 * (i + 1) + static_cast<int>(error));
  }
}

void set(int index, cudaGraphExec_t graph) {
  cudaMemcpyToSymbol(graphs, &graph, sizeof graph, index * sizeof graph);
}

__device__ volatile int flag;
__global__ void raise_flag(int what) {
  note(what);
  flag = 1;
}
__global__ void await_flag(int what) {
  while (flag == 0) continue;
  flag = 0;
  note(what);
}

/// Which graph waits for which. Numbers that are not in a known order are sorted.
void environments() {
  set(0, Chain().kernel(noted, 1, 1, 100).on_device());
  set(1, Chain().kernel(noted, 1, 1, 200).kernel(noted, 1, 1, 201).on_device());
  set(2, Chain().kernel(await_flag, 1, 1, 300).on_device());
  set(3, Chain().kernel(raise_flag, 1, 1, 400).on_device());
  // Tails of a graph that is a tail come before the next tail.
  set(4, Chain()
             .kernel(follow, 1, 1, 40, Plan{2, {0, 1}, {'t', 't'}})
             .kernel(noted, 1, 1, 41)
             .on_device());
  set(5, Chain().kernel(noted, 1, 1, 50).on_device());
  launch("after what is after",
         Chain().kernel(follow, 1, 1, 1, Plan{2, {4, 5}, {'t', 't'}}).kernel(noted, 1, 1, 2));
  // A tail waits for what runs in parallel, and for what that launches, in either way.
  set(6, Chain().kernel(follow, 1, 1, 60, Plan{1, {1}, {'t'}}).on_device());
  launch("after the child's", Chain().kernel(follow, 1, 1, 1, Plan{2, {6, 5}, {'b', 't'}}));
  set(7, Chain().kernel(follow, 1, 1, 70, Plan{1, {1}, {'b'}}).on_device());
  launch("after the grandchild", Chain().kernel(follow, 1, 1, 1, Plan{2, {7, 5}, {'b', 't'}}));
  set(8, Chain().kernel(follow, 1, 1, 80, Plan{1, {1}, {'s'}}).on_device());
  launch("after the child's sibling", Chain().kernel(follow, 1, 1, 1, Plan{2, {8, 5}, {'b', 't'}}));
  // A sibling is not waited for: it can wait for what comes behind.
  launch("a sibling that waits", Chain().kernel(follow, 1, 1, 1, Plan{2, {2, 3}, {'s', 't'}}));
  set(9, Chain().kernel(follow, 1, 1, 90, Plan{2, {2, 3}, {'s', 't'}}).on_device());
  launch("a child's sibling that waits", Chain().kernel(follow, 1, 1, 1, Plan{1, {9}, {'b'}}));
  launch("the same after it", Chain().kernel(follow, 1, 1, 1, Plan{1, {9}, {'t'}}));
  // Graphs side by side wait for each other, and for the one that launched them.
  launch("two that meet", Chain().kernel(follow, 1, 1, 1, Plan{2, {2, 3}, {'b', 'b'}}));
  launch("a child that waits",
         Chain().kernel(follow, 1, 1, 1, Plan{1, {2}, {'b'}}).kernel(raise_flag, 1, 1, 2));
  launch("a graph that waits for its child",
         Chain().kernel(follow, 1, 1, 1, Plan{1, {3}, {'b'}}).kernel(await_flag, 1, 1, 2));
}

// A kernel that launches a graph, waits for it, and launches it again.
__global__ void again_and_again(int times) {
  int tries = 0;
  for (int i = 0; i < times; ++i) {
    while (cudaGraphLaunch(graphs[3], cudaStreamGraphFireAndForget) != cudaSuccess) ++tries;
    while (flag == 0) continue;
    flag = 0;
  }
  note(tries >= 0);
}

/// Launches that are refused because the graph runs, or waits to run.
void busy() {
  launch("thrice at once", Chain()
                               .kernel(follow, 1, 1, 1, Plan{3, {2, 2, 2}, {'b', 'b', 's'}})
                               .kernel(raise_flag, 1, 1, 2));
  launch("after, and at its side",
         Chain().kernel(follow, 1, 1, 1, Plan{3, {0, 0, 0}, {'t', 'b', 't'}}));
  launch("by two nodes", Chain()
                             .kernel(follow, 1, 1, 1, Plan{1, {0}, {'t'}})
                             .kernel(follow, 1, 1, 2, Plan{1, {0}, {'t'}}));
  set(10, Chain().kernel(follow, 1, 1, 10, Plan{1, {0}, {'t'}}).on_device());
  launch("by parent and child", Chain().kernel(follow, 1, 1, 1, Plan{2, {0, 10}, {'t', 'b'}}),
         false);
  launch("again and again", Chain().kernel(again_and_again, 1, 1, 5));
}

// As many as can be launched from one run of a graph, by any of its kernels.
__global__ void as_many_as_possible(int first, int count, char how) {
  int launched = 0, last_error = 0;
  for (int i = 0; i < count; ++i) {
    const cudaError_t error = cudaGraphLaunch(graphs[first + i], stream_of(how));
    if (error == cudaSuccess)
      ++launched;
    else
      last_error = static_cast<int>(error);
  }
  note(1000 + launched);
  note(10000 + last_error);
}

__global__ void launch_one(cudaGraphExec_t graph, char how) {
  note(20000 + static_cast<int>(cudaGraphLaunch(graph, stream_of(how))));
}

void limits() {
  std::vector<cudaGraphExec_t> all(280);
  for (cudaGraphExec_t& graph : all) graph = Chain().kernel(noted, 1, 1, 5).on_device();
  cudaMemcpyToSymbol(graphs, all.data(), all.size() * sizeof all[0], 20 * sizeof all[0]);
  const auto many = [](int first, int count, char how) {
    return Chain().kernel(as_many_as_possible, 1, 1, first, count, how);
  };
  launch("130 at its side", many(20, 130, 'b'), false);
  launch("130 siblings", many(20, 130, 's'), false);
  launch("270 after it", many(20, 270, 't'), false);
  launch("70 and 70 at its side", many(20, 70, 'b').kernel(as_many_as_possible, 1, 1, 90, 70, 'b'),
         false);
  launch("70 at its side, 70 siblings",
         many(20, 70, 'b').kernel(as_many_as_possible, 1, 1, 90, 70, 's'), false);
  launch("100 at its side, and 100 of a child's",
         Chain()
             .kernel(launch_one, 1, 1, many(20, 100, 'b').on_device(), 'b')
             .kernel(as_many_as_possible, 1, 1, 120, 100, 'b'),
         false);
  // A child's siblings count for its parent, of which they come to be children.
  const cudaGraphExec_t child = many(20, 70, 's').kernel(raise_flag, 1, 1, 1).on_device();
  launch("100 at its side after 70 of a child's siblings",
         Chain()
             .kernel(launch_one, 1, 1, child, 'b')
             .kernel(await_flag, 1, 1, 2)
             .kernel(as_many_as_possible, 1, 1, 90, 100, 'b'),
         false);
}

// Every thread learns whether it was its launch that worked.
__global__ void by_all_threads() {
  note(static_cast<int>(cudaGraphLaunch(graphs[0], cudaStreamGraphTailLaunch)));
}

int main() {
  work_queue();
  environments();
  busy();
  limits();
  launch("by all threads", Chain().kernel(by_all_threads, 2, 32), false);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
