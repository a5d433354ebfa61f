// Blocks copy tiles of 1040 bytes to global memory in bulk. Side by side they are right; closer
// than that, the end of each tile is where the next begins.
constexpr unsigned tile_bytes = 1040;

__global__ void store_tiles(unsigned char* to, unsigned apart) {
  __shared__ alignas(128) unsigned char tile[tile_bytes];
  for (unsigned i = threadIdx.x; i < tile_bytes; i += blockDim.x) tile[i] = blockIdx.x + 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0) return;
  const auto from = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to + blockIdx.x * apart),
      "r"(from), "r"(tile_bytes)  // expect: race
      : "memory");
  asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
}

int main() {
  unsigned char* to;
  cudaMalloc(&to, 16 * tile_bytes);
  store_tiles<<<16, 64>>>(to, tile_bytes);
  store_tiles<<<16, 64>>>(to, tile_bytes - 16);
  cudaDeviceSynchronize();
  cudaFree(to);
}
