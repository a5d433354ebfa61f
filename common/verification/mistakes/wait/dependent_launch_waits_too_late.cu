// A kernel that may begin before the previous one has ended reads what that one writes, and only
// then waits for it; another overwrites what the previous one still reads. Right are words that no
// other kernel touches before the wait, and a wait of one thread before a barrier.
#include <cstdio>

__global__ void produce(float* x, int n) {
  cudaTriggerProgrammaticLaunchCompletion();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = float(i);
}

__global__ void hasty(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = i < n ? x[i] : 0;  // expect: race
  cudaGridDependencySynchronize();
  if (i < n) y[i] = 2 * value;
}

__global__ void overwrite(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = -1;  // expect: race
  cudaGridDependencySynchronize();
}

__global__ void read(const float* x, float* y, int n) {
  cudaTriggerProgrammaticLaunchCompletion();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

__global__ void one_waits(const float* x, const float* weights, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float weight = i < n ? weights[i] : 0;
  if (threadIdx.x == 100) cudaGridDependencySynchronize();
  __syncthreads();
  if (i < n) y[i] = weight * x[i];
}

// Lets the next one begin while the previous one may go on.
__global__ void pass_on(float* y, int n) {
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1;
}

__global__ void pass_on_late(float* y, int n) {
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1;
}

__global__ void hasty_third(const float* x, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = i < n ? x[i] : 0;  // expect: race
  cudaGridDependencySynchronize();
  if (i < n) z[i] = 2 * value;
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
  const int n = 10000, blocks = (n + 255) / 256;
  float *x, *y, *z, *weights;
  for (float** array : {&x, &y, &z, &weights}) cudaMalloc(array, n * sizeof(float));
  cudaMemset(weights, 0, n * sizeof(float));
  produce<<<blocks, 256>>>(x, n);
  launch_early(one_waits, n, x, weights, y, n);

  produce<<<blocks, 256>>>(x, n);
  cudaDeviceSynchronize();
  launch_early(hasty, n, x, y, n);  // the host has waited

  produce<<<blocks, 256>>>(x, n);
  hasty<<<blocks, 256>>>(x, y, n);  // begins after it

  produce<<<blocks, 256>>>(x, n);
  launch_early(hasty, n, x, y, n);

  read<<<blocks, 256>>>(x, y, n);
  launch_early(overwrite, n, x, n);

  produce<<<blocks, 256>>>(x, n);
  launch_early(pass_on, n, y, n);
  launch_early(hasty_third, n, x, z, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (float* array : {x, y, z, weights}) cudaFree(array);
}
