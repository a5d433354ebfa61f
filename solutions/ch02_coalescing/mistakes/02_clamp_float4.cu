// Typical wrong answers to 02_clamp_float4. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= no_tail: the last one to three numbers are forgotten
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  if (pack >= n / 4) return;  // expect: wrong result
  float4 v = reinterpret_cast<const float4*>(x)[pack];
  v.x = fminf(fmaxf(v.x, low), high);
  v.y = fminf(fmaxf(v.y, low), high);
  v.z = fminf(fmaxf(v.z, low), high);
  v.w = fminf(fmaxf(v.w, low), high);
  reinterpret_cast<float4*>(y)[pack] = v;

//= pack_over_the_end: the number of packs is rounded up, and the last one is not whole
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  if (pack >= (n + 3) / 4) return;
  float4 v = reinterpret_cast<const float4*>(x)[pack];  // expect: out-of-bounds
  v.x = fminf(fmaxf(v.x, low), high);
  v.y = fminf(fmaxf(v.y, low), high);
  v.z = fminf(fmaxf(v.z, low), high);
  v.w = fminf(fmaxf(v.w, low), high);
  reinterpret_cast<float4*>(y)[pack] = v;

//= guard_with_n: the pack's number is compared with the numbers, not with the packs
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  if (pack >= n) return;
  float4 v = reinterpret_cast<const float4*>(x)[pack];  // expect: out-of-bounds
  v.x = fminf(fmaxf(v.x, low), high);
  v.y = fminf(fmaxf(v.y, low), high);
  v.z = fminf(fmaxf(v.z, low), high);
  v.w = fminf(fmaxf(v.w, low), high);
  reinterpret_cast<float4*>(y)[pack] = v;

//= four_floats: right, but four requests of one word instead of one of four
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; ++k) {
    const int i = 4 * pack + k;
    if (i < n) y[i] = fminf(fmaxf(x[i], low), high);  // expect: gate requests
  }

//= float_a_step: right and whole sectors, but a request for each 32 numbers
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
    y[i] = fminf(fmaxf(x[i], low), high);  // expect: gate requests
  }

//= rest_first: the rest is taken from the front, so that the packs begin between two boundaries
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int rest = n % 4;
  if (pack < rest) y[pack] = fminf(fmaxf(x[pack], low), high);
  if (pack >= n / 4) return;
  float4 v = reinterpret_cast<const float4*>(x + rest)[pack];  // expect: misaligned
  v.x = fminf(fmaxf(v.x, low), high);
  v.y = fminf(fmaxf(v.y, low), high);
  v.z = fminf(fmaxf(v.z, low), high);
  v.w = fminf(fmaxf(v.w, low), high);
  reinterpret_cast<float4*>(y + rest)[pack] = v;

//= tail_by_thread_zero: thread 0 of the grid does the rest, but counts from the wrong place
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  if (pack < n / 4) {
    float4 v = reinterpret_cast<const float4*>(x)[pack];
    v.x = fminf(fmaxf(v.x, low), high);
    v.y = fminf(fmaxf(v.y, low), high);
    v.z = fminf(fmaxf(v.z, low), high);
    v.w = fminf(fmaxf(v.w, low), high);
    reinterpret_cast<float4*>(y)[pack] = v;
  }
  if (pack < n % 4) y[n / 4 + pack] = fminf(fmaxf(x[n / 4 + pack], low), high);  // expect: wrong result

//= one_bound: only the lower bound of the last component is kept
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = n / 4;
  if (pack < packs) {
    float4 v = reinterpret_cast<const float4*>(x)[pack];
    v.x = fminf(fmaxf(v.x, low), high);
    v.y = fminf(fmaxf(v.y, low), high);
    v.z = fminf(fmaxf(v.z, low), high);
    v.w = fmaxf(v.w, low);  // expect: wrong result
    reinterpret_cast<float4*>(y)[pack] = v;
  }
  if (pack == packs) {
    for (int i = packs * 4; i < n; ++i) y[i] = fminf(fmaxf(x[i], low), high);
  }

//= all_again: right, but the thread of the rest begins at the number of its pack, and clamps nearly all again
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = n / 4;
  if (pack < packs) {
    float4 v = reinterpret_cast<const float4*>(x)[pack];
    v.x = fminf(fmaxf(v.x, low), high);
    v.y = fminf(fmaxf(v.y, low), high);
    v.z = fminf(fmaxf(v.z, low), high);
    v.w = fminf(fmaxf(v.w, low), high);
    reinterpret_cast<float4*>(y)[pack] = v;
  }
  if (pack == packs) {
    for (int i = pack; i < n; ++i) y[i] = fminf(fmaxf(x[i], low), high);  // expect: gate requests
  }

//= half_of_the_block: right, but half of each block is idle
  const int packs = n / 4;
  const int rest = packs * 4;
  for (int k = 0; k < 2 && threadIdx.x < 128; ++k) {
    const int pack = blockIdx.x * 256 + k * 128 + threadIdx.x;
    if (pack == packs) {
      for (int i = rest; i < n; ++i) y[i] = fminf(fmaxf(x[i], low), high);
    }
    if (pack >= packs) continue;
    float4 v = reinterpret_cast<const float4*>(x)[pack];
    v.x = fminf(fmaxf(v.x, low), high);
    v.y = fminf(fmaxf(v.y, low), high);
    v.z = fminf(fmaxf(v.z, low), high);
    v.w = fminf(fmaxf(v.w, low), high);
    reinterpret_cast<float4*>(y)[pack] = v;  // expect: gate threads
  }
