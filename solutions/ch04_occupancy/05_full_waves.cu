// Exercise 05_full_waves: which part of the GPU's room for blocks does a grid use?
//
// A GPU of `sms` SMs, each holding `resident` blocks at once, runs a grid in waves. All blocks take
// equally long. Return the blocks of the grid over the room of all its waves: 1 when the last wave
// is full, 0.5 when half of the room stays empty.
//
// blocks, sms, resident: 1 or more. The room may be more than an int holds.
// Plain C++, no kernel. Build and check it: ./learn run ch04/05
double used_room(int blocks, int sms, int resident) {
  // BEGIN YOUR CODE
  const long long wave = static_cast<long long>(sms) * resident;
  const long long waves = (blocks + wave - 1) / wave;
  return static_cast<double>(blocks) / static_cast<double>(waves * wave);
  // END YOUR CODE
}
