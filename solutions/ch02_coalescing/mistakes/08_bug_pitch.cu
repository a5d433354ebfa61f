// Typical wrong answers to 08_bug_pitch. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= as_given: the pitch counts bytes and is added to a pointer to floats
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows || c >= columns) return;
  const float* row = x + r * pitch;
  y[static_cast<size_t>(r) * columns + c] = 2 * row[c];  // expect: out-of-bounds

//= columns_for_pitch: rows are taken for dense, and the padding for numbers
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows || c >= columns) return;
  const size_t at = static_cast<size_t>(r) * columns + c;
  y[at] = 2 * x[at];  // expect: wrong result

//= both_pitched: the dense result is taken for a pitched one as well
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows || c >= columns) return;
  const size_t from = r * pitch;
  const float* row = reinterpret_cast<const float*>(reinterpret_cast<const char*>(x) + from);
  float* to = reinterpret_cast<float*>(reinterpret_cast<char*>(y) + from);
  to[c] = 2 * row[c];  // expect: out-of-bounds

//= column_in_bytes: the column is added before the pointer is one to floats again
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows || c >= columns) return;
  const char* bytes = reinterpret_cast<const char*>(x) + r * pitch + c;
  y[static_cast<size_t>(r) * columns + c] =
      2 * *reinterpret_cast<const float*>(bytes);  // expect: misaligned

//= rounded_columns: the pitch is guessed from the columns
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows || c >= columns) return;
  const size_t step = (columns + 31) / 32 * 32;
  y[static_cast<size_t>(r) * columns + c] = 2 * x[r * step + c];  // expect: wrong result

//= guard_of_offset: the guard asks whether the offset exists, not whether the column does
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t at = static_cast<size_t>(r) * columns + c;
  if (at >= static_cast<size_t>(rows) * columns) return;
  const char* bytes = reinterpret_cast<const char*>(x) + r * pitch;
  y[at] = 2 * reinterpret_cast<const float*>(bytes)[c];  // expect: race

//= no_guard: the repaired pointer, and threads past the edges
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const char* bytes = reinterpret_cast<const char*>(x) + r * pitch;
  y[static_cast<size_t>(r) * columns + c] =
      2 * reinterpret_cast<const float*>(bytes)[c];  // expect: out-of-bounds

//= divided: right for floats: the pitch in floats
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows || c >= columns) return;
  const size_t step = pitch / sizeof(float);
  y[static_cast<size_t>(r) * columns + c] = 2 * x[r * step + c];  // expect: pass

//= columns_of_threads: right, but neighbouring threads take rows, not columns
  const int first_row = blockIdx.y * blockDim.y, first = blockIdx.x * blockDim.x;
  const int r = first_row + threadIdx.x % 8, c = first + threadIdx.x / 8 + 4 * threadIdx.y;
  if (r >= rows || c >= columns) return;
  const char* bytes = reinterpret_cast<const char*>(x) + r * pitch;
  const float* row = reinterpret_cast<const float*>(bytes);
  y[static_cast<size_t>(r) * columns + c] = 2 * row[c];  // expect: gate sectors

//= one_block: right, but the first block does everything
  if (blockIdx.x > 0 || blockIdx.y > 0) return;
  for (int r = threadIdx.y; r < rows; r += blockDim.y) {
    const char* bytes = reinterpret_cast<const char*>(x) + r * pitch;
    const float* row = reinterpret_cast<const float*>(bytes);
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
      y[static_cast<size_t>(r) * columns + c] = 2 * row[c];  // expect: gate threads
    }
  }
