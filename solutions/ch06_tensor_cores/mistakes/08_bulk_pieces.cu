// Typical wrong answers to 08_bulk_pieces. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= floats_expected: 512 bytes are expected, and 2,048 come
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 512);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    init(&full[0], 1);
    init(&full[1], 1);
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0 && next < pieces) bring(1 - stage, next);
    wait(&full[stage], count / 2 % 2);  // expect: deadlock in the frame
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];
    }
    __syncthreads();  // All have read: the stage may be filled again.
  }

//= all_threads: every thread starts the copy
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    init(&full[0], 1);
    init(&full[1], 1);
  }
  __syncthreads();
  bring(0, blockIdx.x);
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (next < pieces) bring(1 - stage, next);
    wait(&full[stage], count / 2 % 2);  // expect: barrier-divergence in the frame
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];
    }
    __syncthreads();  // All have read: the stage may be filled again.
  }

//= one_parity: the parity never changes
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    init(&full[0], 1);
    init(&full[1], 1);
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0 && next < pieces) bring(1 - stage, next);
    wait(&full[stage], 0);
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];  // expect: deadlock in the frame
    }
    __syncthreads();  // All have read: the stage may be filled again.
  }

//= no_barrier_after_init: other threads wait at a barrier that may not be begun
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    init(&full[0], 1);
    init(&full[1], 1);
    bring(0, blockIdx.x);
  }
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0 && next < pieces) bring(1 - stage, next);
    wait(&full[stage], count / 2 % 2);  // expect: race in the frame
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];
    }
    __syncthreads();  // All have read: the stage may be filled again.
  }

//= refilled_too_early: the next copy overwrites what others still read
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    init(&full[0], 1);
    init(&full[1], 1);
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0 && next < pieces) bring(1 - stage, next);
    wait(&full[stage], count / 2 % 2);
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];  // expect: deadlock in the frame
    }
  }

//= next_after_reading: right, but the next copy begins when this piece is done
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    init(&full[0], 1);
    init(&full[1], 1);
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    wait(&full[stage], count / 2 % 2);
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];  // expect: gate overlap
    }
    __syncthreads();  // All have read: the stage may be filled again.
    if (threadIdx.x == 0 && next < pieces) bring(1 - stage, next);
  }

//= plain_loads: right, but by ordinary loads
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int next = piece + gridDim.x;
    for (int i = threadIdx.x; i < 512; i += 128) {
      const float* from = x + static_cast<size_t>(piece) * 512;
      y[static_cast<size_t>(piece) * 512 + i] = from[i] - from[511 - i];  // expect: gate loads
    }
    if (next < 0) tile[0][0] = 0, full[0] = 0;
  }

//= wrong_stage: the parity of the block's piece, not of the stage's
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    init(&full[0], 1);
    init(&full[1], 1);
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0 && next < pieces) bring(1 - stage, next);
    wait(&full[stage], count % 2);  // expect: deadlock in the frame
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];
    }
    __syncthreads();  // All have read: the stage may be filled again.
  }

//= barrier_in_if: right: the next copy is begun by the last thread to pass
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    init(&full[0], 1);
    init(&full[1], 1);
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0 && next < pieces) bring(1 - stage, next);
    wait(&full[stage], count / 2 % 2);
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];  // expect: pass
    }
    __syncthreads();  // All have read: the stage may be filled again.
  }

//= one_waits: thread 0 alone waits, and the other threads read what may not have come
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    init(&full[0], 1);
    init(&full[1], 1);
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0) {
      if (next < pieces) bring(1 - stage, next);
      wait(&full[stage], count / 2 % 2);
    }
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];  // expect: race
    }
    __syncthreads();
  }

//= one_waits_for_all: right: thread 0 waits, and the barrier tells all others
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    init(&full[0], 1);
    init(&full[1], 1);
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0) {
      if (next < pieces) bring(1 - stage, next);
      wait(&full[stage], count / 2 % 2);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];  // expect: pass
    }
    __syncthreads();
  }

//= producer_warp: right: the first warp copies, and the other three work
  if (threadIdx.x == 0) {
    init(&full[0], 1);
    init(&full[1], 1);
  }
  __syncthreads();
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) bring(0, blockIdx.x);
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x < 32) {
      if (threadIdx.x == 0 && next < pieces) bring(1 - stage, next);
    } else {
      wait(&full[stage], count / 2 % 2);
      for (int i = threadIdx.x - 32; i < 512; i += 96) {
        y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];  // expect: pass
      }
    }
    __syncthreads();
  }

//= producer_too_late: right, but the first warp copies when the others have worked
  if (threadIdx.x == 0) {
    init(&full[0], 1);
    init(&full[1], 1);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2;
    if (threadIdx.x == 0) {
      expect(&full[stage], 2048);
      start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
    } else if (threadIdx.x >= 32) {
      wait(&full[stage], count / 2 % 2);
      for (int i = threadIdx.x - 32; i < 512; i += 96) {
        y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];  // expect: gate overlap
      }
    }
    __syncthreads();
  }
