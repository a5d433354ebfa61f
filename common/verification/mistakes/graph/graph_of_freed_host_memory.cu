// A graph copies from pinned memory that was freed after the graph had been made.
#include <cstdio>

int main() {
  const int bytes = 4096;
  int *source, *x;
  cudaMallocHost(&source, bytes);
  cudaMalloc(&x, bytes);
  for (int i = 0; i < 1024; ++i) source[i] = i;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(x, source, bytes, cudaMemcpyHostToDevice, stream);
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);  // expect: use-after-free
  cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  cudaFreeHost(source);
  cudaGraphLaunch(ready, stream);
  printf("%s\n", cudaGetErrorString(cudaStreamSynchronize(stream)));
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(x);
}
