// Typical wrong answers to 06_distance_sums. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= no_first_barrier: places are added that may not be there yet
  __shared__ float places[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float own = i < n ? x[i] : 0.0F;
  float sum = 0;
  for (int begin = 0; begin < m; begin += 256) {
    const int count = min(256, m - begin);
    if (threadIdx.x < count) places[threadIdx.x] = p[begin + threadIdx.x];  // expect: race
    for (int j = 0; j < count; ++j) sum += fabsf(own - places[j]);
    __syncthreads();
  }
  if (i < n) y[i] = sum;

//= no_second_barrier: a fast warp brings the next places while a slow one still adds
  __shared__ float places[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float own = i < n ? x[i] : 0.0F;
  float sum = 0;
  for (int begin = 0; begin < m; begin += 256) {
    const int count = min(256, m - begin);
    if (threadIdx.x < count) places[threadIdx.x] = p[begin + threadIdx.x];  // expect: race
    __syncthreads();
    for (int j = 0; j < count; ++j) sum += fabsf(own - places[j]);
  }
  if (i < n) y[i] = sum;

//= own_places_only: threads without a point bring nothing, and what they should bring counts as 0
  __shared__ float places[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float own = i < n ? x[i] : 0.0F;
  float sum = 0;
  for (int begin = 0; begin < m; begin += 256) {
    const int count = min(256, m - begin);
    const bool brings = i < n && threadIdx.x < count;
    places[threadIdx.x] = brings ? p[begin + threadIdx.x] : 0.0F;  // expect: wrong result
    __syncthreads();
    for (int j = 0; j < count; ++j) sum += fabsf(own - places[j]);
    __syncthreads();
  }
  if (i < n) y[i] = sum;

//= whole_tiles_only: the places behind the last whole tile are forgotten
  __shared__ float places[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float own = i < n ? x[i] : 0.0F;
  float sum = 0;
  for (int begin = 0; begin + 256 <= m; begin += 256) {
    places[threadIdx.x] = p[begin + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 256; ++j) sum += fabsf(own - places[j]);
    __syncthreads();
  }
  if (i < n) y[i] = sum;  // expect: wrong result

//= no_guard: the last tile is brought past the end of p
  __shared__ float places[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float own = i < n ? x[i] : 0.0F;
  float sum = 0;
  for (int begin = 0; begin < m; begin += 256) {
    places[threadIdx.x] = p[begin + threadIdx.x];  // expect: out-of-bounds
    __syncthreads();
    for (int j = 0; j < min(256, m - begin); ++j) sum += fabsf(own - places[j]);
    __syncthreads();
  }
  if (i < n) y[i] = sum;

//= all_of_the_last_tile: the last tile is used as if it were whole, with places of the one before
  __shared__ float places[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float own = i < n ? x[i] : 0.0F;
  float sum = 0;
  places[threadIdx.x] = 0;
  for (int begin = 0; begin < m; begin += 256) {
    __syncthreads();
    if (begin + static_cast<int>(threadIdx.x) < m) places[threadIdx.x] = p[begin + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 256; ++j) sum += fabsf(own - places[j]);
  }
  if (i < n) y[i] = sum;  // expect: wrong result

//= not_a_distance: the differences are added with their signs
  __shared__ float places[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float own = i < n ? x[i] : 0.0F;
  float sum = 0;
  for (int begin = 0; begin < m; begin += 256) {
    const int count = min(256, m - begin);
    if (threadIdx.x < count) places[threadIdx.x] = p[begin + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < count; ++j) sum += own - places[j];
    __syncthreads();
  }
  if (i < n) y[i] = sum;  // expect: wrong result

//= straight_from_global: right, but every warp loads every place
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float own = x[i];
  float sum = 0;
  for (int j = 0; j < m; ++j) sum += fabsf(own - p[j]);  // expect: gate requests
  y[i] = sum;

//= all_places_at_once: right as long as all places fit the array
  __shared__ float places[1024];
  const int i = blockIdx.x * 256 + threadIdx.x;
  for (int k = threadIdx.x; k < m; k += 256) places[k] = p[k];  // expect: out-of-bounds
  __syncthreads();
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < m; ++j) sum += fabsf(x[i] - places[j]);
  y[i] = sum;

//= half_of_the_block: right, but half of the block only brings places
  __shared__ float places[256];
  float sums[2] = {0, 0};
  for (int begin = 0; begin < m; begin += 256) {
    const int count = min(256, m - begin);
    if (threadIdx.x < count) places[threadIdx.x] = p[begin + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 2 && threadIdx.x < 128; ++k) {
      const int i = blockIdx.x * 256 + k * 128 + threadIdx.x;
      for (int j = 0; j < count && i < n; ++j) sums[k] += fabsf(x[i] - places[j]);
    }
    __syncthreads();
  }
  for (int k = 0; k < 2 && threadIdx.x < 128; ++k) {
    const int i = blockIdx.x * 256 + k * 128 + threadIdx.x;
    if (i < n) y[i] = sums[k];  // expect: gate threads
  }
