// The pitch of a row counts bytes, and is used as a number of elements.
__global__ void rows(float* m, size_t pitch, int w, int h) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x >= w) return;
  m[y * pitch + x] = 1;  // expect: out-of-bounds
}

int main() {
  float* m;
  size_t pitch;
  cudaMallocPitch(&m, &pitch, 100 * 4, 50);
  rows<<<50, 128>>>(m, pitch, 100, 50);
  cudaDeviceSynchronize();
  cudaFree(m);
}
