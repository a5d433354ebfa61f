// Typical wrong answers to 12_bug_kind_test. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= as_given: a pack begins where the row begins, wherever that is
  const unsigned full = 0xffffffff;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int lane = threadIdx.x;
  if (row >= length) return;
  const size_t first = static_cast<size_t>(row) * length;
  const float* in = x + first;
  const int own = row + 1;
  const float4* packs = reinterpret_cast<const float4*>(in);
  const int in_packs = own / 4;
  float largest = -3.402823466e38F, sum = 0;
  for (int i = lane; i < in_packs; i += 32) {
    const float4 four = packs[i];  // expect: misaligned
    const float before = largest;
    largest = fmaxf(fmaxf(fmaxf(largest, four.x), fmaxf(four.y, four.z)), four.w);
    sum = sum * expf(before - largest) + expf(four.x - largest) + expf(four.y - largest) +
          expf(four.z - largest) + expf(four.w - largest);
  }
  for (int i = 4 * in_packs + lane; i < own; i += 32) {
    const float before = largest;
    largest = fmaxf(largest, in[i]);
    sum = sum * expf(before - largest) + expf(in[i] - largest);
  }
  const float before = largest;
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(full, largest, d));
  sum *= expf(before - largest);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(full, sum, d);
  float* out = y + first;
  for (int i = lane; i < own; i += 32) out[i] = expf(in[i] - largest) / sum;
  for (int i = own + lane; i < length; i += 32) out[i] = 0;

//= all_scalar: right, but no pack is left
  const unsigned full = 0xffffffff;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int lane = threadIdx.x;
  if (row >= length) return;
  const size_t first = static_cast<size_t>(row) * length;
  const float* in = x + first;
  const int own = row + 1;
  const int in_packs = 0;
  float largest = -3.402823466e38F, sum = 0;
  for (int i = 4 * in_packs + lane; i < own; i += 32) {
    const float before = largest;
    largest = fmaxf(largest, in[i]);  // expect: gate requests
    sum = sum * expf(before - largest) + expf(in[i] - largest);
  }
  const float before = largest;
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(full, largest, d));
  sum *= expf(before - largest);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(full, sum, d);
  float* out = y + first;
  for (int i = lane; i < own; i += 32) out[i] = expf(in[i] - largest) / sum;
  for (int i = own + lane; i < length; i += 32) out[i] = 0;

//= rounded_down: the packs begin before the row does, and take numbers of the row above
  const unsigned full = 0xffffffff;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int lane = threadIdx.x;
  if (row >= length) return;
  const size_t first = static_cast<size_t>(row) * length;
  const float* in = x + first;
  const int own = row + 1;
  const int shift = first % 4;
  const float4* packs = reinterpret_cast<const float4*>(in - shift);
  const int in_packs = own / 4;
  float largest = -3.402823466e38F, sum = 0;
  for (int i = lane; i < in_packs; i += 32) {
    const float4 four = packs[i];
    const float before = largest;
    largest = fmaxf(fmaxf(fmaxf(largest, four.x), fmaxf(four.y, four.z)), four.w);
    sum = sum * expf(before - largest) + expf(four.x - largest) + expf(four.y - largest) +
          expf(four.z - largest) + expf(four.w - largest);
  }
  for (int i = 4 * in_packs + lane; i < own; i += 32) {
    const float before = largest;
    largest = fmaxf(largest, in[i]);
    sum = sum * expf(before - largest) + expf(in[i] - largest);
  }
  const float before = largest;
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(full, largest, d));
  sum *= expf(before - largest);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(full, sum, d);
  float* out = y + first;
  for (int i = lane; i < own; i += 32) out[i] = expf(in[i] - largest) / sum;  // expect: wrong result
  for (int i = own + lane; i < length; i += 32) out[i] = 0;

//= rounded_up: the last pack takes numbers that do not count
  const unsigned full = 0xffffffff;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int lane = threadIdx.x;
  if (row >= length) return;
  const size_t first = static_cast<size_t>(row) * length;
  const float* in = x + first;
  const int own = row + 1;
  const bool aligned = first % 4 == 0;
  const float4* packs = reinterpret_cast<const float4*>(in);
  const int in_packs = aligned ? (own + 3) / 4 : 0;
  float largest = -3.402823466e38F, sum = 0;
  for (int i = lane; i < in_packs; i += 32) {
    const float4 four = packs[i];  // expect: out-of-bounds
    const float before = largest;
    largest = fmaxf(fmaxf(fmaxf(largest, four.x), fmaxf(four.y, four.z)), four.w);
    sum = sum * expf(before - largest) + expf(four.x - largest) + expf(four.y - largest) +
          expf(four.z - largest) + expf(four.w - largest);
  }
  for (int i = 4 * in_packs + lane; i < own; i += 32) {
    const float before = largest;
    largest = fmaxf(largest, in[i]);
    sum = sum * expf(before - largest) + expf(in[i] - largest);
  }
  const float before = largest;
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(full, largest, d));
  sum *= expf(before - largest);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(full, sum, d);
  float* out = y + first;
  for (int i = lane; i < own; i += 32) out[i] = expf(in[i] - largest) / sum;
  for (int i = own + lane; i < length; i += 32) out[i] = 0;

