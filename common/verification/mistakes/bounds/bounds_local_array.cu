// A stack of eight entries gets nine.
__global__ void digits(const int* in, int* out) {
  int stack[8];
  int top = 0;
  for (int v = in [threadIdx.x]; v > 0; v /= 10) stack[top++] = v % 10;  // expect: out-of-bounds
  int sum = 0;
  while (top > 0) sum = sum * 3 + stack[--top];
  out[threadIdx.x] = sum;
}

int main() {
  int *in, *out, host[4] = {12, 999, 123456789, 4};
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  digits<<<1, 4>>>(in, out);
  cudaDeviceSynchronize();
}
