// Exercise 01_blocks_per_sm: how many blocks of a kernel does one SM hold at the same time?
//
// The SM of an H200, and how it hands out what it has:
//   64 warps; 32 block slots
//   65536 registers in 4 partitions of 16384. A warp's registers lie in one partition; they are
//     32 * registers, rounded up to a multiple of 256
//   233472 bytes of shared memory. A block takes what it declares and 1024 bytes for the system,
//     rounded up to a multiple of 128
// A warp is 32 threads; a block of 33 threads takes two.
//
// threads: of a block, 1 to 1024. registers: of a thread, 1 to 255. shared_bytes: of a block, 0 to
// 232448. Every block asked for fits at least once.
// Plain C++, no kernel. Build and check it: ./learn run ch04/01
int blocks_per_sm(int threads, int registers, int shared_bytes) {
  // BEGIN YOUR CODE
  const int warps = (threads + 31) / 32;
  const int registers_per_warp = (32 * registers + 255) / 256 * 256;
  const int warps_by_registers = 16384 / registers_per_warp * 4;
  const int bytes = (shared_bytes + 1024 + 127) / 128 * 128;

  int blocks = 32;
  if (64 / warps < blocks) blocks = 64 / warps;
  if (warps_by_registers / warps < blocks) blocks = warps_by_registers / warps;
  if (233472 / bytes < blocks) blocks = 233472 / bytes;
  return blocks;
  // END YOUR CODE
}
