// A flag of a freshly allocated array decides.
__global__ void visit(int* seen, int* order) {
  const int t = threadIdx.x;
  if (seen[t] == 0) {  // expect: uninitialized
    seen[t] = 1;
    order[t] = t;
  }
}

int main() {
  int *seen, *order;
  cudaMalloc(&seen, 128);
  cudaMalloc(&order, 128);
  visit<<<1, 32>>>(seen, order);
  cudaDeviceSynchronize();
}
