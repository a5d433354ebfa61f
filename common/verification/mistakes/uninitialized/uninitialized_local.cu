// Only the even entries of the array are set.
__global__ void pick(const int* index, int* out) {
  int table[16];
  for (int i = 0; i < 16; i += 2) table[i] = i * i + index[i];
  const int v = table[index[threadIdx.x]];  // expect: uninitialized
  if (v > 100) out[0] = 1;
  out[1] = 2;
}

int main() {
  int *index, *out, host[32];
  for (int i = 0; i < 32; ++i) host[i] = i % 3;
  cudaMalloc(&index, sizeof host);
  cudaMalloc(&out, 8);
  cudaMemcpy(index, host, sizeof host, cudaMemcpyHostToDevice);
  pick<<<1, 32>>>(index, out);
  cudaDeviceSynchronize();
}
