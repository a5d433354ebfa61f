// Typical wrong answers to 06_block_sum. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= no_first_barrier: the first warp reads sums that are not there yet
    float sum = 0;
    for (int column = threadIdx.x; column < columns; column += blockDim.x) sum += in[column];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;  // expect: race
    if (threadIdx.x < 32) {
      sum = warp_sum(threadIdx.x < 8 ? partial[threadIdx.x] : 0);
      if (threadIdx.x == 0) sums[row] = sum;
    }
    __syncthreads();  // They have been read before the next row overwrites them.

//= no_second_barrier: a fast warp overwrites a sum of the last row before it was read
    float sum = 0;
    for (int column = threadIdx.x; column < columns; column += blockDim.x) sum += in[column];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;  // expect: race
    __syncthreads();  // Every warp's sum is there before any of them is read.
    if (threadIdx.x < 32) {
      sum = warp_sum(threadIdx.x < 8 ? partial[threadIdx.x] : 0);
      if (threadIdx.x == 0) sums[row] = sum;
    }

//= first_warp_only: thread 0 stores the sum of its own warp
    float sum = 0;
    for (int column = threadIdx.x; column < columns; column += blockDim.x) sum += in[column];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();  // Every warp's sum is there before any of them is read.
    if (threadIdx.x < 32) {
      if (threadIdx.x == 0) sums[row] = sum;  // expect: wrong result
    }
    __syncthreads();  // They have been read before the next row overwrites them.

//= eight_lanes_shuffle: eight lanes shuffle with a mask that names 32
    float sum = 0;
    for (int column = threadIdx.x; column < columns; column += blockDim.x) sum += in[column];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();  // Every warp's sum is there before any of them is read.
    if (threadIdx.x < 8) {
      sum = warp_sum(partial[threadIdx.x]);  // expect: invalid-shuffle in the frame
      if (threadIdx.x == 0) sums[row] = sum;
    }
    __syncthreads();  // They have been read before the next row overwrites them.

//= all_lanes_load: 32 lanes load, and only eight sums are there
    float sum = 0;
    for (int column = threadIdx.x; column < columns; column += blockDim.x) sum += in[column];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();  // Every warp's sum is there before any of them is read.
    if (threadIdx.x < 32) {
      sum = warp_sum(partial[threadIdx.x]);  // expect: out-of-bounds
      if (threadIdx.x == 0) sums[row] = sum;
    }
    __syncthreads();  // They have been read before the next row overwrites them.

//= barrier_in_branch: the first warp waits at a barrier of its own, and the others pass it at the next one
    float sum = 0;
    for (int column = threadIdx.x; column < columns; column += blockDim.x) sum += in[column];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    if (threadIdx.x < 32) {
      __syncthreads();  // expect: barrier-divergence
      sum = warp_sum(threadIdx.x < 8 ? partial[threadIdx.x] : 0);
      if (threadIdx.x == 0) sums[row] = sum;
    }
    __syncthreads();  // They have been read before the next row overwrites them.

//= four_warps: the block is taken to have four warps
    float sum = 0;
    for (int column = threadIdx.x; column < columns; column += blockDim.x) sum += in[column];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();  // Every warp's sum is there before any of them is read.
    if (threadIdx.x < 32) {
      sum = warp_sum(threadIdx.x < 4 ? partial[threadIdx.x] : 0);  // expect: wrong result
      if (threadIdx.x == 0) sums[row] = sum;
    }
    __syncthreads();  // They have been read before the next row overwrites them.

//= lane_in_place_of_warp: each warp stores under its lane, so that all of them meet in place 0
    float sum = 0;
    for (int column = threadIdx.x; column < columns; column += blockDim.x) sum += in[column];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x % 32] = sum;  // expect: race
    __syncthreads();  // Every warp's sum is there before any of them is read.
    if (threadIdx.x < 32) {
      sum = warp_sum(threadIdx.x < 8 ? partial[threadIdx.x] : 0);
      if (threadIdx.x == 0) sums[row] = sum;
    }
    __syncthreads();  // They have been read before the next row overwrites them.

