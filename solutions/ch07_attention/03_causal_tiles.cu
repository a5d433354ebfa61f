// Exercise 03_causal_tiles: sums over the keys up to the diagonal, tile by tile.
//
//   y[i] = sum over j <= i of (q[i] . k[j]) v[j]
//
// q, k, v, y: T rows of 32 floats, row-major, in device memory. A block has 32 queries; load_tile
// brings 32 rows of k or v to shared memory, rows past T as zeros. Yours is the loop: which tiles,
// which scores count, where the barriers are. The launch is fixed:
//   blockDim = (32, 32): threadIdx.y is the query of the tile, threadIdx.x a key of it or a column
//   gridDim  = T / 32, rounded up
// Every T must work. Tiles in which no score counts must not be loaded.
// Build and check it: ./learn run ch07/03
using Tile = float[32][33];

/// Brings rows first to first + 31 to shared memory, a float per thread.
__device__ void load_tile(Tile& tile, const float* rows, int first, int T) {
  const int row = first + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = row < T ? rows[row * 32 + threadIdx.x] : 0.0F;
}

/// The product of the thread's query (threadIdx.y) and key (threadIdx.x).
__device__ float score_of(const Tile& q_tile, const Tile& k_tile) {
  float sum = 0;
  for (int i = 0; i < 32; ++i) sum += q_tile[threadIdx.y][i] * k_tile[threadIdx.x][i];
  return sum;
}

/// The query's scores times column threadIdx.x of the values.
__device__ float weighted_sum(const Tile& scores, const Tile& v_tile) {
  float sum = 0;
  for (int key = 0; key < 32; ++key) sum += scores[threadIdx.y][key] * v_tile[key][threadIdx.x];
  return sum;
}

__global__ void causal_tiles(const float* q, const float* k, const float* v, float* y, int T) {
  __shared__ Tile q_tile, k_tile, v_tile, scores;
  const int first_query = blockIdx.x * 32, query = first_query + threadIdx.y;
  load_tile(q_tile, q, first_query, T);
  float sum = 0;
  const int lane = threadIdx.x;
  int first_key = 0;  // of the tile at hand
  // BEGIN YOUR CODE
  for (; first_key <= first_query; first_key += 32) {
    load_tile(k_tile, k, first_key, T);
    load_tile(v_tile, v, first_key, T);
    __syncthreads();
    const float score = score_of(q_tile, k_tile);
    const bool counts = first_key + lane <= query;
    scores[threadIdx.y][threadIdx.x] = counts ? score : 0;
    __syncthreads();
    sum += weighted_sum(scores, v_tile);
    __syncthreads();
  }
  // END YOUR CODE
  if (query < T) y[query * 32 + threadIdx.x] = sum;
}
