// Typical wrong answers to 06_two_stages. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= only_when_there_is_one: no group is closed behind the last piece, so that the wait passes it
  int stage = 0;
  start(stage, blockIdx.x);
  __pipeline_commit();
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    const int next = piece + gridDim.x;
    if (next < pieces) {
      start(1 - stage, next);
      __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][511 - i];  // expect: race
    }
    __syncthreads();
    stage = 1 - stage;
  }

//= no_wait: nobody waits for the copies
  int stage = 0;
  start(stage, blockIdx.x);
  __pipeline_commit();
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    const int next = piece + gridDim.x;
    if (next < pieces) start(1 - stage, next);
    __pipeline_commit();
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][511 - i];  // expect: race
    }
    __syncthreads();
    stage = 1 - stage;
  }

//= wait_prior_2: the wait leaves two groups on their way, and so this piece too
  int stage = 0;
  start(stage, blockIdx.x);
  __pipeline_commit();
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    const int next = piece + gridDim.x;
    if (next < pieces) start(1 - stage, next);
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][511 - i];  // expect: race
    }
    __syncthreads();
    stage = 1 - stage;
  }

//= no_commit: the next piece's copies are in no group when the wait comes
  int stage = 0;
  start(stage, blockIdx.x);
  __pipeline_commit();
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    const int next = piece + gridDim.x;
    __pipeline_wait_prior(1);
    if (next < pieces) start(1 - stage, next);
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][511 - i];  // expect: race
    }
    __syncthreads();
    stage = 1 - stage;
  }

//= no_first_barrier: the wait is taken to be everybody's
  int stage = 0;
  start(stage, blockIdx.x);
  __pipeline_commit();
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    const int next = piece + gridDim.x;
    if (next < pieces) start(1 - stage, next);  // expect: race in the frame
    __pipeline_commit();
    __pipeline_wait_prior(1);
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][511 - i];
    }
    __syncthreads();
    stage = 1 - stage;
  }

//= no_second_barrier: a fast warp fills the tile that another still reads
  int stage = 0;
  start(stage, blockIdx.x);
  __pipeline_commit();
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    const int next = piece + gridDim.x;
    if (next < pieces) start(1 - stage, next);  // expect: race in the frame
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][511 - i];
    }
    stage = 1 - stage;
  }

//= one_tile: both pieces go to the same tile
  int stage = 0;
  start(stage, blockIdx.x);
  __pipeline_commit();
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    const int next = piece + gridDim.x;
    if (next < pieces) start(stage, next);  // expect: race in the frame
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][511 - i];
    }
    __syncthreads();
    stage = 1 - stage;
  }

//= next_is_plus_one: the next piece is taken to be the neighbour, which another block has
  int stage = 0;
  start(stage, blockIdx.x);
  __pipeline_commit();
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    const int next = piece + 1;  // expect: wrong result
    if (next < pieces) start(1 - stage, next);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][511 - i];
    }
    __syncthreads();
    stage = 1 - stage;
  }

//= stage_stays: the loop forgets to change the stage
  int stage = 0;
  start(stage, blockIdx.x);
  __pipeline_commit();
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    const int next = piece + gridDim.x;
    if (next < pieces) start(1 - stage, next);  // expect: race in the frame
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][511 - i];
    }
    __syncthreads();
  }

//= not_guarded: the piece behind the last one is copied
  int stage = 0;
  start(stage, blockIdx.x);
  __pipeline_commit();
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    const int next = piece + gridDim.x;
    start(1 - stage, next);  // expect: out-of-bounds in the frame
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][511 - i];
    }
    __syncthreads();
    stage = 1 - stage;
  }

//= waits_for_all: right, but the wait is for the next piece as well, and nothing is on its way meanwhile
  int stage = 0;
  start(stage, blockIdx.x);
  __pipeline_commit();
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    const int next = piece + gridDim.x;
    if (next < pieces) start(1 - stage, next);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][511 - i];  // expect: gate overlap
    }
    __syncthreads();
    stage = 1 - stage;
  }

//= starts_late: right, but the next piece is started only when this one has been read
  start(0, blockIdx.x);
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[0][511 - i];  // expect: gate overlap
    }
    __syncthreads();
    if (piece + gridDim.x < pieces) start(0, piece + gridDim.x);
  }

//= through_registers: right, but the piece goes through registers, and nothing is on its way meanwhile
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      tile[0][i] = x[static_cast<size_t>(piece) * 512 + i];  // expect: gate staging
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[0][511 - i];
    }
    __syncthreads();
  }

//= by_mbarrier: right: a barrier of each stage waits for the copies of all threads
  __shared__ unsigned long long arrived[2];
  const auto at = [&](int stage) {
    return static_cast<unsigned>(__cvta_generic_to_shared(&arrived[stage]));
  };
  if (threadIdx.x < 2) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(threadIdx.x)), "r"(blockDim.x));
  }
  __syncthreads();
  const auto copy = [&](int stage, int piece) {
    start(stage, piece);
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(stage)) : "memory");
  };
  copy(0, blockIdx.x);
  for (int piece = blockIdx.x, turn = 0; piece < pieces; piece += gridDim.x, ++turn) {
    const int stage = turn % 2;
    if (piece + gridDim.x < pieces) copy(1 - stage, piece + gridDim.x);
    unsigned there = 0;
    while (there == 0) {
      asm volatile(
          "{ .reg .pred p;\n"
          "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n"
          "selp.u32 %0, 1, 0, p; }"
          : "=r"(there)
          : "r"(at(stage)), "r"(turn / 2 % 2)
          : "memory");
    }
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][511 - i];  // expect: pass
    }
    __syncthreads();
  }

//= one_waits_at_the_mbarrier: thread 0 alone waits for the copies of all threads
  __shared__ unsigned long long arrived[2];
  const auto at = [&](int stage) {
    return static_cast<unsigned>(__cvta_generic_to_shared(&arrived[stage]));
  };
  if (threadIdx.x < 2) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(threadIdx.x)), "r"(blockDim.x));
  }
  __syncthreads();
  const auto copy = [&](int stage, int piece) {
    start(stage, piece);
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(stage)) : "memory");
  };
  copy(0, blockIdx.x);
  for (int piece = blockIdx.x, turn = 0; piece < pieces; piece += gridDim.x, ++turn) {
    const int stage = turn % 2;
    if (piece + gridDim.x < pieces) copy(1 - stage, piece + gridDim.x);
    __syncthreads();  // all have begun their copies
    unsigned there = 0;
    while (there == 0 && threadIdx.x == 0) {
      asm volatile(
          "{ .reg .pred p;\n"
          "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n"
          "selp.u32 %0, 1, 0, p; }"
          : "=r"(there)
          : "r"(at(stage)), "r"(turn / 2 % 2)
          : "memory");
    }
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][511 - i];  // expect: race
    }
    __syncthreads();
  }
