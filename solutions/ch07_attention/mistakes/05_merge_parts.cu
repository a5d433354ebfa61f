// Typical wrong answers to 05_merge_parts. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= sums_alone: parts are added as if they had the same m
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const size_t first = static_cast<size_t>(row) * S;
  float sum = 0;
  float2 mean = {};
  for (int s = 0; s < S; ++s) {
    if (m[first + s] == -INFINITY) continue;
    const float weight = 1;  // expect: wrong result
    const float2 part = reinterpret_cast<const float2*>(o)[(first + s) * 32 + lane];
    sum += weight * l[first + s];
    mean.x += weight * part.x;
    mean.y += weight * part.y;
  }
  const float inverse = sum > 0 ? 1 / sum : 0;
  reinterpret_cast<float2*>(y)[static_cast<size_t>(row) * 32 + lane] = {mean.x * inverse,
                                                                       mean.y * inverse};

//= no_maximum: exp of a large m is infinite
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const size_t first = static_cast<size_t>(row) * S;
  float sum = 0;
  float2 mean = {};
  for (int s = 0; s < S; ++s) {
    if (m[first + s] == -INFINITY) continue;
    const float weight = expf(m[first + s]);  // expect: wrong result
    const float2 part = reinterpret_cast<const float2*>(o)[(first + s) * 32 + lane];
    sum += weight * l[first + s];
    mean.x += weight * part.x;
    mean.y += weight * part.y;
  }
  const float inverse = sum > 0 ? 1 / sum : 0;
  reinterpret_cast<float2*>(y)[static_cast<size_t>(row) * 32 + lane] = {mean.x * inverse,
                                                                       mean.y * inverse};

//= empty_is_nan: a row of empty parts is not a number
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const size_t first = static_cast<size_t>(row) * S;
  float largest = -INFINITY;
  for (int s = lane; s < S; s += 32) largest = fmaxf(largest, m[first + s]);
  for (int distance = 16; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  float sum = 0;
  float2 mean = {};
  for (int s = 0; s < S; ++s) {
    const float weight = expf(m[first + s] - largest);  // expect: wrong result
    const float2 part = reinterpret_cast<const float2*>(o)[(first + s) * 32 + lane];
    sum += weight * l[first + s];
    mean.x += weight * part.x;
    mean.y += weight * part.y;
  }
  const float inverse = 1 / sum;
  reinterpret_cast<float2*>(y)[static_cast<size_t>(row) * 32 + lane] = {mean.x * inverse,
                                                                       mean.y * inverse};

//= all_empty: 0 / 0 where no part has a key
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const size_t first = static_cast<size_t>(row) * S;
  float largest = -INFINITY;
  for (int s = lane; s < S; s += 32) largest = fmaxf(largest, m[first + s]);
  for (int distance = 16; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  float sum = 0;
  float2 mean = {};
  for (int s = 0; s < S; ++s) {
    if (m[first + s] == -INFINITY) continue;
    const float weight = expf(m[first + s] - largest);
    const float2 part = reinterpret_cast<const float2*>(o)[(first + s) * 32 + lane];
    sum += weight * l[first + s];
    mean.x += weight * part.x;
    mean.y += weight * part.y;
  }
  const float inverse = 1 / sum;  // expect: wrong result
  reinterpret_cast<float2*>(y)[static_cast<size_t>(row) * 32 + lane] = {mean.x * inverse,
                                                                       mean.y * inverse};

//= mean_of_means: every part has the same say
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const size_t first = static_cast<size_t>(row) * S;
  float2 mean = {};
  int parts = 0;
  for (int s = 0; s < S; ++s) {
    if (l[first + s] == 0) continue;
    const float2 part = reinterpret_cast<const float2*>(o)[(first + s) * 32 + lane];
    mean.x += part.x / l[first + s];
    mean.y += part.y / l[first + s];
    ++parts;
  }
  const float inverse = parts > 0 ? 1.0F / parts : 0;  // expect: wrong result
  reinterpret_cast<float2*>(y)[static_cast<size_t>(row) * 32 + lane] = {mean.x * inverse,
                                                                       mean.y * inverse};

//= first_32: parts from number 32 on are forgotten
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const size_t first = static_cast<size_t>(row) * S;
  float largest = -INFINITY;
  if (lane < S) largest = m[first + lane];
  for (int distance = 16; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  float sum = 0;
  float2 mean = {};
  for (int s = 0; s < min(S, 32); ++s) {  // expect: wrong result
    if (m[first + s] == -INFINITY) continue;
    const float weight = expf(m[first + s] - largest);
    const float2 part = reinterpret_cast<const float2*>(o)[(first + s) * 32 + lane];
    sum += weight * l[first + s];
    mean.x += weight * part.x;
    mean.y += weight * part.y;
  }
  const float inverse = sum > 0 ? 1 / sum : 0;
  reinterpret_cast<float2*>(y)[static_cast<size_t>(row) * 32 + lane] = {mean.x * inverse,
                                                                       mean.y * inverse};

//= lane_per_part: right, but lanes read 32 parts side by side
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const size_t first = static_cast<size_t>(row) * S;
  float largest = -INFINITY;
  for (int s = lane; s < S; s += 32) largest = fmaxf(largest, m[first + s]);
  for (int distance = 16; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  float sum = 0;
  for (int s = lane; s < S; s += 32) {
    if (m[first + s] != -INFINITY) sum += expf(m[first + s] - largest) * l[first + s];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
  }
  for (int c = 0; c < 64; ++c) {
    float mean = 0;
    for (int s = lane; s < S; s += 32) {
      if (m[first + s] == -INFINITY) continue;
      mean += expf(m[first + s] - largest) * o[(first + s) * 64 + c];  // expect: gate sectors
    }
    for (int distance = 16; distance > 0; distance /= 2) {
      mean += __shfl_xor_sync(0xFFFFFFFF, mean, distance);
    }
    if (lane == 0) y[static_cast<size_t>(row) * 64 + c] = sum > 0 ? mean / sum : 0;
  }

//= online: right: the maximum grows as parts come
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const size_t first = static_cast<size_t>(row) * S;
  float largest = -INFINITY, sum = 0;
  float2 mean = {};
  for (int s = 0; s < S; ++s) {
    const float own = m[first + s];
    if (own == -INFINITY) continue;
    const float both = fmaxf(largest, own);
    const float before = expf(largest - both), weight = expf(own - both);
    const float2 part = reinterpret_cast<const float2*>(o)[(first + s) * 32 + lane];
    sum = sum * before + weight * l[first + s];  // expect: pass
    mean = {mean.x * before + weight * part.x, mean.y * before + weight * part.y};
    largest = both;
  }
  const float inverse = sum > 0 ? 1 / sum : 0;
  reinterpret_cast<float2*>(y)[static_cast<size_t>(row) * 32 + lane] = {mean.x * inverse,
                                                                       mean.y * inverse};
