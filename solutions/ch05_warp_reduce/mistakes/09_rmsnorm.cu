// Typical wrong answers to 09_rmsnorm. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= mean_of_packs: the mean divides by the number of packs
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const size_t begin = static_cast<size_t>(row) * columns;
  const auto* in = reinterpret_cast<const float4*>(x + begin);
  const auto* weights = reinterpret_cast<const float4*>(weight);
  auto* out = reinterpret_cast<float4*>(y + begin);

  float squares = 0;
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i];
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = 1 / sqrtf(squares / (columns / 4) + 1e-5F);  // expect: wrong result
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i], w = weights[i];
    out[i] = {v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w};
  }

//= no_epsilon: 1e-5 is left out
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const size_t begin = static_cast<size_t>(row) * columns;
  const auto* in = reinterpret_cast<const float4*>(x + begin);
  const auto* weights = reinterpret_cast<const float4*>(weight);
  auto* out = reinterpret_cast<float4*>(y + begin);

  float squares = 0;
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i];
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = 1 / sqrtf(squares / columns);  // expect: wrong result
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i], w = weights[i];
    out[i] = {v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w};
  }

//= epsilon_outside: 1e-5 is added to the root
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const size_t begin = static_cast<size_t>(row) * columns;
  const auto* in = reinterpret_cast<const float4*>(x + begin);
  const auto* weights = reinterpret_cast<const float4*>(weight);
  auto* out = reinterpret_cast<float4*>(y + begin);

  float squares = 0;
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i];
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = 1 / (sqrtf(squares / columns) + 1e-5F);  // expect: wrong result
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i], w = weights[i];
    out[i] = {v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w};
  }

//= no_weight: the weights are left out
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const size_t begin = static_cast<size_t>(row) * columns;
  const auto* in = reinterpret_cast<const float4*>(x + begin);
  const auto* weights = reinterpret_cast<const float4*>(weight);
  auto* out = reinterpret_cast<float4*>(y + begin);

  float squares = 0;
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i];
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = 1 / sqrtf(squares / columns + 1e-5F);
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i];
    out[i] = {v.x * scale, v.y * scale, v.z * scale, v.w * scale};  // expect: wrong result
  }

//= first_weight: the weight of the pack's first column is used for all four
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const size_t begin = static_cast<size_t>(row) * columns;
  const auto* in = reinterpret_cast<const float4*>(x + begin);
  const auto* weights = reinterpret_cast<const float4*>(weight);
  auto* out = reinterpret_cast<float4*>(y + begin);

  float squares = 0;
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i];
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = 1 / sqrtf(squares / columns + 1e-5F);
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i], w = weights[i];
    out[i] = {v.x * scale * w.x, v.y * scale * w.x, v.z * scale * w.x, v.w * scale * w.x};  // expect: wrong result
  }

//= columns_as_packs: the loop runs over columns where it loads packs
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const size_t begin = static_cast<size_t>(row) * columns;
  const auto* in = reinterpret_cast<const float4*>(x + begin);
  const auto* weights = reinterpret_cast<const float4*>(weight);
  auto* out = reinterpret_cast<float4*>(y + begin);

  float squares = 0;
  for (int i = threadIdx.x; i < columns; i += 32) {
    const float4 v = in[i];  // expect: out-of-bounds
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = 1 / sqrtf(squares / columns + 1e-5F);
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i], w = weights[i];
    out[i] = {v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w};
  }

//= one_pack_a_lane: each lane takes one pack, and a row may have more than 32
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const size_t begin = static_cast<size_t>(row) * columns;
  const auto* in = reinterpret_cast<const float4*>(x + begin);
  const auto* weights = reinterpret_cast<const float4*>(weight);
  auto* out = reinterpret_cast<float4*>(y + begin);

  float squares = 0;
  if (const int i = threadIdx.x; i < columns / 4) {  // expect: wrong result
    const float4 v = in[i];
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = 1 / sqrtf(squares / columns + 1e-5F);
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i], w = weights[i];
    out[i] = {v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w};
  }

