// A tile is transposed, but for its indices: words that no thread has filled go as they are to
// global memory.
constexpr int side = 32;

__global__ void transpose(const int* in, int* out, int width, int height) {
  __shared__ int tile[side][side + 1];
  const int x = blockIdx.x * side + threadIdx.x, y = blockIdx.y * side + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  if (x < height && y < width)
    out[y * height + x] = tile[threadIdx.y][threadIdx.x];  // expect: uninitialized
}

int main() {
  const int width = 20, height = 30;
  int *in, *out, host[width * height] = {};
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  transpose<<<1, dim3(side, side)>>>(in, out, width, height);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
}
