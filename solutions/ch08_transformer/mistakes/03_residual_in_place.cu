// Typical wrong answers to 03_residual_in_place. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= old_stream: the row before the addition is normalised
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const int packs = columns / 4;
  const size_t begin = static_cast<size_t>(row) * packs;
  float4* stream = reinterpret_cast<float4*>(x) + begin;
  const float4* others = reinterpret_cast<const float4*>(added) + begin;
  const float4* gains = reinterpret_cast<const float4*>(gain);
  float4* out = reinterpret_cast<float4*>(n) + begin;

  float4 kept[8] = {};
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 a = stream[pack], b = others[pack], g = gains[pack];
    kept[i] = {a.x + g.x * b.x, a.y + g.y * b.y, a.z + g.z * b.z, a.w + g.w * b.w};
    stream[pack] = kept[i];
    kept[i] = a;
    sum += kept[i].x + kept[i].y + kept[i].z + kept[i].w;
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  const float mean = sum / columns;

  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i * 32 + lane >= packs) continue;
    const float4 v = {kept[i].x - mean, kept[i].y - mean, kept[i].z - mean, kept[i].w - mean};
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int d = 16; d > 0; d /= 2) squares += __shfl_xor_sync(0xFFFFFFFF, squares, d);
  const float scale = 1 / sqrtf(squares / columns + epsilon);  // expect: wrong result
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 v = kept[i];
    out[pack] = {(v.x - mean) * scale, (v.y - mean) * scale, (v.z - mean) * scale,
                 (v.w - mean) * scale};
  }

//= stream_unchanged: the sum is normalised and not stored
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const int packs = columns / 4;
  const size_t begin = static_cast<size_t>(row) * packs;
  float4* stream = reinterpret_cast<float4*>(x) + begin;
  const float4* others = reinterpret_cast<const float4*>(added) + begin;
  const float4* gains = reinterpret_cast<const float4*>(gain);
  float4* out = reinterpret_cast<float4*>(n) + begin;

  float4 kept[8] = {};
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 a = stream[pack], b = others[pack], g = gains[pack];
    kept[i] = {a.x + g.x * b.x, a.y + g.y * b.y, a.z + g.z * b.z, a.w + g.w * b.w};
    sum += kept[i].x + kept[i].y + kept[i].z + kept[i].w;
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  const float mean = sum / columns;

  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i * 32 + lane >= packs) continue;
    const float4 v = {kept[i].x - mean, kept[i].y - mean, kept[i].z - mean, kept[i].w - mean};
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int d = 16; d > 0; d /= 2) squares += __shfl_xor_sync(0xFFFFFFFF, squares, d);
  const float scale = 1 / sqrtf(squares / columns + epsilon);  // expect: wrong result
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 v = kept[i];
    out[pack] = {(v.x - mean) * scale, (v.y - mean) * scale, (v.z - mean) * scale,
                 (v.w - mean) * scale};
  }

//= normalised_stream: the normalised row replaces the stream
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const int packs = columns / 4;
  const size_t begin = static_cast<size_t>(row) * packs;
  float4* stream = reinterpret_cast<float4*>(x) + begin;
  const float4* others = reinterpret_cast<const float4*>(added) + begin;
  const float4* gains = reinterpret_cast<const float4*>(gain);
  float4* out = reinterpret_cast<float4*>(n) + begin;

  float4 kept[8] = {};
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 a = stream[pack], b = others[pack], g = gains[pack];
    kept[i] = {a.x + g.x * b.x, a.y + g.y * b.y, a.z + g.z * b.z, a.w + g.w * b.w};
    stream[pack] = kept[i];
    sum += kept[i].x + kept[i].y + kept[i].z + kept[i].w;
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  const float mean = sum / columns;

  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i * 32 + lane >= packs) continue;
    const float4 v = {kept[i].x - mean, kept[i].y - mean, kept[i].z - mean, kept[i].w - mean};
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int d = 16; d > 0; d /= 2) squares += __shfl_xor_sync(0xFFFFFFFF, squares, d);
  const float scale = 1 / sqrtf(squares / columns + epsilon);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 v = kept[i];
    out[pack] = {(v.x - mean) * scale, (v.y - mean) * scale, (v.z - mean) * scale,
                 (v.w - mean) * scale};
    stream[pack] = out[pack];  // expect: wrong result
  }

