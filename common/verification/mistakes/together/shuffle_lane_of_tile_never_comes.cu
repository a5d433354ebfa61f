// A shuffle of a tile, a function of the toolkit, in a branch that some lanes of the tile do not
// take.
#include <cooperative_groups.h>

__global__ void sum(const int* in, int* out) {
  const auto block = cooperative_groups::this_thread_block();
  const auto tile = cooperative_groups::tiled_partition<16>(block);
  int v = in[block.thread_rank()];
  if (tile.thread_rank() < 9) v += tile.shfl_down(v, 4);  // expect: invalid-shuffle
  tile.sync();
  out[block.thread_rank()] = v;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128);
  cudaMalloc(&out, 128);
  cudaMemset(in, 0, 128);
  sum<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
