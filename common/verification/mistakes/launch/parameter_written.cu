// The kernel changes a parameter that all its threads share, through a pointer without its const.
struct Weights {
  float w[8];
};

__device__ __noinline__ void divide(float* w, float by) {
  w[threadIdx.x] /= by;  // expect: out-of-bounds
}

__global__ void normalised(const __grid_constant__ Weights weights, float* y) {
  float* own = const_cast<float*>(weights.w);
  float sum = 0;
  for (float w : weights.w) sum += w;
  divide(own, sum);
  y[threadIdx.x] = own[threadIdx.x];
}

int main() {
  float* y;
  cudaMalloc(&y, 8 * sizeof(float));
  normalised<<<1, 8>>>({1, 2, 3, 4, 5, 6, 7, 8}, y);
  cudaDeviceSynchronize();
  cudaFree(y);
}
