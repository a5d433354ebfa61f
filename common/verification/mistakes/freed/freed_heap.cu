// A piece of the device's heap is read after it was given back.
__global__ void reuse(int* out) {
  int* piece = static_cast<int*>(malloc(64));
  piece[1] = 4;
  free(piece);
  out[threadIdx.x] = piece[1];  // expect: use-after-free
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  reuse<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
