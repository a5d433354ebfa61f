// The row after the last one of the tile is in the block's next array.
__global__ void add_next_row(const float* in, float* out) {
  __shared__ float tile[16][16];
  __shared__ float edge[16];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 16 + x];
  if (y == 0) edge[x] = 1;
  __syncthreads();
  out[y * 16 + x] = tile[y + 1][x] + edge[x];  // expect: out-of-bounds
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 1024);
  cudaMalloc(&out, 1024);
  cudaMemset(in, 0, 1024);
  add_next_row<<<1, dim3(16, 16)>>>(in, out);
  cudaDeviceSynchronize();
}
