// Exercise 07_enough_warps: how many warps must an SM hold to keep the memory busy?
//
// Little's law: what is on its way = rate * how long it is on its way.
//
// gbps: what the memory delivers to the whole GPU, in 10^9 bytes a second.
// latency_ns: from asking to having, in 10^-9 seconds.
// sms: SMs of the GPU; all hold as many warps.
// bytes_per_load: that one thread asks for at a time: 4, 8 or 16.
// loads: that one thread has on their way before it waits.
//
// Return the fewest warps of an SM with which so many bytes are on their way that the memory never
// idles. The result may be more than an SM can hold.
// Plain C++, no kernel. Build and check it: ./learn run ch04/07
int warps_per_sm(double gbps, double latency_ns, int sms, int bytes_per_load, int loads) {
  // BEGIN YOUR CODE
  // The powers of ten cancel: bytes that are on their way on the whole GPU.
  const double bytes = gbps * latency_ns;
  const double of_one_warp = 32.0 * bytes_per_load * loads;
  const double warps = bytes / sms / of_one_warp;
  const int whole = static_cast<int>(warps);
  return whole < warps ? whole + 1 : whole;
  // END YOUR CODE
}
