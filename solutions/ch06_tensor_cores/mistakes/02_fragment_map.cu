// Typical wrong answers to 02_fragment_map. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= by_columns: lane / 4 is taken for the column and lane % 4 for the row
  const int lane = threadIdx.x;
  const int tile = blockIdx.y * gridDim.x + blockIdx.x;
  const float4 own = reinterpret_cast<const float4*>(held)[tile * 32 + lane];
  const int row = blockIdx.y * 16 + lane % 4 * 2;  // expect: wrong result
  const int column = blockIdx.x * 8 + lane / 4;
  for (int i = 0; i < 2; ++i) {
    if (row + i >= M || column >= N) continue;
    c[static_cast<size_t>(row + i) * N + column] = i == 0 ? own.x : own.y;
    if (row + i + 8 < M) c[static_cast<size_t>(row + i + 8) * N + column] = i == 0 ? own.z : own.w;
  }

//= four_rows: the four floats are taken for four rows of one column
  const int lane = threadIdx.x;
  const int tile = blockIdx.y * gridDim.x + blockIdx.x;
  const float4 own = reinterpret_cast<const float4*>(held)[tile * 32 + lane];
  const float value[4] = {own.x, own.y, own.z, own.w};
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 16 + lane / 8 * 4 + i;
    const int column = blockIdx.x * 8 + lane % 8;
    if (row < M && column < N) c[static_cast<size_t>(row) * N + column] = value[i];  // expect: wrong result
  }

//= neighbours_apart: a lane's columns are taken to be t and t + 4
  const int lane = threadIdx.x;
  const int tile = blockIdx.y * gridDim.x + blockIdx.x;
  const float4 own = reinterpret_cast<const float4*>(held)[tile * 32 + lane];
  const int row = blockIdx.y * 16 + lane / 4;
  for (int i = 0; i < 2; ++i) {
    const int column = blockIdx.x * 8 + lane % 4 + i * 4;  // expect: wrong result
    if (row >= M || column >= N) continue;
    c[static_cast<size_t>(row) * N + column] = i == 0 ? own.x : own.y;
    if (row + 8 < M) c[static_cast<size_t>(row + 8) * N + column] = i == 0 ? own.z : own.w;
  }

//= alternating: floats 1 and 2 change places, as if a lane went down before it went right
  const int lane = threadIdx.x;
  const int tile = blockIdx.y * gridDim.x + blockIdx.x;
  const float4 own = reinterpret_cast<const float4*>(held)[tile * 32 + lane];
  const int row = blockIdx.y * 16 + lane / 4;
  const int column = blockIdx.x * 8 + lane % 4 * 2;
  for (int i = 0; i < 2; ++i) {
    if (row >= M || column + i >= N) continue;
    c[static_cast<size_t>(row) * N + column + i] = i == 0 ? own.x : own.z;  // expect: wrong result
    if (row + 8 < M) c[static_cast<size_t>(row + 8) * N + column + i] = i == 0 ? own.y : own.w;
  }

//= no_lower_guard: row g is inside, and row g + 8 is written without asking
  const int lane = threadIdx.x;
  const int tile = blockIdx.y * gridDim.x + blockIdx.x;
  const float4 own = reinterpret_cast<const float4*>(held)[tile * 32 + lane];
  const int row = blockIdx.y * 16 + lane / 4;
  const int column = blockIdx.x * 8 + lane % 4 * 2;
  for (int i = 0; i < 2; ++i) {
    if (row >= M || column + i >= N) continue;
    c[static_cast<size_t>(row) * N + column + i] = i == 0 ? own.x : own.y;
    c[static_cast<size_t>(row + 8) * N + column + i] = i == 0 ? own.z : own.w;  // expect: out-of-bounds
  }

//= pair_guard: the guard asks for the pair's first column only, and the second wraps into the next row
  const int lane = threadIdx.x;
  const int tile = blockIdx.y * gridDim.x + blockIdx.x;
  const float4 own = reinterpret_cast<const float4*>(held)[tile * 32 + lane];
  const int row = blockIdx.y * 16 + lane / 4;
  const int column = blockIdx.x * 8 + lane % 4 * 2;
  if (row < M && column < N) {
    c[static_cast<size_t>(row) * N + column] = own.x;
    c[static_cast<size_t>(row) * N + column + 1] = own.y;  // expect: out-of-bounds
  }
  if (row + 8 < M && column < N) {
    c[static_cast<size_t>(row + 8) * N + column] = own.z;
    c[static_cast<size_t>(row + 8) * N + column + 1] = own.w;
  }

//= vector_store: float2 stores, which an odd number of columns does not allow
  const int lane = threadIdx.x;
  const int tile = blockIdx.y * gridDim.x + blockIdx.x;
  const float4 own = reinterpret_cast<const float4*>(held)[tile * 32 + lane];
  const int row = blockIdx.y * 16 + lane / 4;
  const int column = blockIdx.x * 8 + lane % 4 * 2;
  if (row < M && column + 1 < N) {
    *reinterpret_cast<float2*>(c + static_cast<size_t>(row) * N + column) = make_float2(own.x, own.y);  // expect: misaligned
  } else if (row < M && column < N) {
    c[static_cast<size_t>(row) * N + column] = own.x;
  }
  if (row + 8 < M && column + 1 < N) {
    *reinterpret_cast<float2*>(c + static_cast<size_t>(row + 8) * N + column) = make_float2(own.z, own.w);
  } else if (row + 8 < M && column < N) {
    c[static_cast<size_t>(row + 8) * N + column] = own.z;
  }

//= tiles_not_rounded: tiles are counted with N / 8, which drops the one at the edge
  const int lane = threadIdx.x;
  const int tile = blockIdx.y * (N / 8) + blockIdx.x;  // expect: wrong result
  const float4 own = reinterpret_cast<const float4*>(held)[tile * 32 + lane];
  const int row = blockIdx.y * 16 + lane / 4;
  const int column = blockIdx.x * 8 + lane % 4 * 2;
  for (int i = 0; i < 2; ++i) {
    if (row >= M || column + i >= N) continue;
    c[static_cast<size_t>(row) * N + column + i] = i == 0 ? own.x : own.y;
    if (row + 8 < M) c[static_cast<size_t>(row + 8) * N + column + i] = i == 0 ? own.z : own.w;
  }

//= four_loads: right, but each float is loaded by itself and every sector four times
  const int lane = threadIdx.x;
  const int tile = blockIdx.y * gridDim.x + blockIdx.x;
  const float* own = held + (tile * 32 + lane) * 4;
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 16 + lane / 4 + i / 2 * 8;
    const int column = blockIdx.x * 8 + lane % 4 * 2 + i % 2;
    if (row < M && column < N) {
      c[static_cast<size_t>(row) * N + column] = own[i];  // expect: gate loads
    }
  }
