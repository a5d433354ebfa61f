// Exercise 02_fragment_map: put what a warp holds after a product where it belongs.
//
// C is M x N floats, cut into tiles of 16 x 8. For each tile `held` has what the 32 lanes of a warp
// hold after mma.sync with shape m16n8k16: four floats of lane 0, four of lane 1, ... Tiles follow
// each other along the rows of C: tile (m, n) is number m * (N / 8, rounded up) + n. Tiles at the
// right and lower edges reach beyond C; those floats belong nowhere. A lane loads its four floats
// at once: 16 sectors for each tile.
//
// One warp takes one tile:
//   blockDim = 32
//   gridDim  = (N / 8, M / 16), both rounded up
// Build and check it: ./learn run ch06/02
__global__ void fragment_map(const float* held, float* c, int M, int N) {
  // BEGIN YOUR CODE
  const int lane = threadIdx.x;
  const int tile = blockIdx.y * gridDim.x + blockIdx.x;
  const float4 own = reinterpret_cast<const float4*>(held)[tile * 32 + lane];

  const int row = blockIdx.y * 16 + lane / 4;
  const int column = blockIdx.x * 8 + lane % 4 * 2;
  for (int i = 0; i < 2; ++i) {
    if (row >= M || column + i >= N) continue;
    c[static_cast<size_t>(row) * N + column + i] = i == 0 ? own.x : own.y;
    if (row + 8 < M) c[static_cast<size_t>(row + 8) * N + column + i] = i == 0 ? own.z : own.w;
  }
  // END YOUR CODE
}
