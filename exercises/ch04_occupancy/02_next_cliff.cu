// Exercise 02_next_cliff: down to how many registers, and one block more fits?
//
// Only registers count here: 65536 of them in 4 partitions. warps_by_registers() says how many
// warps fit with so many registers a thread; an SM holds 64 warps at most.
//
// Return the largest number of registers a thread, below `registers`, with which at least one
// more block of `threads` is resident on the SM. Return 0 when no number has that effect.
//
// threads: 1 to 1024. registers: 1 to 255.
// Plain C++, no kernel. Build and check it: ./learn run ch04/02
int warps_by_registers(int registers) {
  const int registers_per_warp = (32 * registers + 255) / 256 * 256;
  const int warps = 16384 / registers_per_warp * 4;
  return warps < 64 ? warps : 64;
}

int registers_for_one_more(int threads, int registers) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
