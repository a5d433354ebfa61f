// Typical wrong answers to 10_bug_square. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= as_given: rows are taken for columns in both offsets
  const int b = blockIdx.z;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows || c >= columns) return;
  const float element = x[(static_cast<size_t>(b) * rows + r) * rows + c];
  y[(static_cast<size_t>(b) * rows + r) * rows + c] = element + bias[c];  // expect: race

//= load_repaired: the store still takes rows for columns
  const int b = blockIdx.z;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows || c >= columns) return;
  const float element = x[(static_cast<size_t>(b) * rows + r) * columns + c];
  y[(static_cast<size_t>(b) * rows + r) * rows + c] = element + bias[c];  // expect: race

//= store_repaired: the load still takes rows for columns
  const int b = blockIdx.z;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows || c >= columns) return;
  const float element = x[(static_cast<size_t>(b) * rows + r) * rows + c];  // expect: out-of-bounds
  y[(static_cast<size_t>(b) * rows + r) * columns + c] = element + bias[c];

//= guard_of_offset: right, but elements are computed twice: the guard asks whether the offset exists, not whether the column does
  const int b = blockIdx.z;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t at = (static_cast<size_t>(b) * rows + r) * columns + c;
  if (at >= static_cast<size_t>(batches) * rows * columns) return;
  y[at] = x[at] + bias[c % columns];  // expect: gate loads

//= stride_of_batch: the rows are repaired, the matrices are still rows * rows apart
  const int b = blockIdx.z;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows || c >= columns) return;
  const size_t at = static_cast<size_t>(b) * rows * rows + static_cast<size_t>(r) * columns + c;
  y[at] = x[at] + bias[c];  // expect: out-of-bounds

//= exchanged: columns are stored as rows
  const int b = blockIdx.z;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows || c >= columns) return;
  const size_t at = (static_cast<size_t>(b) * columns + c) * rows + r;
  y[at] = x[at] + bias[c];  // expect: wrong result

//= no_guard: the repaired offset, and threads past the edges
  const int b = blockIdx.z;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t at = (static_cast<size_t>(b) * rows + r) * columns + c;
  y[at] = x[at] + bias[c];  // expect: out-of-bounds

//= matrix_pointer: right: a pointer to the matrix, then an offset in it
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows || c >= columns) return;
  const size_t matrix = static_cast<size_t>(blockIdx.z) * rows * columns;
  const size_t at = static_cast<size_t>(r) * columns + c;
  (y + matrix)[at] = (x + matrix)[at] + bias[c];  // expect: pass

//= one_thread_per_row: right, but one thread takes a whole row
  const int b = blockIdx.z;
  const int r = blockIdx.y * blockDim.y * gridDim.x + blockIdx.x * blockDim.y + threadIdx.y;
  for (int row = r; row < rows; row += gridDim.y * gridDim.x * blockDim.y) {
    if (threadIdx.x > 0) continue;
    for (int c = 0; c < columns; ++c) {
      const size_t at = (static_cast<size_t>(b) * rows + row) * columns + c;
      y[at] = x[at] + bias[c];  // expect: gate loads
    }
  }

//= one_block: right, but the first block does everything
  if (blockIdx.x > 0 || blockIdx.y > 0 || blockIdx.z > 0) return;
  for (size_t row = threadIdx.y; row < static_cast<size_t>(batches) * rows; row += blockDim.y) {
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
      y[row * columns + c] = x[row * columns + c] + bias[c];  // expect: gate threads
    }
  }
