// The host reads the result of an asynchronous copy that it has not waited for.
__global__ void count(int* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
  int *device, *host;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&device, 128);
  cudaMallocHost(&host, 128);
  count<<<1, 32, 0, stream>>>(device);
  cudaMemcpyAsync(host, device, 128, cudaMemcpyDeviceToHost, stream);
  const bool is_right = host[5] == 5;  // expect: missing-sync
  cudaStreamSynchronize(stream);
  return is_right ? 0 : 1;
}
