// Typical wrong answers to 04_ldmatrix_tile. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= without_trans: B is loaded like A, so its registers pair columns instead of k
    unsigned part_a[4], part_b[4];
    ldmatrix_x4(part_a, &tile_a[lane % 16][lane / 16 * 8]);
    ldmatrix_x4(part_b, &tile_b[lane % 16][lane / 16 * 8]);  // expect: wrong result
    mma_m16n8k16(left, part_a, part_b[0], part_b[1]);
    mma_m16n8k16(right, part_a, part_b[2], part_b[3]);
    __syncwarp();

//= both_transposed: A is turned as well
    unsigned part_a[4], part_b[4];
    ldmatrix_x4_trans(part_a, &tile_a[lane % 16][lane / 16 * 8]);  // expect: wrong result
    ldmatrix_x4_trans(part_b, &tile_b[lane % 16][lane / 16 * 8]);
    mma_m16n8k16(left, part_a, part_b[0], part_b[1]);
    mma_m16n8k16(right, part_a, part_b[2], part_b[3]);
    __syncwarp();

//= right_first: A's quarters are addressed right first, then down
    unsigned part_a[4], part_b[4];
    ldmatrix_x4(part_a, &tile_a[lane % 8 + lane / 16 * 8][lane / 8 % 2 * 8]);  // expect: wrong result
    ldmatrix_x4_trans(part_b, &tile_b[lane % 16][lane / 16 * 8]);
    mma_m16n8k16(left, part_a, part_b[0], part_b[1]);
    mma_m16n8k16(right, part_a, part_b[2], part_b[3]);
    __syncwarp();

//= every_other: the two products take every other register of B
    unsigned part_a[4], part_b[4];
    ldmatrix_x4(part_a, &tile_a[lane % 16][lane / 16 * 8]);
    ldmatrix_x4_trans(part_b, &tile_b[lane % 16][lane / 16 * 8]);
    mma_m16n8k16(left, part_a, part_b[0], part_b[2]);  // expect: wrong result
    mma_m16n8k16(right, part_a, part_b[1], part_b[3]);
    __syncwarp();

//= address_as_received: each lane brings the address of what it wants to receive
    unsigned part_a[4], part_b[4];
    ldmatrix_x4(part_a, &tile_a[lane / 4][lane % 4 * 2]);  // expect: misaligned in the frame
    ldmatrix_x4_trans(part_b, &tile_b[lane / 4][lane % 4 * 2]);
    mma_m16n8k16(left, part_a, part_b[0], part_b[1]);
    mma_m16n8k16(right, part_a, part_b[2], part_b[3]);
    __syncwarp();

//= only_row: lanes 16 to 31 address rows 16 to 31, which the tile does not have
    unsigned part_a[4], part_b[4];
    ldmatrix_x4(part_a, &tile_a[lane][0]);
    ldmatrix_x4_trans(part_b, &tile_b[lane][0]);  // expect: out-of-bounds in the frame
    mma_m16n8k16(left, part_a, part_b[0], part_b[1]);
    mma_m16n8k16(right, part_a, part_b[2], part_b[3]);
    __syncwarp();

//= no_barrier: a fast lane overwrites the tiles while another still reads
    unsigned part_a[4], part_b[4];
    ldmatrix_x4(part_a, &tile_a[lane % 16][lane / 16 * 8]);  // expect: race in the frame
    ldmatrix_x4_trans(part_b, &tile_b[lane % 16][lane / 16 * 8]);
    mma_m16n8k16(left, part_a, part_b[0], part_b[1]);
    mma_m16n8k16(right, part_a, part_b[2], part_b[3]);

//= left_twice: the right half is computed from the left half's columns
    unsigned part_a[4], part_b[4];
    ldmatrix_x4(part_a, &tile_a[lane % 16][lane / 16 * 8]);
    ldmatrix_x4_trans(part_b, &tile_b[lane % 16][0]);  // expect: wrong result
    mma_m16n8k16(left, part_a, part_b[0], part_b[1]);
    mma_m16n8k16(right, part_a, part_b[2], part_b[3]);
    __syncwarp();

//= two_at_a_time: right, but the matrices of B are loaded by two requests, each used by half
    unsigned part_a[4], part_b[4], part_c[4];
    ldmatrix_x4(part_a, &tile_a[lane % 16][lane / 16 * 8]);
    ldmatrix_x4_trans(part_b, &tile_b[lane % 16][0]);  // expect: gate requests in the frame
    ldmatrix_x4_trans(part_c, &tile_b[lane % 16][8]);
    mma_m16n8k16(left, part_a, part_b[0], part_b[1]);
    mma_m16n8k16(right, part_a, part_c[0], part_c[1]);
    __syncwarp();

//= plain_loads: right, but each register is put together from single halfs
    unsigned part_a[4], part_b[4];
    const int g = lane / 4, t = lane % 4;
    for (int i = 0; i < 4; ++i) {
      part_a[i] = *reinterpret_cast<const unsigned*>(&tile_a[g + i % 2 * 8][2 * t + i / 2 * 8]);  // expect: gate requests
      const __half2 two = __halves2half2(tile_b[2 * t + i % 2 * 8][g + i / 2 * 8],
                                         tile_b[2 * t + 1 + i % 2 * 8][g + i / 2 * 8]);
      part_b[i] = *reinterpret_cast<const unsigned*>(&two);
    }
    mma_m16n8k16(left, part_a, part_b[0], part_b[1]);
    mma_m16n8k16(right, part_a, part_b[2], part_b[3]);
    __syncwarp();

//= without_tensor_cores: right, by two ldmatrix, and then each lane multiplies and adds by itself
    unsigned part_a[4], part_b[4];
    ldmatrix_x4(part_a, &tile_a[lane % 16][lane / 16 * 8]);  // expect: gate products
    ldmatrix_x4_trans(part_b, &tile_b[lane % 16][lane / 16 * 8]);
    const auto half_of = [](unsigned pair, int which) {
      return __half2float(__ushort_as_half(static_cast<unsigned short>(pair >> (16 * which))));
    };
#pragma unroll
    for (int k = 0; k < 16; ++k) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const unsigned of_a =
            __shfl_sync(0xFFFFFFFF, part_a[i % 4 / 2 + k / 8 * 2], lane / 4 * 4 + k % 8 / 2);
        const unsigned of_b = __shfl_sync(0xFFFFFFFF, part_b[i / 4 * 2 + k / 8],
                                          (lane % 4 * 2 + i % 2) * 4 + k % 8 / 2);
        (i < 4 ? left[i % 4] : right[i % 4]) += half_of(of_a, k % 2) * half_of(of_b, k % 2);
      }
    }
    __syncwarp();
