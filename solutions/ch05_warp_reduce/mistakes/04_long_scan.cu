// Typical wrong answers to 04_long_scan. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= two_levels: the sums of the blocks are scanned as if they were one block
  const int blocks = (n + 255) / 256;
  float* sums = nullptr;
  cudaMalloc(&sums, blocks * sizeof(float));
  scan_block<<<blocks, 256>>>(x, sums, n);
  if (blocks > 1) {
    float* all = nullptr;
    cudaMalloc(&all, (blocks + 255) / 256 * sizeof(float));
    scan_block<<<(blocks + 255) / 256, 256>>>(sums, all, blocks);
    add_offset<<<blocks, 256>>>(x, sums, n);  // expect: wrong result
    cudaFree(all);
  }
  cudaFree(sums);

//= own_block: the offset of the own block in place of the one before
  const int blocks = (n + 255) / 256;
  float* sums = nullptr;
  cudaMalloc(&sums, blocks * sizeof(float));
  scan_block<<<blocks, 256>>>(x, sums, n);
  if (blocks > 1) {
    scan(sums, blocks);
    add_offset<<<blocks, 256>>>(x, sums + 1, n);  // expect: wrong result
  }
  cudaFree(sums);

//= not_scanned: the sums of the blocks are added as they are
  const int blocks = (n + 255) / 256;
  float* sums = nullptr;
  cudaMalloc(&sums, blocks * sizeof(float));
  scan_block<<<blocks, 256>>>(x, sums, n);
  if (blocks > 1) {
    add_offset<<<blocks, 256>>>(x, sums, n);  // expect: wrong result
  }
  cudaFree(sums);

//= one_large_block: one block for all sums
  const int blocks = (n + 255) / 256;
  float* sums = nullptr;
  cudaMalloc(&sums, blocks * sizeof(float));
  scan_block<<<blocks, 256>>>(x, sums, n);
  if (blocks > 1) {
    float* all = nullptr;
    cudaMalloc(&all, sizeof(float));
    scan_block<<<1, (blocks + 31) / 32 * 32>>>(sums, all, blocks);  // expect: out-of-bounds in the frame
    add_offset<<<blocks, 256>>>(x, sums, n);
    cudaFree(all);
  }
  cudaFree(sums);

//= not_freed: the sums are never freed
  const int blocks = (n + 255) / 256;
  float* sums = nullptr;
  cudaMalloc(&sums, blocks * sizeof(float));  // expect: leak
  scan_block<<<blocks, 256>>>(x, sums, n);
  if (blocks > 1) {
    scan(sums, blocks);
    add_offset<<<blocks, 256>>>(x, sums, n);
  }

//= rounded_down: memory for the sums of whole blocks alone
  const int blocks = (n + 255) / 256;
  float* sums = nullptr;
  cudaMalloc(&sums, (n / 256 + 1 - (n % 256 + 255) / 256) * sizeof(float));
  scan_block<<<blocks, 256>>>(x, sums, n);  // expect: out-of-bounds in the frame
  if (blocks > 1) {
    scan(sums, blocks);
    add_offset<<<blocks, 256>>>(x, sums, n);
  }
  cudaFree(sums);

//= added_first: the offsets are added before they are scanned
  const int blocks = (n + 255) / 256;
  float* sums = nullptr;
  cudaMalloc(&sums, blocks * sizeof(float));
  scan_block<<<blocks, 256>>>(x, sums, n);
  if (blocks > 1) {
    add_offset<<<blocks, 256>>>(x, sums, n);  // expect: wrong result
    scan(sums, blocks);
  }
  cudaFree(sums);

//= once_more: right, but offsets are added level by level to the whole array
  const int blocks = (n + 255) / 256;
  float* sums = nullptr;
  cudaMalloc(&sums, blocks * sizeof(float));
  scan_block<<<blocks, 256>>>(x, sums, n);
  if (blocks > 1) {
    scan(sums, blocks);  // expect: gate stores in the frame
    add_offset<<<blocks, 256>>>(x, sums, n);
    cudaMemset(sums, 0, blocks * sizeof(float));
    add_offset<<<blocks, 256>>>(x, sums, n);
  }
  cudaFree(sums);

//= sums_last: right: one allocation for all levels is not needed; freed at the end
  const int blocks = (n + 255) / 256;
  float* sums = nullptr;
  cudaMalloc(&sums, blocks * sizeof(float));
  scan_block<<<blocks, 256>>>(x, sums, n);
  if (blocks == 1) {
    cudaFree(sums);
    return;
  }
  scan(sums, blocks);  // expect: pass
  add_offset<<<blocks, 256>>>(x, sums, n);
  cudaFree(sums);
