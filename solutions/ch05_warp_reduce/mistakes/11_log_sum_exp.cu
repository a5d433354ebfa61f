// Typical wrong answers to 11_log_sum_exp. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= nothing_subtracted: exp of large numbers is infinite
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float sum = 0;
  for (int column = lane; column < columns; column += 32) sum += expf(in[column]);
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
  }
  if (lane == 0) y[row] = logf(sum);  // expect: wrong result

//= only_sums_merged: the sums are added although each was made with another largest number
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float largest = -FLT_MAX, sum = 0;
  for (int column = lane; column < columns; column += 32) {
    const float value = in[column];
    const float before = largest;
    largest = fmaxf(largest, value);
    sum = sum * expf(before - largest) + expf(value - largest);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
  }
  if (lane == 0) y[row] = largest + logf(sum);  // expect: wrong result

//= begins_with_infinity: lanes without a number begin with -infinity: not a number
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float largest = -INFINITY, sum = 0;
  for (int column = lane; column < columns; column += 32) {
    const float value = in[column];
    const float before = largest;
    largest = fmaxf(largest, value);
    sum = sum * expf(before - largest) + expf(value - largest);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other_largest = __shfl_xor_sync(0xFFFFFFFF, largest, distance);
    const float other_sum = __shfl_xor_sync(0xFFFFFFFF, sum, distance);
    const float both = fmaxf(largest, other_largest);
    sum = sum * expf(largest - both) + other_sum * expf(other_largest - both);
    largest = both;
  }
  if (lane == 0) y[row] = largest + logf(sum);  // expect: wrong result

//= begins_with_zero: the largest number is never below 0
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float largest = 0, sum = 0;
  for (int column = lane; column < columns; column += 32) {
    const float value = in[column];
    const float before = largest;
    largest = fmaxf(largest, value);
    sum = sum * expf(before - largest) + expf(value - largest);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other_largest = __shfl_xor_sync(0xFFFFFFFF, largest, distance);
    const float other_sum = __shfl_xor_sync(0xFFFFFFFF, sum, distance);
    const float both = fmaxf(largest, other_largest);
    sum = sum * expf(largest - both) + other_sum * expf(other_largest - both);
    largest = both;
  }
  if (lane == 0) y[row] = largest + logf(sum);  // expect: wrong result

//= not_repaired: a lane keeps its old sum when a larger number comes
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float largest = -FLT_MAX, sum = 0;
  for (int column = lane; column < columns; column += 32) {
    const float value = in[column];
    largest = fmaxf(largest, value);
    sum = sum + expf(value - largest);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other_largest = __shfl_xor_sync(0xFFFFFFFF, largest, distance);
    const float other_sum = __shfl_xor_sync(0xFFFFFFFF, sum, distance);
    const float both = fmaxf(largest, other_largest);
    sum = sum * expf(largest - both) + other_sum * expf(other_largest - both);
    largest = both;
  }
  if (lane == 0) y[row] = largest + logf(sum);  // expect: wrong result

//= some_lanes: lanes with numbers alone shuffle, and the mask names all
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float largest = -FLT_MAX, sum = 0;
  for (int column = lane; column < columns; column += 32) {
    const float value = in[column];
    const float before = largest;
    largest = fmaxf(largest, value);
    sum = sum * expf(before - largest) + expf(value - largest);
  }
  if (lane >= columns) return;
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other_largest =
        __shfl_xor_sync(0xFFFFFFFF, largest, distance);  // expect: invalid-shuffle
    const float other_sum = __shfl_xor_sync(0xFFFFFFFF, sum, distance);
    const float both = fmaxf(largest, other_largest);
    sum = sum * expf(largest - both) + other_sum * expf(other_largest - both);
    largest = both;
  }
  if (lane == 0) y[row] = largest + logf(sum);

//= two_passes: right, but the row is read twice
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float largest = -FLT_MAX, sum = 0;
  for (int column = lane; column < columns; column += 32) {
    largest = fmaxf(largest, in[column]);  // expect: gate sectors
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  for (int column = lane; column < columns; column += 32) sum += expf(in[column] - largest);
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
  }
  if (lane == 0) y[row] = largest + logf(sum);

//= through_shared: right, but the pairs meet in shared memory
  __shared__ float pairs[4][2][32];
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float largest = -FLT_MAX, sum = 0;
  for (int column = lane; column < columns; column += 32) {
    const float value = in[column];
    const float before = largest;
    largest = fmaxf(largest, value);
    sum = sum * expf(before - largest) + expf(value - largest);
  }
  pairs[threadIdx.y][0][lane] = largest;
  pairs[threadIdx.y][1][lane] = sum;
  __syncwarp();
  if (lane > 0) return;
  for (int other = 1; other < 32; ++other) {
    const float both = fmaxf(largest, pairs[threadIdx.y][0][other]);  // expect: gate shared
    sum = sum * expf(largest - both) +
          pairs[threadIdx.y][1][other] * expf(pairs[threadIdx.y][0][other] - both);
    largest = both;
  }
  y[row] = largest + logf(sum);

//= branch: right: the sum is repaired only where the largest number grows
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float largest = -FLT_MAX, sum = 0;
  for (int column = lane; column < columns; column += 32) {
    const float value = in[column];
    if (value > largest) {
      sum *= expf(largest - value);  // expect: pass
      largest = value;
    }
    sum += expf(value - largest);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other_largest = __shfl_xor_sync(0xFFFFFFFF, largest, distance);
    const float other_sum = __shfl_xor_sync(0xFFFFFFFF, sum, distance);
    const float both = fmaxf(largest, other_largest);
    sum = sum * expf(largest - both) + other_sum * expf(other_largest - both);
    largest = both;
  }
  if (lane == 0) y[row] = largest + logf(sum);

//= one_block: right, but the first block takes all rows
  if (blockIdx.x > 0) return;
  const int lane = threadIdx.x;
  for (int row = threadIdx.y; row < rows; row += 4) {
    const float* in = x + static_cast<size_t>(row) * columns;
    float largest = -FLT_MAX, sum = 0;
    for (int column = lane; column < columns; column += 32) {
      const float value = in[column];  // expect: gate workers
      const float before = largest;
      largest = fmaxf(largest, value);
      sum = sum * expf(before - largest) + expf(value - largest);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
      const float other_largest = __shfl_xor_sync(0xFFFFFFFF, largest, distance);
      const float other_sum = __shfl_xor_sync(0xFFFFFFFF, sum, distance);
      const float both = fmaxf(largest, other_largest);
      sum = sum * expf(largest - both) + other_sum * expf(other_largest - both);
      largest = both;
    }
    if (lane == 0) y[row] = largest + logf(sum);
  }
