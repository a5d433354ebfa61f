// Typical wrong answers to 04_padded_transpose. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= not_padded: right, but a column of the tile is in one bank
  __shared__ float tile[32][32];
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && column < columns) {
      tile[y][threadIdx.x] = scale[row] * x[static_cast<size_t>(row) * columns + column];
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int column = blockIdx.x * 32 + y, row = blockIdx.y * 32 + threadIdx.x;
    if (column < columns && row < rows) {
      out[static_cast<size_t>(column) * rows + row] = tile[threadIdx.x][y];  // expect: gate conflicts
    }
  }

//= rows_padded: right, but the padding adds a row, not a word to each row
  __shared__ float tile[33][32];
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && column < columns) {
      tile[y][threadIdx.x] = scale[row] * x[static_cast<size_t>(row) * columns + column];
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int column = blockIdx.x * 32 + y, row = blockIdx.y * 32 + threadIdx.x;
    if (column < columns && row < rows) {
      out[static_cast<size_t>(column) * rows + row] = tile[threadIdx.x][y];  // expect: gate conflicts
    }
  }

//= no_barrier: words are read before another warp has written them
  __shared__ float tile[32][33];
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && column < columns) {
      tile[y][threadIdx.x] = scale[row] * x[static_cast<size_t>(row) * columns + column];  // expect: race
    }
  }
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int column = blockIdx.x * 32 + y, row = blockIdx.y * 32 + threadIdx.x;
    if (column < columns && row < rows) {
      out[static_cast<size_t>(column) * rows + row] = tile[threadIdx.x][y];
    }
  }

//= no_tile: right, but each warp stores down a column of out
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && column < columns) {
      out[static_cast<size_t>(column) * rows + row] =  // expect: gate stores
          scale[row] * x[static_cast<size_t>(row) * columns + column];
    }
  }

//= guards_exchanged: the second guard compares rows with columns
  __shared__ float tile[32][33];
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && column < columns) {
      tile[y][threadIdx.x] = scale[row] * x[static_cast<size_t>(row) * columns + column];
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int column = blockIdx.x * 32 + y, row = blockIdx.y * 32 + threadIdx.x;
    if (column < rows && row < columns) {
      out[static_cast<size_t>(column) * rows + row] = tile[threadIdx.x][y];  // expect: race
    }
  }

//= scale_of_column: the factor of the column in place of the row
  __shared__ float tile[32][33];
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && column < columns) {
      tile[y][threadIdx.x] = scale[column] *  // expect: out-of-bounds
          x[static_cast<size_t>(row) * columns + column];
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int column = blockIdx.x * 32 + y, row = blockIdx.y * 32 + threadIdx.x;
    if (column < columns && row < rows) {
      out[static_cast<size_t>(column) * rows + row] = tile[threadIdx.x][y];
    }
  }

//= not_turned: the tile is read as it was written
  __shared__ float tile[32][33];
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && column < columns) {
      tile[y][threadIdx.x] = scale[row] * x[static_cast<size_t>(row) * columns + column];
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int column = blockIdx.x * 32 + y, row = blockIdx.y * 32 + threadIdx.x;
    if (column < columns && row < rows) {
      out[static_cast<size_t>(column) * rows + row] = tile[y][threadIdx.x];  // expect: wrong result
    }
  }

//= padded_by_three: right: any odd length of a row will do
  __shared__ float tile[32][35];
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && column < columns) {
      tile[y][threadIdx.x] = scale[row] * x[static_cast<size_t>(row) * columns + column];
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int column = blockIdx.x * 32 + y, row = blockIdx.y * 32 + threadIdx.x;
    if (column < columns && row < rows) {
      out[static_cast<size_t>(column) * rows + row] = tile[threadIdx.x][y];  // expect: pass
    }
  }

//= scaled_when_stored: right: the factor is applied on the way out
  __shared__ float tile[32][33];
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && column < columns) {
      tile[y][threadIdx.x] = x[static_cast<size_t>(row) * columns + column];
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int column = blockIdx.x * 32 + y, row = blockIdx.y * 32 + threadIdx.x;
    if (column < columns && row < rows) {
      out[static_cast<size_t>(column) * rows + row] = scale[row] * tile[threadIdx.x][y];  // expect: pass
    }
  }

//= one_block: right, but the first block takes all tiles
  __shared__ float tile[32][33];
  if (blockIdx.x > 0 || blockIdx.y > 0) return;
  for (int top = 0; top < rows; top += 32) {
    for (int left = 0; left < columns; left += 32) {
      for (int y = threadIdx.y; y < 32; y += 8) {
        const int row = top + y, column = left + threadIdx.x;
        if (row < rows && column < columns) {
          tile[y][threadIdx.x] = scale[row] * x[static_cast<size_t>(row) * columns + column];
        }
      }
      __syncthreads();
      for (int y = threadIdx.y; y < 32; y += 8) {
        const int column = left + y, row = top + threadIdx.x;
        if (column < columns && row < rows) {
          out[static_cast<size_t>(column) * rows + row] = tile[threadIdx.x][y];  // expect: gate threads
        }
      }
      __syncthreads();
    }
  }
