// Typical wrong answers to 07_kind_test. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= as_merged: packs of four, at any address
  const int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const int length = row % T + 1, packs = (length + 3) / 4;
  const float4* in = reinterpret_cast<const float4*>(x + static_cast<size_t>(row) * T);
  float4* out = reinterpret_cast<float4*>(y + static_cast<size_t>(row) * T);
  const auto counted = [&](int pack) {
    float4 four = in[pack];  // expect: misaligned
    if (4 * pack + 1 >= length) four.y = -FLT_MAX;
    if (4 * pack + 2 >= length) four.z = -FLT_MAX;
    if (4 * pack + 3 >= length) four.w = -FLT_MAX;
    return four;
  };
  float largest = -FLT_MAX, sum = 0;
  for (int pack = lane; pack < packs; pack += 32) {
    const float4 four = counted(pack);
    largest = fmaxf(fmaxf(largest, fmaxf(four.x, four.y)), fmaxf(four.z, four.w));
  }
  largest = largest_of_warp(largest);
  for (int pack = lane; pack < packs; pack += 32) {
    const float4 four = counted(pack);
    sum += expf(four.x - largest) + expf(four.y - largest) + expf(four.z - largest) +
           expf(four.w - largest);
  }
  sum = sum_of_warp(sum);
  for (int pack = lane; pack < packs; pack += 32) {
    const float4 four = counted(pack);
    out[pack] = {expf(four.x - largest) / sum, expf(four.y - largest) / sum,
                 expf(four.z - largest) / sum, expf(four.w - largest) / sum};
  }

//= round_up: the length is rounded up to whole packs
  const int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const int length = (row % T + 4) / 4 * 4;
  const float* in = x + static_cast<size_t>(row) * T;
  float* out = y + static_cast<size_t>(row) * T;
  float largest = -FLT_MAX, sum = 0;
  for (int i = lane; i < length; i += 32) {
    largest = fmaxf(largest, in[i]);  // expect: out-of-bounds
  }
  largest = largest_of_warp(largest);
  for (int i = lane; i < length; i += 32) sum += expf(in[i] - largest);
  sum = sum_of_warp(sum);
  for (int i = lane; i < length; i += 32) out[i] = expf(in[i] - largest) / sum;

//= rest_unwritten: what does not count is not stored
  const int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const int length = row % T + 1;
  const float* in = x + static_cast<size_t>(row) * T;
  float* out = y + static_cast<size_t>(row) * T;
  float largest = -FLT_MAX, sum = 0;
  for (int i = lane; i < length; i += 32) largest = fmaxf(largest, in[i]);
  largest = largest_of_warp(largest);
  for (int i = lane; i < length; i += 32) sum += expf(in[i] - largest);
  sum = sum_of_warp(sum);
  for (int i = lane; i < length; i += 32) {
    out[i] = expf(in[i] - largest) / sum;  // expect: wrong result
  }

//= lanes_leave: lanes without a score leave before the shuffles
  const int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const int length = row % T + 1;
  const float* in = x + static_cast<size_t>(row) * T;
  float* out = y + static_cast<size_t>(row) * T;
  if (lane >= length) return;
  float largest = -FLT_MAX, sum = 0;
  for (int i = lane; i < length; i += 32) largest = fmaxf(largest, in[i]);
  largest = largest_of_warp(largest);  // expect: invalid-shuffle in the frame
  for (int i = lane; i < length; i += 32) sum += expf(in[i] - largest);
  sum = sum_of_warp(sum);
  for (int i = lane; i < T; i += 32) out[i] = i < length ? expf(in[i] - largest) / sum : 0;

//= only_multiples: rows of other lengths are left alone
  const int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const int length = row % T + 1;
  const float* in = x + static_cast<size_t>(row) * T;
  float* out = y + static_cast<size_t>(row) * T;
  if (T % 4 != 0) return;  // expect: wrong result
  float largest = -FLT_MAX, sum = 0;
  for (int i = lane; i < length; i += 32) largest = fmaxf(largest, in[i]);
  largest = largest_of_warp(largest);
  for (int i = lane; i < length; i += 32) sum += expf(in[i] - largest);
  sum = sum_of_warp(sum);
  for (int i = lane; i < T; i += 32) out[i] = i < length ? expf(in[i] - largest) / sum : 0;

//= not_masked: the whole row is in the sum
  const int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const int length = T;  // expect: wrong result
  const float* in = x + static_cast<size_t>(row) * T;
  float* out = y + static_cast<size_t>(row) * T;
  float largest = -FLT_MAX, sum = 0;
  for (int i = lane; i < length; i += 32) largest = fmaxf(largest, in[i]);
  largest = largest_of_warp(largest);
  for (int i = lane; i < length; i += 32) sum += expf(in[i] - largest);
  sum = sum_of_warp(sum);
  for (int i = lane; i < T; i += 32) out[i] = i < length ? expf(in[i] - largest) / sum : 0;

//= begins_with_zero: rows far below zero lose their sum
  const int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const int length = row % T + 1;
  const float* in = x + static_cast<size_t>(row) * T;
  float* out = y + static_cast<size_t>(row) * T;
  float largest = 0, sum = 0;
  for (int i = lane; i < length; i += 32) largest = fmaxf(largest, in[i]);
  largest = largest_of_warp(largest);
  for (int i = lane; i < length; i += 32) sum += expf(in[i] - largest);
  sum = sum_of_warp(sum);
  for (int i = lane; i < T; i += 32) {
    out[i] = i < length ? expf(in[i] - largest) / sum : 0;  // expect: wrong result
  }

//= whole_rows: right, but what does not count is loaded too
  const int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const int length = row % T + 1;
  const float* in = x + static_cast<size_t>(row) * T;
  float* out = y + static_cast<size_t>(row) * T;
  float largest = -FLT_MAX, sum = 0;
  for (int i = lane; i < T; i += 32) {
    const float score = in[i];
    if (i < length) largest = fmaxf(largest, score);
  }
  largest = largest_of_warp(largest);
  for (int i = lane; i < T; i += 32) {
    const float weight = expf(in[i] - largest);  // expect: gate sectors
    if (i < length) sum += weight;
  }
  sum = sum_of_warp(sum);
  for (int i = lane; i < T; i += 32) {
    const float weight = expf(in[i] - largest) / sum;
    out[i] = i < length ? weight : 0;
  }
