// Typical wrong answers to 06_append_cache. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= slot_ignored: tokens are stored in their own order
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = pack % 16, head = pack / 16 % H;
  const int part = pack / (16 * H) % 2, token = pack / (32 * H);
  if (token >= tokens) return;
  const float4* from = reinterpret_cast<const float4*>(qkv) + static_cast<size_t>(token) * 48 * H;
  const float4 four = from[(part + 1) * 16 * H + head * 16 + column];
  float4* to = reinterpret_cast<float4*>(cache) + static_cast<size_t>(part) * H * tokens * 16;
  to[(static_cast<size_t>(head) * tokens + token) * 16 + column] = four;  // expect: wrong result

//= first_slot: all tokens go to the slot of the first
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = pack % 16, head = pack / 16 % H;
  const int part = pack / (16 * H) % 2, token = pack / (32 * H);
  if (token >= tokens) return;
  const float4* from = reinterpret_cast<const float4*>(qkv) + static_cast<size_t>(token) * 48 * H;
  const float4 four = from[(part + 1) * 16 * H + head * 16 + column];
  float4* to = reinterpret_cast<float4*>(cache) + static_cast<size_t>(part) * H * tokens * 16;
  to[(static_cast<size_t>(head) * tokens + slot[0]) * 16 + column] = four;  // expect: race

//= query_for_key: the thirds are counted from the queries on
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = pack % 16, head = pack / 16 % H;
  const int part = pack / (16 * H) % 2, token = pack / (32 * H);
  if (token >= tokens) return;
  const float4* from = reinterpret_cast<const float4*>(qkv) + static_cast<size_t>(token) * 48 * H;
  const float4 four = from[part * 16 * H + head * 16 + column];  // expect: wrong result
  float4* to = reinterpret_cast<float4*>(cache) + static_cast<size_t>(part) * H * tokens * 16;
  to[(static_cast<size_t>(head) * tokens + slot[token]) * 16 + column] = four;

//= layout_of_tokens: heads of a slot are neighbours
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = pack % 16, head = pack / 16 % H;
  const int part = pack / (16 * H) % 2, token = pack / (32 * H);
  if (token >= tokens) return;
  const float4* from = reinterpret_cast<const float4*>(qkv) + static_cast<size_t>(token) * 48 * H;
  const float4 four = from[(part + 1) * 16 * H + head * 16 + column];
  float4* to = reinterpret_cast<float4*>(cache) + static_cast<size_t>(part) * H * tokens * 16;
  to[(static_cast<size_t>(slot[token]) * H + head) * 16 + column] = four;  // expect: wrong result

//= pitch_of_a_third: a row of qkv is taken to be H * 64 floats long
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = pack % 16, head = pack / 16 % H;
  const int part = pack / (16 * H) % 2, token = pack / (32 * H);
  if (token >= tokens) return;
  const float4* from = reinterpret_cast<const float4*>(qkv) + static_cast<size_t>(token) * 16 * H;
  const float4 four = from[(part + 1) * 16 * H + head * 16 + column];  // expect: wrong result
  float4* to = reinterpret_cast<float4*>(cache) + static_cast<size_t>(part) * H * tokens * 16;
  to[(static_cast<size_t>(head) * tokens + slot[token]) * 16 + column] = four;

//= slots_from_one: the slot is counted from 1
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = pack % 16, head = pack / 16 % H;
  const int part = pack / (16 * H) % 2, token = pack / (32 * H);
  if (token >= tokens) return;
  const float4* from = reinterpret_cast<const float4*>(qkv) + static_cast<size_t>(token) * 48 * H;
  const float4 four = from[(part + 1) * 16 * H + head * 16 + column];
  float4* to = reinterpret_cast<float4*>(cache) + static_cast<size_t>(part) * H * tokens * 16;
  to[(static_cast<size_t>(head) * tokens + slot[token] + 1) * 16 + column] = four;  // expect: out-of-bounds

//= no_guard: the last block has threads without a token
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = pack % 16, head = pack / 16 % H;
  const int part = pack / (16 * H) % 2, token = pack / (32 * H);
  const float4* from = reinterpret_cast<const float4*>(qkv) + static_cast<size_t>(token) * 48 * H;
  const float4 four = from[(part + 1) * 16 * H + head * 16 + column];
  float4* to = reinterpret_cast<float4*>(cache) + static_cast<size_t>(part) * H * tokens * 16;
  to[(static_cast<size_t>(head) * tokens + slot[token]) * 16 + column] = four;  // expect: out-of-bounds

//= values_over_keys: both go to the first half of the cache
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = pack % 16, head = pack / 16 % H;
  const int part = pack / (16 * H) % 2, token = pack / (32 * H);
  if (token >= tokens) return;
  const float4* from = reinterpret_cast<const float4*>(qkv) + static_cast<size_t>(token) * 48 * H;
  const float4 four = from[(part + 1) * 16 * H + head * 16 + column];
  float4* to = reinterpret_cast<float4*>(cache) ;
  to[(static_cast<size_t>(head) * tokens + slot[token]) * 16 + column] = four;  // expect: race

//= one_float: right, but every float is a store of its own
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = pack % 16, head = pack / 16 % H;
  const int part = pack / (16 * H) % 2, token = pack / (32 * H);
  if (token >= tokens) return;
  const float* from = qkv + (static_cast<size_t>(token) * 3 + part + 1) * H * 64 + head * 64;
  float* to = cache + ((static_cast<size_t>(part) * H + head) * tokens + slot[token]) * 64;
  for (int i = 0; i < 64; i += 16) to[i + column] = from[i + column];  // expect: gate requests

//= queries_too: right, but the queries are read as well
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = pack % 16, head = pack / 16 % H;
  const int part = pack / (16 * H) % 2, token = pack / (32 * H);
  if (token >= tokens) return;
  const float4* from = reinterpret_cast<const float4*>(qkv) + static_cast<size_t>(token) * 48 * H;
  const float4 four = from[(part + 1) * 16 * H + head * 16 + column];
  const float4 query = from[head * 16 + column];
  if (query.x != query.x) return;
  float4* to = reinterpret_cast<float4*>(cache) + static_cast<size_t>(part) * H * tokens * 16;
  to[(static_cast<size_t>(head) * tokens + slot[token]) * 16 + column] = four;  // expect: gate sectors
