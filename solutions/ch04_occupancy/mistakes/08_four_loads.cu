// Typical wrong answers to 08_four_loads. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= loop: right, but each load waits for the store before it
__global__ void signed_squares(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
    y[i] = x[i] * fabsf(x[i]);  // expect: gate flight
  }
}

//= unrolled: right, but the compiler may not move a load before a store that might change x
__global__ void signed_squares(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
    y[i] = x[i] * fabsf(x[i]);  // expect: gate flight
  }
}

//= by_name: right, and four variables, but each is stored before the next one is loaded
__global__ void signed_squares(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = i + threads, k = j + threads, l = k + threads;
  if (i < n) {
    const float a = x[i];  // expect: gate flight
    y[i] = a * fabsf(a);
  }
  if (j < n) {
    const float b = x[j];
    y[j] = b * fabsf(b);
  }
  if (k < n) {
    const float c = x[k];
    y[k] = c * fabsf(c);
  }
  if (l < n) {
    const float d = x[l];
    y[l] = d * fabsf(d);
  }
}

//= pairs: right, but only two loads are in flight
__global__ void signed_squares(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 2 * threads) {
    const int j = i + threads;
    float a = 0, b = 0;
    a = x[i];  // expect: gate flight
    if (j < n) b = x[j];
    y[i] = a * fabsf(a);
    if (j < n) y[j] = b * fabsf(b);
  }
}

//= restrict_with_guards: right, but nvcc moves only three of four guarded loads
__global__ void signed_squares(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int i = first + k * threads;
    if (i < n) y[i] = x[i] * fabsf(x[i]);  // expect: gate flight
  }
}

//= packs: x does not begin at a multiple of 16 bytes
__global__ void signed_squares(const float* x, float* y, int n) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 3 < n) {
    const float4 v = *reinterpret_cast<const float4*>(x + first);  // expect: misaligned
    y[first] = v.x * fabsf(v.x);
    y[first + 1] = v.y * fabsf(v.y);
    y[first + 2] = v.z * fabsf(v.z);
    y[first + 3] = v.w * fabsf(v.w);
  } else {
    for (int i = first; i < n; ++i) y[i] = x[i] * fabsf(x[i]);
  }
}

//= neighbours: right, and four loads in flight, but a thread takes four neighbours
__global__ void signed_squares(const float* x, float* y, int n) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  float value[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (first + k < n) value[k] = x[first + k];  // expect: gate sectors
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (first + k < n) y[first + k] = value[k] * fabsf(value[k]);
  }
}

//= indexed: right, but an array with an index that the compiler does not know is in local memory
__global__ void signed_squares(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  float value[4];
#pragma unroll 1
  for (int k = 0; k < 4; ++k) {
    if (first + k * threads < n) value[k] = x[first + k * threads];
  }
#pragma unroll 1
  for (int k = 0; k < 4; ++k) {
    if (first + k * threads < n) {
      y[first + k * threads] = value[k] * fabsf(value[k]);  // expect: gate registers
    }
  }
}

//= loads_guarded: the last stores are past the end
__global__ void signed_squares(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  float value[4] = {};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (first + k * threads < n) value[k] = x[first + k * threads];
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    y[first + k * threads] = value[k] * fabsf(value[k]);  // expect: out-of-bounds
  }
}

//= stores_guarded: the last loads are past the end
__global__ void signed_squares(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  float value[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    value[k] = x[first + k * threads];  // expect: out-of-bounds
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (first + k * threads < n) y[first + k * threads] = value[k] * fabsf(value[k]);
  }
}

//= returns_early: a thread whose last number is past the end does nothing at all
__global__ void signed_squares(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 3 * threads >= n) return;
  const float a = x[i], b = x[i + threads], c = x[i + 2 * threads], d = x[i + 3 * threads];
  y[i] = a * fabsf(a);  // expect: wrong result
  y[i + threads] = b * fabsf(b);
  y[i + 2 * threads] = c * fabsf(c);
  y[i + 3 * threads] = d * fabsf(d);
}

