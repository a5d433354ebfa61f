#include "lesson/results/needs.h"

#include <algorithm>

namespace warpwise::lesson {

double memory_floor_us(const Needs& needs, const occupancy::Gpu& gpu) {
  if (needs.over_links || gpu.memory_gbps <= 0) return 0;
  return needs.bytes / gpu.memory_gbps / 1e3;
}

double compute_floor_us(const Needs& needs, const occupancy::Gpu& gpu) {
  const double tflops = needs.tensor_cores ? gpu.bf16_tensor_tflops : gpu.fp32_tflops;
  return tflops > 0 ? needs.flops / tflops / 1e6 : 0;
}

double floor_us(const Needs& needs, const occupancy::Gpu& gpu) {
  return std::max(memory_floor_us(needs, gpu), compute_floor_us(needs, gpu));
}

}  // namespace warpwise::lesson
