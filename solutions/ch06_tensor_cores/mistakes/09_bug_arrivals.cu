// Typical wrong answers to 09_bug_arrivals. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= as_given: 128 arrivals are counted, and four threads arrive
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      init(&full[stage], 1);
      init(&empty[stage], 128);
    }
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0 && next < pieces) {
      // The stage was filled before, for the piece before this one: have all warps read it?
      if (count > 0) wait(&empty[1 - stage], (count - 1) / 2 % 2);
      bring(1 - stage, next);
    }
    wait(&full[stage], count / 2 % 2);  // expect: deadlock in the frame
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];
    }
    __syncwarp();
    if (threadIdx.x % 32 == 0) arrive(&empty[stage]);
  }

//= one_counted: one arrival is counted, and four come
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      init(&full[stage], 1);
      init(&empty[stage], 1);
    }
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0 && next < pieces) {
      // The stage was filled before, for the piece before this one: have all warps read it?
      if (count > 0) wait(&empty[1 - stage], (count - 1) / 2 % 2);
      bring(1 - stage, next);
    }
    wait(&full[stage], count / 2 % 2);  // expect: deadlock in the frame
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];
    }
    __syncwarp();
    if (threadIdx.x % 32 == 0) arrive(&empty[stage]);
  }

//= before_reading: a warp gives the stage back before it has read
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      init(&full[stage], 1);
      init(&empty[stage], 4);
    }
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0 && next < pieces) {
      // The stage was filled before, for the piece before this one: have all warps read it?
      if (count > 0) wait(&empty[1 - stage], (count - 1) / 2 % 2);
      bring(1 - stage, next);
    }
    wait(&full[stage], count / 2 % 2);
    __syncwarp();
    if (threadIdx.x % 32 == 0) arrive(&empty[stage]);
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];  // expect: race in the frame
    }
  }

//= same_parity: the parity of this piece, not of the one before
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      init(&full[stage], 1);
      init(&empty[stage], 4);
    }
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0 && next < pieces) {
      // The stage was filled before, for the piece before this one: have all warps read it?
      if (count > 0) wait(&empty[1 - stage], count / 2 % 2);
      bring(1 - stage, next);
    }
    wait(&full[stage], count / 2 % 2);  // expect: deadlock in the frame
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];
    }
    __syncwarp();
    if (threadIdx.x % 32 == 0) arrive(&empty[stage]);
  }

//= no_wait: thread 0 fills the stage without asking
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      init(&full[stage], 1);
      init(&empty[stage], 4);
    }
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
    __syncwarp();
    if (threadIdx.x % 32 == 0) arrive(&empty[stage]);
  }

//= all_arrive_4: all threads arrive, and four are counted
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      init(&full[stage], 1);
      init(&empty[stage], 4);
    }
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0 && next < pieces) {
      // The stage was filled before, for the piece before this one: have all warps read it?
      if (count > 0) wait(&empty[1 - stage], (count - 1) / 2 % 2);
      bring(1 - stage, next);
    }
    wait(&full[stage], count / 2 % 2);  // expect: deadlock in the frame
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];
    }
    arrive(&empty[stage]);
  }

//= block_barrier: right, but a barrier of the whole block for each piece
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      init(&full[stage], 1);
      init(&empty[stage], 4);
    }
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0 && next < pieces) bring(1 - stage, next);
    wait(&full[stage], count / 2 % 2);
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];  // expect: gate barriers
    }
    __syncthreads();  // All have read: the stage may be filled again.
  }

//= all_arrive: right: all threads arrive, and 128 are counted
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      init(&full[stage], 1);
      init(&empty[stage], 128);
    }
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0 && next < pieces) {
      // The stage was filled before, for the piece before this one: have all warps read it?
      if (count > 0) wait(&empty[1 - stage], (count - 1) / 2 % 2);
      bring(1 - stage, next);
    }
    wait(&full[stage], count / 2 % 2);
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];  // expect: pass
    }
    arrive(&empty[stage]);
  }

//= wait_first: right: a phase before the first one counts as ended
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      init(&full[stage], 1);
      init(&empty[stage], 4);
    }
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0 && next < pieces) {
      // The stage was filled before, for the piece before this one: have all warps read it?
      wait(&empty[1 - stage], ((count + 1) / 2 + 1) % 2);
      bring(1 - stage, next);
    }
    wait(&full[stage], count / 2 % 2);
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];  // expect: pass
    }
    __syncwarp();
    if (threadIdx.x % 32 == 0) arrive(&empty[stage]);
  }

//= one_waits: one thread of each warp waits, and nothing tells the others
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      init(&full[stage], 1);
      init(&empty[stage], 4);
    }
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0 && next < pieces) {
      if (count > 0) wait(&empty[1 - stage], (count - 1) / 2 % 2);
      bring(1 - stage, next);
    }
    if (threadIdx.x % 32 == 0) wait(&full[stage], count / 2 % 2);
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];  // expect: race
    }
    __syncwarp();
    if (threadIdx.x % 32 == 0) arrive(&empty[stage]);
  }

//= one_waits_for_its_warp: right: one thread of each warp waits, and the warp meets behind it
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      init(&full[stage], 1);
      init(&empty[stage], 4);
    }
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0 && next < pieces) {
      if (count > 0) wait(&empty[1 - stage], (count - 1) / 2 % 2);
      bring(1 - stage, next);
    }
    if (threadIdx.x % 32 == 0) wait(&full[stage], count / 2 % 2);
    __syncwarp();
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];  // expect: pass
    }
    __syncwarp();
    if (threadIdx.x % 32 == 0) arrive(&empty[stage]);
  }

//= producer_warp: right: the first warp copies, and the other three work
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      init(&full[stage], 1);
      init(&empty[stage], 96);
    }
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, use = count / 2;
    if (threadIdx.x == 0) {
      if (use > 0) wait(&empty[stage], (use - 1) % 2);
      expect(&full[stage], 2048);
      start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
    } else if (threadIdx.x >= 32) {
      wait(&full[stage], use % 2);
      for (int i = threadIdx.x - 32; i < 512; i += 96) {
        y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];  // expect: pass
      }
      arrive(&empty[stage]);
    }
  }
