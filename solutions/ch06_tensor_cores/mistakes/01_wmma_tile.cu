// Typical wrong answers to 01_wmma_tile. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= advance_by_k: the pointers move by 0, 16, 32, ... instead of by one tile each time
  const int product = blockIdx.x * blockDim.y + threadIdx.y;
  if (product >= products) return;
  a += static_cast<size_t>(product) * 16 * K;
  b += static_cast<size_t>(product) * K * 16;
  c += static_cast<size_t>(product) * 16 * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> part_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> part_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0F);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(part_a, a, K);  // expect: out-of-bounds
    wmma::load_matrix_sync(part_b, b, 16);
    wmma::mma_sync(sum, part_a, part_b, sum);
    a += k;
    b += k * 16;
  }
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);

//= no_guard: the last block's warps have no product and read past the end of a
  const int product = blockIdx.x * blockDim.y + threadIdx.y;
  a += static_cast<size_t>(product) * 16 * K;
  b += static_cast<size_t>(product) * K * 16;
  c += static_cast<size_t>(product) * 16 * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> part_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> part_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0F);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(part_a, a + k, K);  // expect: out-of-bounds
    wmma::load_matrix_sync(part_b, b + k * 16, 16);
    wmma::mma_sync(sum, part_a, part_b, sum);
  }
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);

//= half_a_warp: sixteen rows, so sixteen lanes, thinks the author; a fragment is the whole warp's
  const int product = blockIdx.x * blockDim.y + threadIdx.y;
  if (product >= products || threadIdx.x >= 16) return;
  a += static_cast<size_t>(product) * 16 * K;
  b += static_cast<size_t>(product) * K * 16;
  c += static_cast<size_t>(product) * 16 * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> part_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> part_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0F);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(part_a, a + k, K);  // expect: barrier-divergence
    wmma::load_matrix_sync(part_b, b + k * 16, 16);
    wmma::mma_sync(sum, part_a, part_b, sum);
  }
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);

//= column_major: B is declared as lying column by column
  const int product = blockIdx.x * blockDim.y + threadIdx.y;
  if (product >= products) return;
  a += static_cast<size_t>(product) * 16 * K;
  b += static_cast<size_t>(product) * K * 16;
  c += static_cast<size_t>(product) * 16 * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> part_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> part_b;  // expect: wrong result
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0F);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(part_a, a + k, K);
    wmma::load_matrix_sync(part_b, b + k * 16, 16);
    wmma::mma_sync(sum, part_a, part_b, sum);
  }
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);

//= distance_16: rows of A are 16 elements apart only where K is 16
  const int product = blockIdx.x * blockDim.y + threadIdx.y;
  if (product >= products) return;
  a += static_cast<size_t>(product) * 16 * K;
  b += static_cast<size_t>(product) * K * 16;
  c += static_cast<size_t>(product) * 16 * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> part_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> part_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0F);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(part_a, a + k, 16);  // expect: wrong result
    wmma::load_matrix_sync(part_b, b + k * 16, 16);
    wmma::mma_sync(sum, part_a, part_b, sum);
  }
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);

//= fill_in_the_loop: the sum begins anew at each step, only the last one stays
  const int product = blockIdx.x * blockDim.y + threadIdx.y;
  if (product >= products) return;
  a += static_cast<size_t>(product) * 16 * K;
  b += static_cast<size_t>(product) * K * 16;
  c += static_cast<size_t>(product) * 16 * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> part_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> part_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  for (int k = 0; k < K; k += 16) {
    wmma::fill_fragment(sum, 0.0F);  // expect: wrong result
    wmma::load_matrix_sync(part_a, a + k, K);
    wmma::load_matrix_sync(part_b, b + k * 16, 16);
    wmma::mma_sync(sum, part_a, part_b, sum);
  }
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);

//= stored_transposed: the result is written column by column
  const int product = blockIdx.x * blockDim.y + threadIdx.y;
  if (product >= products) return;
  a += static_cast<size_t>(product) * 16 * K;
  b += static_cast<size_t>(product) * K * 16;
  c += static_cast<size_t>(product) * 16 * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> part_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> part_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0F);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(part_a, a + k, K);
    wmma::load_matrix_sync(part_b, b + k * 16, 16);
    wmma::mma_sync(sum, part_a, part_b, sum);
  }
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_col_major);  // expect: wrong result

