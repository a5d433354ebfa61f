// Typical wrong answers to 04_flatten_3d. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= copied: both sides have the same index: a copy
  const int d = blockIdx.x * blockDim.x + threadIdx.x;
  const int n = blockIdx.y * blockDim.y + threadIdx.y;
  const int b = blockIdx.z * blockDim.z + threadIdx.z;
  if (b >= batches || n >= rows || d >= width) return;
  const int i = (b * rows + n) * width + d;  // expect: wrong result
  y[i] = x[i];

//= old_stride: the output is stepped through with the extent of the input
  const int d = blockIdx.x * blockDim.x + threadIdx.x;
  const int n = blockIdx.y * blockDim.y + threadIdx.y;
  const int b = blockIdx.z * blockDim.z + threadIdx.z;
  if (b >= batches || n >= rows || d >= width) return;
  y[(n * rows + b) * width + d] = x[(b * rows + n) * width + d];  // expect: out-of-bounds

//= guard_of_one: two of the three dimensions have no guard
  const int d = blockIdx.x * blockDim.x + threadIdx.x;
  const int n = blockIdx.y * blockDim.y + threadIdx.y;
  const int b = blockIdx.z * blockDim.z + threadIdx.z;
  if (d >= width) return;
  y[(n * batches + b) * width + d] = x[(b * rows + n) * width + d];  // expect: out-of-bounds

//= guard_with_and: the guard lets everything through that is inside in one dimension
  const int d = blockIdx.x * blockDim.x + threadIdx.x;
  const int n = blockIdx.y * blockDim.y + threadIdx.y;
  const int b = blockIdx.z * blockDim.z + threadIdx.z;
  if (b >= batches && n >= rows && d >= width) return;
  y[(n * batches + b) * width + d] = x[(b * rows + n) * width + d];  // expect: out-of-bounds

//= no_z_in_the_block: the block is taken to be flat: only every other batch is written
  const int d = blockIdx.x * blockDim.x + threadIdx.x;
  const int n = blockIdx.y * blockDim.y + threadIdx.y;
  const int b = blockIdx.z;  // expect: wrong result
  if (b >= batches || n >= rows || d >= width) return;
  y[(n * batches + b) * width + d] = x[(b * rows + n) * width + d];

//= axes_exchanged: x is taken for rows: the grid is cut for other extents
  const int n = blockIdx.x * blockDim.x + threadIdx.x;  // expect: wrong result
  const int d = blockIdx.y * blockDim.y + threadIdx.y;
  const int b = blockIdx.z * blockDim.z + threadIdx.z;
  if (b >= batches || n >= rows || d >= width) return;
  y[(n * batches + b) * width + d] = x[(b * rows + n) * width + d];

//= no_brackets: the rows are not multiplied by the width
  const int d = blockIdx.x * blockDim.x + threadIdx.x;
  const int n = blockIdx.y * blockDim.y + threadIdx.y;
  const int b = blockIdx.z * blockDim.z + threadIdx.z;
  if (b >= batches || n >= rows || d >= width) return;
  const float value = x[b * rows + n * width + d];  // expect: wrong result
  y[(n * batches + b) * width + d] = value;

//= last_two_swapped: rows and width change places, not batches and rows
  const int d = blockIdx.x * blockDim.x + threadIdx.x;
  const int n = blockIdx.y * blockDim.y + threadIdx.y;
  const int b = blockIdx.z * blockDim.z + threadIdx.z;
  if (b >= batches || n >= rows || d >= width) return;
  y[(b * width + d) * rows + n] = x[(b * rows + n) * width + d];  // expect: wrong result

//= one_thread: right, but a single thread does everything
  const bool first_block = blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0;
  if (!first_block || threadIdx.x > 0 || threadIdx.y > 0 || threadIdx.z > 0) return;
  for (int i = 0; i < batches * rows * width; ++i) {
    const int b = i / width / rows;
    const int n = i / width % rows;
    y[(n * batches + b) * width + i % width] = x[i];  // expect: gate sectors
  }

//= other_order: right, but neighbouring threads take rows, far apart in memory
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  const int blocks = gridDim.x * gridDim.y * gridDim.z;
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  for (int i = block * threads + thread; i < batches * rows * width; i += blocks * threads) {
    const int n = i % rows;
    const int b = i / rows % batches;
    const int d = i / rows / batches;
    y[(n * batches + b) * width + d] = x[(b * rows + n) * width + d];  // expect: gate sectors
  }

//= one_block: right, but the first block does everything
  if (blockIdx.x > 0 || blockIdx.y > 0 || blockIdx.z > 0) return;
  for (int b = threadIdx.z; b < batches; b += 2) {
    for (int n = threadIdx.y; n < rows; n += 4) {
      for (int d = threadIdx.x; d < width; d += 32) {
        y[(n * batches + b) * width + d] = x[(b * rows + n) * width + d];  // expect: gate threads
      }
    }
  }
