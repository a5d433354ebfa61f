// Typical wrong answers to 10_row_variance. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= squares_first: the mean of the squares minus the square of the mean
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float sum = 0, squares = 0;
  for (int column = lane; column < columns; column += 32) {
    sum += in[column];
    squares += in[column] * in[column];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float mean = sum / columns;
  if (lane == 0) y[row] = squares / columns - mean * mean;  // expect: wrong result

//= clamped: the same, and negative results are hidden
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float sum = 0, squares = 0;
  for (int column = lane; column < columns; column += 32) {
    sum += in[column];
    squares += in[column] * in[column];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float mean = sum / columns;
  if (lane == 0) y[row] = fmaxf(0, squares / columns - mean * mean);  // expect: wrong result

//= mean_in_lane_0: a shuffle down leaves the whole sum in lane 0 alone
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float sum = 0;
  for (int column = lane; column < columns; column += 32) sum += in[column];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xFFFFFFFF, sum, distance);
  }
  const float mean = sum / columns;
  float squares = 0;
  for (int column = lane; column < columns; column += 32) {
    const float difference = in[column] - mean;
    squares += difference * difference;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  if (lane == 0) y[row] = squares / columns;  // expect: wrong result

//= idle_lanes_add: lanes without a column add the square of the mean
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float sum = 0;
  for (int column = lane; column < columns; column += 32) sum += in[column];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
  }
  const float mean = sum / columns;
  float squares = 0;
  for (int begin = 0; begin < columns; begin += 32) {
    const float difference = (begin + lane < columns ? in[begin + lane] : 0) - mean;
    squares += difference * difference;  // expect: wrong result
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  if (lane == 0) y[row] = squares / columns;

//= of_a_sample: divided by one less, as for a sample
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float sum = 0;
  for (int column = lane; column < columns; column += 32) sum += in[column];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
  }
  const float mean = sum / columns;
  float squares = 0;
  for (int column = lane; column < columns; column += 32) {
    const float difference = in[column] - mean;
    squares += difference * difference;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  if (lane == 0) y[row] = squares / (columns - 1);  // expect: wrong result

//= threshold: small variances are taken for zero
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float sum = 0;
  for (int column = lane; column < columns; column += 32) sum += in[column];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
  }
  const float mean = sum / columns;
  float squares = 0;
  for (int column = lane; column < columns; column += 32) {
    const float difference = in[column] - mean;
    squares += difference * difference;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  if (lane == 0) y[row] = squares / columns < 1e-6f ? 0 : squares / columns;  // expect: wrong result

//= no_guard: the last block has warps without a row
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const float* in = x + static_cast<size_t>(row) * columns;
  float sum = 0;
  for (int column = lane; column < columns; column += 32)
    sum += in[column];  // expect: out-of-bounds
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
  }
  const float mean = sum / columns;
  float squares = 0;
  for (int column = lane; column < columns; column += 32) {
    const float difference = in[column] - mean;
    squares += difference * difference;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  if (lane == 0) y[row] = squares / columns;

//= three_passes: right, but the row is read once more for its largest number
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float largest = 0;
  for (int column = lane; column < columns; column += 32) {
    largest = fmaxf(largest, fabsf(in[column]));  // expect: gate sectors
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  float sum = 0;
  for (int column = lane; column < columns; column += 32) sum += in[column];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
  }
  const float mean = sum / columns;
  float squares = 0;
  for (int column = lane; column < columns; column += 32) {
    const float difference = in[column] - mean;
    squares += difference * difference;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  if (lane == 0) y[row] = largest == 0 ? 0 : squares / columns;

//= through_shared: right, but the sums meet in shared memory
  __shared__ float part[4][32];
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float sum = 0;
  for (int column = lane; column < columns; column += 32) sum += in[column];
  part[threadIdx.y][lane] = sum;
  __syncwarp();
  sum = 0;
  for (int other = 0; other < 32; ++other) sum += part[threadIdx.y][other];  // expect: gate shared
  const float mean = sum / columns;
  float squares = 0;
  for (int column = lane; column < columns; column += 32) {
    const float difference = in[column] - mean;
    squares += difference * difference;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  if (lane == 0) y[row] = squares / columns;

//= shifted: right: a shift by the first number of the row, then one pass
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  const float shift = in[0];
  float sum = 0, squares = 0;
  for (int column = lane; column < columns; column += 32) {
    const float value = in[column] - shift;  // expect: pass
    sum += value;
    squares += value * value;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float mean = sum / columns;
  if (lane == 0) y[row] = squares / columns - mean * mean;

//= in_double: right: the shorter formula in double
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  double sum = 0, squares = 0;
  for (int column = lane; column < columns; column += 32) {
    sum += in[column];
    squares += static_cast<double>(in[column]) * in[column];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const double mean = sum / columns;
  if (lane == 0) y[row] = squares / columns - mean * mean;  // expect: pass

//= welford: right: Welford's update, and pairs that merge
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float count = 0, mean = 0, squares = 0;
  for (int column = lane; column < columns; column += 32) {
    const float difference = in[column] - mean;
    mean += difference / ++count;
    squares += difference * (in[column] - mean);  // expect: pass
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other_count = __shfl_xor_sync(0xFFFFFFFF, count, distance);
    const float other_mean = __shfl_xor_sync(0xFFFFFFFF, mean, distance);
    const float other_squares = __shfl_xor_sync(0xFFFFFFFF, squares, distance);
    const float both = count + other_count;
    if (both == 0) continue;
    const float apart = other_mean - mean;
    squares += other_squares + apart * apart * count * other_count / both;
    mean = (mean * count + other_mean * other_count) / both;
    count = both;
  }
  if (lane == 0) y[row] = squares / columns;

//= one_block: right, but the first block takes all rows
  if (blockIdx.x > 0) return;
  const int lane = threadIdx.x;
  for (int row = threadIdx.y; row < rows; row += 4) {
    const float* in = x + static_cast<size_t>(row) * columns;
    float sum = 0, squares = 0;
    for (int column = lane; column < columns; column += 32) sum += in[column];  // expect: gate workers
    for (int distance = 16; distance > 0; distance /= 2) {
      sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
    }
    const float mean = sum / columns;
    for (int column = lane; column < columns; column += 32) {
      squares += (in[column] - mean) * (in[column] - mean);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
      squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
    }
    if (lane == 0) y[row] = squares / columns;
  }
