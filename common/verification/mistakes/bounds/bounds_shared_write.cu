// 33 threads write into 32 places.
__global__ void stage(int* out) {
  __shared__ short s[32];
  s[threadIdx.x] = (short)threadIdx.x;  // expect: out-of-bounds
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x % 32];
}

int main() {
  int* out;
  cudaMalloc(&out, 33 * sizeof(int));
  stage<<<1, 33>>>(out);
  cudaDeviceSynchronize();
}
