// Typical wrong answers to 03_shared_diet. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= staged: the kernel that stood there: right, and 24 warps an SM
  __shared__ float staged[8192];  // expect: gate warps
  const float* segment = x + static_cast<size_t>(blockIdx.x) * length;
  for (int i = threadIdx.x; i < length; i += 128) staged[i] = segment[i];
  __syncthreads();
  __shared__ float smallest_of[128], largest_of[128];
  float smallest = staged[0], largest = staged[0];
  for (int i = threadIdx.x; i < length; i += 128) {
    smallest = fminf(smallest, staged[i]);
    largest = fmaxf(largest, staged[i]);
  }
  smallest_of[threadIdx.x] = smallest;
  largest_of[threadIdx.x] = largest;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 128; ++i) {
      smallest = fminf(smallest, smallest_of[i]);
      largest = fmaxf(largest, largest_of[i]);
    }
    y[blockIdx.x] = largest - smallest;
  }

//= half_staged: two halves, one after the other: 16 KiB are still too much
  __shared__ float staged[4096];  // expect: gate warps
  __shared__ float smallest_of[128], largest_of[128];
  const float* segment = x + static_cast<size_t>(blockIdx.x) * length;
  float smallest = segment[0], largest = segment[0];
  for (int first = 0; first < length; first += 4096) {
    const int count = min(4096, length - first);
    for (int i = threadIdx.x; i < count; i += 128) staged[i] = segment[first + i];
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += 128) {
      smallest = fminf(smallest, staged[i]);
      largest = fmaxf(largest, staged[i]);
    }
    __syncthreads();
  }
  smallest_of[threadIdx.x] = smallest;
  largest_of[threadIdx.x] = largest;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 128; ++i) {
      smallest = fminf(smallest, smallest_of[i]);
      largest = fmaxf(largest, largest_of[i]);
    }
    y[blockIdx.x] = largest - smallest;
  }

//= in_registers: 64 numbers of a segment in each thread's registers: warps are lost all the same
  __shared__ float smallest_of[4], largest_of[4];
  const float* segment = x + static_cast<size_t>(blockIdx.x) * length;
  float kept[64];  // expect: gate warps
#pragma unroll
  for (int i = 0; i < 64; ++i) kept[i] = segment[min(i * 128 + static_cast<int>(threadIdx.x), length - 1)];
  __syncthreads();
  float smallest = kept[0], largest = kept[0];