//= neighbours_per_thread: a thread takes neighbouring columns
    float sum = 0;
    const int chunk = (columns + 255) / 256;
    for (int i = 0; i < chunk; ++i) {
      const int column = threadIdx.x * chunk + i;
      if (column < columns) sum += in[column];  // expect: gate sectors
    }
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();  // Every warp's sum is there before any of them is read.
    if (threadIdx.x < 32) {
      sum = warp_sum(threadIdx.x < 8 ? partial[threadIdx.x] : 0);
      if (threadIdx.x == 0) sums[row] = sum;
    }
    __syncthreads();  // They have been read before the next row overwrites them.

//= every_thread_adds: right, but each thread adds all eight sums by itself
    float sum = 0;
    for (int column = threadIdx.x; column < columns; column += blockDim.x) sum += in[column];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();  // Every warp's sum is there before any of them is read.
    sum = 0;
    for (int i = 0; i < 8; ++i) {
      sum += *const_cast<const volatile float*>(&partial[i]);  // expect: gate shared
    }
    if (threadIdx.x == 0) sums[row] = sum;
    __syncthreads();  // They have been read before the next row overwrites them.

//= shared_atomics: right, but all 256 threads queue at one word of shared memory
    if (threadIdx.x == 0) partial[0] = 0;
    __syncthreads();
    float sum = 0;
    for (int column = threadIdx.x; column < columns; column += 256) sum += in[column];
    atomicAdd(&partial[0], sum);  // expect: gate atomics
    __syncthreads();
    if (threadIdx.x == 0) sums[row] = partial[0];
    __syncthreads();

//= at_most_5120: twenty numbers for each thread, and columns from 5120 on are left out
    float sum = 0;
    for (int i = 0; i < 20; ++i) {
      const int column = i * 256 + threadIdx.x;  // expect: wrong result
      if (column < columns) sum += in[column];
    }
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
      sum = warp_sum(threadIdx.x < 8 ? partial[threadIdx.x] : 0);
      if (threadIdx.x == 0) sums[row] = sum;
    }
    __syncthreads();

//= by_mbarrier: right: the block meets at a barrier in shared memory instead of __syncthreads()
    __shared__ unsigned long long arrived;
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&arrived));
    const bool is_first = row == blockIdx.x;
    if (is_first && threadIdx.x == 0) {
      asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x));
    }
    if (is_first) __syncthreads();
    const auto meet = [&] {
      asm volatile(
          "{ .reg .b64 token; .reg .pred p;\n"
          "mbarrier.arrive.shared.b64 token, [%0];\n"
          "again%=: mbarrier.try_wait.shared.b64 p, [%0], token;\n"
          "@!p bra again%=; }" ::"r"(at)
          : "memory");
    };
    float sum = 0;
    for (int column = threadIdx.x; column < columns; column += blockDim.x) sum += in[column];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    meet();
    if (threadIdx.x < 32) {
      sum = warp_sum(threadIdx.x < 8 ? partial[threadIdx.x] : 0);
      if (threadIdx.x == 0) sums[row] = sum;  // expect: pass
    }
    meet();

//= half_the_block: right, but four warps add everything, and four only meet them at the barriers
    float sum = 0;
    if (threadIdx.x < 128) {
      for (int column = threadIdx.x; column < columns; column += 128) {
        sum += in[column];  // expect: gate workers
      }
    }
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
      sum = warp_sum(threadIdx.x < 8 ? partial[threadIdx.x] : 0);
      if (threadIdx.x == 0) sums[row] = sum;
    }
    __syncthreads();

//= first_warp_alone: right, but one warp adds everything and writes zeros for the other seven
    if (threadIdx.x < 32) {
      float sum = 0;
      for (int column = threadIdx.x; column < columns; column += 32) {
        sum += in[column];  // expect: gate workers
      }
      sum = warp_sum(sum);
      volatile float* all = partial;
      if (threadIdx.x == 0) {
        for (int i = 0; i < 8; ++i) all[i] = i == 0 ? sum : 0;
      }
      __syncwarp();
      sum = warp_sum(threadIdx.x < 8 ? all[threadIdx.x] : 0);
      if (threadIdx.x == 0) sums[row] = sum;
    }
    __syncthreads();
