// An all-reduce over a ring of devices: each sends chunks to its neighbour, which adds them, until
// every device holds the sums. Events order the steps, and the host waits once.
// gpus: 4
#include <cstdio>
#include <vector>

__global__ void fill(float* x, int n, int device) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = static_cast<float>(i % 97 + 5 * device);
}

__global__ void add(float* to, const float* from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += from[i];
}

struct Device {
  float *data, *received;
  cudaStream_t stream;
  cudaEvent_t sent_may_change;  // the receiver has taken a chunk
  cudaEvent_t ready;            // this device has finished it
};

int blocks(int n) { return (n + 127) / 128; }

// Chunk c begins at c * n / devices.
int begin_of(int chunk, int n, int devices) {
  return static_cast<int>(static_cast<long long>(chunk) * n / devices);
}

void step(std::vector<Device>& all, int n, int round, bool adds) {
  const int devices = static_cast<int>(all.size());
  for (int d = 0; d < devices; ++d) {
    const int to = (d + 1) % devices;
    const int chunk = ((d - round + (adds ? 0 : 1)) % devices + devices) % devices;
    const int begin = begin_of(chunk, n, devices), count = begin_of(chunk + 1, n, devices) - begin;
    Device &sender = all[d], &receiver = all[to];
    cudaSetDevice(to);
    cudaStreamWaitEvent(receiver.stream, sender.ready, 0);
    float* target = adds ? receiver.received : receiver.data + begin;
    cudaMemcpyPeerAsync(target, to, sender.data + begin, d, count * sizeof(float), receiver.stream);
    cudaEventRecord(receiver.sent_may_change, receiver.stream);
    if (adds && count > 0)
      add<<<blocks(count), 128, 0, receiver.stream>>>(receiver.data + begin, target, count);
  }
  for (int d = 0; d < devices; ++d) {
    cudaSetDevice(d);
    cudaStreamWaitEvent(all[d].stream, all[(d + 1) % devices].sent_may_change, 0);
    cudaEventRecord(all[d].ready, all[d].stream);
  }
}

// The largest difference from the sum, over all devices.
double all_reduce(int devices, int n) {
  std::vector<Device> all(devices);
  for (int d = 0; d < devices; ++d) {
    cudaSetDevice(d);
    cudaMalloc(&all[d].data, n * sizeof(float));
    cudaMalloc(&all[d].received, n * sizeof(float));
    cudaStreamCreate(&all[d].stream);
    cudaEventCreateWithFlags(&all[d].sent_may_change, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&all[d].ready, cudaEventDisableTiming);
    fill<<<blocks(n), 128, 0, all[d].stream>>>(all[d].data, n, d);
    cudaEventRecord(all[d].ready, all[d].stream);
  }
  for (int round = 0; round < devices - 1; ++round) step(all, n, round, true);
  for (int round = 0; round < devices - 1; ++round) step(all, n, round, false);
  double worst = 0;
  for (int d = 0; d < devices; ++d) {
    cudaSetDevice(d);
    cudaStreamSynchronize(all[d].stream);
    std::vector<float> host(n);
    cudaMemcpy(host.data(), all[d].data, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) {
      const double want = devices * (i % 97) + 5.0 * devices * (devices - 1) / 2;
      const double off = want - host[i];
      worst = off * off > worst ? off * off : worst;
    }
  }
  for (int d = 0; d < devices; ++d) {
    cudaSetDevice(d);
    cudaDeviceSynchronize();
    cudaFree(all[d].data);
    cudaFree(all[d].received);
    cudaStreamDestroy(all[d].stream);
    cudaEventDestroy(all[d].sent_may_change);
    cudaEventDestroy(all[d].ready);
  }
  return worst;
}

int main() {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  std::printf("%d devices\n", devices);
  double worst = 0;
  for (int used = 1; used <= devices; ++used)
    for (const int n : {1, 3, 1001}) worst += all_reduce(used, n);
  for (int d = 0; d < devices; ++d) {
    cudaSetDevice(d);
    for (int other = 0; other < devices; ++other)
      if (other != d && cudaDeviceEnablePeerAccess(other, 0) != cudaSuccess) worst = 1;
  }
  worst += all_reduce(devices, 5003);
  std::printf("all sums are %s\n", worst == 0 ? "right" : "wrong");
  return worst == 0 && devices > 1 ? 0 : 1;
}
