// A captured kernel that may begin before the previous one has ended reads what that one writes,
// and only then waits for it. Right is the one that waits first.
#include <cstdio>
__global__ void produce(float* x, int n) {
  cudaTriggerProgrammaticLaunchCompletion();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = float(i);
}
__global__ void patient(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  cudaGridDependencySynchronize();
  if (i < n) y[i] = 2 * x[i];
}
__global__ void hasty(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = i < n ? x[i] : 0;  // expect: race
  cudaGridDependencySynchronize();
  if (i < n) y[i] = 2 * value;
}
void launch_early(cudaStream_t stream, void (*kernel)(const float*, float*, int), const float* x,
                  float* y, int n) {
  cudaLaunchAttribute early;
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t how = {};
  how.gridDim = (n + 255) / 256;
  how.blockDim = 256;
  how.stream = stream;
  how.attrs = &early;
  how.numAttrs = 1;
  cudaLaunchKernelEx(&how, kernel, x, y, n);
}
int main() {
  const int n = 10000, blocks = (n + 255) / 256;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (auto kernel : {patient, hasty}) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    produce<<<blocks, 256, 0, stream>>>(x, n);
    launch_early(stream, kernel, x, y, n);
    printf("%s\n", cudaGetErrorString(cudaStreamEndCapture(stream, &graph)));
    cudaGraphInstantiate(&exec, graph, 0);
    for (int i = 0; i < 2; ++i) cudaGraphLaunch(exec, stream);
    printf("%s\n", cudaGetErrorString(cudaStreamSynchronize(stream)));
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
  }
  cudaStreamDestroy(stream);
  cudaFree(x);
  cudaFree(y);
}
