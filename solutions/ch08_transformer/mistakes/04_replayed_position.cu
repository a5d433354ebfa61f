// Typical wrong answers to 04_replayed_position. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= as_given: the graph has the position of the capture, and every step stores in slot 0
// Stores the newest token in its slot.
__global__ void append(float* cache, const float* token, int position) { cache[position] = *token; }

// Makes the next token of all that are in the cache. One warp.
__global__ void choose(const float* cache, float* token, int position) {
  float sum = 0;
  for (int i = threadIdx.x; i <= position; i += 32) sum += (i + 1) * cache[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  if (threadIdx.x == 0) *token = fmodf(sum + 17, 1009);
}

// Takes `steps` steps, at least 1. cache: `steps` floats, token: the newest one; device memory.
void decode(float* cache, float* token, int steps, cudaStream_t stream) {
  int position = 0;
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  append<<<1, 1, 0, stream>>>(cache, token, position);
  choose<<<1, 32, 0, stream>>>(cache, token, position);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  for (; position < steps; ++position) cudaGraphLaunch(instance, stream);  // expect: wrong result
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);
}

//= nobody_counts: the position is in device memory, and stays 0
// Stores the newest token in its slot.
__global__ void append(float* cache, const float* token, const int* position) {
  cache[*position] = *token;
}

// Makes the next token of all that are in the cache. One warp.
__global__ void choose(const float* cache, float* token, const int* position) {
  float sum = 0;
  for (int i = threadIdx.x; i <= *position; i += 32) sum += (i + 1) * cache[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  if (threadIdx.x == 0) *token = fmodf(sum + 17, 1009);
}

// Takes `steps` steps, at least 1. cache: `steps` floats, token: the newest one; device memory.
void decode(float* cache, float* token, int steps, cudaStream_t stream) {
  int* position;
  cudaMalloc(&position, sizeof(int));
  cudaMemsetAsync(position, 0, sizeof(int), stream);
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  append<<<1, 1, 0, stream>>>(cache, token, position);
  choose<<<1, 32, 0, stream>>>(cache, token, position);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  for (int step = 0; step < steps; ++step) cudaGraphLaunch(instance, stream);  // expect: wrong result
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);
  cudaFree(position);
}

//= copied_once: the host counts, and its number is copied before the first step alone
// Stores the newest token in its slot.
__global__ void append(float* cache, const float* token, const int* position) {
  cache[*position] = *token;
}

// Makes the next token of all that are in the cache. One warp.
__global__ void choose(const float* cache, float* token, const int* position) {
  float sum = 0;
  for (int i = threadIdx.x; i <= *position; i += 32) sum += (i + 1) * cache[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  if (threadIdx.x == 0) *token = fmodf(sum + 17, 1009);
}

// Takes `steps` steps, at least 1. cache: `steps` floats, token: the newest one; device memory.
void decode(float* cache, float* token, int steps, cudaStream_t stream) {
  int* position;
  cudaMalloc(&position, sizeof(int));
  int now = 0;
  cudaMemcpyAsync(position, &now, sizeof(int), cudaMemcpyHostToDevice, stream);
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  append<<<1, 1, 0, stream>>>(cache, token, position);
  choose<<<1, 32, 0, stream>>>(cache, token, position);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  for (; now < steps; ++now) cudaGraphLaunch(instance, stream);  // expect: wrong result
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);
  cudaFree(position);
}

//= counts_before_use: the position is advanced before the token is stored
// Stores the newest token in its slot.
__global__ void append(float* cache, const float* token, const int* position) {
  cache[*position] = *token;  // expect: out-of-bounds
}

// Makes the next token of all that are in the cache. One warp.
__global__ void choose(const float* cache, float* token, const int* position) {
  float sum = 0;
  for (int i = threadIdx.x; i <= *position; i += 32) sum += (i + 1) * cache[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  if (threadIdx.x == 0) *token = fmodf(sum + 17, 1009);
}

// The step is over: the next one has the next position.
__global__ void advance(int* position) { ++*position; }

// Takes `steps` steps, at least 1. cache: `steps` floats, token: the newest one; device memory.
void decode(float* cache, float* token, int steps, cudaStream_t stream) {
  int* position;
  cudaMalloc(&position, sizeof(int));
  cudaMemsetAsync(position, 0, sizeof(int), stream);
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  advance<<<1, 1, 0, stream>>>(position);
  append<<<1, 1, 0, stream>>>(cache, token, position);
  choose<<<1, 32, 0, stream>>>(cache, token, position);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  for (int step = 0; step < steps; ++step) cudaGraphLaunch(instance, stream);
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);
  cudaFree(position);
}

//= counts_between: the position is advanced between the two kernels of a step
// Stores the newest token in its slot.
__global__ void append(float* cache, const float* token, const int* position) {
  cache[*position] = *token;
}

