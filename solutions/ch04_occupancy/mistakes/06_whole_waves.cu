// Typical wrong answers to 06_whole_waves. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= block_per_192: right, but 4.4 waves: blocks wait for a place, and the last wave is not full
  const int grid = (n + 191) / 192;
  scale<<<grid, 192, bytes>>>(device_x, device_y, n);  // expect: gate waves

//= block_per_sm: right, but an SM holds nine times as many
  int blocks = 0, sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int grid = std::min((n + 191) / 192, sms);
  scale<<<grid, 192, bytes>>>(device_x, device_y, n);  // expect: gate waves

//= bytes_not_asked: right, but asked without the shared memory
  int blocks = 0, sms = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 192, 0);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int grid = std::min((n + 191) / 192, blocks * sms);
  scale<<<grid, 192, bytes>>>(device_x, device_y, n);  // expect: gate waves

//= rounded_down: no block at all for fewer than 192 numbers
  int blocks = 0, sms = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 192, bytes);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int grid = std::min(n / 192, blocks * sms);
  scale<<<grid, 192, bytes>>>(device_x, device_y, n);  // expect: launch-configuration

//= blocks_of_one_sm: right, but the blocks of one SM are taken for those of the GPU
  int blocks = 0, sms = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 192, bytes);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int grid = std::min((n + 191) / 192, blocks);
  scale<<<grid, 192, bytes>>>(device_x, device_y, n);  // expect: gate waves

//= other_block: right, but asked for blocks of 256 threads
  int blocks = 0, sms = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, bytes);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int grid = std::min((n + 191) / 192, blocks * sms);
  scale<<<grid, 192, bytes>>>(device_x, device_y, n);  // expect: gate waves

//= no_bytes_launched: right, but the blocks reserve nothing
  int blocks = 0, sms = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 192, bytes);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int grid = std::min((n + 191) / 192, blocks * sms);
  scale<<<grid, 192>>>(device_x, device_y, n);  // expect: gate waves

//= constant: right, but the number is that of one size alone
  const int grid = std::min((n + 191) / 192, 1188);
  scale<<<grid, 192, bytes>>>(device_x, device_y, n);  // expect: gate waves

//= by_properties: right: the SMs from the properties of the device
  int blocks = 0;
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 192, bytes);
  const int grid = std::min((n + 191) / 192, blocks * properties.multiProcessorCount);
  scale<<<grid, 192, bytes>>>(device_x, device_y, n);  // expect: pass
