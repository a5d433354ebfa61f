// Typical wrong answers to 05_swizzle_pairs. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= in_rows: right, but the elements of a column lie in one pair of banks
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int from = blockIdx.y * 32 + k;
    if (from < rows && column < columns) {
      tile[k * 32 + threadIdx.x] = x[from * columns + column];
    }
  }
  __syncthreads();  // A column was written by all warps.
  const int row = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int to = blockIdx.x * 32 + k;
    if (to < columns && row < rows) {
      y[to * rows + row] = tile[threadIdx.x * 32 + k];  // expect: gate conflicts
    }
  }

//= padded: a row of 33 elements does not fit the tile
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int from = blockIdx.y * 32 + k;
    if (from < rows && column < columns) {
      tile[k * 33 + threadIdx.x] = x[from * columns + column];  // expect: out-of-bounds
    }
  }
  __syncthreads();  // A column was written by all warps.
  const int row = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int to = blockIdx.x * 32 + k;
    if (to < columns && row < rows) {
      y[to * rows + row] = tile[threadIdx.x * 33 + k];
    }
  }

//= in_columns: right, and the loads are free of conflicts, but now the stores are not
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int from = blockIdx.y * 32 + k;
    if (from < rows && column < columns) {
      tile[threadIdx.x * 32 + k] = x[from * columns + column];  // expect: gate conflicts
    }
  }
  __syncthreads();  // A column was written by all warps.
  const int row = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int to = blockIdx.x * 32 + k;
    if (to < columns && row < rows) {
      y[to * rows + row] = tile[k * 32 + threadIdx.x];
    }
  }

//= three_bits: right, but there are only eight different orders, so that two lanes meet
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int from = blockIdx.y * 32 + k;
    if (from < rows && column < columns) {
      tile[k * 32 + (threadIdx.x ^ (k & 7))] = x[from * columns + column];
    }
  }
  __syncthreads();  // A column was written by all warps.
  const int row = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int to = blockIdx.x * 32 + k;
    if (to < columns && row < rows) {
      y[to * rows + row] = tile[threadIdx.x * 32 + (k ^ (threadIdx.x & 7))];  // expect: gate conflicts
    }
  }

//= half_of_the_rows: right, but two neighbouring rows have the same order
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int from = blockIdx.y * 32 + k;
    if (from < rows && column < columns) {
      tile[k * 32 + (threadIdx.x ^ (k / 2))] = x[from * columns + column];
    }
  }
  __syncthreads();  // A column was written by all warps.
  const int row = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int to = blockIdx.x * 32 + k;
    if (to < columns && row < rows) {
      y[to * rows + row] = tile[threadIdx.x * 32 + (k ^ (threadIdx.x / 2))];  // expect: gate conflicts
    }
  }

//= one_side_only: stored in the new order, looked for in the old one
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int from = blockIdx.y * 32 + k;
    const bool inside = from < rows && column < columns;
    tile[k * 32 + (threadIdx.x ^ k)] = inside ? x[from * columns + column] : make_float2(0, 0);
  }
  __syncthreads();  // A column was written by all warps.
  const int row = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int to = blockIdx.x * 32 + k;
    if (to < columns && row < rows) {
      y[to * rows + row] = tile[threadIdx.x * 32 + k];  // expect: wrong result
    }
  }

//= no_barrier: a column is read before all warps have written it
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int from = blockIdx.y * 32 + k;
    if (from < rows && column < columns) {
      tile[k * 32 + (threadIdx.x ^ k)] = x[from * columns + column];  // expect: race
    }
  }
  const int row = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int to = blockIdx.x * 32 + k;
    if (to < columns && row < rows) {
      y[to * rows + row] = tile[threadIdx.x * 32 + (k ^ threadIdx.x)];
    }
  }

//= same_corner: the tile is stored at the corner that it came from
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int from = blockIdx.y * 32 + k;
    if (from < rows && column < columns) {
      tile[k * 32 + (threadIdx.x ^ k)] = x[from * columns + column];
    }
  }
  __syncthreads();  // A column was written by all warps.
  const int row = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int to = blockIdx.y * 32 + k;
    if (to < columns && row < rows) {
      y[to * rows + row] = tile[threadIdx.x * 32 + (k ^ threadIdx.x)];  // expect: wrong result
    }
  }

//= no_guard: the tiles at the edges are loaded past the end of x
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int from = blockIdx.y * 32 + k;
    if (from < rows || column < columns) {
      tile[k * 32 + (threadIdx.x ^ k)] = x[from * columns + column];  // expect: out-of-bounds
    }
  }
  __syncthreads();  // A column was written by all warps.
  const int row = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int to = blockIdx.x * 32 + k;
    if (to < columns && row < rows) {
      y[to * rows + row] = tile[threadIdx.x * 32 + (k ^ threadIdx.x)];
    }
  }

//= straight_through: right, but neighbouring threads store a row apart
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int row = blockIdx.y * 32 + k;
    if (row < rows && column < columns) {
      y[column * rows + row] = x[row * columns + column];  // expect: gate stores
    }
  }
  if (rows < 0) y[0] = tile[0];

//= own_tile: right, but it is a padded tile of its own that keeps the banks apart
  __shared__ float2 padded[32][33];  // expect: gate room
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int from = blockIdx.y * 32 + k;
    if (from < rows && column < columns) padded[k][threadIdx.x] = x[from * columns + column];
  }
  __syncthreads();
  const int row = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int to = blockIdx.x * 32 + k;
    if (to < columns && row < rows) y[to * rows + row] = padded[threadIdx.x][k];
  }

//= half_of_the_block: right, but half of the block is idle
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32 && threadIdx.y < 4; k += 4) {
    const int from = blockIdx.y * 32 + k;
    if (from < rows && column < columns) {
      tile[k * 32 + (threadIdx.x ^ k)] = x[from * columns + column];
    }
  }
  __syncthreads();
  const int row = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32 && threadIdx.y < 4; k += 4) {
    const int to = blockIdx.x * 32 + k;
    if (to < columns && row < rows) {
      y[to * rows + row] = tile[threadIdx.x * 32 + (k ^ threadIdx.x)];  // expect: gate threads
    }
  }

//= two_planes: right: the tile as two planes of floats, with as many wavefronts
  float* const re = reinterpret_cast<float*>(tile);
  float* const im = re + 1024;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int from = blockIdx.y * 32 + k;
    if (from >= rows || column >= columns) continue;
    const float2 value = x[from * columns + column];
    re[k * 32 + (threadIdx.x ^ k)] = value.x;
    im[k * 32 + (threadIdx.x ^ k)] = value.y;
  }
  __syncthreads();
  const int row = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int to = blockIdx.x * 32 + k;
    const int at = threadIdx.x * 32 + (k ^ threadIdx.x);
    if (to < columns && row < rows) y[to * rows + row] = make_float2(re[at], im[at]);  // expect: pass
  }
