// Typical wrong answers to 01_lane_sum. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= no_guard: the last block's warps have no row and read past the end of x
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float sum = 0;
  for (int column = lane; column < columns; column += 32) {
    sum += in[column];  // expect: out-of-bounds
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
  }
  const float mean = sum / columns;
  for (int column = lane; column < columns; column += 32) out[column] = in[column] - mean;

//= wrong_mask: the mask names half of the lanes, and all of them execute the shuffle
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float sum = 0;
  for (int column = lane; column < columns; column += 32) sum += in[column];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0x0000FFFF, sum, distance);  // expect: invalid-shuffle
  }
  const float mean = sum / columns;
  for (int column = lane; column < columns; column += 32) out[column] = in[column] - mean;

//= only_lane_0: shfl_down leaves the sum in lane 0, and every lane uses its own
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float sum = 0;
  for (int column = lane; column < columns; column += 32) sum += in[column];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xFFFFFFFF, sum, distance);  // expect: wrong result
  }
  const float mean = sum / columns;
  for (int column = lane; column < columns; column += 32) out[column] = in[column] - mean;

//= missing_tail: columns beyond the last multiple of 32 are left out
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  const int whole = columns / 32;  // expect: wrong result
  float sum = 0;
  for (int i = 0; i < whole; ++i) sum += in[i * 32 + lane];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
  }
  const float mean = sum / columns;
  for (int i = 0; i < whole; ++i) out[i * 32 + lane] = in[i * 32 + lane] - mean;

//= forgotten_index: the result is stored without the loop's index, most elements are never set
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float sum = 0;
  for (int column = lane; column < columns; column += 32) sum += in[column];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
  }
  const float mean = sum / columns;
  for (int column = lane; column < columns; column += 32) {
    out[lane] = in[column] - mean;  // expect: wrong result
  }

//= early_return: lanes without a column leave, and the shuffle takes their values
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows || lane >= columns) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float sum = 0;
  for (int column = lane; column < columns; column += 32) sum += in[column];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);  // expect: invalid-shuffle
  }
  const float mean = sum / columns;
  for (int column = lane; column < columns; column += 32) out[column] = in[column] - mean;

//= missing_barrier: lanes meet in shared memory and do not wait for each other
  __shared__ float partial[4][32];
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float own = 0;
  for (int column = lane; column < columns; column += 32) own += in[column];
  partial[threadIdx.y][lane] = own;
  float sum = 0;
  for (int other = 0; other < 32; ++other) {
    sum += partial[threadIdx.y][other];  // expect: race
  }
  const float mean = sum / columns;
  for (int column = lane; column < columns; column += 32) out[column] = in[column] - mean;

//= chunk_per_lane: each lane takes neighbouring columns, so that a request touches every sector
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  const int chunk = (columns + 31) / 32;
  const int begin = min(lane * chunk, columns);
  const int end = min(begin + chunk, columns);
  float sum = 0;
  for (int column = begin; column < end; ++column) {
    sum += in[column];  // expect: gate sectors
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
  }
  const float mean = sum / columns;
  for (int column = begin; column < end; ++column) out[column] = in[column] - mean;

//= every_lane_adds_all: each lane adds the whole row by itself, and nothing is exchanged
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float sum = 0;
  for (int column = 0; column < columns; ++column) {
    sum += in[column];  // expect: gate sectors
  }
  const float mean = sum / columns;
  for (int column = lane; column < columns; column += 32) out[column] = in[column] - mean;

//= through_shared: right, but the sum goes through shared memory instead of registers
  __shared__ float partial[4][32];
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float own = 0;
  for (int column = lane; column < columns; column += 32) own += in[column];
  partial[threadIdx.y][lane] = own;
  __syncwarp();
  float sum = 0;
  for (int other = 0; other < 32; ++other) {
    sum += partial[threadIdx.y][other];  // expect: gate shared
  }
  const float mean = sum / columns;
  for (int column = lane; column < columns; column += 32) out[column] = in[column] - mean;

//= no_start: each lane's sum begins with whatever is in its register
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float sum;
  for (int column = threadIdx.x; column < columns; column += 32) {
    sum += in[column];  // expect: uninitialized
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
  }
  for (int column = threadIdx.x; column < columns; column += 32) {
    y[static_cast<size_t>(row) * columns + column] = in[column] - sum / columns;
  }

//= at_most_1024: a lane keeps 32 numbers, and columns from 1024 on are left out
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float kept[32], sum = 0;
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    kept[i] = i * 32 + lane < columns ? in[i * 32 + lane] : 0;  // expect: wrong result
    sum += kept[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
  }
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    if (i * 32 + lane < columns) out[i * 32 + lane] = kept[i] - sum / columns;
  }

//= by_ptx: right: the butterfly in PTX, with the mean by a reciprocal
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;
  float sum = 0;
  for (int column = lane; column < columns; column += 32) sum += in[column];
  for (int distance = 16; distance > 0; distance /= 2) {
    float other;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xFFFFFFFF;"
                 : "=f"(other)
                 : "f"(sum), "r"(distance));
    sum += other;
  }
  const float mean = sum * (1.0F / columns);
  for (int column = lane; column < columns; column += 32) {
    out[column] = in[column] - mean;  // expect: pass
  }
