// Exercise 07_bug_second_barrier: the distance to the nearest of many places. Find the bug.
//
//   y[i] = the least of |x[i] - places[0]|, ..., |x[i] - places[m - 1]|
//
// x and y: n floats, places: m floats; in device memory.
//   blockDim = 256; gridDim = n / 256, rounded up
// Every n and m from 1 on must work. Build and check it: ./learn run ch03/07
__global__ void nearest_place(const float* x, const float* places, float* y, int n, int m) {
  // BEGIN YOUR CODE
  __shared__ float tile[256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 256 + t;
  const float own = i < n ? x[i] : 0;
  float nearest = INFINITY;
  for (int first = 0; first < m; first += 256) {
    const int count = min(256, m - first);
    if (t < count) tile[t] = places[first + t];
    __syncthreads();
    for (int k = 0; k < count; ++k) nearest = fminf(nearest, fabsf(own - tile[k]));
  }
  if (i < n) y[i] = nearest;
  // END YOUR CODE
}
