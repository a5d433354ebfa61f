// Typical wrong answers to 03_guard. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= no_guard: threads without an element read and write behind the arrays
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = i == n - 1 ? 0.0F : x[i + 1] - x[i];  // expect: out-of-bounds

//= no_neighbour: the last element reads one behind the array
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i + 1] - x[i];  // expect: out-of-bounds

//= one_too_many: a guard with <= lets one thread too many in
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) {
    y[i] = i + 1 < n ? x[i + 1] - x[i] : 0.0F;  // expect: out-of-bounds
  }

//= last_not_written: nobody writes the last element
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) {
    y[i] = x[i + 1] - x[i];  // expect: wrong result
  }

//= around_the_end: the last element takes the first as its neighbour
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[(i + 1) % n] - x[i];  // expect: wrong result

//= end_of_the_block: a neighbour in the next block is taken for no neighbour
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const bool has_next = threadIdx.x + 1 < blockDim.x && i + 1 < n;  // expect: wrong result
  y[i] = has_next ? x[i + 1] - x[i] : 0.0F;

//= zero_by_another: the thread before the last also writes the last; two threads write it
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = i + 1 < n ? x[i + 1] - x[i] : 1.0F;  // expect: wrong result

//= index_of_the_block: no block number in the index
  const int i = threadIdx.x;
  if (i < n) {
    y[i] = i + 1 < n ? x[i + 1] - x[i] : 0.0F;  // expect: wrong result
  }

//= other_way_round: the neighbour is subtracted
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = i + 1 < n ? x[i] - x[i + 1] : 0.0F;  // expect: wrong result

//= left_neighbour: the first element reads in front of the array
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float left = x[i - 1];  // expect: out-of-bounds
    y[i] = x[i] - left;
  }

//= guard_after: the guard comes behind the load it is for
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile float own = x[i];  // expect: out-of-bounds
  if (i >= n) return;
  y[i] = i + 1 < n ? x[i + 1] - own : 0.0F;

//= one_thread: right, but a single thread does everything
  if (blockIdx.x > 0 || threadIdx.x > 0) return;
  for (int i = 0; i < n; ++i) {
    y[i] = i + 1 < n ? x[i + 1] - x[i] : 0.0F;  // expect: gate stores
  }

//= two_stores: right: the last element is stored by a line of its own
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i == n - 1) {
    y[i] = 0.0F;  // expect: pass
    return;
  }
  y[i] = x[i + 1] - x[i];

//= element_before: right: each thread stores the element in front of its own
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) y[i - 1] = x[i] - x[i - 1];  // expect: pass
  if (i == n - 1) y[i] = 0.0F;

//= std_min: right: what C++ programmers write, std::min and a constexpr function, in a kernel
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[std::min(i + 1, n - 1)] - x[i];  // expect: pass
