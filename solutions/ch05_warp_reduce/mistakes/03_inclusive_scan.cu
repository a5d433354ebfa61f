// Typical wrong answers to 03_inclusive_scan. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= own_value_added: the lowest lanes get their own value from shfl_up and add it
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float before = 0;  // the sum of all columns before this turn's 32
  for (int first = 0; first < columns; first += 32) {
    const int column = first + lane;
    float sum = column < columns ? in[column] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
      const float lower = __shfl_up_sync(0xFFFFFFFF, sum, distance);
      sum += lower;  // expect: wrong result
    }
    sum += before;
    if (column < columns) out[column] = sum;
    before = __shfl_sync(0xFFFFFFFF, sum, 31);
  }

//= guard_around_shuffle: the shuffle itself stands behind the guard, so that lanes are missing
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float before = 0;  // the sum of all columns before this turn's 32
  for (int first = 0; first < columns; first += 32) {
    const int column = first + lane;
    float sum = column < columns ? in[column] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
      if (lane >= distance) {
        sum += __shfl_up_sync(0xFFFFFFFF, sum, distance);
      }
    }
    sum += before;
    if (column < columns) out[column] = sum;
    before = __shfl_sync(0xFFFFFFFF, sum, 31);  // expect: invalid-shuffle
  }

//= no_carry: every 32 columns begin anew
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float before = 0;  // the sum of all columns before this turn's 32
  for (int first = 0; first < columns; first += 32) {
    const int column = first + lane;
    float sum = column < columns ? in[column] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
      const float lower = __shfl_up_sync(0xFFFFFFFF, sum, distance);
      if (lane >= distance) sum += lower;
    }
    sum += before;  // expect: wrong result
    if (column < columns) out[column] = sum;
  }

//= carry_own: each lane carries its own sum instead of the last lane's
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float before = 0;  // the sum of all columns before this turn's 32
  for (int first = 0; first < columns; first += 32) {
    const int column = first + lane;
    float sum = column < columns ? in[column] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
      const float lower = __shfl_up_sync(0xFFFFFFFF, sum, distance);
      if (lane >= distance) sum += lower;
    }
    sum += before;
    if (column < columns) out[column] = sum;
    before = sum;  // expect: wrong result
  }

//= carry_of_lane_0: the carry comes from lane 0
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float before = 0;  // the sum of all columns before this turn's 32
  for (int first = 0; first < columns; first += 32) {
    const int column = first + lane;
    float sum = column < columns ? in[column] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
      const float lower = __shfl_up_sync(0xFFFFFFFF, sum, distance);
      if (lane >= distance) sum += lower;
    }
    sum += before;
    if (column < columns) out[column] = sum;
    before = __shfl_sync(0xFFFFFFFF, sum, 0);  // expect: wrong result
  }

//= carry_added_up: the carry is added to a carry that the sum already holds
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float before = 0;  // the sum of all columns before this turn's 32
  for (int first = 0; first < columns; first += 32) {
    const int column = first + lane;
    float sum = column < columns ? in[column] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
      const float lower = __shfl_up_sync(0xFFFFFFFF, sum, distance);
      if (lane >= distance) sum += lower;
    }
    sum += before;
    if (column < columns) out[column] = sum;
    before += __shfl_sync(0xFFFFFFFF, sum, 31);  // expect: wrong result
  }

//= exclusive: a lane's own number is left out
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float before = 0;  // the sum of all columns before this turn's 32
  for (int first = 0; first < columns; first += 32) {
    const int column = first + lane;
    float sum = column < columns ? in[column] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
      const float lower = __shfl_up_sync(0xFFFFFFFF, sum, distance);
      if (lane >= distance) sum += lower;
    }
    sum += before;
    if (column < columns) out[column] = sum - in[column];  // expect: wrong result
    before = __shfl_sync(0xFFFFFFFF, sum, 31);
  }

