// Conway's Game of Life with a halo in shared memory, and rule 110 with a word of 32 cells per
// thread.
#include <cstdio>
#include <cstring>

#define W 48
#define H 32

__global__ void life(const unsigned char* in, unsigned char* out) {
  __shared__ unsigned char tile[10][18];
  int bx = blockIdx.x * 16, by = blockIdx.y * 8;
  for (int i = threadIdx.y * 16 + threadIdx.x; i < 180; i += 128) {
    int x = (bx + i % 18 - 1 + W) % W, y = (by + i / 18 - 1 + H) % H;
    tile[i / 18][i % 18] = in[y * W + x];
  }
  __syncthreads();
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1, n = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx || dy) n += tile[ty + dy][tx + dx];
  out[(by + ty - 1) * W + bx + tx - 1] = n == 3 || (n == 2 && tile[ty][tx]);
}

__global__ void rule110(unsigned* rows, int words, int steps) {
  extern __shared__ unsigned cells[];
  int t = threadIdx.x;
  unsigned v = t == words - 1 ? 1u : 0u;
  for (int s = 0; s < steps; s++) {
    rows[s * words + t] = v;
    cells[t] = v;
    __syncthreads();
    unsigned before = t ? cells[t - 1] : 0, after = t + 1 < words ? cells[t + 1] : 0;
    unsigned left = __funnelshift_r(v, before, 1), right = __funnelshift_l(after, v, 1);
    v = (v | right) & ~(left & v & right);
    __syncthreads();
  }
}

int main() {
  static unsigned char grid[H * W];
  for (int i = 0; i < 3; i++) grid[(i == 0 ? 0 : i) * W + (i == 0 ? 1 : 2)] = 1;
  grid[2 * W] = grid[2 * W + 1] = 1;
  for (int i = 0; i < 150; i++) grid[(15 + i * i % 11) * W + 20 + i * 7 % 23] ^= 1;
  unsigned char *a, *b;
  cudaMalloc(&a, sizeof grid);
  cudaMalloc(&b, sizeof grid);
  cudaMemcpy(a, grid, sizeof grid, cudaMemcpyHostToDevice);
  for (int g = 0; g < 20; g++) {
    life<<<dim3(W / 16, H / 8), dim3(16, 8)>>>(a, b);
    unsigned char* t = a;
    a = b;
    b = t;
  }
  cudaMemcpy(grid, a, sizeof grid, cudaMemcpyDeviceToHost);
  for (int y = 0; y < H; y++) {
    for (int x = 0; x < W; x++) putchar(grid[y * W + x] ? '#' : '.');
    putchar('\n');
  }
  unsigned *rows, host[20 * 3];
  cudaMalloc(&rows, sizeof host);
  rule110<<<1, 3, 3 * sizeof(unsigned)>>>(rows, 3, 20);
  cudaMemcpy(host, rows, sizeof host, cudaMemcpyDeviceToHost);
  for (int s = 0; s < 20; s++)
    printf("%08x%08x%08x\n", host[s * 3], host[s * 3 + 1], host[s * 3 + 2]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(rows);
  return 0;
}
