// Exercise 07_ragged_rows: a kernel that launches kernels.
//
// Rows of very different length lie one after the other: row r has the numbers from starts[r] on,
// up to starts[r + 1]. share[r] is the sum of row r over the sum of all rows. The host launches one
// kernel. That launches a child for each row, as large as the row needs, and one more kernel after
// all of them.
//
// Build and check it: ./learn run ch09/07. The main below is for you: the check does not call it;
//   ./learn sim exercises/ch09_streams_and_graphs/07_ragged_rows.cu
#include <cstdio>

// *sum of `count` numbers, at least 1. One block of 32 to 256 threads, whole warps.
__global__ void sum_row(const float* numbers, int count, float* sum) {
  __shared__ float sums[256];
  float own = 0;
  for (int i = threadIdx.x; i < count; i += blockDim.x) own += numbers[i];
  sums[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < blockDim.x; ++i) own += sums[i];
  *sum = own;
}

// shares[r] = sums[r] / the sum of all. One block of 256 threads.
__global__ void finish(const float* sums, float* shares, int rows) {
  float all = 0;
  for (int r = 0; r < rows; ++r) all += sums[r];
  for (int r = threadIdx.x; r < rows; r += blockDim.x) shares[r] = sums[r] / all;
}

// One block of 256 threads. Launches sum_row for each row that has numbers, and finish after all
// of them. sums: rows floats, all 0 at the start; an empty row keeps that.
__global__ void parent(const float* numbers, const int* starts, float* sums, float* shares,
                       int rows) {
  // BEGIN YOUR CODE
  for (int r = threadIdx.x; r < rows; r += blockDim.x) {
    const int count = starts[r + 1] - starts[r];
    if (count == 0) continue;
    const int threads = count < 256 ? (count + 31) / 32 * 32 : 256;
    sum_row<<<1, threads, 0, cudaStreamFireAndForget>>>(numbers + starts[r], count, sums + r);
  }
  if (threadIdx.x == 0) finish<<<1, 256, 0, cudaStreamTailLaunch>>>(sums, shares, rows);
  // END YOUR CODE
}

// numbers, starts (rows + 1 of them) and shares are in host memory; a row may be empty, not all.
void ragged_shares(const float* numbers, const int* starts, float* shares, int rows) {
  const size_t all = starts[rows] * sizeof(float), row_bytes = rows * sizeof(float);
  float *device_numbers, *sums, *device_shares;
  int* device_starts;
  cudaMalloc(&device_numbers, all);
  cudaMalloc(&device_starts, (rows + 1) * sizeof(int));
  cudaMalloc(&sums, row_bytes);
  cudaMalloc(&device_shares, row_bytes);
  cudaMemcpy(device_numbers, numbers, all, cudaMemcpyHostToDevice);
  cudaMemcpy(device_starts, starts, (rows + 1) * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(sums, 0, row_bytes);
  parent<<<1, 256>>>(device_numbers, device_starts, sums, device_shares, rows);
  cudaMemcpy(shares, device_shares, row_bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_numbers);
  cudaFree(device_starts);
  cudaFree(sums);
  cudaFree(device_shares);
}

int main() {
  const float numbers[6] = {1, 2, 3, 4, 5, 5};
  const int starts[4] = {0, 1, 1, 6};
  float shares[3] = {};
  ragged_shares(numbers, starts, shares, 3);
  std::printf("%g %g %g\n", shares[0], shares[1], shares[2]);
}