//= no_remainder: what is left after the packs is lost
  const unsigned full = 0xffffffff;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int lane = threadIdx.x;
  if (row >= length) return;
  const size_t first = static_cast<size_t>(row) * length;
  const float* in = x + first;
  const int own = row + 1;
  const bool aligned = first % 4 == 0;
  const float4* packs = reinterpret_cast<const float4*>(in);
  const int in_packs = aligned ? own / 4 : 0;
  float largest = -3.402823466e38F, sum = 0;
  for (int i = lane; i < in_packs; i += 32) {
    const float4 four = packs[i];
    const float before = largest;
    largest = fmaxf(fmaxf(fmaxf(largest, four.x), fmaxf(four.y, four.z)), four.w);
    sum = sum * expf(before - largest) + expf(four.x - largest) + expf(four.y - largest) +
          expf(four.z - largest) + expf(four.w - largest);
  }
  if (!aligned) {
    for (int i = lane; i < own; i += 32) {
      const float before = largest;
      largest = fmaxf(largest, in[i]);
      sum = sum * expf(before - largest) + expf(in[i] - largest);
    }
  }
  const float before = largest;
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(full, largest, d));
  sum *= expf(before - largest);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(full, sum, d);
  float* out = y + first;
  for (int i = lane; i < own; i += 32) out[i] = expf(in[i] - largest) / sum;  // expect: wrong result
  for (int i = own + lane; i < length; i += 32) out[i] = 0;

//= padded_length: rows are taken for longer than they are
  const unsigned full = 0xffffffff;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int lane = threadIdx.x;
  if (row >= length) return;
  const size_t first = static_cast<size_t>(row) * ((length + 3) / 4 * 4);
  const float* in = x + first;
  const int own = row + 1;
  const float4* packs = reinterpret_cast<const float4*>(in);
  const int in_packs = own / 4;
  float largest = -3.402823466e38F, sum = 0;
  for (int i = lane; i < in_packs; i += 32) {
    const float4 four = packs[i];  // expect: out-of-bounds
    const float before = largest;
    largest = fmaxf(fmaxf(fmaxf(largest, four.x), fmaxf(four.y, four.z)), four.w);
    sum = sum * expf(before - largest) + expf(four.x - largest) + expf(four.y - largest) +
          expf(four.z - largest) + expf(four.w - largest);
  }
  for (int i = 4 * in_packs + lane; i < own; i += 32) {
    const float before = largest;
    largest = fmaxf(largest, in[i]);
    sum = sum * expf(before - largest) + expf(in[i] - largest);
  }
  const float before = largest;
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(full, largest, d));
  sum *= expf(before - largest);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(full, sum, d);
  float* out = y + first;
  for (int i = lane; i < own; i += 32) out[i] = expf(in[i] - largest) / sum;
  for (int i = own + lane; i < length; i += 32) out[i] = 0;

//= whole_row: the packs take the whole row, not only what counts
  const unsigned full = 0xffffffff;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int lane = threadIdx.x;
  if (row >= length) return;
  const size_t first = static_cast<size_t>(row) * length;
  const float* in = x + first;
  const int own = row + 1;
  const bool aligned = first % 4 == 0;
  const float4* packs = reinterpret_cast<const float4*>(in);
  const int in_packs = aligned ? length / 4 : 0;
  float largest = -3.402823466e38F, sum = 0;
  for (int i = lane; i < in_packs; i += 32) {
    const float4 four = packs[i];
    const float before = largest;
    largest = fmaxf(fmaxf(fmaxf(largest, four.x), fmaxf(four.y, four.z)), four.w);
    sum = sum * expf(before - largest) + expf(four.x - largest) + expf(four.y - largest) +
          expf(four.z - largest) + expf(four.w - largest);
  }
  for (int i = 4 * in_packs + lane; i < own; i += 32) {
    const float before = largest;
    largest = fmaxf(largest, in[i]);
    sum = sum * expf(before - largest) + expf(in[i] - largest);
  }
  const float before = largest;
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(full, largest, d));
  sum *= expf(before - largest);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(full, sum, d);
  float* out = y + first;
  for (int i = lane; i < own; i += 32) out[i] = expf(in[i] - largest) / sum;  // expect: wrong result
  for (int i = own + lane; i < length; i += 32) out[i] = 0;

