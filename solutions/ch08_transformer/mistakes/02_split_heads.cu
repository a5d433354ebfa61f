// Typical wrong answers to 02_split_heads. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= layout_of_tokens: the heads of a token stay neighbours
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = i % 16, h = i / 16 % H, t = i / 16 / H % T;
  const int b = i / 16 / T / H % B, part = i / 16 / T / H / B;
  if (part >= 3) return;
  const size_t row = static_cast<size_t>(b) * T + t;
  const float4* from = reinterpret_cast<const float4*>(qkv);
  const float4 four = from[((row * 3 + part) * H + h) * 16 + column];  // expect: wrong result
  reinterpret_cast<float4*>(split)[i] = four;

//= thirds_as_arrays: qkv is taken to be three arrays of (B, T, H, 64)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = i % 16, t = i / 16 % T, h = i / 16 / T % H;
  const int b = i / 16 / T / H % B, part = i / 16 / T / H / B;
  if (part >= 3) return;
  const size_t row = static_cast<size_t>(b) * T + t;
  const float4* from = reinterpret_cast<const float4*>(qkv);
  const size_t tokens = static_cast<size_t>(B) * T;
  const float4 four = from[((part * tokens + row) * H + h) * 16 + column];  // expect: wrong result
  reinterpret_cast<float4*>(split)[i] = four;

//= first_sequence: every sequence gets the tokens of the first
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = i % 16, t = i / 16 % T, h = i / 16 / T % H;
  const int b = i / 16 / T / H % B, part = i / 16 / T / H / B;
  if (part >= 3) return;
  const size_t row = t;
  const float4* from = reinterpret_cast<const float4*>(qkv);
  const float4 four = from[((row * 3 + part) * H + h) * 16 + column];  // expect: wrong result
  reinterpret_cast<float4*>(split)[i] = four;

//= pitch_of_a_third: a row of qkv is taken to be H * 64 floats long
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = i % 16, t = i / 16 % T, h = i / 16 / T % H;
  const int b = i / 16 / T / H % B, part = i / 16 / T / H / B;
  if (part >= 3) return;
  const size_t row = static_cast<size_t>(b) * T + t;
  const float4* from = reinterpret_cast<const float4*>(qkv);
  const float4 four = from[((row + part) * H + h) * 16 + column];  // expect: wrong result
  reinterpret_cast<float4*>(split)[i] = four;

//= values_first: the thirds are counted from the values on
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = i % 16, t = i / 16 % T, h = i / 16 / T % H;
  const int b = i / 16 / T / H % B, part = i / 16 / T / H / B;
  if (part >= 3) return;
  const size_t row = static_cast<size_t>(b) * T + t;
  const float4* from = reinterpret_cast<const float4*>(qkv);
  const float4 four = from[((row * 3 + 2 - part) * H + h) * 16 + column];  // expect: wrong result
  reinterpret_cast<float4*>(split)[i] = four;

//= batch_inside_heads: the sequences of a head are neighbours
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = i % 16, t = i / 16 % T, b = i / 16 / T % B;
  const int h = i / 16 / T / B % H, part = i / 16 / T / H / B;
  if (part >= 3) return;
  const size_t row = static_cast<size_t>(b) * T + t;
  const float4* from = reinterpret_cast<const float4*>(qkv);
  const float4 four = from[((row * 3 + part) * H + h) * 16 + column];  // expect: wrong result
  reinterpret_cast<float4*>(split)[i] = four;

//= no_guard: the last block has threads without a pack
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = i % 16, t = i / 16 % T, h = i / 16 / T % H;
  const int b = i / 16 / T / H % B, part = i / 16 / T / H / B;
  const size_t row = static_cast<size_t>(b) * T + t;
  const float4* from = reinterpret_cast<const float4*>(qkv);
  const float4 four = from[((row * 3 + part) * H + h) * 16 + column];
  reinterpret_cast<float4*>(split)[i] = four;  // expect: out-of-bounds

//= one_float: right, but every float is a store of its own
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = i % 16, t = i / 16 % T, h = i / 16 / T % H;
  const int b = i / 16 / T / H % B, part = i / 16 / T / H / B;
  if (part >= 3) return;
  const size_t row = static_cast<size_t>(b) * T + t;
  const float* from = qkv + ((row * 3 + part) * H + h) * 64;
  float* to = split + static_cast<size_t>(i / 16) * 64;
  for (int c = column; c < 64; c += 16) to[c] = from[c];  // expect: gate requests

//= tokens_side_by_side: right, but neighbouring threads take neighbouring tokens
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int t = i % T, column = i / T % 16, h = i / 16 / T % H;
  const int b = i / 16 / T / H % B, part = i / 16 / T / H / B;
  if (part >= 3) return;
  const size_t row = static_cast<size_t>(b) * T + t;
  const float4* from = reinterpret_cast<const float4*>(qkv);
  const float4 four = from[((row * 3 + part) * H + h) * 16 + column];
  const size_t to = ((static_cast<size_t>(part) * B + b) * H + h) * T + t;
  reinterpret_cast<float4*>(split)[to * 16 + column] = four;  // expect: gate sectors

//= order_of_qkv: right: the threads are numbered as qkv is stored
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = i % 16, h = i / 16 % H, part = i / 16 / H % 3;
  const int t = i / 16 / H / 3 % T, b = i / 16 / H / 3 / T;
  if (b >= B) return;
  const float4 four = reinterpret_cast<const float4*>(qkv)[i];
  const size_t to = ((static_cast<size_t>(part) * B + b) * H + h) * T + t;
  reinterpret_cast<float4*>(split)[to * 16 + column] = four;  // expect: pass