// Makes the next token of all that are in the cache. One warp.
__global__ void choose(const float* cache, float* token, const int* position) {
  float sum = 0;
  for (int i = threadIdx.x; i <= *position; i += 32) sum += (i + 1) * cache[i];  // expect: out-of-bounds
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  if (threadIdx.x == 0) *token = fmodf(sum + 17, 1009);
}

// The step is over: the next one has the next position.
__global__ void advance(int* position) { ++*position; }

// Takes `steps` steps, at least 1. cache: `steps` floats, token: the newest one; device memory.
void decode(float* cache, float* token, int steps, cudaStream_t stream) {
  int* position;
  cudaMalloc(&position, sizeof(int));
  cudaMemsetAsync(position, 0, sizeof(int), stream);
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  append<<<1, 1, 0, stream>>>(cache, token, position);
  advance<<<1, 1, 0, stream>>>(position);
  choose<<<1, 32, 0, stream>>>(cache, token, position);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  for (int step = 0; step < steps; ++step) cudaGraphLaunch(instance, stream);
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);
  cudaFree(position);
}

//= half_repaired: the token finds its slot, and the sum still ends at the position of the capture
// Stores the newest token in its slot.
__global__ void append(float* cache, const float* token, const int* position) {
  cache[*position] = *token;
}

// Makes the next token of all that are in the cache. One warp.
__global__ void choose(const float* cache, float* token, int position) {
  float sum = 0;
  for (int i = threadIdx.x; i <= position; i += 32) sum += (i + 1) * cache[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  if (threadIdx.x == 0) *token = fmodf(sum + 17, 1009);
}

// The step is over: the next one has the next position.
__global__ void advance(int* position) { ++*position; }

// Takes `steps` steps, at least 1. cache: `steps` floats, token: the newest one; device memory.
void decode(float* cache, float* token, int steps, cudaStream_t stream) {
  int* position;
  cudaMalloc(&position, sizeof(int));
  cudaMemsetAsync(position, 0, sizeof(int), stream);
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  append<<<1, 1, 0, stream>>>(cache, token, position);
  choose<<<1, 32, 0, stream>>>(cache, token, 0);
  advance<<<1, 1, 0, stream>>>(position);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  for (int step = 0; step < steps; ++step) cudaGraphLaunch(instance, stream);  // expect: wrong result
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);
  cudaFree(position);
}

//= waits_inside: the stream is waited for while it is captured
// Stores the newest token in its slot.
__global__ void append(float* cache, const float* token, const int* position) {
  cache[*position] = *token;
}

// Makes the next token of all that are in the cache. One warp.
__global__ void choose(const float* cache, float* token, const int* position) {
  float sum = 0;
  for (int i = threadIdx.x; i <= *position; i += 32) sum += (i + 1) * cache[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  if (threadIdx.x == 0) *token = fmodf(sum + 17, 1009);
}

// The step is over: the next one has the next position.
__global__ void advance(int* position) { ++*position; }

// Takes `steps` steps, at least 1. cache: `steps` floats, token: the newest one; device memory.
void decode(float* cache, float* token, int steps, cudaStream_t stream) {
  int* position;
  cudaMalloc(&position, sizeof(int));
  cudaMemsetAsync(position, 0, sizeof(int), stream);
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  append<<<1, 1, 0, stream>>>(cache, token, position);
  cudaStreamSynchronize(stream);
  choose<<<1, 32, 0, stream>>>(cache, token, position);
  advance<<<1, 1, 0, stream>>>(position);  // expect: unchecked-error
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  for (int step = 0; step < steps; ++step) cudaGraphLaunch(instance, stream);
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);
  cudaFree(position);
}

//= captured_each_time: right, and every step pays for a new graph
// Stores the newest token in its slot.
__global__ void append(float* cache, const float* token, int position) { cache[position] = *token; }

// Makes the next token of all that are in the cache. One warp.
__global__ void choose(const float* cache, float* token, int position) {
  float sum = 0;
  for (int i = threadIdx.x; i <= position; i += 32) sum += (i + 1) * cache[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  if (threadIdx.x == 0) *token = fmodf(sum + 17, 1009);
}

// Takes `steps` steps, at least 1. cache: `steps` floats, token: the newest one; device memory.
void decode(float* cache, float* token, int steps, cudaStream_t stream) {
  for (int position = 0; position < steps; ++position) {
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    append<<<1, 1, 0, stream>>>(cache, token, position);
    choose<<<1, 32, 0, stream>>>(cache, token, position);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&instance, graph, 0);  // expect: gate instances
    cudaGraphLaunch(instance, stream);
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
  }
}