//= weight_of_row: the weights are addressed like the row
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const size_t begin = static_cast<size_t>(row) * columns;
  const auto* in = reinterpret_cast<const float4*>(x + begin);
  const auto* weights = reinterpret_cast<const float4*>(weight + begin);
  auto* out = reinterpret_cast<float4*>(y + begin);

  float squares = 0;
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i];
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = 1 / sqrtf(squares / columns + 1e-5F);
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i], w = weights[i];  // expect: out-of-bounds
    out[i] = {v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w};
  }

//= no_guard: the last block's warps have no row
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const size_t begin = static_cast<size_t>(row) * columns;
  const auto* in = reinterpret_cast<const float4*>(x + begin);
  const auto* weights = reinterpret_cast<const float4*>(weight);
  auto* out = reinterpret_cast<float4*>(y + begin);

  float squares = 0;
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i];  // expect: out-of-bounds
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = 1 / sqrtf(squares / columns + 1e-5F);
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i], w = weights[i];
    out[i] = {v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w};
  }

//= only_lane_0: shfl_down leaves the sum in lane 0
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const size_t begin = static_cast<size_t>(row) * columns;
  const auto* in = reinterpret_cast<const float4*>(x + begin);
  const auto* weights = reinterpret_cast<const float4*>(weight);
  auto* out = reinterpret_cast<float4*>(y + begin);

  float squares = 0;
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i];
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_down_sync(0xFFFFFFFF, squares, distance);  // expect: wrong result
  }
  const float scale = 1 / sqrtf(squares / columns + 1e-5F);
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i], w = weights[i];
    out[i] = {v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w};
  }

//= single_floats: right, but float by float
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const size_t begin = static_cast<size_t>(row) * columns;
  float squares = 0;
  for (int i = threadIdx.x; i < columns; i += 32) squares += x[begin + i] * x[begin + i];
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = 1 / sqrtf(squares / columns + 1e-5F);
  for (int i = threadIdx.x; i < columns; i += 32) {
    y[begin + i] = x[begin + i] * scale * weight[i];  // expect: gate loads
  }

//= single_stores: right, but the result is stored float by float
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const size_t begin = static_cast<size_t>(row) * columns;
  const auto* in = reinterpret_cast<const float4*>(x + begin);
  const auto* weights = reinterpret_cast<const float4*>(weight);

  float squares = 0;
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i];
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = 1 / sqrtf(squares / columns + 1e-5F);
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i], w = weights[i];
    float* to = y + begin + 4 * i;
    const float result[4] = {v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w};
    for (int e = 0; e < 4; ++e) {
      to[e] = result[e];  // expect: gate stores
    }
  }

//= at_most_4096: a lane keeps 32 packs, and columns from 4096 on are left out
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const size_t begin = static_cast<size_t>(row) * columns;
  const auto* in = reinterpret_cast<const float4*>(x + begin);
  const auto* weights = reinterpret_cast<const float4*>(weight);
  auto* out = reinterpret_cast<float4*>(y + begin);
  float4 kept[32];
  float squares = 0;
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    const int pack = i * 32 + threadIdx.x;  // expect: wrong result
    kept[i] = pack < columns / 4 ? in[pack] : float4{};
    squares += kept[i].x * kept[i].x + kept[i].y * kept[i].y + kept[i].z * kept[i].z +
               kept[i].w * kept[i].w;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = 1 / sqrtf(squares / columns + 1e-5F);
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    const int pack = i * 32 + threadIdx.x;
    if (pack >= columns / 4) continue;
    const float4 w = weights[pack];
    out[pack] = {kept[i].x * scale * w.x, kept[i].y * scale * w.y, kept[i].z * scale * w.z,
                 kept[i].w * scale * w.w};
  }
