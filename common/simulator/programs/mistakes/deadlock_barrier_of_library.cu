// The barrier counts one thread more than the block has; its wait looks at a clock now and then.
#include <cuda/barrier>

__global__ void meet(int* out) {
  __shared__ alignas(8) unsigned char bytes[sizeof(cuda::barrier<cuda::thread_scope_block>)];
  auto& barrier = *reinterpret_cast<cuda::barrier<cuda::thread_scope_block>*>(bytes);
  if (threadIdx.x == 0) init(&barrier, blockDim.x + 1);
  __syncthreads();
  barrier.arrive_and_wait();  // expect: deadlock
  out[threadIdx.x] = 1;
}

int main() {
  int* out;
  cudaMalloc(&out, 4096);
  meet<<<1, 1024>>>(out);
  cudaDeviceSynchronize();
}
