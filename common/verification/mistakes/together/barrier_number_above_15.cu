// A barrier for each group of 32 threads: with more than 16 groups there are none left, and groups
// share the barriers of others.
__global__ void rotate_in_groups(int* x) {
  __shared__ int s[640];
  const int t = threadIdx.x, group = t / 32;
  s[t] = x[t];
  asm volatile("bar.sync %0, 32;" ::"r"(group) : "memory");  // expect: barrier-divergence
  x[t] = s[group * 32 + (t + 1) % 32];
}

int main() {
  int host[640] = {}, *x;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  rotate_in_groups<<<1, 640>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
