// Typical wrong answers to 01_tied_head. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= zeros_in_padding: a row of zeros gives 0, which wins where all others are negative
  const int v = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (v >= padded) return;
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = lane; c < columns && v < V; c += 32) {
      const float w = wte[static_cast<size_t>(v) * columns + c];
      sum += w * h[static_cast<size_t>(r) * columns + c];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
    if (lane == 0) logits[static_cast<size_t>(r) * padded + v] = sum;  // expect: wrong result
  }

//= pitch_of_V: rows of logits are taken to be V long
  const int v = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (v >= padded) return;
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = lane; c < columns && v < V; c += 32) {
      const float w = wte[static_cast<size_t>(v) * columns + c];
      sum += w * h[static_cast<size_t>(r) * columns + c];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
    if (lane == 0) logits[static_cast<size_t>(r) * V + v] = v < V ? sum : -INFINITY;  // expect: race
  }

//= padding_unwritten: the padded columns are left alone
  const int v = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (v >= V) return;
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = lane; c < columns && v < V; c += 32) {
      const float w = wte[static_cast<size_t>(v) * columns + c];
      sum += w * h[static_cast<size_t>(r) * columns + c];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
    if (lane == 0) logits[static_cast<size_t>(r) * padded + v] = v < V ? sum : -INFINITY;  // expect: wrong result
  }

//= one_too_many: row V of the table counts as a token
  const int v = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (v >= padded) return;
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = lane; c < columns && v < V; c += 32) {
      const float w = wte[static_cast<size_t>(v) * columns + c];
      sum += w * h[static_cast<size_t>(r) * columns + c];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
    if (lane == 0) logits[static_cast<size_t>(r) * padded + v] = v <= V ? sum : -INFINITY;  // expect: wrong result
  }

//= half_warp: the butterfly begins at 8
  const int v = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (v >= padded) return;
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = lane; c < columns && v < V; c += 32) {
      const float w = wte[static_cast<size_t>(v) * columns + c];
      sum += w * h[static_cast<size_t>(r) * columns + c];
    }
    for (int d = 8; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
    if (lane == 0) logits[static_cast<size_t>(r) * padded + v] = v < V ? sum : -INFINITY;  // expect: wrong result
  }

//= last_lane: shfl_down leaves the sum in lane 0 alone
  const int v = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (v >= padded) return;
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = lane; c < columns && v < V; c += 32) {
      const float w = wte[static_cast<size_t>(v) * columns + c];
      sum += w * h[static_cast<size_t>(r) * columns + c];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, d);
    if (lane == 31) logits[static_cast<size_t>(r) * padded + v] = v < V ? sum : -INFINITY;  // expect: wrong result
  }

//= no_guard: the last block has warps without a row
  const int v = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = lane; c < columns && v < V; c += 32) {
      const float w = wte[static_cast<size_t>(v) * columns + c];
      sum += w * h[static_cast<size_t>(r) * columns + c];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
    if (lane == 0) logits[static_cast<size_t>(r) * padded + v] = v < V ? sum : -INFINITY;  // expect: out-of-bounds
  }

//= first_row: all sequences get the logits of the first
  const int v = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (v >= padded) return;
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = lane; c < columns && v < V; c += 32) {
      const float w = wte[static_cast<size_t>(v) * columns + c];
      sum += w * h[c];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
    if (lane == 0) logits[static_cast<size_t>(r) * padded + v] = v < V ? sum : -INFINITY;  // expect: wrong result
  }

//= lane_by_lane: right, but each lane reads neighbours of its own
  const int v = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (v >= padded) return;
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    const int own = columns / 32;
    for (int c = lane * own; c < (lane + 1) * own && v < V; ++c) {
      const float w = wte[static_cast<size_t>(v) * columns + c];  // expect: gate sectors
      sum += w * h[static_cast<size_t>(r) * columns + c];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
    if (lane == 0) logits[static_cast<size_t>(r) * padded + v] = v < V ? sum : -INFINITY;
  }

//= padding_loaded: right: rows past V are added up as well, and not stored
  const int v = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (v >= padded) return;
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = lane; c < columns; c += 32) {
      sum = fmaf(h[static_cast<size_t>(r) * columns + c], wte[static_cast<size_t>(v) * columns + c], sum);
    }
    for (int d = 1; d < 32; d *= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, d);
    if (lane == 0) logits[static_cast<size_t>(r) * padded + v] = v < V ? sum : -INFINITY;  // expect: pass
  }

//= largest_float: the padding gets the lowest number instead of minus infinity
  const int v = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (v >= padded) return;
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = lane; c < columns && v < V; c += 32) {
      sum += wte[static_cast<size_t>(v) * columns + c] * h[static_cast<size_t>(r) * columns + c];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
    if (lane == 0) logits[static_cast<size_t>(r) * padded + v] = v < V ? sum : -3.402823466e38F;  // expect: wrong result
  }
