// Exercise 03_reduce_scatter: after n - 1 steps each device has the sums of one chunk.
//
//   n devices have `count` numbers each, in n chunks. In step s device d sends chunk (d - s) mod n
//   to the next device, which adds it to its own. At the end device d has the sums of chunk (d + 1)
//   mod n.
//
// A step is exercise 02_pass_it_on. The loop over the steps and the order between them are missing.
//
// Build and check it: ./learn run ch10/03. The main below is for you: the check does not call it;
//   ./learn sim --gpus 3 exercises/ch10_many_gpus/03_reduce_scatter.cu
#include <cstdio>
#include <cstring>

// x[i] += y[i], one thread for each of n elements, n > 0.
__global__ void add(float* x, const float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += y[i];
}

// What each device has. An array of a device has `count` floats.
struct Device {
  cudaStream_t stream;  // non-blocking
  cudaEvent_t ready;    // of this device: x is there; you may record it again
  float* x;             // its numbers
  float* arrived;       // room for what another device sends
};

// Where chunk c of n begins; chunk n begins at the end. A chunk may be empty.
int begin_of(int c, int n, int count) { return static_cast<int>((long long)c * count / n); }

// All n - 1 steps for devices 0 to n - 1. `ready` of each device is recorded after its x is there.
// Nothing here waits on the host.
void all_steps(const Device* device, int n, int count) {
  // BEGIN YOUR CODE
  // Your code here.
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

// n devices with `count` floats each; row d of `from` has the values of device d.
void make_devices(Device* device, const float* from, int n, int count) {
  const size_t bytes = count * sizeof(float);
  for (int d = 0; d < n; ++d) {
    cudaSetDevice(d);
    cudaStreamCreateWithFlags(&device[d].stream, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&device[d].ready, cudaEventDisableTiming);
    for (float** array : {&device[d].x, &device[d].arrived}) {
      cudaMalloc(array, bytes);
      cudaMemset(*array, 0, bytes);
    }
  }
  for (int d = 0; d < n; ++d) {
    cudaSetDevice(d);
    cudaDeviceSynchronize();
  }
  // From here on only events order the devices.
  for (int d = 0; d < n; ++d) {
    cudaMemcpyAsync(device[d].x, from + (size_t)d * count, bytes, cudaMemcpyHostToDevice,
                    device[d].stream);
    cudaEventRecord(device[d].ready, device[d].stream);
  }
}

void free_device(const Device& device) {
  cudaFree(device.x);
  cudaFree(device.arrived);
  cudaEventDestroy(device.ready);
  cudaStreamDestroy(device.stream);
}

// x: n times count floats, a row for each device. y: count floats, the sums. Any host memory.
void reduce_scatter(const float* x, float* y, int n, int count) {
  const size_t bytes = count * sizeof(float);
  float *in, *out;
  cudaHostAlloc(&in, n * bytes, cudaHostAllocPortable);
  cudaHostAlloc(&out, bytes, cudaHostAllocPortable);
  std::memcpy(in, x, n * bytes);
  enable_access(n);
  Device device[8];
  make_devices(device, in, n, count);
  all_steps(device, n, count);
  for (int d = 0; d < n; ++d) {
    const int chunk = (d + 1) % n, first = begin_of(chunk, n, count);
    const int length = begin_of(chunk + 1, n, count) - first;
    if (length == 0) continue;
    cudaMemcpyAsync(out + first, device[d].x + first, length * sizeof(float),
                    cudaMemcpyDeviceToHost, device[d].stream);
  }
  for (int d = 0; d < n; ++d) cudaStreamSynchronize(device[d].stream);
  std::memcpy(y, out, bytes);
  for (int d = 0; d < n; ++d) free_device(device[d]);
  cudaFreeHost(in);
  cudaFreeHost(out);
  cudaSetDevice(0);
}

int main() {
  const float x[9] = {1, 2, 3, 10, 20, 30, 100, 200, 300};
  float y[3] = {};
  reduce_scatter(x, y, 3, 3);
  std::printf("%g %g %g\n", y[0], y[1], y[2]);
}
