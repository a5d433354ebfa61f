// Typical wrong answers to 09_flops_per_byte. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= rounded_down: blocks at the edge are forgotten
  const double elements = static_cast<double>(m) * k * (n / tile) +
                          static_cast<double>(k) * n * (m / tile) + static_cast<double>(m) * n;
  const double by_memory = 2.0 * m * n * k / (elements * bytes) * bandwidth_gbps / 1000;
  return by_memory < peak_tflops ? by_memory : peak_tflops;  // expect: wrong result

//= one_flop: a multiplication and an addition are counted as one
  const long long across = (n + tile - 1) / tile, down = (m + tile - 1) / tile;
  const double elements = static_cast<double>(m) * k * across + static_cast<double>(k) * n * down +
                          static_cast<double>(m) * n;
  const double by_memory = 1.0 * m * n * k / (elements * bytes) * bandwidth_gbps / 1000;
  return by_memory < peak_tflops ? by_memory : peak_tflops;  // expect: wrong result

//= gigabytes: GB/s are taken for TB/s
  const long long across = (n + tile - 1) / tile, down = (m + tile - 1) / tile;
  const double elements = static_cast<double>(m) * k * across + static_cast<double>(k) * n * down +
                          static_cast<double>(m) * n;
  const double by_memory = 2.0 * m * n * k / (elements * bytes) * bandwidth_gbps;
  return by_memory < peak_tflops ? by_memory : peak_tflops;  // expect: wrong result

//= store_forgotten: the store of C is not counted
  const long long across = (n + tile - 1) / tile, down = (m + tile - 1) / tile;
  const double elements = static_cast<double>(m) * k * across + static_cast<double>(k) * n * down;
  const double by_memory = 2.0 * m * n * k / (elements * bytes) * bandwidth_gbps / 1000;
  return by_memory < peak_tflops ? by_memory : peak_tflops;  // expect: wrong result

//= each_once: each matrix is moved once, as if there were one tile
  const double elements = static_cast<double>(m) * k + static_cast<double>(k) * n + static_cast<double>(m) * n;
  const double by_memory = 2.0 * m * n * k / (elements * bytes) * bandwidth_gbps / 1000;
  return by_memory < peak_tflops ? by_memory : peak_tflops;  // expect: wrong result

//= larger_limit: the larger of the two limits
  const long long across = (n + tile - 1) / tile, down = (m + tile - 1) / tile;
  const double elements = static_cast<double>(m) * k * across + static_cast<double>(k) * n * down +
                          static_cast<double>(m) * n;
  const double by_memory = 2.0 * m * n * k / (elements * bytes) * bandwidth_gbps / 1000;
  return by_memory > peak_tflops ? by_memory : peak_tflops;  // expect: wrong result

//= int_product: the number of flops is more than an int holds
  const long long across = (n + tile - 1) / tile, down = (m + tile - 1) / tile;
  const int flops = 2 * static_cast<int>(m) * static_cast<int>(n) * static_cast<int>(k);  // expect: undefined-behaviour
  const double elements = static_cast<double>(m) * k * across + static_cast<double>(k) * n * down +
                          static_cast<double>(m) * n;
  const double by_memory = flops / (elements * bytes) * bandwidth_gbps / 1000;
  return by_memory < peak_tflops ? by_memory : peak_tflops;

//= by_min: right: std::min, and ceil of double
  const double across = std::ceil(1.0 * n / tile), down = std::ceil(1.0 * m / tile);
  const double moved = bytes * (1.0 * m * k * across + 1.0 * k * n * down + 1.0 * m * n);
  return std::min(peak_tflops, 2.0 * m * n * k / moved * bandwidth_gbps / 1000);  // expect: pass
