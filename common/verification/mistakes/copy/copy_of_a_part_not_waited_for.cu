// Four streams each fetch a part of an array, all of them in one page of memory. The host sums up
// what it has not waited for; outside of the parts it may do what it likes.
__global__ void count(int* x, int first) { x[first + threadIdx.x] = first + threadIdx.x; }

int main() {
  constexpr int parts = 4, each = 64;
  int *device, *host, sum = 0;
  cudaStream_t streams[parts];
  cudaMalloc(&device, parts * each * sizeof(int));
  cudaMallocHost(&host, (parts * each + 100) * sizeof(int));
  for (int part = 0; part < parts; ++part) {
    cudaStreamCreate(&streams[part]);
    const int first = part * each;
    count<<<1, each, 0, streams[part]>>>(device, first);
    cudaMemcpyAsync(host + first, device + first, each * sizeof(int), cudaMemcpyDeviceToHost,
                    streams[part]);
  }
  for (int i = 0; i < 100; ++i) host[parts * each + i] = i;
  for (cudaStream_t stream : streams) cudaStreamSynchronize(stream);
  for (int i = 0; i < parts * each + 100; ++i) sum += host[i];
  cudaMemcpyAsync(host + each, device + each, each * sizeof(int), cudaMemcpyDeviceToHost, 0);
  sum += host[each + 1];  // expect: missing-sync
  cudaDeviceSynchronize();
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFree(device);
  cudaFreeHost(host);
  return sum == 0;
}