//= length_decides: right: packs only where the length is a multiple of 4
  const unsigned full = 0xffffffff;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int lane = threadIdx.x;
  if (row >= length) return;
  const size_t first = static_cast<size_t>(row) * length;
  const float* in = x + first;
  const int own = row + 1;
  const float4* packs = reinterpret_cast<const float4*>(in);
  const int in_packs = length % 4 == 0 ? own / 4 : 0;
  float largest = -3.402823466e38F, sum = 0;
  for (int i = lane; i < in_packs; i += 32) {
    const float4 four = packs[i];  // expect: pass
    const float before = largest;
    largest = fmaxf(fmaxf(fmaxf(largest, four.x), fmaxf(four.y, four.z)), four.w);
    sum = sum * expf(before - largest) + expf(four.x - largest) + expf(four.y - largest) +
          expf(four.z - largest) + expf(four.w - largest);
  }
  for (int i = 4 * in_packs + lane; i < own; i += 32) {
    const float before = largest;
    largest = fmaxf(largest, in[i]);
    sum = sum * expf(before - largest) + expf(in[i] - largest);
  }
  const float before = largest;
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(full, largest, d));
  sum *= expf(before - largest);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(full, sum, d);
  float* out = y + first;
  for (int i = lane; i < own; i += 32) out[i] = expf(in[i] - largest) / sum;
  for (int i = own + lane; i < length; i += 32) out[i] = 0;

//= scalar_head: right: single numbers up to the first legal pack
  const unsigned full = 0xffffffff;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int lane = threadIdx.x;
  if (row >= length) return;
  const size_t first = static_cast<size_t>(row) * length;
  const float* in = x + first;
  const int own = row + 1;
  const int to_pack = (4 - first % 4) % 4;
  const int shift = to_pack < own ? to_pack : own;
  const float4* packs = reinterpret_cast<const float4*>(in + shift);
  const int in_packs = (own - shift) / 4;
  float largest = -3.402823466e38F, sum = 0;
  if (lane < shift) {
    largest = in[lane];
    sum = 1;
  }
  for (int i = lane; i < in_packs; i += 32) {
    const float4 four = packs[i];  // expect: pass
    const float before = largest;
    largest = fmaxf(fmaxf(fmaxf(largest, four.x), fmaxf(four.y, four.z)), four.w);
    sum = sum * expf(before - largest) + expf(four.x - largest) + expf(four.y - largest) +
          expf(four.z - largest) + expf(four.w - largest);
  }
  for (int i = shift + 4 * in_packs + lane; i < own; i += 32) {
    const float before = largest;
    largest = fmaxf(largest, in[i]);
    sum = sum * expf(before - largest) + expf(in[i] - largest);
  }
  const float before = largest;
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(full, largest, d));
  sum *= expf(before - largest);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(full, sum, d);
  float* out = y + first;
  for (int i = lane; i < own; i += 32) out[i] = expf(in[i] - largest) / sum;
  for (int i = own + lane; i < length; i += 32) out[i] = 0;

//= one_block: right, but the first block does everything
  const unsigned full = 0xffffffff;
  const int lane = threadIdx.x;
  if (blockIdx.x > 0) return;
  for (int row = threadIdx.y; row < length; row += blockDim.y) {
    const size_t first = static_cast<size_t>(row) * length;
    const float* in = x + first;
    const int own = row + 1;
    const bool aligned = first % 4 == 0;
    const float4* packs = reinterpret_cast<const float4*>(in);
    const int in_packs = aligned ? own / 4 : 0;
    float largest = -3.402823466e38F, sum = 0;
    for (int i = lane; i < in_packs; i += 32) {
      const float4 four = packs[i];
      const float before = largest;
      largest = fmaxf(fmaxf(fmaxf(largest, four.x), fmaxf(four.y, four.z)), four.w);
      sum = sum * expf(before - largest) + expf(four.x - largest) + expf(four.y - largest) +
            expf(four.z - largest) + expf(four.w - largest);
    }
    for (int i = 4 * in_packs + lane; i < own; i += 32) {
      const float before = largest;
      largest = fmaxf(largest, in[i]);
      sum = sum * expf(before - largest) + expf(in[i] - largest);
    }
    const float before = largest;
    for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(full, largest, d));
    sum *= expf(before - largest);
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(full, sum, d);
    float* out = y + first;
    for (int i = lane; i < own; i += 32) out[i] = expf(in[i] - largest) / sum;
    for (int i = own + lane; i < length; i += 32) out[i] = 0;  // expect: gate threads
  }
