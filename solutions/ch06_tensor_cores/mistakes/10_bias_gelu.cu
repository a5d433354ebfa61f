// Typical wrong answers to 10_bias_gelu. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= bias_of_row: the bias is taken by the row
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 16 + threadIdx.x / 4 + i / 2 * 8;
    const int column = blockIdx.x * 8 + threadIdx.x % 4 * 2 + i % 2;
    if (row >= M || column >= N) continue;
    const float value = sum[i] + bias[row];  // expect: out-of-bounds
    y[static_cast<size_t>(row) * N + column] = value / 2 * (1 + erff(value * 0.70710678F));
  }

//= bias_after: gelu first, then the bias
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 16 + threadIdx.x / 4 + i / 2 * 8;
    const int column = blockIdx.x * 8 + threadIdx.x % 4 * 2 + i % 2;
    if (row >= M || column >= N) continue;
    const float value = sum[i];
    y[static_cast<size_t>(row) * N + column] = value / 2 * (1 + erff(value * 0.70710678F)) + bias[column];  // expect: wrong result
  }

//= no_bias: the bias is forgotten
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 16 + threadIdx.x / 4 + i / 2 * 8;
    const int column = blockIdx.x * 8 + threadIdx.x % 4 * 2 + i % 2;
    if (row >= M || column >= N) continue;
    const float value = sum[i];  // expect: wrong result
    y[static_cast<size_t>(row) * N + column] = value / 2 * (1 + erff(value * 0.70710678F));
  }

//= upper_half_only: the bias is added to the first two floats, and the lower half goes without
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 16 + threadIdx.x / 4 + i / 2 * 8;
    const int column = blockIdx.x * 8 + threadIdx.x % 4 * 2 + i % 2;
    if (row >= M || column >= N) continue;
    const float value = i < 2 ? sum[i] + bias[column] : sum[i];  // expect: wrong result
    y[static_cast<size_t>(row) * N + column] = value / 2 * (1 + erff(value * 0.70710678F));
  }

//= one_bias_a_lane: both columns of a lane get the bias of the first
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 16 + threadIdx.x / 4 + i / 2 * 8;
    const int column = blockIdx.x * 8 + threadIdx.x % 4 * 2 + i % 2;
    if (row >= M || column >= N) continue;
    const float value = sum[i] + bias[column - i % 2];  // expect: wrong result
    y[static_cast<size_t>(row) * N + column] = value / 2 * (1 + erff(value * 0.70710678F));
  }

//= bias_before_guard: the bias is loaded for columns that do not exist
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 16 + threadIdx.x / 4 + i / 2 * 8;
    const int column = blockIdx.x * 8 + threadIdx.x % 4 * 2 + i % 2;
    const float value = sum[i] + *const_cast<const volatile float*>(&bias[column]);  // expect: out-of-bounds
    if (row >= M || column >= N) continue;
    y[static_cast<size_t>(row) * N + column] = value / 2 * (1 + erff(value * 0.70710678F));
  }

//= tanh_form: the approximation by tanh, which is off by up to a few ten-thousandths
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 16 + threadIdx.x / 4 + i / 2 * 8;
    const int column = blockIdx.x * 8 + threadIdx.x % 4 * 2 + i % 2;
    if (row >= M || column >= N) continue;
    const float value = sum[i] + bias[column];
    const float inner = 0.79788456F * (value + 0.044715F * value * value * value);  // expect: wrong result
    y[static_cast<size_t>(row) * N + column] = value / 2 * (1 + tanhf(inner));
  }

//= sqrt_2_above: v * sqrt(2) in place of v / sqrt(2)
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 16 + threadIdx.x / 4 + i / 2 * 8;
    const int column = blockIdx.x * 8 + threadIdx.x % 4 * 2 + i % 2;
    if (row >= M || column >= N) continue;
    const float value = sum[i] + bias[column];
    y[static_cast<size_t>(row) * N + column] = value / 2 * (1 + erff(value * 1.41421356F));  // expect: wrong result
  }

//= no_guard_of_rows: rows beyond the edge are written
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 16 + threadIdx.x / 4 + i / 2 * 8;
    const int column = blockIdx.x * 8 + threadIdx.x % 4 * 2 + i % 2;
    if (column >= N) continue;
    const float value = sum[i] + bias[column];
    y[static_cast<size_t>(row) * N + column] = value / 2 * (1 + erff(value * 0.70710678F));  // expect: out-of-bounds
  }

//= through_memory: right, but the product is stored and read again, as a second kernel would
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < 4; ++i) {
      const int row = blockIdx.y * 16 + threadIdx.x / 4 + i / 2 * 8;
      const int column = blockIdx.x * 8 + threadIdx.x % 4 * 2 + i % 2;
      if (row >= M || column >= N) continue;
      volatile float* to = y + static_cast<size_t>(row) * N + column;
      const float value = pass == 0 ? 0.0F : *to + bias[column];
      *to = pass == 0 ? sum[i] : value / 2 * (1 + erff(value * 0.70710678F));  // expect: gate stores
    }
  }

//= without_tensor_cores: right, but the frame's product is left alone and computed again in a loop
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 16 + threadIdx.x / 4 + i / 2 * 8;
    const int column = blockIdx.x * 8 + threadIdx.x % 4 * 2 + i % 2;
    if (row >= M || column >= N) continue;
    float value = bias[column];
    for (int k = 0; k < K; ++k) {
      value += a[static_cast<size_t>(row) * K + k] * b[static_cast<size_t>(column) * K + k];
    }
    y[static_cast<size_t>(row) * N + column] =
        value / 2 * (1 + erff(value * 0.70710678F));  // expect: gate products
  }
