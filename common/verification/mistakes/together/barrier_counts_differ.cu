// Warps that hand tiles to others arrive at a barrier and name fewer threads than wait there.
template <int named>
__global__ void hand_over(int* out) {
  __shared__ int tile[64];
  if (threadIdx.x < 64) {
    tile[threadIdx.x] = threadIdx.x * 3;
    asm volatile("bar.arrive 1, %0;" ::"n"(named) : "memory");
  } else {
    asm volatile("bar.sync 1, 128;" ::: "memory");  // expect: barrier-divergence
    out[threadIdx.x - 64] = tile[127 - threadIdx.x];
  }
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  hand_over<128><<<1, 128>>>(out);
  hand_over<96><<<1, 128>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
