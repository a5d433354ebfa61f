// The host reads what a graph copies to it before it has waited for the launch.
__global__ void count(int* out, int by) { out[threadIdx.x] += by; }

int main() {
  int *device, *host, sum = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&device, 128);
  cudaMemset(device, 0, 128);
  cudaMallocHost(&host, 128);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  count<<<1, 32, 0, stream>>>(device, 2);
  cudaMemcpyAsync(host, device, 128, cudaMemcpyDeviceToHost, stream);
  // A host function of the graph comes after the copy.
  cudaLaunchHostFunc(
      stream, [](void* values) { static_cast<int*>(values)[1] += 1; }, host);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 3; ++i) {
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    sum += host[1];
  }
  cudaGraphLaunch(exec, stream);
  sum += host[5];  // expect: missing-sync
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFreeHost(host);
  cudaFree(device);
  return sum == 3 + 5 + 7 + 8 ? 0 : 1;
}
