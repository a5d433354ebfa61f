// Typical wrong answers to 08_byte_histogram. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= not_zeroed: the counters begin with whatever shared memory holds
  __shared__ int counts[256];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[x[i]], 1);  // expect: uninitialized
  }
  __syncthreads();
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) {
    y[blockIdx.x * 256 + symbol] = counts[symbol];
  }

//= half_zeroed: 128 threads zero 128 of 256 counters
  __shared__ int counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[x[i]], 1);  // expect: uninitialized
  }
  __syncthreads();
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) {
    y[blockIdx.x * 256 + symbol] = counts[symbol];
  }

//= no_first_barrier: a fast warp counts before a slow one has written zeros
  __shared__ int counts[256];
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) {
    counts[symbol] = 0;  // expect: race
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[x[i]], 1);
  }
  __syncthreads();
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) {
    y[blockIdx.x * 256 + symbol] = counts[symbol];
  }

//= plain_addition: reading, adding and writing are three steps
  __shared__ int counts[256];
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) counts[symbol] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    ++counts[x[i]];  // expect: race
  }
  __syncthreads();
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) {
    y[blockIdx.x * 256 + symbol] = counts[symbol];
  }

//= no_last_barrier: the result is stored while others still count
  __shared__ int counts[256];
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) counts[symbol] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[x[i]], 1);  // expect: race
  }
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) {
    y[blockIdx.x * 256 + symbol] = counts[symbol];
  }

//= signed_bytes: bytes from 128 on are taken for negative numbers
  __shared__ int counts[256];
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) counts[symbol] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[static_cast<signed char>(x[i])], 1);  // expect: out-of-bounds
  }
  __syncthreads();
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) {
    y[blockIdx.x * 256 + symbol] = counts[symbol];
  }

//= own_part: each block takes a piece of its own in place of the grid-stride order
  __shared__ int counts[256];
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) counts[symbol] = 0;
  __syncthreads();
  const int piece = (n + gridDim.x - 1) / gridDim.x;
  for (int i = threadIdx.x; i < piece; i += blockDim.x) {
    const int at = blockIdx.x * piece + i;
    if (at < n) atomicAdd(&counts[x[at]], 1);
  }
  __syncthreads();
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) {
    y[blockIdx.x * 256 + symbol] = counts[symbol];  // expect: wrong result
  }

//= two_passes: right, but a pass for each half of the values loads each byte twice
  __shared__ int counts[256];
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) counts[symbol] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (x[i] < 128) atomicAdd(&counts[x[i]], 1);  // expect: gate loads
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (x[i] >= 128) atomicAdd(&counts[x[i]], 1);
  }
  __syncthreads();
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) {
    y[blockIdx.x * 256 + symbol] = counts[symbol];
  }

//= float_counters: right, but an atomic addition of floats in shared memory is a loop
  __shared__ float counts[256];
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) counts[symbol] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[x[i]], 1.0f);  // expect: gate shared
  }
  __syncthreads();
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) {
    y[blockIdx.x * 256 + symbol] = counts[symbol];
  }

//= first_warp: right, but the first warp of each block does everything
  __shared__ int counts[256];
  if (threadIdx.x >= 32) return;
  for (int symbol = threadIdx.x; symbol < 256; symbol += 32) counts[symbol] = 0;
  __syncwarp();
  for (int begin = blockIdx.x * 128; begin < n; begin += gridDim.x * 128) {
    for (int i = begin + threadIdx.x; i < begin + 128 && i < n; i += 32) {
      atomicAdd(&counts[x[i]], 1);  // expect: gate workers
    }
  }
  __syncwarp();
  for (int symbol = threadIdx.x; symbol < 256; symbol += 32) {
    y[blockIdx.x * 256 + symbol] = counts[symbol];
  }
