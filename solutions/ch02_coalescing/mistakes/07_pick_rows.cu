// Typical wrong answers to 07_pick_rows. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= missing_rows_read: row -1 is taken as if it existed
  const int from = index[blockIdx.x];
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    y[blockIdx.x * columns + column] = table[from * columns + column];  // expect: out-of-bounds
  }

//= read_before_the_question: the table is read first and the question asked afterwards
  const int from = index[blockIdx.x];
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    const float value = *(volatile const float*)(table + from * columns + column);  // expect: out-of-bounds
    y[blockIdx.x * columns + column] = from >= 0 ? value : 0.0F;
  }

//= missing_rows_left: a missing row is skipped, so that whatever was in y stays there
  const int from = index[blockIdx.x];
  if (from < 0) return;  // expect: wrong result
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    y[blockIdx.x * columns + column] = table[from * columns + column];
  }

//= one_turn: no loop, so that columns from 128 on are never written
  const int from = index[blockIdx.x];
  const int column = threadIdx.x;
  if (column >= columns) return;  // expect: wrong result
  y[blockIdx.x * columns + column] = from >= 0 ? table[from * columns + column] : 0.0F;

//= no_column_guard: threads behind the last column write into the next row and past the end
  const int from = index[blockIdx.x];
  for (int begin = 0; begin < columns; begin += blockDim.x) {
    const int column = begin + threadIdx.x;
    const float value = from >= 0 ? table[from * columns + column] : 0.0F;
    y[blockIdx.x * columns + column] = value;  // expect: out-of-bounds
  }

//= wrong_row: the number is used where the row belongs
  const int from = index[blockIdx.x];
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    y[blockIdx.x * columns + column] =
        from >= 0 ? table[blockIdx.x % 37 * columns + column] : 0.0F;  // expect: wrong result
  }

//= number_zero_is_missing: the question leaves out row 0 of the table
  const int from = index[blockIdx.x];
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    y[blockIdx.x * columns + column] =
        from > 0 ? table[from * columns + column] : 0.0F;  // expect: wrong result
  }

//= chunk_a_thread: right, but each thread takes neighbouring columns
  const int from = index[blockIdx.x];
  const int chunk = (columns + blockDim.x - 1) / blockDim.x;
  for (int k = 0; k < chunk; ++k) {
    const int column = threadIdx.x * chunk + k;
    if (column >= columns) break;
    y[blockIdx.x * columns + column] =
        from >= 0 ? table[from * columns + column] : 0.0F;  // expect: gate sectors
  }

//= no_barrier: one thread fetches the number, the others do not wait for it
  __shared__ int from;
  if (threadIdx.x == 0) from = index[blockIdx.x];
  const int own = from;  // expect: race
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    y[blockIdx.x * columns + column] = own >= 0 ? table[own * columns + column] : 0.0F;
  }

//= half_of_the_block: right, but half of each block is idle
  if (threadIdx.x >= 64) return;
  const int from = index[blockIdx.x];
  for (int column = threadIdx.x; column < columns; column += 64) {
    y[blockIdx.x * columns + column] =  // expect: gate share
        from >= 0 ? table[from * columns + column] : 0.0F;
  }

//= one_block: right, but the first block does everything
  if (blockIdx.x > 0) return;
  for (int row = 0; row < rows; ++row) {
    const int from = index[row];
    for (int column = threadIdx.x; column < columns; column += 128) {
      y[row * columns + column] =  // expect: gate share
          from >= 0 ? table[from * columns + column] : 0.0F;
    }
  }
