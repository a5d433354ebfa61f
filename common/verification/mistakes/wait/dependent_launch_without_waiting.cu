// A kernel that may begin before the previous one has ended reads what that one writes, and does
// not wait for it. The same with the wait is right, and so is memory of its own.
#include <cstdio>

__global__ void produce(float* x, int n) {
  cudaTriggerProgrammaticLaunchCompletion();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = float(i);
}

__global__ void consume(const float* x, const float* weights, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float weight = weights[i];  // it is never written
  cudaGridDependencySynchronize();
  y[i] = weight * x[i];
}

__global__ void hasty(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];  // expect: race
}

__global__ void beside(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1;
}

template <typename... Parameters, typename... Arguments>
void launch_early(void (*kernel)(Parameters...), int n, Arguments... arguments) {
  cudaLaunchAttribute early;
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t how = {};
  how.gridDim = (n + 255) / 256;
  how.blockDim = 256;
  how.attrs = &early;
  how.numAttrs = 1;
  cudaLaunchKernelEx(&how, kernel, Parameters(arguments)...);
}

int main() {
  const int n = 10000;
  float *x, *y, *z, *weights;
  for (float** array : {&x, &y, &z, &weights}) cudaMalloc(array, n * sizeof(float));
  cudaMemset(weights, 0, n * sizeof(float));
  produce<<<(n + 255) / 256, 256>>>(x, n);
  launch_early(consume, n, x, weights, y, n);
  produce<<<(n + 255) / 256, 256>>>(x, n);
  launch_early(beside, n, z, n);
  launch_early(consume, n, x, z, y, n);  // waits for all that comes before it
  consume<<<(n + 255) / 256, 256>>>(x, weights, y, n);
  hasty<<<(n + 255) / 256, 256>>>(x, y, n);  // begins after it

  produce<<<(n + 255) / 256, 256>>>(x, n);
  launch_early(hasty, n, x, y, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (float* array : {x, y, z, weights}) cudaFree(array);
}
