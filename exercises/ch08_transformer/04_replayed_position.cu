// Exercise 04_replayed_position: a decoder that stays at its first token. Find the bug.
//
// A step of this decoder has the shape of a language model's: store the newest token in a cache,
// then make the next token of all that are there.
//   cache[position] = token
//   token = (sum of (i + 1) * cache[i], for i from 0 to position, plus 17) modulo 1009
// All numbers are whole, and small enough for a float to be exact. The step is captured once as a
// graph, and each step is one launch of it.
//
// Build and check it: ./learn run ch08/04. The main below is for you: the check does not call it;
//   ./learn sim exercises/ch08_transformer/04_replayed_position.cu
#include <cstdio>

// BEGIN YOUR CODE
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
  for (; position < steps; ++position) cudaGraphLaunch(instance, stream);
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);
}
// END YOUR CODE

// cache: `steps` floats and last: one float, in host memory: all tokens that were stored, and the
// newest one, which was not.
void generate(int first, int steps, float* cache, float* last) {
  float *device_cache, *token;
  cudaStream_t stream;
  const float begin = static_cast<float>(first);
  cudaMalloc(&device_cache, steps * sizeof(float));
  cudaMalloc(&token, sizeof(float));
  cudaStreamCreate(&stream);
  cudaMemset(device_cache, 0, steps * sizeof(float));
  cudaMemcpy(token, &begin, sizeof(float), cudaMemcpyHostToDevice);
  decode(device_cache, token, steps, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(cache, device_cache, steps * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(last, token, sizeof(float), cudaMemcpyDeviceToHost);
  cudaStreamDestroy(stream);
  cudaFree(device_cache);
  cudaFree(token);
}

int main() {
  float cache[4] = {}, last = 0;
  generate(5, 4, cache, &last);
  std::printf("%g %g %g %g, then %g\n", cache[0], cache[1], cache[2], cache[3], last);
}
