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
