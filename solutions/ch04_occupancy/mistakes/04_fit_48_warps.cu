// Typical wrong answers to 04_fit_48_warps. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= no_bounds: right, but the compiler takes as many registers as it likes
__global__ void sums_48(const float* x, const float* w, float* y,
                                                   int rows, int length) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row >= rows) return;
  for (int first = 0; first < 48; first += 48) {
    float sum[48] = {};
    for (int k = 0; k < length; ++k) {
      const float number = x[static_cast<size_t>(k) * rows + row];
      for (int j = 0; j < 48; ++j) sum[j] += number * w[static_cast<size_t>(k) * 48 + first + j];
    }
    for (int j = 0; j < 48; ++j) y[static_cast<size_t>(first + j) * rows + row] = sum[j];  // expect: gate warps
  }
}

//= bound_alone: right, but 48 sums do not fit into 40 registers
__global__ void __launch_bounds__(256, 6) sums_48(const float* x, const float* w, float* y,
                                                   int rows, int length) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row >= rows) return;
  for (int first = 0; first < 48; first += 48) {
    float sum[48] = {};
    for (int k = 0; k < length; ++k) {
      const float number = x[static_cast<size_t>(k) * rows + row];
      for (int j = 0; j < 48; ++j) sum[j] += number * w[static_cast<size_t>(k) * 48 + first + j];
    }
    for (int j = 0; j < 48; ++j) y[static_cast<size_t>(first + j) * rows + row] = sum[j];  // expect: gate registers
  }
}

//= no_bound_24: right, with half of the sums and no bound
__global__ void sums_48(const float* x, const float* w, float* y,
                                                   int rows, int length) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row >= rows) return;
  for (int first = 0; first < 48; first += 24) {
    float sum[24] = {};
    for (int k = 0; k < length; ++k) {
      const float number = x[static_cast<size_t>(k) * rows + row];
      for (int j = 0; j < 24; ++j) sum[j] += number * w[static_cast<size_t>(k) * 48 + first + j];
    }
    for (int j = 0; j < 24; ++j) y[static_cast<size_t>(first + j) * rows + row] = sum[j];  // expect: gate warps
  }
}

//= bound_of_8: right, but the bound asks for more blocks than 24 sums allow
__global__ void __launch_bounds__(256, 8) sums_48(const float* x, const float* w, float* y,
                                                   int rows, int length) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row >= rows) return;
  for (int first = 0; first < 48; first += 24) {
    float sum[24] = {};
    for (int k = 0; k < length; ++k) {
      const float number = x[static_cast<size_t>(k) * rows + row];
      for (int j = 0; j < 24; ++j) sum[j] += number * w[static_cast<size_t>(k) * 48 + first + j];
    }
    for (int j = 0; j < 24; ++j) y[static_cast<size_t>(first + j) * rows + row] = sum[j];  // expect: gate registers
  }
}

//= three_passes: right, but x is loaded three times
__global__ void __launch_bounds__(256, 6) sums_48(const float* x, const float* w, float* y,
                                                   int rows, int length) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row >= rows) return;
  for (int first = 0; first < 48; first += 16) {
    float sum[16] = {};
    for (int k = 0; k < length; ++k) {
      const float number = x[static_cast<size_t>(k) * rows + row];
      for (int j = 0; j < 16; ++j) sum[j] += number * w[static_cast<size_t>(k) * 48 + first + j];  // expect: gate loads
    }
    for (int j = 0; j < 16; ++j) y[static_cast<size_t>(first + j) * rows + row] = sum[j];
  }
}

//= indexed: right, but an index that the compiler does not know needs memory
__global__ void __launch_bounds__(256, 6) sums_48(const float* x, const float* w, float* y,
                                                   int rows, int length) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row >= rows) return;
  for (int first = 0; first < 48; first += 24) {
    float sum[24] = {};
    for (int k = 0; k < length; ++k) {
      const float number = x[static_cast<size_t>(k) * rows + row];
#pragma unroll 1
      for (int j = 0; j < 24; ++j) sum[j] += number * w[static_cast<size_t>(k) * 48 + first + j];
    }
    for (int j = 0; j < 24; ++j) y[static_cast<size_t>(first + j) * rows + row] = sum[j];  // expect: gate registers
  }
}

//= no_guard: threads past the last row
__global__ void __launch_bounds__(256, 6) sums_48(const float* x, const float* w, float* y,
                                                   int rows, int length) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  for (int first = 0; first < 48; first += 24) {
    float sum[24] = {};
    for (int k = 0; k < length; ++k) {
      const float number = x[static_cast<size_t>(k) * rows + row];  // expect: out-of-bounds
      for (int j = 0; j < 24; ++j) sum[j] += number * w[static_cast<size_t>(k) * 48 + first + j];
    }
    for (int j = 0; j < 24; ++j) y[static_cast<size_t>(first + j) * rows + row] = sum[j];
  }
}

//= second_half_lost: the second pass uses the first 24 columns of w again
__global__ void __launch_bounds__(256, 6) sums_48(const float* x, const float* w, float* y,
                                                   int rows, int length) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row >= rows) return;
  for (int first = 0; first < 48; first += 24) {
    float sum[24] = {};
    for (int k = 0; k < length; ++k) {
      const float number = x[static_cast<size_t>(k) * rows + row];
      for (int j = 0; j < 24; ++j) sum[j] += number * w[static_cast<size_t>(k) * 48 + j];
    }
    for (int j = 0; j < 24; ++j) y[static_cast<size_t>(first + j) * rows + row] = sum[j];  // expect: wrong result
  }
}

//= no_zero: the second pass goes on with the sums of the first
__global__ void __launch_bounds__(256, 6) sums_48(const float* x, const float* w, float* y,
                                                   int rows, int length) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row >= rows) return;
  float sum[24] = {};
  for (int first = 0; first < 48; first += 24) {
    for (int k = 0; k < length; ++k) {
      const float number = x[static_cast<size_t>(k) * rows + row];
      for (int j = 0; j < 24; ++j) sum[j] += number * w[static_cast<size_t>(k) * 48 + first + j];
    }
    for (int j = 0; j < 24; ++j) y[static_cast<size_t>(first + j) * rows + row] = sum[j];  // expect: wrong result
  }
}

//= one_block: right, but the first block does everything
__global__ void __launch_bounds__(256, 6) sums_48(const float* x, const float* w, float* y,
                                                   int rows, int length) {
  if (blockIdx.x > 0) return;
  for (int row = threadIdx.x; row < rows; row += 256)
  for (int first = 0; first < 48; first += 24) {
    float sum[24] = {};
    for (int k = 0; k < length; ++k) {
      const float number = x[static_cast<size_t>(k) * rows + row];
      for (int j = 0; j < 24; ++j) sum[j] += number * w[static_cast<size_t>(k) * 48 + first + j];
    }
    for (int j = 0; j < 24; ++j) y[static_cast<size_t>(first + j) * rows + row] = sum[j];  // expect: gate threads
  }
}
