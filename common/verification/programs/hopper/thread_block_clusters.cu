// Clusters: ranks, distributed shared memory, remote atomics, split barriers, launch attributes.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

// Every block holds a part of the bins; threads add to the part that owns the bin.
template <int kBins>
__global__ void histogram(const int* in, int n, int* bins) {
  __shared__ int part[kBins];
  auto cluster = cg::this_cluster();
  const int blocks = cluster.num_blocks();
  for (int i = threadIdx.x; i < kBins; i += blockDim.x) part[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int bin = in[i] % (kBins * blocks);
    int* remote = cluster.map_shared_rank(part, bin / kBins);
    atomicAdd(remote + bin % kBins, 1);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < kBins; i += blockDim.x)
    atomicAdd(&bins[cluster.block_rank() * kBins + i], part[i]);
}

__global__ void __cluster_dims__(4, 1, 1) ring(float* out) {
  __shared__ float value[32];
  auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), lane = threadIdx.x;
  value[lane] = rank * 100.0f + lane;
  for (int step = 0; step < 5; ++step) {
    cluster.sync();
    const float got = *cluster.map_shared_rank(&value[lane], (rank + 1) % cluster.num_blocks());
    cluster.sync();
    const float opposite = value[31 - lane];
    __syncwarp();
    value[lane] = got * 0.5f + opposite * 0.25f;
    __syncthreads();
  }
  out[blockIdx.x * 32 + lane] = value[lane];
  cluster.sync();
}

__global__ void __cluster_dims__(2, 2, 1) facts(unsigned* out) {
  __shared__ unsigned box[4];
  auto cluster = cg::this_cluster();
  unsigned rank, size, x, y, id, mapped;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
  asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(y));
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(id));
  // Write into the box of the block opposite, through a shared::cluster address.
  const unsigned own = (unsigned)__cvta_generic_to_shared(&box[rank]);
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(own), "r"(3 - rank));
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(mapped), "r"(1000 + rank) : "memory");
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
  const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
  unsigned* o = out + block * 8;
  o[0] = rank, o[1] = size, o[2] = x * 10 + y, o[3] = id;
  o[4] = box[3 - rank];
  o[5] = cluster.query_shared_rank(cluster.map_shared_rank(box, (rank + 1) % 4));
  o[6] = cluster.dim_blocks().x * 10 + cluster.dim_blocks().y;
  o[7] = cluster.thread_rank() + cluster.num_threads();
  cluster.sync();
}

int main() {
  const int n = 3000;
  int *in, *bins;
  float* values;
  unsigned* words;
  cudaMallocManaged(&in, n * 4), cudaMallocManaged(&bins, 64 * 4);
  cudaMallocManaged(&values, 8 * 32 * 4), cudaMallocManaged(&words, 64 * 4);
  for (int i = 0; i < n; ++i) in[i] = i * i % 1009;
  for (int size : {2, 4, 8}) {
    cudaMemset(bins, 0, 256);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = size, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 8;
    config.blockDim = 64;
    config.attrs = &attribute;
    config.numAttrs = 1;
    printf("%s",
           cudaGetErrorName(cudaLaunchKernelEx(&config, histogram<8>, (const int*)in, n, bins)));
    cudaDeviceSynchronize();
    for (int i = 0; i < 8 * size; ++i) printf(" %d", bins[i]);
    printf("\n");
  }
  ring<<<8, 32>>>(values);
  facts<<<dim3(4, 2), 1>>>(words);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int i = 0; i < 256; i += 15) printf("%a ", values[i]);
  printf("\n");
  for (int i = 0; i < 64; ++i) printf("%u%c", words[i], i % 8 == 7 ? '\n' : ' ');
  cudaFree(in), cudaFree(bins), cudaFree(values), cudaFree(words);
}
