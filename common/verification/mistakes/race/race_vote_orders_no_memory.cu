// All lanes look at a word and vote, and one of them writes what came of it. A vote waits for what
// the lanes have read, but only __syncwarp() orders memory.
template <bool meets>
__global__ void narrow(const int* values, int* out, int rounds) {
  __shared__ int limit;
  const int lane = threadIdx.x;
  if (lane == 0) limit = 16;
  __syncwarp();
  for (int round = 0; round < rounds; ++round) {
    const bool below = values[round * 32 + lane] < limit;
    const unsigned votes = __ballot_sync(0xffffffff, below);
    if (meets) __syncwarp();
    if (lane == 0) limit = __popc(votes);  // expect: race
    __syncwarp();
  }
  if (lane == 0) *out = limit;
}

int main() {
  const int rounds = 4;
  int *values, *out, host[rounds * 32];
  for (int i = 0; i < rounds * 32; ++i) host[i] = i * 5 % 23;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  narrow<true><<<1, 32>>>(values, out, rounds);
  narrow<false><<<1, 32>>>(values, out, rounds);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(out);
}
