// One stream has asked for memory, and another uses it without waiting until it is there.
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }

int main() {
  cudaStream_t owner, user;
  cudaStreamCreate(&owner);
  cudaStreamCreate(&user);
  int* x;
  cudaMallocAsync(&x, 64 * sizeof(int), owner);  // expect: race
  fill<<<1, 64, 0, user>>>(x);
  cudaStreamSynchronize(user);
  cudaFreeAsync(x, owner);
  cudaStreamSynchronize(owner);
  cudaStreamDestroy(owner);
  cudaStreamDestroy(user);
}