//= every_warp_the_first: all warps of a block take the block's first product
  const int product = blockIdx.x * blockDim.y;  // expect: wrong result
  a += static_cast<size_t>(product) * 16 * K;
  b += static_cast<size_t>(product) * K * 16;
  c += static_cast<size_t>(product) * 16 * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> part_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> part_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0F);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(part_a, a + k, K);
    wmma::load_matrix_sync(part_b, b + k * 16, 16);
    wmma::mma_sync(sum, part_a, part_b, sum);
  }
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);

//= sums_in_half: the accumulator is half, and so rounds every sum
  const int product = blockIdx.x * blockDim.y + threadIdx.y;
  if (product >= products) return;
  a += static_cast<size_t>(product) * 16 * K;
  b += static_cast<size_t>(product) * K * 16;
  c += static_cast<size_t>(product) * 16 * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> part_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> part_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> sum;  // expect: wrong result
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> wide;
  wmma::fill_fragment(sum, __float2half(0));
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(part_a, a + k, K);
    wmma::load_matrix_sync(part_b, b + k * 16, 16);
    wmma::mma_sync(sum, part_a, part_b, sum);
  }
  for (int i = 0; i < sum.num_elements; ++i) wide.x[i] = __half2float(sum.x[i]);
  wmma::store_matrix_sync(c, wide, 16, wmma::mem_row_major);

//= without_tensor_cores: right, but each lane multiplies and adds by itself
  const int product = blockIdx.x * blockDim.y + threadIdx.y;
  if (product >= products) return;
  a += static_cast<size_t>(product) * 16 * K;
  b += static_cast<size_t>(product) * K * 16;
  c += static_cast<size_t>(product) * 16 * 16;
  for (int i = threadIdx.x; i < 16 * 16; i += 32) {
    float sum = 0;
    for (int k = 0; k < K; ++k) {
      sum += __half2float(a[i / 16 * K + k]) * __half2float(b[k * 16 + i % 16]);  // expect: gate requests
    }
    c[i] = sum;
  }

//= no_fill: the accumulator begins with whatever is in its registers
  const int product = blockIdx.x * blockDim.y + threadIdx.y;
  if (product >= products) return;
  a += static_cast<size_t>(product) * 16 * K;
  b += static_cast<size_t>(product) * K * 16;
  c += static_cast<size_t>(product) * 16 * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> part_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> part_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(part_a, a + k, K);
    wmma::load_matrix_sync(part_b, b + k * 16, 16);
    wmma::mma_sync(sum, part_a, part_b, sum);  // expect: uninitialized
  }
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);

//= through_shared: right, and loaded along the rows, but each lane multiplies and adds by itself
  __shared__ __half tile_a[4][16][16], tile_b[4][16][16];
  const int product = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (product >= products) return;
  auto &own_a = tile_a[threadIdx.y], &own_b = tile_b[threadIdx.y];
  float sum[8] = {};
  for (int k = 0; k < K; k += 16) {
    for (int i = lane; i < 256; i += 32) {
      own_a[i / 16][i % 16] = a[(static_cast<size_t>(product) * 16 + i / 16) * K + k + i % 16];
      own_b[i / 16][i % 16] = b[(static_cast<size_t>(product) * K + k + i / 16) * 16 + i % 16];
    }
    __syncwarp();
    for (int j = 0; j < 8; ++j) {
      const int row = (lane + 32 * j) / 16, column = lane % 16;
      for (int i = 0; i < 16; ++i) {
        sum[j] += __half2float(own_a[row][i]) * __half2float(own_b[i][column]);  // expect: gate products
      }
    }
    __syncwarp();
  }
  for (int j = 0; j < 8; ++j) c[static_cast<size_t>(product) * 256 + lane + 32 * j] = sum[j];

//= at_most_128: eight steps of 16, and what lies beyond K = 128 is left out
  const int product = blockIdx.x * blockDim.y + threadIdx.y;
  if (product >= products) return;
  a += static_cast<size_t>(product) * 16 * K;
  b += static_cast<size_t>(product) * K * 16;
  c += static_cast<size_t>(product) * 16 * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> part_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> part_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0F);
  for (int step = 0; step < 8; ++step) {
    const int k = step * 16;  // expect: wrong result
    if (k >= K) break;
    wmma::load_matrix_sync(part_a, a + k, K);
    wmma::load_matrix_sync(part_b, b + k * 16, 16);
    wmma::mma_sync(sum, part_a, part_b, sum);
  }
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
