// Typical wrong answers to 03_fp16_tile. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= quarters_by_rows: A's quarters are taken right first, then down
  const int row_of_b = blockIdx.x * 8 + g;
  const auto pair = [&](const __half* matrix, int of, int rows, int k) {
    return of < rows ? *reinterpret_cast<const unsigned*>(&matrix[static_cast<size_t>(of) * K + k]) : 0U;
  };
  for (int k = 2 * t; k < K; k += 16) {
    const unsigned part_a[4] = {pair(a, row, M, k), pair(a, row, M, k + 8),  // expect: wrong result
                                pair(a, row + 8, M, k), pair(a, row + 8, M, k + 8)};
    const unsigned part_b[2] = {pair(b, row_of_b, N, k), pair(b, row_of_b, N, k + 8)};
    mma_m16n8k16(sum, part_a, part_b);
  }

//= no_guard: rows beyond the edge are loaded
  const int row_of_b = blockIdx.x * 8 + g;
  const auto pair = [&](const __half* matrix, int of, int k) {
    return *reinterpret_cast<const unsigned*>(&matrix[static_cast<size_t>(of) * K + k]);  // expect: out-of-bounds
  };
  for (int k = 2 * t; k < K; k += 16) {
    const unsigned part_a[4] = {pair(a, row, k), pair(a, row + 8, k),
                                pair(a, row, k + 8), pair(a, row + 8, k + 8)};
    const unsigned part_b[2] = {pair(b, row_of_b, k), pair(b, row_of_b, k + 8)};
    mma_m16n8k16(sum, part_a, part_b);
  }

//= t_not_2t: a lane's pair is taken to begin at t, which cuts pairs in two
  const int row_of_b = blockIdx.x * 8 + g;
  const auto pair = [&](const __half* matrix, int of, int rows, int k) {
    return of < rows ? *reinterpret_cast<const unsigned*>(&matrix[static_cast<size_t>(of) * K + k]) : 0U;  // expect: misaligned
  };
  for (int k = t; k < K; k += 16) {
    const unsigned part_a[4] = {pair(a, row, M, k), pair(a, row + 8, M, k),
                                pair(a, row, M, k + 8), pair(a, row + 8, M, k + 8)};
    const unsigned part_b[2] = {pair(b, row_of_b, N, k), pair(b, row_of_b, N, k + 8)};
    mma_m16n8k16(sum, part_a, part_b);
  }

//= same_step: the loop counts k and the loads forget it
  const int row_of_b = blockIdx.x * 8 + g;
  const auto pair = [&](const __half* matrix, int of, int rows, int k) {
    return of < rows ? *reinterpret_cast<const unsigned*>(&matrix[static_cast<size_t>(of) * K + k]) : 0U;
  };
  for (int k = 0; k < K; k += 16) {
    const unsigned part_a[4] = {pair(a, row, M, 2 * t), pair(a, row + 8, M, 2 * t),  // expect: wrong result
                                pair(a, row, M, 2 * t + 8), pair(a, row + 8, M, 2 * t + 8)};
    const unsigned part_b[2] = {pair(b, row_of_b, N, 2 * t), pair(b, row_of_b, N, 2 * t + 8)};
    mma_m16n8k16(sum, part_a, part_b);
  }

//= b_by_k: B is read as if it were K x N
  const int row_of_b = blockIdx.x * 8 + g;
  const auto pair = [&](const __half* matrix, int of, int rows, int k) {
    return of < rows ? *reinterpret_cast<const unsigned*>(&matrix[static_cast<size_t>(of) * K + k]) : 0U;
  };
  const auto pair_down = [&](int k) {
    if (row_of_b >= N) return 0U;
    const __half2 two = __halves2half2(b[static_cast<size_t>(k) * N + row_of_b],  // expect: wrong result
                                       b[static_cast<size_t>(k + 1) * N + row_of_b]);
    return *reinterpret_cast<const unsigned*>(&two);
  };
  for (int k = 2 * t; k < K; k += 16) {
    const unsigned part_a[4] = {pair(a, row, M, k), pair(a, row + 8, M, k),
                                pair(a, row, M, k + 8), pair(a, row + 8, M, k + 8)};
    const unsigned part_b[2] = {pair_down(k), pair_down(k + 8)};
    mma_m16n8k16(sum, part_a, part_b);
  }

