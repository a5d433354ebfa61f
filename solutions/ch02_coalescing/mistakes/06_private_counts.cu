// Typical wrong answers to 06_private_counts. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= counted_index: right, but the index comes from data: the array is in local memory
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int count[8] = {};
  for (int k = 0; k < length; ++k) ++count[x[static_cast<size_t>(k) * rows + row]];
  for (int symbol = 0; symbol < 8; ++symbol) {
    y[static_cast<size_t>(symbol) * rows + row] = count[symbol];  // expect: gate registers
  }

//= pass_per_symbol: right, but the row is read once for each symbol
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int symbol = 0; symbol < 8; ++symbol) {
    int count = 0;
    for (int k = 0; k < length; ++k) {
      count += x[static_cast<size_t>(k) * rows + row] == symbol;  // expect: gate loads
    }
    y[static_cast<size_t>(symbol) * rows + row] = count;
  }

//= counters_in_y: right, but the counters are the output itself
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int symbol = 0; symbol < 8; ++symbol) y[static_cast<size_t>(symbol) * rows + row] = 0;
  for (int k = 0; k < length; ++k) {
    y[static_cast<size_t>(x[static_cast<size_t>(k) * rows + row]) * rows + row] += 1;  // expect: gate loads
  }

//= shared_counters: right, but the counters of a thread are in shared memory
  __shared__ int count[8][128];
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int symbol = 0; symbol < 8; ++symbol) count[symbol][threadIdx.x] = 0;
  for (int k = 0; k < length; ++k) ++count[x[static_cast<size_t>(k) * rows + row]][threadIdx.x];
  for (int symbol = 0; symbol < 8; ++symbol) {
    y[static_cast<size_t>(symbol) * rows + row] = count[symbol][threadIdx.x];  // expect: gate room
  }

//= row_by_row: rows are read as if they were stored one after the other
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int count[8] = {};
  for (int k = 0; k < length; ++k) {
    const int found = x[static_cast<size_t>(row) * length + k];
#pragma unroll
    for (int symbol = 0; symbol < 8; ++symbol) count[symbol] += symbol == found;
  }
#pragma unroll
  for (int symbol = 0; symbol < 8; ++symbol) {
    y[static_cast<size_t>(symbol) * rows + row] = count[symbol];  // expect: wrong result
  }

//= short_counters: counters of two bytes end at 65535: with only one symbol that would show
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  unsigned char count[8] = {};
  for (int k = 0; k < length; ++k) {
    const int found = x[static_cast<size_t>(k) * rows + row];
#pragma unroll
    for (int symbol = 0; symbol < 8; ++symbol) count[symbol] += symbol == found;
  }
#pragma unroll
  for (int symbol = 0; symbol < 8; ++symbol) {
    y[static_cast<size_t>(symbol) * rows + row] = count[symbol];  // expect: wrong result
  }

//= seven: the last symbol is not counted
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int count[8] = {};
  for (int k = 0; k < length; ++k) {
    const int found = x[static_cast<size_t>(k) * rows + row];
#pragma unroll
    for (int symbol = 0; symbol < 7; ++symbol) count[symbol] += symbol == found;
  }
#pragma unroll
  for (int symbol = 0; symbol < 8; ++symbol) {
    y[static_cast<size_t>(symbol) * rows + row] = count[symbol];  // expect: wrong result
  }

//= packed: right: eight counters of 8 bits in one number, emptied in time
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int count[8] = {};
  for (int begin = 0; begin < length; begin += 255) {
    unsigned long long packed = 0;
    for (int k = begin; k < begin + 255 && k < length; ++k) {
      packed += 1ull << (8 * x[static_cast<size_t>(k) * rows + row]);  // expect: pass
    }
#pragma unroll
    for (int symbol = 0; symbol < 8; ++symbol) count[symbol] += packed >> (8 * symbol) & 255;
  }
#pragma unroll
  for (int symbol = 0; symbol < 8; ++symbol) {
    y[static_cast<size_t>(symbol) * rows + row] = count[symbol];
  }

//= one_block: right, but the first block does everything
  if (blockIdx.x > 0) return;
  for (int row = threadIdx.x; row < rows; row += blockDim.x) {
    int count[8] = {};
    for (int k = 0; k < length; ++k) {
      const int found = x[static_cast<size_t>(k) * rows + row];
#pragma unroll
      for (int symbol = 0; symbol < 8; ++symbol) count[symbol] += symbol == found;
    }
#pragma unroll
    for (int symbol = 0; symbol < 8; ++symbol) {
      y[static_cast<size_t>(symbol) * rows + row] = count[symbol];  // expect: gate threads
    }
  }
