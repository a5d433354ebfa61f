// Half of a warp votes with a mask that names all of it. The other half goes past and returns, so
// that nothing hangs; that is luck, and it goes when code is added after it.
__global__ void count_large(const int* x, int* counts) {
  const int own = x[threadIdx.x];
  if (threadIdx.x % 32 < 16) {
    const unsigned large = __ballot_sync(0xffffffff, own > 20);  // expect: invalid-shuffle
    if (threadIdx.x % 32 == 0) counts[threadIdx.x / 32] = __popc(large);
  }
}

// Right: the mask of those that come here; all lanes, before the branch; a block that has no
// more lanes than these.
__global__ void count_large_of_half(const int* x, int* counts) {
  const int own = x[threadIdx.x];
  if (threadIdx.x % 32 < 16) {
    const unsigned large = __ballot_sync(0x0000ffff, own > 20);
    if (threadIdx.x % 32 == 0) counts[threadIdx.x / 32] = __popc(large);
  }
}

__global__ void count_large_of_all(const int* x, int* counts) {
  const unsigned large = __ballot_sync(0xffffffff, x[threadIdx.x] > 20);
  if (threadIdx.x % 32 == 0) counts[threadIdx.x / 32] = __popc(large);
}

int main() {
  int *x, *counts;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&counts, 2 * sizeof(int));
  cudaMemset(x, 1, 64 * sizeof(int));
  count_large_of_half<<<1, 64>>>(x, counts);
  count_large_of_all<<<1, 40>>>(x, counts);
  count_large<<<1, 64>>>(x, counts);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(counts);
}