//= own_epsilon: epsilon is a constant of the kernel
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const int packs = columns / 4;
  const size_t begin = static_cast<size_t>(row) * packs;
  float4* stream = reinterpret_cast<float4*>(x) + begin;
  const float4* others = reinterpret_cast<const float4*>(added) + begin;
  const float4* gains = reinterpret_cast<const float4*>(gain);
  float4* out = reinterpret_cast<float4*>(n) + begin;

  float4 kept[8] = {};
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 a = stream[pack], b = others[pack], g = gains[pack];
    kept[i] = {a.x + g.x * b.x, a.y + g.y * b.y, a.z + g.z * b.z, a.w + g.w * b.w};
    stream[pack] = kept[i];
    sum += kept[i].x + kept[i].y + kept[i].z + kept[i].w;
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  const float mean = sum / columns;

  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i * 32 + lane >= packs) continue;
    const float4 v = {kept[i].x - mean, kept[i].y - mean, kept[i].z - mean, kept[i].w - mean};
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int d = 16; d > 0; d /= 2) squares += __shfl_xor_sync(0xFFFFFFFF, squares, d);
  const float scale = 1 / sqrtf(squares / columns + 1e-5f);  // expect: wrong result
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 v = kept[i];
    out[pack] = {(v.x - mean) * scale, (v.y - mean) * scale, (v.z - mean) * scale,
                 (v.w - mean) * scale};
  }

//= mean_of_squares: the variance is the mean of the squares less the square of the mean
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const int packs = columns / 4;
  const size_t begin = static_cast<size_t>(row) * packs;
  float4* stream = reinterpret_cast<float4*>(x) + begin;
  const float4* others = reinterpret_cast<const float4*>(added) + begin;
  const float4* gains = reinterpret_cast<const float4*>(gain);
  float4* out = reinterpret_cast<float4*>(n) + begin;

  float4 kept[8] = {};
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 a = stream[pack], b = others[pack], g = gains[pack];
    kept[i] = {a.x + g.x * b.x, a.y + g.y * b.y, a.z + g.z * b.z, a.w + g.w * b.w};
    stream[pack] = kept[i];
    sum += kept[i].x + kept[i].y + kept[i].z + kept[i].w;
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  const float mean = sum / columns;

  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i * 32 + lane >= packs) continue;
    const float4 v = kept[i];
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int d = 16; d > 0; d /= 2) squares += __shfl_xor_sync(0xFFFFFFFF, squares, d);
  const float scale = 1 / sqrtf(fmaxf(squares / columns - mean * mean, 0) + epsilon);  // expect: wrong result
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 v = kept[i];
    out[pack] = {(v.x - mean) * scale, (v.y - mean) * scale, (v.z - mean) * scale,
                 (v.w - mean) * scale};
  }

//= one_column_less: the variance divides by the columns less one
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const int packs = columns / 4;
  const size_t begin = static_cast<size_t>(row) * packs;
  float4* stream = reinterpret_cast<float4*>(x) + begin;
  const float4* others = reinterpret_cast<const float4*>(added) + begin;
  const float4* gains = reinterpret_cast<const float4*>(gain);
  float4* out = reinterpret_cast<float4*>(n) + begin;

  float4 kept[8] = {};
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 a = stream[pack], b = others[pack], g = gains[pack];
    kept[i] = {a.x + g.x * b.x, a.y + g.y * b.y, a.z + g.z * b.z, a.w + g.w * b.w};
    stream[pack] = kept[i];
    sum += kept[i].x + kept[i].y + kept[i].z + kept[i].w;
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  const float mean = sum / columns;

  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i * 32 + lane >= packs) continue;
    const float4 v = {kept[i].x - mean, kept[i].y - mean, kept[i].z - mean, kept[i].w - mean};
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int d = 16; d > 0; d /= 2) squares += __shfl_xor_sync(0xFFFFFFFF, squares, d);
  const float scale = 1 / sqrtf(squares / (columns - 1) + epsilon);  // expect: wrong result
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 v = kept[i];
    out[pack] = {(v.x - mean) * scale, (v.y - mean) * scale, (v.z - mean) * scale,
                 (v.w - mean) * scale};
  }

//= zeros_counted: lanes past the end of the row count a distance from the mean
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const int packs = columns / 4;
  const size_t begin = static_cast<size_t>(row) * packs;
  float4* stream = reinterpret_cast<float4*>(x) + begin;
  const float4* others = reinterpret_cast<const float4*>(added) + begin;
  const float4* gains = reinterpret_cast<const float4*>(gain);
  float4* out = reinterpret_cast<float4*>(n) + begin;

  float4 kept[8] = {};
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 a = stream[pack], b = others[pack], g = gains[pack];
    kept[i] = {a.x + g.x * b.x, a.y + g.y * b.y, a.z + g.z * b.z, a.w + g.w * b.w};
    stream[pack] = kept[i];
    sum += kept[i].x + kept[i].y + kept[i].z + kept[i].w;
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  const float mean = sum / columns;

  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const float4 v = {kept[i].x - mean, kept[i].y - mean, kept[i].z - mean, kept[i].w - mean};
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int d = 16; d > 0; d /= 2) squares += __shfl_xor_sync(0xFFFFFFFF, squares, d);
  const float scale = 1 / sqrtf(squares / columns + epsilon);  // expect: wrong result
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 v = kept[i];
    out[pack] = {(v.x - mean) * scale, (v.y - mean) * scale, (v.z - mean) * scale,
                 (v.w - mean) * scale};
  }

