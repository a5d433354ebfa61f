// Typical wrong answers to 01_gated_gelu. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= erf_form: the other GELU
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs_in_row = columns / 4;
  const int row = pack / packs_in_row;
  if (row >= rows) return;
  const float4* in = reinterpret_cast<const float4*>(x) + static_cast<size_t>(row) * 2 * packs_in_row;
  const float4 a = in[pack % packs_in_row];
  const float4 b = in[packs_in_row + pack % packs_in_row];
  const auto gelu = [](float v) {
    return 0.5F * v * (1 + erff(0.7071067812F * v));  // expect: wrong result
  };
  reinterpret_cast<float4*>(y)[pack] = {gelu(a.x) * b.x, gelu(a.y) * b.y, gelu(a.z) * b.z,
                                        gelu(a.w) * b.w};

//= square: the cube has become a square
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs_in_row = columns / 4;
  const int row = pack / packs_in_row;
  if (row >= rows) return;
  const float4* in = reinterpret_cast<const float4*>(x) + static_cast<size_t>(row) * 2 * packs_in_row;
  const float4 a = in[pack % packs_in_row];
  const float4 b = in[packs_in_row + pack % packs_in_row];
  const auto gelu = [](float v) {
    return 0.5F * v * (1 + tanhf(0.7978845608F * (v + 0.044715F * v * v)));  // expect: wrong result
  };
  reinterpret_cast<float4*>(y)[pack] = {gelu(a.x) * b.x, gelu(a.y) * b.y, gelu(a.z) * b.z,
                                        gelu(a.w) * b.w};

//= halves_exchanged: b is activated and a multiplied
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs_in_row = columns / 4;
  const int row = pack / packs_in_row;
  if (row >= rows) return;
  const float4* in = reinterpret_cast<const float4*>(x) + static_cast<size_t>(row) * 2 * packs_in_row;
  const float4 b = in[pack % packs_in_row];  // expect: wrong result
  const float4 a = in[packs_in_row + pack % packs_in_row];
  const auto gelu = [](float v) {
    return 0.5F * v * (1 + tanhf(0.7978845608F * (v + 0.044715F * v * v * v)));
  };
  reinterpret_cast<float4*>(y)[pack] = {gelu(a.x) * b.x, gelu(a.y) * b.y, gelu(a.z) * b.z,
                                        gelu(a.w) * b.w};

//= own_tanh: infinity over infinity for large numbers
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs_in_row = columns / 4;
  const int row = pack / packs_in_row;
  if (row >= rows) return;
  const float4* in = reinterpret_cast<const float4*>(x) + static_cast<size_t>(row) * 2 * packs_in_row;
  const float4 a = in[pack % packs_in_row];
  const float4 b = in[packs_in_row + pack % packs_in_row];
  const auto gelu = [](float v) {
    const float e = expf(2 * 0.7978845608F * (v + 0.044715F * v * v * v));
    return 0.5F * v * (1 + (e - 1) / (e + 1));  // expect: wrong result
  };
  reinterpret_cast<float4*>(y)[pack] = {gelu(a.x) * b.x, gelu(a.y) * b.y, gelu(a.z) * b.z,
                                        gelu(a.w) * b.w};

//= one_float: right, but every number is a load of its own
  const auto gelu = [](float v) {
    return 0.5F * v * (1 + tanhf(0.7978845608F * (v + 0.044715F * v * v * v)));
  };
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs_in_row = columns / 4;
  const int row = pack / packs_in_row;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * 2 * columns;
  for (int i = 0; i < 4; ++i) {
    const int column = pack % packs_in_row * 4 + i;
    y[pack * 4 + i] = gelu(in[column]) * in[columns + column];  // expect: gate requests
  }

//= b_of_the_matrix: b is looked for after the last row of a
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs_in_row = columns / 4;
  const int row = pack / packs_in_row;
  if (row >= rows) return;
  const float4* in = reinterpret_cast<const float4*>(x) + static_cast<size_t>(row) * 2 * packs_in_row;
  const float4 a = in[pack % packs_in_row];
  const float4 b = in[rows * packs_in_row + pack % packs_in_row];  // expect: out-of-bounds
  const auto gelu = [](float v) {
    return 0.5F * v * (1 + tanhf(0.7978845608F * (v + 0.044715F * v * v * v)));
  };
  reinterpret_cast<float4*>(y)[pack] = {gelu(a.x) * b.x, gelu(a.y) * b.y, gelu(a.z) * b.z,
                                        gelu(a.w) * b.w};

//= pitch_of_y: rows of x are taken to be as long as those of y
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs_in_row = columns / 4;
  const int row = pack / packs_in_row;
  if (row >= rows) return;
  const float4* in = reinterpret_cast<const float4*>(x) + static_cast<size_t>(row) * packs_in_row;
  const float4 a = in[pack % packs_in_row];  // expect: wrong result
  const float4 b = in[packs_in_row + pack % packs_in_row];
  const auto gelu = [](float v) {
    return 0.5F * v * (1 + tanhf(0.7978845608F * (v + 0.044715F * v * v * v)));
  };
  reinterpret_cast<float4*>(y)[pack] = {gelu(a.x) * b.x, gelu(a.y) * b.y, gelu(a.z) * b.z,
                                        gelu(a.w) * b.w};

//= no_guard: the last block has threads without a row
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs_in_row = columns / 4;
  const int row = pack / packs_in_row;
  const float4* in = reinterpret_cast<const float4*>(x) + static_cast<size_t>(row) * 2 * packs_in_row;
  const float4 a = in[pack % packs_in_row];  // expect: out-of-bounds
  const float4 b = in[packs_in_row + pack % packs_in_row];
  const auto gelu = [](float v) {
    return 0.5F * v * (1 + tanhf(0.7978845608F * (v + 0.044715F * v * v * v)));
  };
  reinterpret_cast<float4*>(y)[pack] = {gelu(a.x) * b.x, gelu(a.y) * b.y, gelu(a.z) * b.z,
                                        gelu(a.w) * b.w};
