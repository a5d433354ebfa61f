// Typical wrong answers to 05_l2_normalise. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= read_twice: right, but the row is read again for the result
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float kept[8];  // 8 * 32 columns; unrolled, so that these are registers.
  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    kept[i] = column < columns ? in[column] : 0;  // expect: gate sectors
    squares += kept[i] * kept[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = squares > 0 ? 1 / sqrtf(squares) : 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    if (column < columns) out[column] = *const_cast<const volatile float*>(&in[column]) * scale;
  }

//= kept_in_shared: right, but the row is kept in shared memory
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  __shared__ volatile float kept_by_all[4][256];
  volatile float* kept = kept_by_all[threadIdx.y] + lane;  // 8 * 32 columns; unrolled, so that these are registers.
  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    kept[i * 32] = column < columns ? in[column] : 0;  // expect: gate shared
    const float value = kept[i * 32];
    squares += value * value;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = squares > 0 ? 1 / sqrtf(squares) : 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    if (column < columns) out[column] = kept[i * 32] * scale;
  }

//= no_root: divides by the sum of squares, not by its root
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float kept[8];  // 8 * 32 columns; unrolled, so that these are registers.
  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    kept[i] = column < columns ? in[column] : 0;
    squares += kept[i] * kept[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = squares > 0 ? 1 / squares : 0;  // expect: wrong result
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    if (column < columns) out[column] = kept[i] * scale;
  }

//= zero_row: a row of zeros divides zero by zero
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float kept[8];  // 8 * 32 columns; unrolled, so that these are registers.
  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    kept[i] = column < columns ? in[column] : 0;
    squares += kept[i] * kept[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = 1 / sqrtf(squares);  // expect: wrong result
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    if (column < columns) out[column] = kept[i] * scale;
  }

//= no_column_guard: columns behind the end of the row are read
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float kept[8];  // 8 * 32 columns; unrolled, so that these are registers.
  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    kept[i] = in[column];  // expect: out-of-bounds
    squares += kept[i] * kept[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = squares > 0 ? 1 / sqrtf(squares) : 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    if (column < columns) out[column] = kept[i] * scale;
  }

//= store_unguarded: columns behind the end of the row are written
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float kept[8];  // 8 * 32 columns; unrolled, so that these are registers.
  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    kept[i] = column < columns ? in[column] : 0;
    squares += kept[i] * kept[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = squares > 0 ? 1 / sqrtf(squares) : 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    out[column] = kept[i] * scale;  // expect: out-of-bounds
  }

//= seven_turns: a lane keeps seven numbers, and columns from 224 on are left out
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float kept[8];  // 8 * 32 columns; unrolled, so that these are registers.
  float squares = 0;
#pragma unroll
  for (int i = 0; i < 7; ++i) {
    const int column = i * 32 + lane;
    kept[i] = column < columns ? in[column] : 0;
    squares += kept[i] * kept[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = squares > 0 ? 1 / sqrtf(squares) : 0;
#pragma unroll
  for (int i = 0; i < 7; ++i) {  // expect: wrong result
    const int column = i * 32 + lane;
    if (column < columns) out[column] = kept[i] * scale;
  }

//= only_lane_0: shfl_down leaves the sum in lane 0
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float kept[8];  // 8 * 32 columns; unrolled, so that these are registers.
  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    kept[i] = column < columns ? in[column] : 0;
    squares += kept[i] * kept[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_down_sync(0xFFFFFFFF, squares, distance);  // expect: wrong result
  }
  const float scale = squares > 0 ? 1 / sqrtf(squares) : 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    if (column < columns) out[column] = kept[i] * scale;
  }

//= abs_sum: the absolute values are added, not the squares
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float kept[8];  // 8 * 32 columns; unrolled, so that these are registers.
  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    kept[i] = column < columns ? in[column] : 0;
    squares += fabsf(kept[i]);  // expect: wrong result
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = squares > 0 ? 1 / sqrtf(squares) : 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    if (column < columns) out[column] = kept[i] * scale;
  }

//= half_mask: the mask names half of the lanes
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float kept[8];  // 8 * 32 columns; unrolled, so that these are registers.
  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    kept[i] = column < columns ? in[column] : 0;
    squares += kept[i] * kept[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0x0000FFFF, squares, distance);  // expect: invalid-shuffle
  }
  const float scale = squares > 0 ? 1 / sqrtf(squares) : 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    if (column < columns) out[column] = kept[i] * scale;
  }

//= chunk_per_lane: a lane takes eight neighbouring columns
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float kept[8];  // 8 * 32 columns; unrolled, so that these are registers.
  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = lane * 8 + i;
    kept[i] = column < columns ? in[column] : 0;  // expect: gate sectors
    squares += kept[i] * kept[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = squares > 0 ? 1 / sqrtf(squares) : 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = lane * 8 + i;
    if (column < columns) out[column] = kept[i] * scale;
  }

//= counted_index: right, but the index of `kept` is counted, so that it lies in memory of the thread's own
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float kept[8];  // expect: gate registers
  float squares = 0;
  int count = 0;
  for (int column = lane; column < columns; column += 32) {
    kept[count] = in[column];
    squares += kept[count] * kept[count];
    ++count;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = squares > 0 ? 1 / sqrtf(squares) : 0;
  count = 0;
  for (int column = lane; column < columns; column += 32) out[column] = kept[count++] * scale;

//= threshold: a row of small numbers is taken for one of zeros
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float kept[8], squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    kept[i] = column < columns ? in[column] : 0;
    squares += kept[i] * kept[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = squares < 1e-3F ? 0 : rsqrtf(squares);  // expect: wrong result
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    if (column < columns) out[column] = kept[i] * scale;
  }

//= at_least: the sum of small squares is lifted to a smallest one
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float kept[8], squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    kept[i] = column < columns ? in[column] : 0;
    squares += kept[i] * kept[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = rsqrtf(fmaxf(squares, 1e-6F));  // expect: wrong result
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    if (column < columns) out[column] = kept[i] * scale;
  }

//= tiny_added: a tiny number keeps zero out of the root, and is not tiny beside every row
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float kept[8], squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    kept[i] = column < columns ? in[column] : 0;
    squares += kept[i] * kept[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = rsqrtf(squares + 1e-12F);  // expect: wrong result
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    if (column < columns) out[column] = kept[i] * scale;
  }
