// Typical wrong answers to 10_two_by_two. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= one_after_another: right, but each product reads two numbers
  __shared__ float tile_a[16][34], tile_b[16][34];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32, column = blockIdx.x * 32;
  float sum[4] = {};
  for (int first = 0; first < length; first += 16) {
    for (int r = ty; r < 32; r += 16) {
      const int k = first + tx;
      const bool in_a = row + r < m && k < length, in_b = column + r < n && k < length;
      tile_a[tx][r] = in_a ? a[static_cast<size_t>(row + r) * length + k] : 0;
      tile_b[tx][r] = in_b ? b[static_cast<size_t>(column + r) * length + k] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int q = 0; q < 4; ++q) {
#pragma unroll 1
      for (int k = 0; k < 16; ++k) {
        const float d = tile_a[k][ty + q / 2 * 16] - tile_b[k][tx + q % 2 * 16];  // expect: gate wavefronts
        sum[q] += d * d;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int q = 0; q < 4; ++q) {
    const int i = row + ty + q / 2 * 16, j = column + tx + q % 2 * 16;
    if (i < m && j < n) y[static_cast<size_t>(i) * n + j] = sum[q];
  }

//= one_column: right, but four results in a column share one number
  __shared__ float tile_a[16][34], tile_b[16][34];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32, column = blockIdx.x * 32;
  const int lane = (ty * 16 + tx) % 32, up = (ty * 16 + tx) / 32;
  float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (int first = 0; first < length; first += 16) {
    for (int r = ty; r < 32; r += 16) {
      const int k = first + tx;
      const bool in_a = row + r < m && k < length, in_b = column + r < n && k < length;
      tile_a[tx][r] = in_a ? a[static_cast<size_t>(row + r) * length + k] : 0;
      tile_b[tx][r] = in_b ? b[static_cast<size_t>(column + r) * length + k] : 0;
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      const float b0 = tile_b[k][lane];  // expect: gate wavefronts
      s00 += (tile_a[k][up] - b0) * (tile_a[k][up] - b0);
      s01 += (tile_a[k][up + 8] - b0) * (tile_a[k][up + 8] - b0);
      s10 += (tile_a[k][up + 16] - b0) * (tile_a[k][up + 16] - b0);
      s11 += (tile_a[k][up + 24] - b0) * (tile_a[k][up + 24] - b0);
    }
    __syncthreads();
  }
  const int i = row + up, j = column + lane;
  if (j >= n) return;
  if (i < m) y[static_cast<size_t>(i) * n + j] = s00;
  if (i + 8 < m) y[static_cast<size_t>(i + 8) * n + j] = s01;
  if (i + 16 < m) y[static_cast<size_t>(i + 16) * n + j] = s10;
  if (i + 24 < m) y[static_cast<size_t>(i + 24) * n + j] = s11;

//= indexed: right, but an index that the compiler does not know needs memory
  __shared__ float tile_a[16][34], tile_b[16][34];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32, column = blockIdx.x * 32;
  float sum[4] = {};
  for (int first = 0; first < length; first += 16) {
    for (int r = ty; r < 32; r += 16) {
      const int k = first + tx;
      const bool in_a = row + r < m && k < length, in_b = column + r < n && k < length;
      tile_a[tx][r] = in_a ? a[static_cast<size_t>(row + r) * length + k] : 0;
      tile_b[tx][r] = in_b ? b[static_cast<size_t>(column + r) * length + k] : 0;
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      const float of_a[2] = {tile_a[k][ty], tile_a[k][ty + 16]};
      const float of_b[2] = {tile_b[k][tx], tile_b[k][tx + 16]};
#pragma unroll 1
      for (int q = 0; q < 4; ++q) {
        const float d = of_a[q / 2] - of_b[q % 2];
        sum[q] += d * d;
      }
    }
    __syncthreads();
  }
  for (int q = 0; q < 4; ++q) {
    const int i = row + ty + q / 2 * 16, j = column + tx + q % 2 * 16;
    if (i < m && j < n) y[static_cast<size_t>(i) * n + j] = sum[q];  // expect: gate registers
  }

//= one_barrier: a fast warp overwrites tiles that others still read
  __shared__ float tile_a[16][34], tile_b[16][34];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32, column = blockIdx.x * 32;
  float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (int first = 0; first < length; first += 16) {
    for (int r = ty; r < 32; r += 16) {
      const int k = first + tx;
      const bool in_a = row + r < m && k < length, in_b = column + r < n && k < length;
      tile_a[tx][r] = in_a ? a[static_cast<size_t>(row + r) * length + k] : 0;  // expect: race
      tile_b[tx][r] = in_b ? b[static_cast<size_t>(column + r) * length + k] : 0;
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      const float a0 = tile_a[k][ty], a1 = tile_a[k][ty + 16];
      const float b0 = tile_b[k][tx], b1 = tile_b[k][tx + 16];
      s00 += (a0 - b0) * (a0 - b0);
      s01 += (a0 - b1) * (a0 - b1);
      s10 += (a1 - b0) * (a1 - b0);
      s11 += (a1 - b1) * (a1 - b1);
    }
  }
  const int i0 = row + ty, i1 = row + ty + 16, j0 = column + tx, j1 = column + tx + 16;
  if (i0 < m && j0 < n) y[static_cast<size_t>(i0) * n + j0] = s00;
  if (i0 < m && j1 < n) y[static_cast<size_t>(i0) * n + j1] = s01;
  if (i1 < m && j0 < n) y[static_cast<size_t>(i1) * n + j0] = s10;
  if (i1 < m && j1 < n) y[static_cast<size_t>(i1) * n + j1] = s11;

//= edge_not_zeroed: what is past the edge keeps what it was
  __shared__ float tile_a[16][34], tile_b[16][34];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32, column = blockIdx.x * 32;
  float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (int first = 0; first < length; first += 16) {
    for (int r = ty; r < 32; r += 16) {
      const int k = first + tx;
      const bool in_a = row + r < m && k < length, in_b = column + r < n && k < length;
      if (in_a) tile_a[tx][r] = a[static_cast<size_t>(row + r) * length + k];
      if (in_b) tile_b[tx][r] = b[static_cast<size_t>(column + r) * length + k];
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      const float a0 = tile_a[k][ty], a1 = tile_a[k][ty + 16];  // expect: uninitialized
      const float b0 = tile_b[k][tx], b1 = tile_b[k][tx + 16];
      s00 += (a0 - b0) * (a0 - b0);
      s01 += (a0 - b1) * (a0 - b1);
      s10 += (a1 - b0) * (a1 - b0);
      s11 += (a1 - b1) * (a1 - b1);
    }
    __syncthreads();
  }
  const int i0 = row + ty, i1 = row + ty + 16, j0 = column + tx, j1 = column + tx + 16;
  if (i0 < m && j0 < n) y[static_cast<size_t>(i0) * n + j0] = s00;
  if (i0 < m && j1 < n) y[static_cast<size_t>(i0) * n + j1] = s01;
  if (i1 < m && j0 < n) y[static_cast<size_t>(i1) * n + j0] = s10;
  if (i1 < m && j1 < n) y[static_cast<size_t>(i1) * n + j1] = s11;

//= neighbours: right, but a thread stores two neighbouring columns one by one
  __shared__ float tile_a[16][34], tile_b[16][34];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32, column = blockIdx.x * 32;
  float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (int first = 0; first < length; first += 16) {
    for (int r = ty; r < 32; r += 16) {
      const int k = first + tx;
      const bool in_a = row + r < m && k < length, in_b = column + r < n && k < length;
      tile_a[tx][r] = in_a ? a[static_cast<size_t>(row + r) * length + k] : 0;
      tile_b[tx][r] = in_b ? b[static_cast<size_t>(column + r) * length + k] : 0;
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      const float a0 = tile_a[k][ty], a1 = tile_a[k][ty + 16];
      const float b0 = tile_b[k][2 * tx], b1 = tile_b[k][2 * tx + 1];
      s00 += (a0 - b0) * (a0 - b0);
      s01 += (a0 - b1) * (a0 - b1);
      s10 += (a1 - b0) * (a1 - b0);
      s11 += (a1 - b1) * (a1 - b1);
    }
    __syncthreads();
  }
  const int i0 = row + ty, i1 = row + ty + 16, j0 = column + 2 * tx, j1 = column + 2 * tx + 1;
  if (i0 < m && j0 < n) y[static_cast<size_t>(i0) * n + j0] = s00;  // expect: gate stores
  if (i0 < m && j1 < n) y[static_cast<size_t>(i0) * n + j1] = s01;
  if (i1 < m && j0 < n) y[static_cast<size_t>(i1) * n + j0] = s10;
  if (i1 < m && j1 < n) y[static_cast<size_t>(i1) * n + j1] = s11;

//= pitch_32: right, but 16 numbers that are stored together are in one bank
  __shared__ float tile_a[16][32], tile_b[16][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32, column = blockIdx.x * 32;
  float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (int first = 0; first < length; first += 16) {
    for (int r = ty; r < 32; r += 16) {
      const int k = first + tx;
      const bool in_a = row + r < m && k < length, in_b = column + r < n && k < length;
      tile_a[tx][r] = in_a ? a[static_cast<size_t>(row + r) * length + k] : 0;  // expect: gate conflicts
      tile_b[tx][r] = in_b ? b[static_cast<size_t>(column + r) * length + k] : 0;
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      const float a0 = tile_a[k][ty], a1 = tile_a[k][ty + 16];
      const float b0 = tile_b[k][tx], b1 = tile_b[k][tx + 16];
      s00 += (a0 - b0) * (a0 - b0);
      s01 += (a0 - b1) * (a0 - b1);
      s10 += (a1 - b0) * (a1 - b0);
      s11 += (a1 - b1) * (a1 - b1);
    }
    __syncthreads();
  }
  const int i0 = row + ty, i1 = row + ty + 16, j0 = column + tx, j1 = column + tx + 16;
  if (i0 < m && j0 < n) y[static_cast<size_t>(i0) * n + j0] = s00;
  if (i0 < m && j1 < n) y[static_cast<size_t>(i0) * n + j1] = s01;
  if (i1 < m && j0 < n) y[static_cast<size_t>(i1) * n + j0] = s10;
  if (i1 < m && j1 < n) y[static_cast<size_t>(i1) * n + j1] = s11;

//= no_tile: right, but every thread loads its rows itself
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32, column = blockIdx.x * 32;
  __shared__ float unused[16];
  unused[tx] = 0;
  float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  const float *pa0 = a + static_cast<size_t>(min(row + ty, m - 1)) * length;
  const float *pa1 = a + static_cast<size_t>(min(row + ty + 16, m - 1)) * length;
  const float *pb0 = b + static_cast<size_t>(min(column + tx, n - 1)) * length;
  const float *pb1 = b + static_cast<size_t>(min(column + tx + 16, n - 1)) * length;
  for (int k = 0; k < length; ++k) {
    const float a0 = pa0[k], a1 = pa1[k], b0 = pb0[k], b1 = pb1[k];  // expect: gate wavefronts
    s00 += (a0 - b0) * (a0 - b0);
    s01 += (a0 - b1) * (a0 - b1);
    s10 += (a1 - b0) * (a1 - b0);
    s11 += (a1 - b1) * (a1 - b1);
  }
  const int i0 = row + ty, i1 = row + ty + 16, j0 = column + tx, j1 = column + tx + 16;
  if (i0 < m && j0 < n) y[static_cast<size_t>(i0) * n + j0] = s00;
  if (i0 < m && j1 < n) y[static_cast<size_t>(i0) * n + j1] = s01;
  if (i1 < m && j0 < n) y[static_cast<size_t>(i1) * n + j0] = s10;
  if (i1 < m && j1 < n) y[static_cast<size_t>(i1) * n + j1] = s11;

//= rows_exchanged: the second row is a neighbour in the tile and 16 away in the result
  __shared__ float tile_a[16][34], tile_b[16][34];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32, column = blockIdx.x * 32;
  float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (int first = 0; first < length; first += 16) {
    for (int r = ty; r < 32; r += 16) {
      const int k = first + tx;
      const bool in_a = row + r < m && k < length, in_b = column + r < n && k < length;
      tile_a[tx][r] = in_a ? a[static_cast<size_t>(row + r) * length + k] : 0;
      tile_b[tx][r] = in_b ? b[static_cast<size_t>(column + r) * length + k] : 0;
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      const float a0 = tile_a[k][2 * ty], a1 = tile_a[k][2 * ty + 1];
      const float b0 = tile_b[k][tx], b1 = tile_b[k][tx + 16];
      s00 += (a0 - b0) * (a0 - b0);
      s01 += (a0 - b1) * (a0 - b1);
      s10 += (a1 - b0) * (a1 - b0);
      s11 += (a1 - b1) * (a1 - b1);
    }
    __syncthreads();
  }
  const int i0 = row + ty, i1 = row + ty + 16, j0 = column + tx, j1 = column + tx + 16;
  if (i0 < m && j0 < n) y[static_cast<size_t>(i0) * n + j0] = s00;  // expect: wrong result
  if (i0 < m && j1 < n) y[static_cast<size_t>(i0) * n + j1] = s01;
  if (i1 < m && j0 < n) y[static_cast<size_t>(i1) * n + j0] = s10;
  if (i1 < m && j1 < n) y[static_cast<size_t>(i1) * n + j1] = s11;

//= pitch_33: right: one conflict per request is allowed
  __shared__ float tile_a[16][33], tile_b[16][33];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32, column = blockIdx.x * 32;
  float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (int first = 0; first < length; first += 16) {
    for (int r = ty; r < 32; r += 16) {
      const int k = first + tx;
      const bool in_a = row + r < m && k < length, in_b = column + r < n && k < length;
      tile_a[tx][r] = in_a ? a[static_cast<size_t>(row + r) * length + k] : 0;
      tile_b[tx][r] = in_b ? b[static_cast<size_t>(column + r) * length + k] : 0;
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      const float a0 = tile_a[k][ty], a1 = tile_a[k][ty + 16];
      const float b0 = tile_b[k][tx], b1 = tile_b[k][tx + 16];
      s00 += (a0 - b0) * (a0 - b0);  // expect: pass
      s01 += (a0 - b1) * (a0 - b1);
      s10 += (a1 - b0) * (a1 - b0);
      s11 += (a1 - b1) * (a1 - b1);
    }
    __syncthreads();
  }
  const int i0 = row + ty, i1 = row + ty + 16, j0 = column + tx, j1 = column + tx + 16;
  if (i0 < m && j0 < n) y[static_cast<size_t>(i0) * n + j0] = s00;
  if (i0 < m && j1 < n) y[static_cast<size_t>(i0) * n + j1] = s01;
  if (i1 < m && j0 < n) y[static_cast<size_t>(i1) * n + j0] = s10;
  if (i1 < m && j1 < n) y[static_cast<size_t>(i1) * n + j1] = s11;

//= one_block: right, but the first block does everything
  __shared__ float tile_a[16][34], tile_b[16][34];
  const int tx = threadIdx.x, ty = threadIdx.y;
  if (blockIdx.x > 0 || blockIdx.y > 0) return;
  for (int row = 0; row < m; row += 32) {
    for (int column = 0; column < n; column += 32) {
      float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
      for (int first = 0; first < length; first += 16) {
        for (int r = ty; r < 32; r += 16) {
          const int k = first + tx;
          const bool in_a = row + r < m && k < length, in_b = column + r < n && k < length;
          tile_a[tx][r] = in_a ? a[static_cast<size_t>(row + r) * length + k] : 0;
          tile_b[tx][r] = in_b ? b[static_cast<size_t>(column + r) * length + k] : 0;
        }
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
          const float a0 = tile_a[k][ty], a1 = tile_a[k][ty + 16];
          const float b0 = tile_b[k][tx], b1 = tile_b[k][tx + 16];
          s00 += (a0 - b0) * (a0 - b0);
          s01 += (a0 - b1) * (a0 - b1);
          s10 += (a1 - b0) * (a1 - b0);
          s11 += (a1 - b1) * (a1 - b1);
        }
        __syncthreads();
      }
      const int i0 = row + ty, i1 = row + ty + 16, j0 = column + tx, j1 = column + tx + 16;
      if (i0 < m && j0 < n) y[static_cast<size_t>(i0) * n + j0] = s00;  // expect: gate threads
      if (i0 < m && j1 < n) y[static_cast<size_t>(i0) * n + j1] = s01;
      if (i1 < m && j0 < n) y[static_cast<size_t>(i1) * n + j0] = s10;
      if (i1 < m && j1 < n) y[static_cast<size_t>(i1) * n + j1] = s11;
    }
  }
