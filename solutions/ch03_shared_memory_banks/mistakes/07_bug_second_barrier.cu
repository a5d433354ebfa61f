// Typical wrong answers to 07_bug_second_barrier. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= as_given: one barrier per tile: a fast warp overwrites what others still read
  __shared__ float tile[256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 256 + t;
  const float own = i < n ? x[i] : 0;
  float nearest = INFINITY;
  for (int first = 0; first < m; first += 256) {
    const int count = min(256, m - first);
    if (t < count) tile[t] = places[first + t];  // expect: race
    __syncthreads();
    for (int k = 0; k < count; ++k) nearest = fminf(nearest, fabsf(own - tile[k]));
  }
  if (i < n) y[i] = nearest;

//= warp_barrier: the second barrier is for one warp only
  __shared__ float tile[256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 256 + t;
  const float own = i < n ? x[i] : 0;
  float nearest = INFINITY;
  for (int first = 0; first < m; first += 256) {
    const int count = min(256, m - first);
    if (t < count) tile[t] = places[first + t];
    __syncthreads();
    for (int k = 0; k < count; ++k) nearest = fminf(nearest, fabsf(own - tile[k]));  // expect: race
    __syncwarp();
  }
  if (i < n) y[i] = nearest;

//= barrier_moved: the one barrier stands before the load, so that nothing waits for the tile
  __shared__ float tile[256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 256 + t;
  const float own = i < n ? x[i] : 0;
  float nearest = INFINITY;
  for (int first = 0; first < m; first += 256) {
    const int count = min(256, m - first);
    __syncthreads();
    if (t < count) tile[t] = places[first + t];  // expect: race
    for (int k = 0; k < count; ++k) nearest = fminf(nearest, fabsf(own - tile[k]));
  }
  if (i < n) y[i] = nearest;

//= barrier_at_end: a second barrier, but after the loop
  __shared__ float tile[256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 256 + t;
  const float own = i < n ? x[i] : 0;
  float nearest = INFINITY;
  for (int first = 0; first < m; first += 256) {
    const int count = min(256, m - first);
    if (t < count) tile[t] = places[first + t];  // expect: race
    __syncthreads();
    for (int k = 0; k < count; ++k) nearest = fminf(nearest, fabsf(own - tile[k]));
  }
  __syncthreads();
  if (i < n) y[i] = nearest;

//= early_return: threads without a number leave before the barriers
  __shared__ float tile[256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 256 + t;
  if (i >= n) return;
  const float own = x[i];
  float nearest = INFINITY;
  for (int first = 0; first < m; first += 256) {
    const int count = min(256, m - first);
    if (t < count) tile[t] = places[first + t];
    __syncthreads();  // expect: barrier-divergence
    for (int k = 0; k < count; ++k) nearest = fminf(nearest, fabsf(own - tile[k]));
    __syncthreads();
  }
  y[i] = nearest;

//= all_places: right as far as it goes, with a tile for 4096 places
  __shared__ float tile[4096];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 256 + t;
  const float own = i < n ? x[i] : 0;
  float nearest = INFINITY;
  for (int k = t; k < m && k < 4096; k += 256) tile[k] = places[k];
  __syncthreads();
  for (int k = 0; k < m && k < 4096; ++k) nearest = fminf(nearest, fabsf(own - tile[k]));
  if (i < n) y[i] = nearest;  // expect: gate room

//= no_tile: right, but every thread loads every place
  __shared__ float tile[1];
  tile[0] = 0;
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float own = x[i];
  float nearest = INFINITY;
  for (int k = 0; k < m; ++k) nearest = fminf(nearest, fabsf(own - places[k]));  // expect: gate loads
  y[i] = nearest;

//= last_tile_whole: the last tile is read to its end, though it is not filled
  __shared__ float tile[256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 256 + t;
  const float own = i < n ? x[i] : 0;
  float nearest = INFINITY;
  for (int first = 0; first < m; first += 256) {
    const int count = min(256, m - first);
    if (t < count) tile[t] = places[first + t];
    __syncthreads();
    for (int k = 0; k < 256; ++k) nearest = fminf(nearest, fabsf(own - tile[k]));  // expect: uninitialized
    __syncthreads();
  }
  if (i < n) y[i] = nearest;

//= two_tiles: right: two tiles of 128 in turn, with one barrier
  __shared__ float tile[2][128];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 256 + t;
  const float own = i < n ? x[i] : 0;
  float nearest = INFINITY;
  for (int first = 0; first < m; first += 128) {
    const int count = min(128, m - first), now = first / 128 % 2;
    if (t < count) tile[now][t] = places[first + t];
    __syncthreads();
    for (int k = 0; k < count; ++k) nearest = fminf(nearest, fabsf(own - tile[now][k]));  // expect: pass
  }
  if (i < n) y[i] = nearest;

//= barrier_first: right: the second barrier stands at the top of the loop
  __shared__ float tile[256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 256 + t;
  const float own = i < n ? x[i] : 0;
  float nearest = INFINITY;
  for (int first = 0; first < m; first += 256) {
    const int count = min(256, m - first);
    __syncthreads();
    if (t < count) tile[t] = places[first + t];  // expect: pass
    __syncthreads();
    for (int k = 0; k < count; ++k) nearest = fminf(nearest, fabsf(own - tile[k]));
  }
  if (i < n) y[i] = nearest;

//= one_block: right, but the first block does everything
  __shared__ float tile[256];
  const int t = threadIdx.x;
  if (blockIdx.x > 0) return;
  for (int begin = 0; begin < n; begin += 256) {
    const int i = begin + t;
    const float own = i < n ? x[i] : 0;
    float nearest = INFINITY;
    for (int first = 0; first < m; first += 256) {
      const int count = min(256, m - first);
      if (t < count) tile[t] = places[first + t];
      __syncthreads();
      for (int k = 0; k < count; ++k) nearest = fminf(nearest, fabsf(own - tile[k]));
      __syncthreads();
    }
    if (i < n) y[i] = nearest;  // expect: gate threads
  }
