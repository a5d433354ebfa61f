// Typical wrong answers to 02_index. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= thread_only: every block works on the first 64 elements
  const int i = threadIdx.x;
  y[i] = x[i] * x[i];  // expect: wrong result

//= grid_for_block: a block is as long as the grid has blocks
  const int i = blockIdx.x * gridDim.x + threadIdx.x;  // expect: wrong result
  y[i] = x[i] * x[i];

//= exchanged: thread and block have changed places
  const int i = threadIdx.x * blockDim.x + blockIdx.x;
  y[i] = x[i] * x[i];  // expect: out-of-bounds

//= brackets: the sum is multiplied, not the block number
  const int i = blockIdx.x * (blockDim.x + threadIdx.x);
  y[i] = x[i] * x[i];  // expect: out-of-bounds

//= no_product: block and thread number are added
  const int i = blockIdx.x + threadIdx.x;  // expect: wrong result
  y[i] = x[i] * x[i];

//= from_one: counts from 1
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  y[i] = x[i] * x[i];  // expect: out-of-bounds

//= other_axis: threads lie along x, not along y
  const int i = blockIdx.x * blockDim.x + threadIdx.y;  // expect: wrong result
  y[i] = x[i] * x[i];

//= input_for_output: the index is right, the value is not squared
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 2 * x[i];  // expect: wrong result

//= everybody_does_all: right, but every thread does the work of all
  for (int i = 0; i < n; ++i) {
    y[i] = x[i] * x[i];  // expect: gate stores
  }

//= one_thread: right, but a single thread does everything
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    for (int i = 0; i < n; ++i) {
      y[i] = x[i] * x[i];  // expect: gate stores
    }
  }

//= reversed: the right elements in the wrong places
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[n - 1 - i] = x[i] * x[i];  // expect: wrong result

//= one_block: right, but the first block does everything
  if (blockIdx.x > 0) return;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    y[i] = x[i] * x[i];  // expect: gate threads
  }

//= half_of_the_block: right, but every second warp is idle
  if (threadIdx.x >= 32) return;
  for (int k = 0; k < 2; ++k) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x + 32 * k;
    y[i] = x[i] * x[i];  // expect: gate threads
  }

//= atomic_store: right, but an atomic operation takes the place of the store
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * x[i];
  atomicExch(y + i, x[i] * x[i]);  // expect: gate updates

//= never_freed: memory that a kernel gets with new, and keeps
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* const own = new float[1];  // expect: leak
  own[0] = x[i];
  y[i] = own[0] * own[0];

//= short_index: right as long as the index is below 65536
  const unsigned short i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * x[i];  // expect: wrong result

//= grid_stride: right: a loop that would do for any grid
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    y[i] = x[i] * x[i];  // expect: pass
  }

//= from_the_end: right: the threads take the elements in the reverse order
  const int i = n - 1 - static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  y[i] = x[i] * x[i];  // expect: pass