//= gain_of_the_row: the gain is addressed like the row
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const int packs = columns / 4;
  const size_t begin = static_cast<size_t>(row) * packs;
  float4* stream = reinterpret_cast<float4*>(x) + begin;
  const float4* others = reinterpret_cast<const float4*>(added) + begin;
  const float4* gains = reinterpret_cast<const float4*>(gain);
  float4* out = reinterpret_cast<float4*>(n) + begin;

  float4 kept[8] = {};
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 a = stream[pack], b = others[pack], g = gains[begin + pack];  // expect: out-of-bounds
    kept[i] = {a.x + g.x * b.x, a.y + g.y * b.y, a.z + g.z * b.z, a.w + g.w * b.w};
    stream[pack] = kept[i];
    sum += kept[i].x + kept[i].y + kept[i].z + kept[i].w;
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  const float mean = sum / columns;

  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i * 32 + lane >= packs) continue;
    const float4 v = {kept[i].x - mean, kept[i].y - mean, kept[i].z - mean, kept[i].w - mean};
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int d = 16; d > 0; d /= 2) squares += __shfl_xor_sync(0xFFFFFFFF, squares, d);
  const float scale = 1 / sqrtf(squares / columns + epsilon);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 v = kept[i];
    out[pack] = {(v.x - mean) * scale, (v.y - mean) * scale, (v.z - mean) * scale,
                 (v.w - mean) * scale};
  }

//= no_guard: the last block has warps without a row
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  const int packs = columns / 4;
  const size_t begin = static_cast<size_t>(row) * packs;
  float4* stream = reinterpret_cast<float4*>(x) + begin;
  const float4* others = reinterpret_cast<const float4*>(added) + begin;
  const float4* gains = reinterpret_cast<const float4*>(gain);
  float4* out = reinterpret_cast<float4*>(n) + begin;

  float4 kept[8] = {};
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 a = stream[pack], b = others[pack], g = gains[pack];  // expect: out-of-bounds
    kept[i] = {a.x + g.x * b.x, a.y + g.y * b.y, a.z + g.z * b.z, a.w + g.w * b.w};
    stream[pack] = kept[i];
    sum += kept[i].x + kept[i].y + kept[i].z + kept[i].w;
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  const float mean = sum / columns;

  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i * 32 + lane >= packs) continue;
    const float4 v = {kept[i].x - mean, kept[i].y - mean, kept[i].z - mean, kept[i].w - mean};
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int d = 16; d > 0; d /= 2) squares += __shfl_xor_sync(0xFFFFFFFF, squares, d);
  const float scale = 1 / sqrtf(squares / columns + epsilon);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 v = kept[i];
    out[pack] = {(v.x - mean) * scale, (v.y - mean) * scale, (v.z - mean) * scale,
                 (v.w - mean) * scale};
  }

//= read_again: right, but the stream is read again for each of the three loops
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const size_t begin = static_cast<size_t>(row) * columns;
  float sum = 0;
  for (int c = lane; c < columns; c += 32) {
    x[begin + c] += gain[c] * added[begin + c];  // expect: gate sectors
    sum += x[begin + c];
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  const float mean = sum / columns;
  float squares = 0;
  for (int c = lane; c < columns; c += 32) {
    squares += (x[begin + c] - mean) * (x[begin + c] - mean);
  }
  for (int d = 16; d > 0; d /= 2) squares += __shfl_xor_sync(0xFFFFFFFF, squares, d);
  const float scale = 1 / sqrtf(squares / columns + epsilon);
  for (int c = lane; c < columns; c += 32) n[begin + c] = (x[begin + c] - mean) * scale;

//= one_float: right, but every float is a load of its own
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const size_t begin = static_cast<size_t>(row) * columns;
  float kept[32] = {};
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    const int c = i * 32 + lane;
    if (c >= columns) continue;
    kept[i] = x[begin + c] + gain[c] * added[begin + c];  // expect: gate requests
    x[begin + c] = kept[i];
    sum += kept[i];
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  const float mean = sum / columns;
  float squares = 0;
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    if (i * 32 + lane < columns) squares += (kept[i] - mean) * (kept[i] - mean);
  }
  for (int d = 16; d > 0; d /= 2) squares += __shfl_xor_sync(0xFFFFFFFF, squares, d);
  const float scale = 1 / sqrtf(squares / columns + epsilon);
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    const int c = i * 32 + lane;
    if (c < columns) n[begin + c] = (kept[i] - mean) * scale;
  }
