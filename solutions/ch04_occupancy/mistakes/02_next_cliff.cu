// Typical wrong answers to 02_next_cliff. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= one_more_warp: one more warp is not one more block
  for (int fewer = registers - 1; fewer > 0; --fewer) {
    if (warps_by_registers(fewer) > warps_by_registers(registers)) return fewer;  // expect: wrong result
  }
  return 0;

//= half_warps: the last warp of a block that is not full is forgotten
  const int warps = threads / 32;
  const int blocks = warps_by_registers(registers) / warps;  // expect: undefined-behaviour
  for (int fewer = registers - 1; fewer > 0; --fewer) {
    if (warps_by_registers(fewer) / warps > blocks) return fewer;
  }
  return 0;

//= smallest: counts upward and finds the smallest number, not the largest
  const int warps = (threads + 31) / 32;
  const int blocks = warps_by_registers(registers) / warps;
  for (int fewer = 1; fewer < registers; ++fewer) {
    if (warps_by_registers(fewer) / warps > blocks) return fewer;  // expect: wrong result
  }
  return 0;

//= how_many_fewer: the difference, not what is left
  const int warps = (threads + 31) / 32;
  const int blocks = warps_by_registers(registers) / warps;
  for (int fewer = registers - 1; fewer > 0; --fewer) {
    if (warps_by_registers(fewer) / warps > blocks) return registers - fewer;  // expect: wrong result
  }
  return 0;

//= by_division: 65536 registers over all threads, as if there were no partitions
  const int warps = (threads + 31) / 32;
  const int blocks = warps_by_registers(registers) / warps + 1;
  if (blocks * warps > 64) return 0;
  return 65536 / (blocks * warps * 32) / 8 * 8;  // expect: wrong result

//= not_rounded: the number is no multiple of 8
  const int warps = (threads + 31) / 32;
  const int blocks = warps_by_registers(registers) / warps + 1;
  if (blocks * warps > 64) return 0;
  const int in_a_partition = (blocks * warps + 3) / 4;
  return 16384 / in_a_partition / 32;  // expect: wrong result

//= eight_fewer: the next multiple of eight, whether it helps or not
  const int rounded = (registers + 7) / 8 * 8;
  return rounded - 8;  // expect: wrong result

//= stops_too_early: the smallest number of registers is never tried
  const int warps = (threads + 31) / 32;
  const int blocks = warps_by_registers(registers) / warps;
  for (int fewer = registers - 1; fewer > 32; --fewer) {  // expect: wrong result
    if (warps_by_registers(fewer) / warps > blocks) return fewer;
  }
  return 0;

//= itself: begins with the number that is to be beaten, and finds nothing new
  const int warps = (threads + 31) / 32;
  const int blocks = warps_by_registers(registers) / warps;
  for (int fewer = registers; fewer > 0; --fewer) {
    if (warps_by_registers(fewer) / warps >= blocks) return fewer;  // expect: wrong result
  }
  return 0;
