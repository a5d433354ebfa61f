// Dynamic shared memory holds flags of a byte and, right after an odd number of them, doubles. The
// other way round is right.
__global__ void behind(double* out, int n) {
  extern __shared__ char memory[];
  char* flags = memory;
  double* values = reinterpret_cast<double*>(memory + n);
  flags[threadIdx.x] = 1;
  values[threadIdx.x] = 2;  // expect: misaligned
  out[threadIdx.x] = flags[threadIdx.x] + values[threadIdx.x];
}

__global__ void before(double* out, int n) {
  extern __shared__ double values[];
  char* flags = reinterpret_cast<char*>(values + n);
  flags[threadIdx.x] = 1;
  values[threadIdx.x] = 2;
  out[threadIdx.x] = flags[threadIdx.x] + values[threadIdx.x];
}

int main() {
  const int n = 33;
  double* out;
  cudaMalloc(&out, n * sizeof(double));
  before<<<1, n, n*(1 + sizeof(double))>>>(out, n);
  behind<<<1, n, n*(1 + sizeof(double))>>>(out, n);
  cudaDeviceSynchronize();
  cudaFree(out);
}
