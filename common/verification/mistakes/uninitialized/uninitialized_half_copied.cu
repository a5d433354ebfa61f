// The size of the copy counts elements where it should count bytes; the product is a shift.
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }  // expect: uninitialized

int main() {
  const int host[64] = {};
  int* x;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, 64, cudaMemcpyHostToDevice);
  twice<<<1, 64>>>(x);
  cudaDeviceSynchronize();
}