//= distances_by_one: distances 1, 2, 3, ... count numbers several times
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float before = 0;  // the sum of all columns before this turn's 32
  for (int first = 0; first < columns; first += 32) {
    const int column = first + lane;
    float sum = column < columns ? in[column] : 0;
    for (int distance = 1; distance < 32; ++distance) {  // expect: wrong result
      const float lower = __shfl_up_sync(0xFFFFFFFF, sum, distance);
      if (lane >= distance) sum += lower;
    }
    sum += before;
    if (column < columns) out[column] = sum;
    before = __shfl_sync(0xFFFFFFFF, sum, 31);
  }

//= shfl_down: sums from the lanes above: the scan runs backwards
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float before = 0;  // the sum of all columns before this turn's 32
  for (int first = 0; first < columns; first += 32) {
    const int column = first + lane;
    float sum = column < columns ? in[column] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
      const float lower = __shfl_down_sync(0xFFFFFFFF, sum, distance);
      if (lane + distance < 32) sum += lower;  // expect: wrong result
    }
    sum += before;
    if (column < columns) out[column] = sum;
    before = __shfl_sync(0xFFFFFFFF, sum, 31);
  }

//= lane_loop: lanes without a column in the last turn wait behind the loop while the others shuffle
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float before = 0;  // the sum of all columns before this turn's 32
  for (int column = lane; column < columns; column += 32) {
    float sum = in[column];
    for (int distance = 1; distance < 32; distance *= 2) {
      const float lower = __shfl_up_sync(0xFFFFFFFF, sum, distance);  // expect: invalid-shuffle
      if (lane >= distance) sum += lower;
    }
    sum += before;
    out[column] = sum;
    before = __shfl_sync(0xFFFFFFFF, sum, 31);
  }
  __syncwarp();

//= unguarded_load: columns behind the end of the row are read
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float before = 0;  // the sum of all columns before this turn's 32
  for (int first = 0; first < columns; first += 32) {
    const int column = first + lane;
    float sum = in[column];  // expect: out-of-bounds
    for (int distance = 1; distance < 32; distance *= 2) {
      const float lower = __shfl_up_sync(0xFFFFFFFF, sum, distance);
      if (lane >= distance) sum += lower;
    }
    sum += before;
    if (column < columns) out[column] = sum;
    before = __shfl_sync(0xFFFFFFFF, sum, 31);
  }

//= every_lane_from_the_start: right, but every lane adds all columns before its own
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  for (int column = lane; column < columns; column += 32) {
    float sum = 0;
    for (int i = 0; i <= column; ++i) {
      sum += in[i];  // expect: gate sectors
    }
    out[column] = sum;
  }

//= through_shared: right, but the numbers go through shared memory
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  __shared__ volatile float part[4][32];
  float before = 0;  // the sum of all columns before this turn's 32
  for (int first = 0; first < columns; first += 32) {
    const int column = first + lane;
    float sum = column < columns ? in[column] : 0;
    part[threadIdx.y][lane] = sum;
    __syncwarp();
    for (int i = 0; i < lane; ++i) {
      sum += part[threadIdx.y][i];  // expect: gate shared
    }
    __syncwarp();
    sum += before;
    if (column < columns) out[column] = sum;
    before = __shfl_sync(0xFFFFFFFF, sum, 31);
  }

//= at_most_1024: 32 turns for each row, and columns from 1024 on are left out
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float before = 0;
  for (int turn = 0; turn < 32; ++turn) {
    const int column = turn * 32 + lane;  // expect: wrong result
    float sum = column < columns ? in[column] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
      const float lower = __shfl_up_sync(0xFFFFFFFF, sum, distance);
      if (lane >= distance) sum += lower;
    }
    sum += before;
    if (column < columns) out[column] = sum;
    before = __shfl_sync(0xFFFFFFFF, sum, 31);
  }

//= lanes_leave_the_loop: lanes without a column in the last turn have returned, and the mask names them
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float before = 0;
  for (int column = lane; column < columns; column += 32) {
    float sum = in[column];
    for (int distance = 1; distance < 32; distance *= 2) {
      const float lower = __shfl_up_sync(0xFFFFFFFF, sum, distance);
      if (lane >= distance) sum += lower;
    }
    sum += before;
    out[column] = sum;
    before = __shfl_sync(0xFFFFFFFF, sum, 31);  // expect: invalid-shuffle
  }
