// Each lane reads what another lane overwrites afterwards. A sum of the warp in between waits for
// all lanes, so that it works, but orders no memory: a note. Without it, it is an error.
__global__ void sum_in_place(int* x) {
  int v = x[31 - threadIdx.x];
  v = __reduce_add_sync(~0u, v);
  x[threadIdx.x] = v + threadIdx.x;
}

__global__ void pass_on(int* x) {
  const int v = x[(threadIdx.x + 1) % 32];
  x[threadIdx.x] = v;  // expect: race
}

int main() {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMemset(x, 1, 32 * sizeof(int));
  sum_in_place<<<1, 32>>>(x);
  pass_on<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
