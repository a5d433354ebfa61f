// Exercise 04_rows_of_a_layer: a product whose inner dimension is split over two devices.
//
//   Y = X W, X has M rows and K columns, W has K rows and N columns. Device 0 has the first K / 2
//   rows of W, device 1 the others. Each multiplies them by the columns of X that meet them; Y is
//   the sum.
//
// Memory and streams of both devices are there, and the product. What each device gets and
// multiplies is missing, and the sum on device 0.
//
// Build and check it: ./learn run ch10/04. The main below is for you: the check does not call it;
//   ./learn sim --gpus 2 exercises/ch10_many_gpus/04_rows_of_a_layer.cu
#include <cstdio>
#include <cstring>

// C = A B, all row-major: A is M x K with lda floats from row to row, B is K x N, C is M x N, both
// without gaps. K may be 0: C is 0 then. A thread for each element, blocks of 16 x 16.
__global__ void product(const float* A, int lda, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[(size_t)row * lda + k] * B[(size_t)k * N + column];
  C[(size_t)row * N + column] = sum;
}

// x[i] += y[i], one thread for each of n elements.
__global__ void add(float* x, const float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += y[i];
}

// What each device has. X is the whole matrix; W and Y have room for the whole matrix.
struct Device {
  cudaStream_t stream;  // non-blocking
  cudaEvent_t done;     // of this device
  float *X, *W, *Y;
  float* arrived;  // room for M x N floats from the other device
};

// x (M x K) is on its way to X of both devices, in their streams. W: K x N floats, page-locked host
// memory. Each device has access to the other. Afterwards Y of device 0 is X W, in its stream.
void both(const Device* device, const float* W, int M, int N, int K) {
  const int K0 = K / 2;  // rows of W on device 0
  const dim3 grid((N + 15) / 16, (M + 15) / 16), block(16, 16);
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}

// Access from each device to the other; a second call finds it enabled already.
void enable_access() {
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    if (cudaDeviceEnablePeerAccess(1 - d, 0) != cudaSuccess) (void)cudaGetLastError();
  }
}

// x: M x K floats, w: K x N floats, y: M x N floats; any host memory.
void layer(const float* x, const float* w, float* y, int M, int N, int K) {
  const size_t x_bytes = (size_t)M * K * sizeof(float), w_bytes = (size_t)K * N * sizeof(float),
               y_bytes = (size_t)M * N * sizeof(float);
  float *in, *weights, *out;
  cudaHostAlloc(&in, x_bytes, cudaHostAllocPortable);
  cudaHostAlloc(&weights, w_bytes, cudaHostAllocPortable);
  cudaHostAlloc(&out, y_bytes, cudaHostAllocPortable);
  std::memcpy(in, x, x_bytes);
  std::memcpy(weights, w, w_bytes);
  enable_access();
  Device device[2];
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    cudaStreamCreateWithFlags(&device[d].stream, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&device[d].done, cudaEventDisableTiming);
    cudaMalloc(&device[d].X, x_bytes);
    cudaMalloc(&device[d].W, w_bytes);
    for (float** array : {&device[d].Y, &device[d].arrived}) {
      cudaMalloc(array, y_bytes);
      cudaMemset(*array, 0, y_bytes);
    }
  }
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    cudaDeviceSynchronize();
  }
  // From here on only events order the devices.
  for (const Device& one : device) {
    cudaMemcpyAsync(one.X, in, x_bytes, cudaMemcpyHostToDevice, one.stream);
  }
  cudaSetDevice(0);
  both(device, weights, M, N, K);
  cudaMemcpyAsync(out, device[0].Y, y_bytes, cudaMemcpyDeviceToHost, device[0].stream);
  for (const Device& one : device) cudaStreamSynchronize(one.stream);
  std::memcpy(y, out, y_bytes);
  for (const Device& one : device) {
    for (float* array : {one.X, one.W, one.Y, one.arrived}) cudaFree(array);
    cudaEventDestroy(one.done);
    cudaStreamDestroy(one.stream);
  }
  for (float* array : {in, weights, out}) cudaFreeHost(array);
  cudaSetDevice(0);
}

int main() {
  const float x[3] = {1, 2, 3}, w[6] = {1, 10, 1, 10, 1, 10};
  float y[2] = {};
  layer(x, w, y, 1, 2, 3);
  std::printf("%g %g\n", y[0], y[1]);
}
