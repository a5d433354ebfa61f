// Rows of different lengths: lanes that have no element of a row's last part do not come to the
// shuffle in the loop. Right is to add up first, and to shuffle when all lanes are back.
__device__ float sum_of_warp(float value) {
  for (int apart = 16; apart > 0; apart /= 2)
    value += __shfl_down_sync(0xffffffff, value, apart);  // expect: invalid-shuffle
  return value;
}

__global__ void sums_of_rows(const float* x, const int* ends, float* sums) {
  const int row = threadIdx.x / 32, lane = threadIdx.x % 32, begin = row ? ends[row - 1] : 0;
  float sum = 0;
  for (int i = begin + lane; i < ends[row]; i += 32) sum += x[i];
  sum = sum_of_warp(sum);
  if (lane == 0) sums[row] = sum;
}

__global__ void sums_of_parts(const float* x, const int* ends, float* sums) {
  const int row = threadIdx.x / 32, lane = threadIdx.x % 32, begin = row ? ends[row - 1] : 0;
  float sum = 0;
  for (int i = begin + lane; i < ends[row]; i += 32) sum += sum_of_warp(x[i]);
  if (lane == 0) sums[row] = sum;
}

int main() {
  const int ends_of_rows[] = {64, 114, 200, 233};
  int* ends;
  float *x, *sums;
  cudaMalloc(&ends, sizeof ends_of_rows);
  cudaMalloc(&x, 233 * sizeof(float));
  cudaMalloc(&sums, 4 * sizeof(float));
  cudaMemcpy(ends, ends_of_rows, sizeof ends_of_rows, cudaMemcpyHostToDevice);
  cudaMemset(x, 0, 233 * sizeof(float));
  sums_of_rows<<<1, 128>>>(x, ends, sums);
  sums_of_parts<<<1, 128>>>(x, ends, sums);
  cudaDeviceSynchronize();
}
