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
  // Your code here.
  // END YOUR CODE
}