#pragma unroll
  for (int i = 1; i < 64; ++i) {
    smallest = fminf(smallest, kept[i]);
    largest = fmaxf(largest, kept[i]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  smallest_of[threadIdx.x / 32] = smallest;
  largest_of[threadIdx.x / 32] = largest;
  __syncthreads();
  for (int warp = 0; warp < 4; ++warp) {
    smallest = fminf(smallest, smallest_of[warp]);
    largest = fmaxf(largest, largest_of[warp]);
  }
  if (threadIdx.x == 0) y[blockIdx.x] = largest - smallest;

//= from_zero: zero is taken for a number of the segment
  __shared__ float smallest_of[4], largest_of[4];
  const float* segment = x + static_cast<size_t>(blockIdx.x) * length;
  float smallest = 0, largest = 0;  // expect: wrong result
  for (int i = threadIdx.x; i < length; i += 128) {
    smallest = fminf(smallest, segment[i]);
    largest = fmaxf(largest, segment[i]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  smallest_of[threadIdx.x / 32] = smallest;
  largest_of[threadIdx.x / 32] = largest;
  __syncthreads();
  for (int warp = 0; warp < 4; ++warp) {
    smallest = fminf(smallest, smallest_of[warp]);
    largest = fmaxf(largest, largest_of[warp]);
  }
  if (threadIdx.x == 0) y[blockIdx.x] = largest - smallest;

//= own_number_first: a thread beyond the end of a short segment reads a number that is not its own
  __shared__ float smallest_of[4], largest_of[4];
  const float* segment = x + static_cast<size_t>(blockIdx.x) * length;
  float smallest = segment[threadIdx.x], largest = smallest;  // expect: out-of-bounds
  for (int i = threadIdx.x; i < length; i += 128) {
    smallest = fminf(smallest, segment[i]);
    largest = fmaxf(largest, segment[i]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  smallest_of[threadIdx.x / 32] = smallest;
  largest_of[threadIdx.x / 32] = largest;
  __syncthreads();
  for (int warp = 0; warp < 4; ++warp) {
    smallest = fminf(smallest, smallest_of[warp]);
    largest = fmaxf(largest, largest_of[warp]);
  }
  if (threadIdx.x == 0) y[blockIdx.x] = largest - smallest;

//= first_warp_only: only one warp's numbers reach the result
  const float* segment = x + static_cast<size_t>(blockIdx.x) * length;
  float smallest = segment[0], largest = segment[0];
  for (int i = threadIdx.x; i < length; i += 128) {
    smallest = fminf(smallest, segment[i]);
    largest = fmaxf(largest, segment[i]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  if (threadIdx.x == 0) y[blockIdx.x] = largest - smallest;  // expect: wrong result

//= no_barrier: the first warp does not wait for the others
  __shared__ float smallest_of[4], largest_of[4];
  const float* segment = x + static_cast<size_t>(blockIdx.x) * length;
  float smallest = segment[0], largest = segment[0];
  for (int i = threadIdx.x; i < length; i += 128) {
    smallest = fminf(smallest, segment[i]);
    largest = fmaxf(largest, segment[i]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  if (threadIdx.x % 32 == 0) {
    smallest_of[threadIdx.x / 32] = smallest;  // expect: race
    largest_of[threadIdx.x / 32] = largest;
  }
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < 4; ++warp) {
      smallest = fminf(smallest, smallest_of[warp]);
      largest = fmaxf(largest, largest_of[warp]);
    }
    y[blockIdx.x] = largest - smallest;
  }

//= rounded_length: the numbers beyond the last whole 128 are left out
  __shared__ float smallest_of[4], largest_of[4];
  const float* segment = x + static_cast<size_t>(blockIdx.x) * length;
  float smallest = segment[0], largest = segment[0];
  for (int i = 0; i < length / 128; ++i) {  // expect: wrong result
    smallest = fminf(smallest, segment[i * 128 + threadIdx.x]);
    largest = fmaxf(largest, segment[i * 128 + threadIdx.x]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  smallest_of[threadIdx.x / 32] = smallest;
  largest_of[threadIdx.x / 32] = largest;
  __syncthreads();
  for (int warp = 0; warp < 4; ++warp) {
    smallest = fminf(smallest, smallest_of[warp]);
    largest = fmaxf(largest, largest_of[warp]);
  }
  if (threadIdx.x == 0) y[blockIdx.x] = largest - smallest;

//= neighbours: each thread takes neighbouring numbers, so that a request touches many sectors
  __shared__ float smallest_of[4], largest_of[4];
  const float* segment = x + static_cast<size_t>(blockIdx.x) * length;
  float smallest = segment[0], largest = segment[0];
  const int count = (length + 127) / 128;
  for (int j = 0; j < count; ++j) {
    const int i = min(static_cast<int>(threadIdx.x) * count + j, length - 1);
    const float value = segment[i];  // expect: gate sectors
    smallest = fminf(smallest, value);
    largest = fmaxf(largest, value);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  smallest_of[threadIdx.x / 32] = smallest;
  largest_of[threadIdx.x / 32] = largest;
  __syncthreads();
  for (int warp = 0; warp < 4; ++warp) {
    smallest = fminf(smallest, smallest_of[warp]);
    largest = fmaxf(largest, largest_of[warp]);
  }
  if (threadIdx.x == 0) y[blockIdx.x] = largest - smallest;

//= from_a_thousand: numbers may all be larger than 1000, or smaller than -1000
  __shared__ float smallest_of[4], largest_of[4];
  const float* segment = x + static_cast<size_t>(blockIdx.x) * length;
  float smallest = 1000, largest = -1000;  // expect: wrong result
  for (int i = threadIdx.x; i < length; i += 128) {
    smallest = fminf(smallest, segment[i]);
    largest = fmaxf(largest, segment[i]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  if (threadIdx.x % 32 == 0) {
    smallest_of[threadIdx.x / 32] = smallest;
    largest_of[threadIdx.x / 32] = largest;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < 4; ++warp) {
      smallest = fminf(smallest, smallest_of[warp]);
      largest = fmaxf(largest, largest_of[warp]);
    }
    y[blockIdx.x] = largest - smallest;
  }

//= local_array: right, but a thread keeps its numbers in an array with a counted index: memory of its own
  __shared__ float smallest_of[4], largest_of[4];
  const float* segment = x + static_cast<size_t>(blockIdx.x) * length;
  float mine[64];
  int count = 0;
  for (int i = threadIdx.x; i < length; i += 128) mine[count++] = segment[i];
  float smallest = segment[0], largest = segment[0];
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    smallest = fminf(smallest, mine[i]);
    largest = fmaxf(largest, mine[i]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  if (threadIdx.x % 32 == 0) {
    smallest_of[threadIdx.x / 32] = smallest;
    largest_of[threadIdx.x / 32] = largest;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < 4; ++warp) {
      smallest = fminf(smallest, smallest_of[warp]);
      largest = fmaxf(largest, largest_of[warp]);
    }
    y[blockIdx.x] = largest - smallest;  // expect: gate registers
  }

//= only_one_warp: right, with little shared memory, and three of four warps have nothing to do
  if (threadIdx.x >= 32) return;
  const float* segment = x + static_cast<size_t>(blockIdx.x) * length;
  float smallest = segment[0], largest = segment[0];
  for (int i = threadIdx.x; i < length; i += 32) {
    smallest = fminf(smallest, segment[i]);  // expect: gate workers
    largest = fmaxf(largest, segment[i]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  if (threadIdx.x == 0) y[blockIdx.x] = largest - smallest;

//= barrier_in_if: the barrier of each step is inside the branch that fewer and fewer threads take
  __shared__ float smallest_of[128], largest_of[128];
  const float* segment = x + static_cast<size_t>(blockIdx.x) * length;
  float smallest = segment[0], largest = segment[0];
  for (int i = threadIdx.x; i < length; i += 128) {
    smallest = fminf(smallest, segment[i]);
    largest = fmaxf(largest, segment[i]);
  }
  smallest_of[threadIdx.x] = smallest;
  largest_of[threadIdx.x] = largest;
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    if (threadIdx.x < s) {
      const float low = smallest_of[threadIdx.x + s], high = largest_of[threadIdx.x + s];
      smallest_of[threadIdx.x] = fminf(smallest_of[threadIdx.x], low);
      largest_of[threadIdx.x] = fmaxf(largest_of[threadIdx.x], high);
      __syncthreads();  // expect: barrier-divergence
    }
  }
  if (threadIdx.x == 0) y[blockIdx.x] = largest_of[0] - smallest_of[0];
