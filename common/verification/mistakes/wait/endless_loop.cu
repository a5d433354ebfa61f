// Half of nothing is nothing: the distance never becomes less than zero.
__global__ void add_distances(int* out) {
  int sum = 0;
  for (int distance = 16; distance >= 0; distance /= 2) sum += distance;  // expect: timeout
  out[threadIdx.x] = sum;
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  add_distances<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
