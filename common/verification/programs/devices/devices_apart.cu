// What each device has of its own, and what the runtime answers where a device is the wrong one.
// The codes are those of two H200.
// gpus: 2
#include <cstdio>

__device__ int counter = 5;
__constant__ int factor = 2;

__global__ void count(int* seen) { seen[0] = atomicAdd(&counter, 1) * factor; }

int wrong = 0;

void expect(bool right, const char* what) {
  if (right) return;
  std::printf("wrong: %s\n", what);
  ++wrong;
}

// A call that is to fail, and leaves no error.
void expect(cudaError_t got, cudaError_t want, const char* what) {
  expect(got == want, what);
  cudaGetLastError();
}

void numbers() {
  int count = 0, device = -1;
  cudaGetDeviceCount(&count);
  expect(count == 2, "the number of devices");
  expect(cudaSetDevice(2), cudaErrorInvalidDevice, "device 2 of 2");
  expect(cudaSetDevice(-1), cudaErrorInvalidDevice, "device -1");
  cudaGetDevice(&device);
  expect(device == 0, "a device that is not there is not chosen");
  char first[20], second[20];
  cudaDeviceGetPCIBusId(first, sizeof first, 0);
  cudaDeviceGetPCIBusId(second, sizeof second, 1);
  std::printf("%s %s\n", first, second);
  cudaDeviceGetByPCIBusId(&device, second);
  expect(device == 1, "the device of an id");
}

void peers() {
  int can = -1;
  cudaDeviceCanAccessPeer(&can, 0, 0);
  expect(can == 0, "no device is its own peer");
  cudaDeviceCanAccessPeer(&can, 0, 1);
  expect(can == 1, "two devices can be peers");
  cudaSetDevice(0);
  expect(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled, "disabled too early");
  expect(cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue, "flags");
  expect(cudaDeviceEnablePeerAccess(2, 0), cudaErrorInvalidDevice, "a peer that is not there");
  expect(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess, "enabled");
  expect(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled, "enabled twice");
  expect(cudaDeviceDisablePeerAccess(1), cudaSuccess, "disabled");
  expect(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled, "disabled twice");
}

void variables() {
  int seen[2][2];
  for (int round = 0; round < 2; ++round)
    for (int device = 0; device < 2; ++device) {
      cudaSetDevice(device);
      if (device == 1 && round == 1) {
        const int set = 50, three = 3;
        cudaMemcpyToSymbol(counter, &set, sizeof set);
        cudaMemcpyToSymbol(factor, &three, sizeof three);
      }
      int* out;
      cudaMalloc(&out, sizeof(int));
      count<<<1, 1>>>(out);
      cudaMemcpy(&seen[round][device], out, sizeof(int), cudaMemcpyDeviceToHost);
      cudaFree(out);
    }
  std::printf("%d %d, %d %d\n", seen[0][0], seen[0][1], seen[1][0], seen[1][1]);
  expect(seen[0][0] == 10 && seen[0][1] == 10 && seen[1][0] == 12 && seen[1][1] == 150,
         "each device has its variables");
}

void memory() {
  std::size_t free_before[2], free_after[2], all;
  void *there, *pinned;
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaMemGetInfo(&free_before[device], &all);
  }
  cudaMalloc(&there, 1 << 28);
  cudaMallocHost(&pinned, 1024);
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaMemGetInfo(&free_after[device], &all);
  }
  expect(free_before[0] == free_after[0], "device 0 has given no memory");
  expect(free_before[1] - free_after[1] >= 1 << 28, "device 1 has given some");
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, there);
  expect(attributes.device == 1, "the owner of an array");
  cudaSetDevice(0);
  expect(cudaFree(there), cudaSuccess, "an array of the other device is freed");
  cudaFreeHost(pinned);
}

void copies() {
  const int n = 1000;
  int host[n], back[n];
  int *a, *b;
  for (int i = 0; i < n; ++i) host[i] = 3 * i;
  cudaSetDevice(0);
  cudaMalloc(&a, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  cudaSetDevice(1);
  cudaMalloc(&b, sizeof host);
  // Without peer access: through the host.
  cudaMemcpyPeer(b, 1, a, 0, sizeof host);
  cudaMemcpy(back, b, sizeof back, cudaMemcpyDeviceToHost);
  bool same = true;
  for (int i = 0; i < n; ++i) same = same && back[i] == host[i];
  expect(same, "a copy between devices");
  expect(cudaMemcpyPeer(b, 2, a, 0, 4), cudaErrorInvalidDevice, "a copy to device 2 of 2");
  cudaFree(a);
  cudaFree(b);
}

void streams() {
  cudaStream_t of_0;
  cudaEvent_t event_of_1;
  int device = -1;
  cudaSetDevice(0);
  cudaStreamCreate(&of_0);
  cudaSetDevice(1);
  cudaEventCreate(&event_of_1);
  cudaStreamGetDevice(of_0, &device);
  expect(device == 0, "the device of a stream");
  cudaStreamGetDevice(nullptr, &device);
  expect(device == 1, "the default stream is the current device's");
  expect(cudaStreamQuery(of_0), cudaSuccess, "a stream of another device is asked");
  expect(cudaStreamWaitEvent(of_0, event_of_1, 0), cudaSuccess, "a wait across devices");
  expect(cudaStreamSynchronize(of_0), cudaSuccess, "a stream of another device is waited for");
  cudaEventDestroy(event_of_1);
  cudaStreamDestroy(of_0);
}

int main() {
  numbers();
  peers();
  variables();
  memory();
  copies();
  streams();
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
