// Typical wrong answers to 04_conjugate_pairs. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= part_by_part: right, but each of the two stores writes half of every sector
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[2 * i] = real[i];  // expect: gate stores
  y[2 * i + 1] = -imaginary[i];

//= no_guard: the last block has threads without a number
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  reinterpret_cast<float2*>(y)[i] = make_float2(real[i], -imaginary[i]);  // expect: out-of-bounds

//= words_for_pairs: the index of the number is used as an index of words
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  *reinterpret_cast<float2*>(y + i) = make_float2(real[i], -imaginary[i]);  // expect: misaligned

//= twice_too_far: the pairs are counted twice
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  reinterpret_cast<float2*>(y)[2 * i] = make_float2(real[i], -imaginary[i]);  // expect: out-of-bounds

//= sign_forgotten: the numbers are not conjugated
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  reinterpret_cast<float2*>(y)[i] = make_float2(real[i], imaginary[i]);  // expect: wrong result

//= sign_of_the_wrong_part: the real part is negated
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  reinterpret_cast<float2*>(y)[i] = make_float2(-real[i], imaginary[i]);  // expect: wrong result

//= two_arrays_again: the parts are stored one array behind the other
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = real[i];  // expect: wrong result
  y[n + i] = -imaginary[i];

//= pairs_of_threads: every second thread does two numbers and the others none
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || i % 2 == 1) return;  // expect: wrong result
  reinterpret_cast<float2*>(y)[i] = make_float2(real[i], -imaginary[i]);
  if (i + 2 < n) reinterpret_cast<float2*>(y)[i + 2] = make_float2(real[i + 2], -imaginary[i + 2]);

//= half_of_the_block: right, but half of each block is idle
  for (int k = 0; k < 2 && threadIdx.x < 128; ++k) {
    const int i = blockIdx.x * 256 + k * 128 + threadIdx.x;
    if (i >= n) continue;
    reinterpret_cast<float2*>(y)[i] = make_float2(real[i], -imaginary[i]);  // expect: gate threads
  }
