// __block_size__: kernels that promise the shape of their block, and those whose grid counts
// clusters.
#include <cooperative_groups.h>

#include <cstdio>
namespace cg = cooperative_groups;
__global__ __block_size__((64, 2, 1)) void wide(int* out) {
  out[(blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] =
      gridDim.x * 1000 + blockDim.y;
}
__global__ __block_size__((32, 1, 1), (2, 1, 1)) void paired(int* out) {
  __shared__ int rank;
  const auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) rank = cluster.block_rank() + 1;
  cluster.sync();
  const int other = *cluster.map_shared_rank(&rank, cluster.block_rank() ^ 1);
  out[blockIdx.x * 32 + threadIdx.x] = other * 1000 + gridDim.x * 10 + gridDim.y;
  cluster.sync();
}
__global__ __launch_bounds__(128, 2, 4) void bounded(int* out) { out[blockIdx.x] = 1; }

int* out;
void show(const char* what) {
  const cudaError_t launched = cudaGetLastError(), ran = cudaDeviceSynchronize();
  int values[512];
  cudaMemcpy(values, out, sizeof values, cudaMemcpyDefault);
  unsigned sum = 0;
  for (int value : values) sum = sum * 31 + value;
  printf("%s: %s %s %d %d %08x\n", what, cudaGetErrorName(launched), cudaGetErrorName(ran),
         values[0], values[127], sum);
  cudaMemset(out, 0, sizeof values);
}

int main() {
  cudaMalloc(&out, 2048);
  cudaMemset(out, 0, 2048);
  wide<<<2, dim3(64, 2)>>>(out);
  show("as it says");
  wide<<<2>>>(out);
  show("no block");
  wide<<<2, 1>>>(out);
  show("a block of one");
  wide<<<2, 128>>>(out);  // expect: launch-configuration
  show("as many in one row");
  wide<<<2, dim3(32, 2)>>>(out);  // expect: launch-configuration
  show("narrower");
  paired<<<2, 32>>>(out);
  show("two pairs");
  paired<<<3>>>(out);
  show("three pairs, no block");
  paired<<<dim3(1, 2), 32>>>(out);
  show("pairs in y");
  paired<<<2, 64>>>(out);  // expect: launch-configuration
  show("wider");
  bounded<<<1, 129>>>(out);  // expect: launch-configuration
  show("above bounds");
  cudaLaunchConfig_t config = {};
  config.gridDim = 2;
  config.blockDim = 32;
  cudaLaunchKernelEx(&config, paired, out);
  show("by a configuration");
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 1, 1};
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, paired, out);
  show("with its cluster");
  int clusters = -1;
  const cudaError_t asked = cudaOccupancyMaxActiveClusters(&clusters, paired, &config);
  printf("%s %d\n", cudaGetErrorName(asked), clusters > 0);
  cudaFuncAttributes found;
  cudaFuncGetAttributes(&found, wide);
  printf("%d %d %d\n", found.maxThreadsPerBlock, found.requiredClusterWidth,
         found.clusterDimMustBeSet);
  cudaFuncGetAttributes(&found, paired);
  printf("%d %d %d\n", found.maxThreadsPerBlock, found.requiredClusterWidth,
         found.clusterDimMustBeSet);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  paired<<<2, 32, 0, stream>>>(out);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphNode_t node;
  size_t one = 1;
  cudaGraphGetNodes(graph, &node, &one);
  cudaKernelNodeParams params;
  cudaGraphKernelNodeGetParams(node, &params);
  printf("%u %u\n", params.gridDim.x, params.blockDim.x);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  show("in a graph");
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(out);
}
