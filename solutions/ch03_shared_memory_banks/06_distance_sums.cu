// Exercise 06_distance_sums: for each point the sum of its distances to all places.
//
//   y[i] = |x[i] - p[0]| + |x[i] - p[1]| + ... + |x[i] - p[m - 1]|
//
// x and y: n floats; p: m floats; all in device memory.
//   blockDim = 256, gridDim = n / 256, rounded up: one thread for each point
// All threads of a block need all of p: bring it into shared memory, 256 places at a time.
// Build and check it: ./learn run ch03/06
__global__ void distance_sums(const float* x, const float* p, float* y, int n, int m) {
  // BEGIN YOUR CODE
  __shared__ float places[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float own = i < n ? x[i] : 0.0F;
  float sum = 0;
  for (int begin = 0; begin < m; begin += 256) {
    const int count = min(256, m - begin);
    if (threadIdx.x < count) places[threadIdx.x] = p[begin + threadIdx.x];
    __syncthreads();  // The places are there before anybody adds.
    for (int j = 0; j < count; ++j) sum += fabsf(own - places[j]);
    __syncthreads();  // Everybody has added before anybody brings the next.
  }
  if (i < n) y[i] = sum;
  // END YOUR CODE
}
