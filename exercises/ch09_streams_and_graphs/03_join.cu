// Exercise 03_join: two kernels side by side, and one that needs them both.
//
//   y[i] = (x[i] - mean of x) / largest |x[i]|,   batch after batch
//
// The mean and the largest value do not need each other, so they are computed in two streams. The
// events that order the two streams are missing.
//
// Build and check it: ./learn run ch09/03. The main below is for you: the check does not call it;
//   ./learn sim exercises/ch09_streams_and_graphs/03_join.cu
#include <cstdio>
#include <cstring>

// *mean of x, n floats. One block of 256 threads.
__global__ void find_mean(const float* x, int n, float* mean) {
  __shared__ float sums[256];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += x[i];
  sums[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *mean = sums[0] / n;
}

// *largest |x[i]| of n floats. One block of 256 threads.
__global__ void find_largest(const float* x, int n, float* largest) {
  __shared__ float values[256];
  float most = 0;
  for (int i = threadIdx.x; i < n; i += 256) most = fmaxf(most, fabsf(x[i]));
  values[threadIdx.x] = most;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      values[threadIdx.x] = fmaxf(values[threadIdx.x], values[threadIdx.x + half]);
    }
  }
  if (threadIdx.x == 0) *largest = values[0];
}

// y[i] = (x[i] - *mean) / *largest, one thread for each of n elements.
__global__ void apply(const float* x, const float* mean, const float* largest, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = (x[i] - *mean) / *largest;
}

// Two streams, an event for each direction, and what is on the device.
struct Device {
  cudaStream_t first, second;  // first has the copies
  cudaEvent_t loaded, found;
  float *x, *y, *mean, *largest;
};

// Launches the three kernels for one batch of n numbers: find_mean and apply in d.first,
// find_largest in d.second. The copy that fills d.x is in d.first, before; that of d.y comes after.
void launch_batch(const Device& d, int n) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}

// x, y: batches times n floats, in any host memory.
void normalise(const float* x, float* y, int batches, int n) {
  const size_t bytes = n * sizeof(float), all = batches * bytes;
  float *pinned_x, *pinned_y;
  Device d;
  cudaMallocHost(&pinned_x, all);
  cudaMallocHost(&pinned_y, all);
  std::memcpy(pinned_x, x, all);
  for (float** array : {&d.x, &d.y}) {
    cudaMalloc(array, bytes);
    cudaMemset(*array, 0, bytes);
  }
  for (float** word : {&d.mean, &d.largest}) {
    cudaMalloc(word, sizeof(float));
    cudaMemset(*word, 0, sizeof(float));
  }
  // Neither waits for the default stream: only your events order the two.
  cudaDeviceSynchronize();
  cudaStreamCreateWithFlags(&d.first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&d.second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&d.loaded, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&d.found, cudaEventDisableTiming);
  for (int batch = 0; batch < batches; ++batch) {
    cudaMemcpyAsync(d.x, pinned_x + batch * n, bytes, cudaMemcpyHostToDevice, d.first);
    launch_batch(d, n);
    cudaMemcpyAsync(pinned_y + batch * n, d.y, bytes, cudaMemcpyDeviceToHost, d.first);
  }
  cudaStreamSynchronize(d.first);
  std::memcpy(y, pinned_y, all);
  for (float* array : {d.x, d.y, d.mean, d.largest}) cudaFree(array);
  cudaFreeHost(pinned_x);
  cudaFreeHost(pinned_y);
  cudaEventDestroy(d.loaded);
  cudaEventDestroy(d.found);
  cudaStreamDestroy(d.first);
  cudaStreamDestroy(d.second);
}

int main() {
  const float x[4] = {1, 3, 2, 6};
  float y[4] = {};
  normalise(x, y, 2, 2);
  std::printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
}
