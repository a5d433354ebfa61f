// Typical wrong answers to 07_ragged_rows. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.
//
// The simulator names a race between two children by the line in the later child, and by the file of
// the parent that launched both. finish_beside expects that line, 27 of the frame, in this file.

//= no_child: right, and one block adds up all rows by itself
  for (int r = threadIdx.x; r < rows; r += blockDim.x) {
    float sum = 0;
    for (int i = starts[r]; i < starts[r + 1]; ++i) sum += numbers[i];
    sums[r] = sum;
  }
  __syncthreads();
  float all = 0;
  for (int r = 0; r < rows; ++r) all += sums[r];
  for (int r = threadIdx.x; r < rows; r += blockDim.x) shares[r] = sums[r] / all;  // expect: gate children


//= finish_beside: the last kernel is launched as one more child, and children have no order
  for (int r = threadIdx.x; r < rows; r += blockDim.x) {
    const int count = starts[r + 1] - starts[r];
    if (count > 0) {
      sum_row<<<1, 256, 0, cudaStreamFireAndForget>>>(numbers + starts[r], count, sums + r);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) finish<<<1, 256, 0, cudaStreamFireAndForget>>>(sums, shares, rows);  // expect: race

//= read_by_the_parent: the parent divides by sums that its children may not have stored yet
  for (int r = threadIdx.x; r < rows; r += blockDim.x) {
    const int count = starts[r + 1] - starts[r];
    if (count > 0) {
      sum_row<<<1, 256, 0, cudaStreamFireAndForget>>>(numbers + starts[r], count, sums + r);
    }
  }
  __syncthreads();
  float all = 0;
  for (int r = 0; r < rows; ++r) all += sums[r];  // expect: race
  for (int r = threadIdx.x; r < rows; r += blockDim.x) shares[r] = sums[r] / all;

//= empty_row_launched: a row without numbers gets a block without threads
  for (int r = threadIdx.x; r < rows; r += blockDim.x) {
    const int count = starts[r + 1] - starts[r];
    const int threads = count < 256 ? (count + 31) / 32 * 32 : 256;
    sum_row<<<1, threads, 0, cudaStreamFireAndForget>>>(numbers + starts[r], count, sums + r);  // expect: launch-configuration
  }
  if (threadIdx.x == 0) finish<<<1, 256, 0, cudaStreamTailLaunch>>>(sums, shares, rows);

//= local_argument: a child gets a pointer to a variable of its parent's thread
  float own = 0;
  for (int r = threadIdx.x; r < rows; r += blockDim.x) {
    const int count = starts[r + 1] - starts[r];
    if (count > 0) {
      sum_row<<<1, 256, 0, cudaStreamFireAndForget>>>(numbers + starts[r], count, &own);  // expect: out-of-bounds
    }
    sums[r] = own;
  }
  if (threadIdx.x == 0) finish<<<1, 256, 0, cudaStreamTailLaunch>>>(sums, shares, rows);

//= every_thread_launches_finish: right, and 256 tails do the same work
  for (int r = threadIdx.x; r < rows; r += blockDim.x) {
    const int count = starts[r + 1] - starts[r];
    if (count > 0) {
      sum_row<<<1, 256, 0, cudaStreamFireAndForget>>>(numbers + starts[r], count, sums + r);
    }
  }
  finish<<<1, 256, 0, cudaStreamTailLaunch>>>(sums, shares, rows);  // expect: gate children

//= rows_beyond_the_block: thread r launches row r, and there are only 256 threads
  const int r = threadIdx.x;
  if (r < rows && starts[r + 1] > starts[r]) {
    sum_row<<<1, 256, 0, cudaStreamFireAndForget>>>(numbers + starts[r], starts[r + 1] - starts[r], sums + r);
  }
  if (r == 0) finish<<<1, 256, 0, cudaStreamTailLaunch>>>(sums, shares, rows);  // expect: wrong result

//= first_number_missed: the child's numbers begin one too late
  for (int r = threadIdx.x; r < rows; r += blockDim.x) {
    const int count = starts[r + 1] - starts[r];
    if (count > 1) {
      sum_row<<<1, 256, 0, cudaStreamFireAndForget>>>(numbers + starts[r] + 1, count - 1, sums + r);
    }
  }
  if (threadIdx.x == 0) finish<<<1, 256, 0, cudaStreamTailLaunch>>>(sums, shares, rows);  // expect: wrong result

//= tail_first: right: a tail waits for all children, also for those that are launched after it
  if (threadIdx.x == 0) finish<<<1, 256, 0, cudaStreamTailLaunch>>>(sums, shares, rows);  // expect: pass
  for (int r = threadIdx.x; r < rows; r += blockDim.x) {
    const int count = starts[r + 1] - starts[r];
    if (count > 0) {
      sum_row<<<1, 256, 0, cudaStreamFireAndForget>>>(numbers + starts[r], count, sums + r);
    }
  }
