// Exercise 02_widest_neighbour: the largest of each number and its two neighbours on either side.
//
//   y[i] = max(x[i - 2], x[i - 1], x[i], x[i + 1], x[i + 2])
//
// Where a neighbour lies outside the array, the number at the edge stands for it.
// x and y: n floats in device memory, no NaN among them.
//   blockDim = 256, gridDim = n / 256, rounded up: one thread for each number
// Through shared memory: a tile of 256 numbers and a halo. Build and check it: ./learn run ch03/02
__global__ void widest_neighbour(const float* x, float* y, int n) {
  // BEGIN YOUR CODE
  __shared__ float tile[256 + 4];
  const int begin = blockIdx.x * 256;
  // 260 numbers for 256 threads: some bring two.
  for (int t = threadIdx.x; t < 260; t += 256) {
    tile[t] = x[min(max(begin + t - 2, 0), n - 1)];
  }
  __syncthreads();  // The tile is complete before anybody compares.
  const int i = begin + threadIdx.x;
  if (i >= n) return;
  float largest = tile[threadIdx.x];
  for (int d = 1; d <= 4; ++d) largest = fmaxf(largest, tile[threadIdx.x + d]);
  y[i] = largest;
  // END YOUR CODE
}
