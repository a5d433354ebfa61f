// Typical wrong answers to 07_enough_warps. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= rounded_down: a warp too few, and the memory idles
  const double bytes = gbps * latency_ns;
  return static_cast<int>(bytes / sms / (32.0 * bytes_per_load * loads));  // expect: wrong result

//= one_more: a warp too many where the division is exact
  const double bytes = gbps * latency_ns;
  return static_cast<int>(bytes / sms / (32.0 * bytes_per_load * loads)) + 1;  // expect: wrong result

//= whole_gpu: the warps of the whole GPU
  const double warps = gbps * latency_ns / (32.0 * bytes_per_load * loads);  // expect: wrong result
  const int whole = static_cast<int>(warps);
  return whole < warps ? whole + 1 : whole;

//= threads: threads, not warps
  const double warps = gbps * latency_ns / sms / (bytes_per_load * loads);  // expect: wrong result
  const int whole = static_cast<int>(warps);
  return whole < warps ? whole + 1 : whole;

//= one_load: as if each thread waited for each load
  const double warps = gbps * latency_ns / sms / (32.0 * bytes_per_load);  // expect: wrong result
  const int whole = static_cast<int>(warps);
  return whole < warps ? whole + 1 : whole;

//= floats_only: each load is taken as one float
  const double warps = gbps * latency_ns / sms / (32.0 * 4 * loads);  // expect: wrong result
  const int whole = static_cast<int>(warps);
  return whole < warps ? whole + 1 : whole;

//= gigabytes: 10^9 is left in
  const double bytes = gbps * 1e9 * latency_ns;  // expect: wrong result
  const double warps = bytes / sms / (32.0 * bytes_per_load * loads);
  const int whole = static_cast<int>(warps);
  return whole < warps ? whole + 1 : whole;

//= divided: the law upside down
  const double bytes = gbps / latency_ns;  // expect: wrong result
  const double warps = bytes / sms / (32.0 * bytes_per_load * loads);
  const int whole = static_cast<int>(warps);
  return whole < warps ? whole + 1 : whole;

//= at_most_64: cut at what an SM holds, so that nobody sees that it is not enough
  const double warps = gbps * latency_ns / sms / (32.0 * bytes_per_load * loads);
  const int whole = static_cast<int>(warps);
  const int result = whole < warps ? whole + 1 : whole;
  return result < 64 ? result : 64;  // expect: wrong result

//= whole_bytes: a part of a byte is dropped before the division, and with it a warp
  const int bytes = gbps * latency_ns;  // expect: wrong result
  const int of_a_warp = 32 * sms * bytes_per_load * loads;
  return (bytes + of_a_warp - 1) / of_a_warp;

//= by_ceil: right: as nvcc takes it, ceil without an include
  return max(1, ceil(gbps * latency_ns / sms / (32.0 * bytes_per_load * loads)));  // expect: pass
