// The rows of a pitched array are longer than what may be used... and one allocation's end is not
// the next one's begin: the write falls into the gap between two allocations.
__global__ void write_at(char* p, int at) {
  p[at] = 1;  // expect: out-of-bounds
}

int main() {
  char *a, *b;
  cudaMalloc(&a, 100);
  cudaMalloc(&b, 100);
  write_at<<<1, 1>>>(a, 130);
  cudaDeviceSynchronize();
  (void)b;
}
