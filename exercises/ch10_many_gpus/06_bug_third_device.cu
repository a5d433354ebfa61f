// Exercise 06_bug_third_device: an all-gather around a ring. Find the bug.
//
//   The array of `count` numbers is in n chunks. Device d squares chunk d. Then, after n - 1 steps,
//   every device has all chunks: in each step a device gets one chunk from the device before it.
//   Device 0 gets its chunks from device n - 1.
//
// Every number of devices and of elements must work.
//
// Build and check it: ./learn run ch10/06. The main below is for you: the check does not call it;
//   ./learn sim --gpus 3 exercises/ch10_many_gpus/06_bug_third_device.cu
#include <cstdio>
#include <cstring>

// x[i] = x[i] * x[i], one thread for each of n elements, n > 0.
__global__ void square(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}

// What each device has.
struct Device {
  cudaStream_t stream;  // non-blocking
  cudaEvent_t ready;    // of this device: what it has so far is there; you may record it again
  float* x;             // room for the whole array; its own chunk is there
};

// Where chunk c of n begins; chunk n begins at the end. A chunk may be empty.
int begin_of(int c, int n, int count) { return static_cast<int>((long long)c * count / n); }

// All n - 1 steps for devices 0 to n - 1. `ready` of each device is recorded after its chunk is
// there. Nothing here waits on the host.
void gather(const Device* device, int n, int count) {
  // BEGIN YOUR CODE
  for (int s = 0; s < n - 1; ++s) {
    // All waits before the first record of the step: a wait uses the latest record.
    for (int d = 0; d < n; ++d) {
      cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    }
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender + s) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      cudaSetDevice(d);
      if (length > 0) {
        cudaMemcpyPeerAsync(device[d].x + first, d, device[sender].x + first, sender,
                            length * sizeof(float), device[d].stream);
      }
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }
  // END YOUR CODE
}

// Access from each device to each other one; a second call finds it enabled already.
void enable_access(int n) {
  for (int reader = 0; reader < n; ++reader) {
    cudaSetDevice(reader);
    for (int owner = 0; owner < n; ++owner) {
      if (owner == reader) continue;
      if (cudaDeviceEnablePeerAccess(owner, 0) != cudaSuccess) (void)cudaGetLastError();
    }
  }
}

// n devices with room for `count` floats each; device d has the squares of chunk d of `from`, and
// zeros.
void make_devices(Device* device, const float* from, int n, int count) {
  for (int d = 0; d < n; ++d) {
    cudaSetDevice(d);
    cudaStreamCreateWithFlags(&device[d].stream, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&device[d].ready, cudaEventDisableTiming);
    cudaMalloc(&device[d].x, count * sizeof(float));
    cudaMemset(device[d].x, 0, count * sizeof(float));
  }
  for (int d = 0; d < n; ++d) {
    cudaSetDevice(d);
    cudaDeviceSynchronize();
  }
  // From here on only events order the devices.
  for (int d = 0; d < n; ++d) {
    const int first = begin_of(d, n, count), length = begin_of(d + 1, n, count) - first;
    if (length > 0) {
      cudaMemcpyAsync(device[d].x + first, from + first, length * sizeof(float),
                      cudaMemcpyHostToDevice, device[d].stream);
      cudaSetDevice(d);
      square<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, length);
    }
    cudaEventRecord(device[d].ready, device[d].stream);
  }
}

void free_device(const Device& device) {
  cudaFree(device.x);
  cudaEventDestroy(device.ready);
  cudaStreamDestroy(device.stream);
}

// x: count floats. y: n times count floats, the squares, a row for each device. Any host memory.
void all_gather(const float* x, float* y, int n, int count) {
  const size_t bytes = count * sizeof(float);
  float *in, *out;
  cudaHostAlloc(&in, bytes, cudaHostAllocPortable);
  cudaHostAlloc(&out, n * bytes, cudaHostAllocPortable);
  std::memcpy(in, x, bytes);
  enable_access(n);
  Device device[8];
  make_devices(device, in, n, count);
  gather(device, n, count);
  for (int d = 0; d < n; ++d) {
    cudaMemcpyAsync(out + (size_t)d * count, device[d].x, bytes, cudaMemcpyDeviceToHost,
                    device[d].stream);
  }
  for (int d = 0; d < n; ++d) cudaStreamSynchronize(device[d].stream);
  std::memcpy(y, out, n * bytes);
  for (int d = 0; d < n; ++d) free_device(device[d]);
  cudaFreeHost(in);
  cudaFreeHost(out);
  cudaSetDevice(0);
}

int main() {
  const float x[4] = {1, 2, 3, 4};
  float y[8] = {};
  all_gather(x, y, 2, 4);
  for (int d = 0; d < 2; ++d) {
    for (int i = 0; i < 4; ++i) std::printf("%g ", y[4 * d + i]);
    std::printf("\n");
  }
}
