// The array was allocated with new.
__global__ void fill(int* x) {
  x[threadIdx.x] = 1;  // expect: host-pointer
}

int main() {
  int* x = new int[32];
  fill<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  delete[] x;
}