//= sign_lost: a plain square
__global__ void signed_squares(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  float value[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (first + k * threads < n) value[k] = x[first + k * threads];
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (first + k * threads < n) y[first + k * threads] = value[k] * value[k];  // expect: wrong result
  }
}

//= sixteen_bits: an index that ends at 32767
__global__ void signed_squares(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;
  const short first = blockIdx.x * blockDim.x + threadIdx.x;
  float value[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (first + k * threads < n) value[k] = x[first + k * threads];  // expect: out-of-bounds
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (first + k * threads < n) y[first + k * threads] = value[k] * fabsf(value[k]);
  }
}

//= capped: only the first 32768 numbers
__global__ void signed_squares(const float* x, float* y, int n) {
  n = min(n, 32768);
  const int threads = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  float value[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (first + k * threads < n) value[k] = x[first + k * threads];
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (first + k * threads < n) {
      y[first + k * threads] = value[k] * fabsf(value[k]);  // expect: wrong result
    }
  }
}

//= one_block: right, but the first block does everything
__global__ void signed_squares(const float* x, float* y, int n) {
  if (blockIdx.x > 0) return;
  for (int first = threadIdx.x; first < n; first += 4 * blockDim.x) {
    float value[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int i = first + k * blockDim.x;
      if (i < n) value[k] = x[i];
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int i = first + k * blockDim.x;
      if (i < n) y[i] = value[k] * fabsf(value[k]);  // expect: gate threads
    }
  }
}

//= promised: right: with both promises the compiler moves the loads
__global__ void signed_squares(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int threads = gridDim.x * blockDim.x;  // expect: pass
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
    y[i] = x[i] * fabsf(x[i]);
  }
}

//= whole_or_rest: right: four loads at once where a thread has four numbers, else one by one
__global__ void signed_squares(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;  // expect: pass
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 3 * threads < n) {
    const float a = x[i];
    const float b = x[i + threads];
    const float c = x[i + 2 * threads];
    const float d = x[i + 3 * threads];
    y[i] = a * fabsf(a);
    y[i + threads] = b * fabsf(b);
    y[i + 2 * threads] = c * fabsf(c);
    y[i + 3 * threads] = d * fabsf(d);
  } else {
    for (int rest = i; rest < n; rest += threads) y[rest] = x[rest] * fabsf(x[rest]);
  }
}

//= clamped: right: past the end the last number is loaded once more, and not stored
__global__ void signed_squares(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;  // expect: pass
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  float value[4];
  for (int k = 0; k < 4; ++k) value[k] = x[min(first + k * threads, n - 1)];
  for (int k = 0; k < 4; ++k) {
    if (first + k * threads < n) y[first + k * threads] = value[k] * fabsf(value[k]);
  }
}

//= by_block: right: a thread's numbers are a block apart, not a grid
__global__ void signed_squares(const float* x, float* y, int n) {
  const int first = 4 * blockIdx.x * blockDim.x + threadIdx.x;  // expect: pass
  float value[4];
  for (int k = 0; k < 4; ++k) {
    const int i = first + k * blockDim.x;
    value[k] = i < n ? x[i] : 0;
  }
  for (int k = 0; k < 4; ++k) {
    const int i = first + k * blockDim.x;
    if (i < n) y[i] = value[k] * fabsf(value[k]);
  }
}

//= leaves_at_the_end: right: both loops end at the first number past the end
__global__ void signed_squares(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;  // expect: pass
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  float value[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (first + k * threads >= n) break;
    value[k] = x[first + k * threads];
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (first + k * threads >= n) break;
    y[first + k * threads] = value[k] * fabsf(value[k]);
  }
}

//= computed_at_once: right: the products also come before the stores
__global__ void signed_squares(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;  // expect: pass
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  float result[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int i = first + k * threads;
    if (i < n) result[k] = x[i] * fabsf(x[i]);
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int i = first + k * threads;
    if (i < n) y[i] = result[k];
  }
}
