// The mask names other lanes, but not the one that calls.
__global__ void rotate(int* out) {
  const int lane = threadIdx.x;
  int v = lane * 2;
  if (lane < 8) v = __shfl_sync(0x0000000fu, v, 0);  // expect: invalid-shuffle
  out[lane] = v;
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  rotate<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