//= plain_launches: right, without a graph
// Stores the newest token in its slot.
__global__ void append(float* cache, const float* token, int position) { cache[position] = *token; }

// Makes the next token of all that are in the cache. One warp.
__global__ void choose(const float* cache, float* token, int position) {
  float sum = 0;
  for (int i = threadIdx.x; i <= position; i += 32) sum += (i + 1) * cache[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  if (threadIdx.x == 0) *token = fmodf(sum + 17, 1009);
}

// Takes `steps` steps, at least 1. cache: `steps` floats, token: the newest one; device memory.
void decode(float* cache, float* token, int steps, cudaStream_t stream) {
  for (int position = 0; position < steps; ++position) {
    append<<<1, 1, 0, stream>>>(cache, token, position);
    choose<<<1, 32, 0, stream>>>(cache, token, position);  // expect: gate graphs
  }
}

//= waits_for_each_step: right, and the host waits for every step
// Stores the newest token in its slot.
__global__ void append(float* cache, const float* token, const int* position) {
  cache[*position] = *token;
}

// Makes the next token of all that are in the cache. One warp.
__global__ void choose(const float* cache, float* token, const int* position) {
  float sum = 0;
  for (int i = threadIdx.x; i <= *position; i += 32) sum += (i + 1) * cache[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  if (threadIdx.x == 0) *token = fmodf(sum + 17, 1009);
}

// The step is over: the next one has the next position.
__global__ void advance(int* position) { ++*position; }

// Takes `steps` steps, at least 1. cache: `steps` floats, token: the newest one; device memory.
void decode(float* cache, float* token, int steps, cudaStream_t stream) {
  int* position;
  cudaMalloc(&position, sizeof(int));
  cudaMemsetAsync(position, 0, sizeof(int), stream);
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  append<<<1, 1, 0, stream>>>(cache, token, position);
  choose<<<1, 32, 0, stream>>>(cache, token, position);
  advance<<<1, 1, 0, stream>>>(position);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  for (int step = 0; step < steps; ++step) {
    cudaGraphLaunch(instance, stream);
    cudaStreamSynchronize(stream);  // expect: gate waits
  }
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);
  cudaFree(position);
}

//= position_not_freed: right, and the position is never freed
// Stores the newest token in its slot.
__global__ void append(float* cache, const float* token, const int* position) {
  cache[*position] = *token;
}

// Makes the next token of all that are in the cache. One warp.
__global__ void choose(const float* cache, float* token, const int* position) {
  float sum = 0;
  for (int i = threadIdx.x; i <= *position; i += 32) sum += (i + 1) * cache[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  if (threadIdx.x == 0) *token = fmodf(sum + 17, 1009);
}

// The step is over: the next one has the next position.
__global__ void advance(int* position) { ++*position; }

// Takes `steps` steps, at least 1. cache: `steps` floats, token: the newest one; device memory.
void decode(float* cache, float* token, int steps, cudaStream_t stream) {
  int* position;
  cudaMalloc(&position, sizeof(int));  // expect: leak
  cudaMemsetAsync(position, 0, sizeof(int), stream);
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  append<<<1, 1, 0, stream>>>(cache, token, position);
  choose<<<1, 32, 0, stream>>>(cache, token, position);
  advance<<<1, 1, 0, stream>>>(position);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  for (int step = 0; step < steps; ++step) cudaGraphLaunch(instance, stream);
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);
}

//= updated_nodes: right: the host sets the argument of both nodes before each launch
// Stores the newest token in its slot.
__global__ void append(float* cache, const float* token, int position) { cache[position] = *token; }

// Makes the next token of all that are in the cache. One warp.
__global__ void choose(const float* cache, float* token, int position) {
  float sum = 0;
  for (int i = threadIdx.x; i <= position; i += 32) sum += (i + 1) * cache[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  if (threadIdx.x == 0) *token = fmodf(sum + 17, 1009);
}

// Takes `steps` steps, at least 1. cache: `steps` floats, token: the newest one; device memory.
void decode(float* cache, float* token, int steps, cudaStream_t stream) {
  int position = 0;
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  append<<<1, 1, 0, stream>>>(cache, token, position);
  choose<<<1, 32, 0, stream>>>(cache, token, position);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  cudaGraphNode_t nodes[2];
  size_t count = 2;
  cudaGraphGetNodes(graph, nodes, &count);
  for (; position < steps; ++position) {
    void* arguments[] = {&cache, &token, &position};
    for (const cudaGraphNode_t node : nodes) {
      cudaKernelNodeParams params = {};
      cudaGraphKernelNodeGetParams(node, &params);
      params.kernelParams = arguments;
      cudaGraphExecKernelNodeSetParams(instance, node, &params);
    }
    cudaGraphLaunch(instance, stream);
  }
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);  // expect: pass
}
