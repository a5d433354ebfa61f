// Typical wrong answers to 01_blocks_per_sm. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= half_warps: a warp that is not full is forgotten
  const int warps = threads / 32;
  int blocks = 64 / warps < 32 ? 64 / warps : 32;  // expect: undefined-behaviour
  const int by_registers = 16384 / ((32 * registers + 255) / 256 * 256) * 4 / warps;
  const int by_shared = 233472 / ((shared_bytes + 1024 + 127) / 128 * 128);
  if (by_registers < blocks) blocks = by_registers;
  return by_shared < blocks ? by_shared : blocks;

//= threads_not_warps: 2048 threads, counted singly
  const int warps = (threads + 31) / 32;
  int blocks = 2048 / threads < 32 ? 2048 / threads : 32;  // expect: wrong result
  const int by_registers = 16384 / ((32 * registers + 255) / 256 * 256) * 4 / warps;
  const int by_shared = 233472 / ((shared_bytes + 1024 + 127) / 128 * 128);
  if (by_registers < blocks) blocks = by_registers;
  return by_shared < blocks ? by_shared : blocks;

//= registers_not_rounded: registers are taken as if they were handed out one by one
  const int warps = (threads + 31) / 32;
  int blocks = 64 / warps < 32 ? 64 / warps : 32;
  const int by_registers = 16384 / (32 * registers) * 4 / warps;  // expect: wrong result
  const int by_shared = 233472 / ((shared_bytes + 1024 + 127) / 128 * 128);
  if (by_registers < blocks) blocks = by_registers;
  return by_shared < blocks ? by_shared : blocks;

//= one_register_file: what is left over in each partition is added up
  const int warps = (threads + 31) / 32;
  int blocks = 64 / warps < 32 ? 64 / warps : 32;
  const int by_registers = 65536 / ((32 * registers + 255) / 256 * 256) / warps;  // expect: wrong result
  const int by_shared = 233472 / ((shared_bytes + 1024 + 127) / 128 * 128);
  if (by_registers < blocks) blocks = by_registers;
  return by_shared < blocks ? by_shared : blocks;

//= registers_of_threads: 65536 registers over those of a block's threads, as many articles do
  const int warps = (threads + 31) / 32;
  int blocks = 64 / warps < 32 ? 64 / warps : 32;
  const int by_registers = 65536 / (threads * registers);  // expect: wrong result
  const int by_shared = 233472 / ((shared_bytes + 1024 + 127) / 128 * 128);
  if (by_registers < blocks) blocks = by_registers;
  return by_shared < blocks ? by_shared : blocks;

//= one_register_short: 65535 registers
  const int warps = (threads + 31) / 32;
  int blocks = 64 / warps < 32 ? 64 / warps : 32;
  const int by_registers = 65535 / 4 / ((32 * registers + 255) / 256 * 256) * 4 / warps;  // expect: wrong result
  const int by_shared = 233472 / ((shared_bytes + 1024 + 127) / 128 * 128);
  if (by_registers < blocks) blocks = by_registers;
  return by_shared < blocks ? by_shared : blocks;

//= nothing_reserved: the system's 1024 bytes of each block are forgotten
  const int warps = (threads + 31) / 32;
  int blocks = 64 / warps < 32 ? 64 / warps : 32;
  const int by_registers = 16384 / ((32 * registers + 255) / 256 * 256) * 4 / warps;
  const int bytes = (shared_bytes + 127) / 128 * 128;  // expect: wrong result
  const int by_shared = bytes > 0 ? 233472 / bytes : 32;
  if (by_registers < blocks) blocks = by_registers;
  return by_shared < blocks ? by_shared : blocks;

//= shared_not_rounded: shared memory is taken as if it were handed out byte by byte
  const int warps = (threads + 31) / 32;
  int blocks = 64 / warps < 32 ? 64 / warps : 32;
  const int by_registers = 16384 / ((32 * registers + 255) / 256 * 256) * 4 / warps;
  const int by_shared = 233472 / (shared_bytes + 1024);  // expect: wrong result
  if (by_registers < blocks) blocks = by_registers;
  return by_shared < blocks ? by_shared : blocks;

//= no_slots: the number of blocks itself has a limit too
  const int warps = (threads + 31) / 32;
  int blocks = 64 / warps;  // expect: wrong result
  const int by_registers = 16384 / ((32 * registers + 255) / 256 * 256) * 4 / warps;
  const int by_shared = 233472 / ((shared_bytes + 1024 + 127) / 128 * 128);
  if (by_registers < blocks) blocks = by_registers;
  return by_shared < blocks ? by_shared : blocks;

//= warps_returned: resident warps, not blocks
  const int warps = (threads + 31) / 32;
  int blocks = 64 / warps < 32 ? 64 / warps : 32;
  const int by_registers = 16384 / ((32 * registers + 255) / 256 * 256) * 4 / warps;
  const int by_shared = 233472 / ((shared_bytes + 1024 + 127) / 128 * 128);
  if (by_registers < blocks) blocks = by_registers;
  return (by_shared < blocks ? by_shared : blocks) * warps;  // expect: wrong result

//= no_start: the smallest of the limits is looked for from a variable without a value
  const int warps = (threads + 31) / 32;
  const int of_a_warp = (32 * registers + 255) / 256 * 256;
  const int limits[] = {64 / warps, 32, 16384 / of_a_warp * 4 / warps,
                        233472 / ((shared_bytes + 1024 + 127) / 128 * 128)};
  int fewest;
  for (const int limit : limits) {
    if (limit < fewest) fewest = limit;  // expect: wrong result
  }
  return fewest;

//= by_min: right: as nvcc takes it, min without an include
  const int warps = (threads + 31) / 32;  // expect: pass
  const int by_registers = 16384 / ((32 * registers + 255) / 256 * 256) * 4 / warps;
  const int by_memory = 233472 / ((shared_bytes + 1024 + 127) / 128 * 128);
  return min(min(32, 64 / warps), min(by_registers, by_memory));
