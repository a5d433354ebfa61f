// libcu++ cuda::barrier, cuda::pipeline and memcpy_async.
#include <cooperative_groups.h>

#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <utility>

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void split_arrival(const int* in, int* out, int rounds) {
  __shared__ block_barrier bar;
  __shared__ int s[128];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  int v = in[threadIdx.x];
  for (int r = 0; r < rounds; ++r) {
    s[threadIdx.x] = v;
    auto token = bar.arrive();
    v += r;  // work that needs no one else
    bar.wait(std::move(token));
    v += s[(threadIdx.x + 1) % blockDim.x];
    bar.arrive_and_wait();
  }
  out[threadIdx.x] = v;
}

__global__ void copy_with_barrier(const double* in, double* out, int n) {
  __shared__ block_barrier bar;
  extern __shared__ double tile[];
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  for (int at = 0; at < n; at += blockDim.x) {
    cuda::memcpy_async(block, tile, in + at, sizeof(double) * blockDim.x, bar);
    bar.arrive_and_wait();
    out[at + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x] * 2;
    __syncthreads();
  }
}

template <int kStages>
__global__ void staged(const int* in, int* out, int batches) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ alignas(16) int tiles[kStages][64];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int compute = 0, fetch = 0; compute < batches; ++compute) {
    for (; fetch < batches && fetch < compute + kStages; ++fetch) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tiles[fetch % kStages], in + fetch * 64,
                         cuda::aligned_size_t<16>(64 * sizeof(int)), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = sum * 3 + tiles[compute % kStages][63 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// A pipeline of each thread's own.
__global__ void own_pipeline(const int4* in, int4* out) {
  __shared__ int4 s[64];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&s[threadIdx.x], in + threadIdx.x, cuda::aligned_size_t<16>(16), pipe);
  pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  int4 v = s[threadIdx.x];
  pipe.consumer_release();
  out[threadIdx.x] = make_int4(v.w, v.z, v.y, v.x + 1);
}

int main() {
  int *in, *out;
  double *d_in, *d_out;
  cudaMallocManaged(&in, 1024 * 4);
  cudaMallocManaged(&out, 1024 * 4);
  cudaMallocManaged(&d_in, 256 * 8);
  cudaMallocManaged(&d_out, 256 * 8);
  for (int i = 0; i < 1024; ++i) in[i] = i * 13 % 509;
  for (int i = 0; i < 256; ++i) d_in[i] = i / 8.0;
  auto show = [&](int n) {
    printf("%s:", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < n; ++i) printf(" %d", out[i]);
    printf("\n");
  };
  split_arrival<<<1, 128>>>(in, out, 6);
  show(128);
  copy_with_barrier<<<1, 64, 64 * sizeof(double)>>>(d_in, d_out, 256);
  cudaDeviceSynchronize();
  for (int i = 0; i < 256; i += 9) printf("%g ", d_out[i]);
  printf("\n");
  staged<2><<<1, 64>>>(in, out, 12);
  show(64);
  staged<4><<<1, 64>>>(in, out, 13);
  show(64);
  own_pipeline<<<1, 64>>>((int4*)in, (int4*)out);
  show(64);
  cudaFree(in), cudaFree(out), cudaFree(d_in), cudaFree(d_out);
}
