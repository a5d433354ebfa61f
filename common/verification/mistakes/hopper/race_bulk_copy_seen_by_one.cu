// Thread 0 waits at the mbarrier for a copy in bulk. The others read the tile without having
// waited, and nothing orders them after thread 0: on a GPU they may come before the bytes.
__device__ unsigned address_of(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

__device__ void wait(unsigned long long* barrier, int parity) {
  asm volatile(
      "{\n.reg .pred done;\nagain:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n}" ::"r"(address_of(barrier)),
      "r"(parity)
      : "memory");
}

__global__ void reverse(const int* x, int* y, bool meet) {
  __shared__ alignas(128) int tile[128];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address_of(&full)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" ::"r"(address_of(&full))
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 512, "
        "[%2];" ::"r"(address_of(tile)),
        "l"(x), "r"(address_of(&full))
        : "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) wait(&full, 0);
  if (meet) __syncthreads();
  y[threadIdx.x] = tile[127 - threadIdx.x];  // expect: race
}

int main() {
  int host[128], *x, *y;
  for (int i = 0; i < 128; ++i) host[i] = i;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&y, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  reverse<<<1, 128>>>(x, y, true);
  reverse<<<1, 128>>>(x, y, false);
  cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
  return host[0] != 127;
}