//= halves_exchanged: the pair is packed with the higher k in the lower half of A alone
  const int row_of_b = blockIdx.x * 8 + g;
  const auto pair = [&](const __half* matrix, int of, int rows, int k) {
    return of < rows ? *reinterpret_cast<const unsigned*>(&matrix[static_cast<size_t>(of) * K + k]) : 0U;
  };
  const auto turned = [](unsigned two) { return two << 16 | two >> 16; };  // expect: wrong result
  for (int k = 2 * t; k < K; k += 16) {
    const unsigned part_a[4] = {turned(pair(a, row, M, k)), turned(pair(a, row + 8, M, k)),
                                turned(pair(a, row, M, k + 8)), turned(pair(a, row + 8, M, k + 8))};
    const unsigned part_b[2] = {pair(b, row_of_b, N, k), pair(b, row_of_b, N, k + 8)};
    mma_m16n8k16(sum, part_a, part_b);
  }

//= guard_of_a_for_b: B's rows are guarded with M
  const int row_of_b = blockIdx.x * 8 + g;
  const auto pair = [&](const __half* matrix, int of, int k) {
    return of < M ? *reinterpret_cast<const unsigned*>(&matrix[static_cast<size_t>(of) * K + k]) : 0U;  // expect: out-of-bounds
  };
  for (int k = 2 * t; k < K; k += 16) {
    const unsigned part_a[4] = {pair(a, row, k), pair(a, row + 8, k), pair(a, row, k + 8), pair(a, row + 8, k + 8)};
    const unsigned part_b[2] = {pair(b, row_of_b, k), pair(b, row_of_b, k + 8)};
    mma_m16n8k16(sum, part_a, part_b);
  }

//= single_halfs: right, but each half is loaded by itself and packed
  const int row_of_b = blockIdx.x * 8 + g;
  const auto pair = [&](const __half* matrix, int of, int rows, int k) {
    if (of >= rows) return 0U;
    const volatile unsigned short* from = reinterpret_cast<const unsigned short*>(matrix) + static_cast<size_t>(of) * K + k;
    return static_cast<unsigned>(from[0]) | static_cast<unsigned>(from[1]) << 16;  // expect: gate requests
  };
  for (int k = 2 * t; k < K; k += 16) {
    const unsigned part_a[4] = {pair(a, row, M, k), pair(a, row + 8, M, k),
                                pair(a, row, M, k + 8), pair(a, row + 8, M, k + 8)};
    const unsigned part_b[2] = {pair(b, row_of_b, N, k), pair(b, row_of_b, N, k + 8)};
    mma_m16n8k16(sum, part_a, part_b);
  }

//= through_shared: right, and loaded as pairs, but each lane multiplies and adds by itself
  __shared__ __half2 tile_a[16][8], tile_b[8][8];
  for (int first = 0; first < K; first += 16) {
    for (int i = threadIdx.x; i < 192; i += 32) {
      const bool is_a = i < 128;
      const int down = is_a ? i / 8 : i / 8 - 16, k = first + i % 8 * 2;
      const int of = is_a ? blockIdx.y * 16 + down : blockIdx.x * 8 + down;
      __half2 pair = __float2half2_rn(0);
      if (of < (is_a ? M : N)) {
        pair = *reinterpret_cast<const __half2*>(&(is_a ? a : b)[static_cast<size_t>(of) * K + k]);
      }
      (is_a ? tile_a[down] : tile_b[down])[i % 8] = pair;
    }
    __syncwarp();
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 8; ++k) {
        const float2 one = __half22float2(tile_a[g + i / 2 * 8][k]);
        const float2 other = __half22float2(tile_b[2 * t + i % 2][k]);
        sum[i] += one.x * other.x + one.y * other.y;  // expect: gate products
      }
    }
    __syncwarp();
  }

//= at_most_128: eight steps of 16, and what lies beyond K = 128 is left out
  const int row_of_b = blockIdx.x * 8 + g;
  const auto pair = [&](const __half* matrix, int of, int rows, int k) {
    return of < rows ? *reinterpret_cast<const unsigned*>(&matrix[static_cast<size_t>(of) * K + k])
                     : 0U;
  };
  for (int step = 0; step < 8; ++step) {
    const int k = step * 16 + 2 * t;  // expect: wrong result
    if (step * 16 >= K) break;
    const unsigned part_a[4] = {pair(a, row, M, k), pair(a, row + 8, M, k), pair(a, row, M, k + 8),
                                pair(a, row + 8, M, k + 8)};
    const unsigned part_b[2] = {pair(b, row_of_b, N, k), pair(b, row_of_b, N, k + 8)};
    mma_m16n8k16(sum, part_a, part_b);
  }
