// Typical wrong answers to 02_butterfly. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= begin_with_zero: zero is smaller than every positive row and larger than every negative one
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float smallest = 0, largest = 0;  // expect: wrong result
  for (int column = lane; column < columns; column += 32) {
    smallest = fminf(smallest, in[column]);
    largest = fmaxf(largest, in[column]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  const float range = largest > smallest ? largest - smallest : 1;
  for (int column = lane; column < columns; column += 32) {
    out[column] = (in[column] - smallest) / range;
  }

//= begin_with_first: lanes begin with the number of their own column, which not every lane has
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float smallest = in[lane], largest = in[lane];  // expect: out-of-bounds
  for (int column = lane; column < columns; column += 32) {
    smallest = fminf(smallest, in[column]);
    largest = fmaxf(largest, in[column]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  const float range = largest > smallest ? largest - smallest : 1;
  for (int column = lane; column < columns; column += 32) {
    out[column] = (in[column] - smallest) / range;
  }

//= only_lane_0: shfl_down leaves both numbers in lane 0, and every lane uses its own
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float smallest = INFINITY, largest = -INFINITY;
  for (int column = lane; column < columns; column += 32) {
    smallest = fminf(smallest, in[column]);
    largest = fmaxf(largest, in[column]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_down_sync(0xFFFFFFFF, smallest, distance));  // expect: wrong result
    largest = fmaxf(largest, __shfl_down_sync(0xFFFFFFFF, largest, distance));
  }
  const float range = largest > smallest ? largest - smallest : 1;
  for (int column = lane; column < columns; column += 32) {
    out[column] = (in[column] - smallest) / range;
  }

//= first_step_missing: the butterfly begins at 8, so that the halves of the warp never meet
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float smallest = INFINITY, largest = -INFINITY;
  for (int column = lane; column < columns; column += 32) {
    smallest = fminf(smallest, in[column]);
    largest = fmaxf(largest, in[column]);
  }
  for (int distance = 8; distance > 0; distance /= 2) {  // expect: wrong result
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  const float range = largest > smallest ? largest - smallest : 1;
  for (int column = lane; column < columns; column += 32) {
    out[column] = (in[column] - smallest) / range;
  }

//= last_step_missing: the butterfly ends at 2, so that neighbours never meet
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float smallest = INFINITY, largest = -INFINITY;
  for (int column = lane; column < columns; column += 32) {
    smallest = fminf(smallest, in[column]);
    largest = fmaxf(largest, in[column]);
  }
  for (int distance = 16; distance > 1; distance /= 2) {  // expect: wrong result
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  const float range = largest > smallest ? largest - smallest : 1;
  for (int column = lane; column < columns; column += 32) {
    out[column] = (in[column] - smallest) / range;
  }

//= zero_range: a row of equal numbers divides zero by zero
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float smallest = INFINITY, largest = -INFINITY;
  for (int column = lane; column < columns; column += 32) {
    smallest = fminf(smallest, in[column]);
    largest = fmaxf(largest, in[column]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  const float range = largest - smallest;  // expect: wrong result
  for (int column = lane; column < columns; column += 32) {
    out[column] = (in[column] - smallest) / range;
  }

//= largest_of_smallest: the second shuffle sends the wrong variable
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float smallest = INFINITY, largest = -INFINITY;
  for (int column = lane; column < columns; column += 32) {
    smallest = fminf(smallest, in[column]);
    largest = fmaxf(largest, in[column]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));  // expect: wrong result
  }
  const float range = largest > smallest ? largest - smallest : 1;
  for (int column = lane; column < columns; column += 32) {
    out[column] = (in[column] - smallest) / range;
  }

//= no_guard: the last block's warps have no row
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float smallest = INFINITY, largest = -INFINITY;
  for (int column = lane; column < columns; column += 32) {
    smallest = fminf(smallest, in[column]);  // expect: out-of-bounds
    largest = fmaxf(largest, in[column]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  const float range = largest > smallest ? largest - smallest : 1;
  for (int column = lane; column < columns; column += 32) {
    out[column] = (in[column] - smallest) / range;
  }

//= lanes_leave: lanes without a column return before the shuffle
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows || lane >= columns) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float smallest = INFINITY, largest = -INFINITY;
  for (int column = lane; column < columns; column += 32) {
    smallest = fminf(smallest, in[column]);
    largest = fmaxf(largest, in[column]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));  // expect: invalid-shuffle
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  const float range = largest > smallest ? largest - smallest : 1;
  for (int column = lane; column < columns; column += 32) {
    out[column] = (in[column] - smallest) / range;
  }

//= three_reads: right, but the row is read for each of the three uses
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float smallest = INFINITY, largest = -INFINITY;
  for (int column = lane; column < columns; column += 32) {
    smallest = fminf(smallest, *const_cast<const volatile float*>(&in[column]));  // expect: gate sectors
  }
  for (int column = lane; column < columns; column += 32) {
    largest = fmaxf(largest, *const_cast<const volatile float*>(&in[column]));
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  const float range = largest > smallest ? largest - smallest : 1;
  for (int column = lane; column < columns; column += 32) {
    out[column] = (in[column] - smallest) / range;
  }

//= through_shared: right, but the numbers go through shared memory instead of registers
  __shared__ float part[4][2][32];
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float smallest = INFINITY, largest = -INFINITY;
  for (int column = lane; column < columns; column += 32) {
    smallest = fminf(smallest, in[column]);
    largest = fmaxf(largest, in[column]);
  }
  part[threadIdx.y][0][lane] = smallest;
  part[threadIdx.y][1][lane] = largest;
  __syncwarp();
  for (int other = 0; other < 32; ++other) {
    smallest = fminf(smallest, part[threadIdx.y][0][other]);  // expect: gate shared
    largest = fmaxf(largest, part[threadIdx.y][1][other]);
  }
  const float range = largest > smallest ? largest - smallest : 1;
  for (int column = lane; column < columns; column += 32) {
    out[column] = (in[column] - smallest) / range;
  }

//= begins_with_the_first: right: every lane begins with the row's first number
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float smallest = in[0], largest = in[0];  // expect: pass
  for (int column = threadIdx.x; column < columns; column += 32) {
    smallest = fminf(smallest, in[column]);
    largest = fmaxf(largest, in[column]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  const float range = largest - smallest;
  for (int column = threadIdx.x; column < columns; column += 32) {
    y[static_cast<size_t>(row) * columns + column] =
        range > 0 ? (in[column] - smallest) / range : 0.0F;
  }

//= from_a_thousand: numbers may all be larger than 1000, or smaller than -1000
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float smallest = 1000, largest = -1000;  // expect: wrong result
  for (int column = lane; column < columns; column += 32) {
    smallest = fminf(smallest, in[column]);
    largest = fmaxf(largest, in[column]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  const float range = largest > smallest ? largest - smallest : 1;
  for (int column = lane; column < columns; column += 32) {
    out[column] = (in[column] - smallest) / range;
  }

//= threshold: a row whose numbers are all small is taken for one of equal numbers
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float smallest = INFINITY, largest = -INFINITY;
  for (int column = lane; column < columns; column += 32) {
    smallest = fminf(smallest, in[column]);
    largest = fmaxf(largest, in[column]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  const float range = largest - smallest;
  for (int column = lane; column < columns; column += 32) {
    out[column] = range < 0.01F ? 0 : (in[column] - smallest) / range;  // expect: wrong result
  }

//= tiny_added: a tiny number keeps zero out of the divisor, and is not tiny beside every row
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float smallest = INFINITY, largest = -INFINITY;
  for (int column = lane; column < columns; column += 32) {
    smallest = fminf(smallest, in[column]);
    largest = fmaxf(largest, in[column]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  const float range = largest - smallest + 1e-30F;  // expect: wrong result
  for (int column = lane; column < columns; column += 32) {
    out[column] = (in[column] - smallest) / range;
  }

//= at_most_1024: a lane keeps 32 numbers, and columns from 1024 on are left out
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float kept[32], smallest = INFINITY, largest = -INFINITY;
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    const bool there = i * 32 + lane < columns;  // expect: wrong result
    kept[i] = there ? in[i * 32 + lane] : 0;
    if (there) smallest = fminf(smallest, kept[i]);
    if (there) largest = fmaxf(largest, kept[i]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  const float range = largest > smallest ? largest - smallest : 1;
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    if (i * 32 + lane < columns) out[i * 32 + lane] = (kept[i] - smallest) / range;
  }
