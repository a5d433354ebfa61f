#include "occupancy/gpu_facts.h"

#include "occupancy/text.h"

namespace warpwise::occupancy {
namespace {

std::string known(double value, std::string_view unit) {
  if (value <= 0) return "not known";
  std::string text = decimal(value, 1);
  if (!unit.empty()) text += " ";
  return text += unit;
}

std::string known_bytes(std::int64_t bytes) {
  constexpr double kib = 1024;
  const double amount = static_cast<double>(bytes);
  if (amount >= kib * kib * kib) return known(amount / (kib * kib * kib), "GiB");
  if (amount >= kib * kib) return known(amount / (kib * kib), "MiB");
  return known(amount, "bytes");
}

}  // namespace

std::string architecture_name(const Gpu& gpu) {
  return "sm_" + std::to_string(gpu.compute_capability);
}

std::vector<Fact> facts_of(const Gpu& gpu) {
  const std::string bf16 =
      gpu.has_bf16_tensor_cores() ? known(gpu.bf16_tensor_tflops, "TFLOP/s, dense") : "none";
  const std::string reserved = std::to_string(gpu.shared_reserved_per_block) + " bytes";
  return {
      {"name", std::string(gpu.name)},
      {"architecture", architecture_name(gpu)},
      {"compiled for by CUDA 13", gpu.supported_by_cuda_13 ? "yes" : "no: arithmetic only"},
      {"SMs", known(gpu.sms, "")},
      {"warps per SM", known(gpu.warps_per_sm, "")},
      {"threads per SM", known(gpu.threads_per_sm, "")},
      {"blocks per SM", known(gpu.blocks_per_sm, "")},
      {"schedulers per SM", known(gpu.schedulers_per_sm, "")},
      {"fp32 lanes per SM", known(gpu.fp32_lanes_per_sm, "")},
      {"threads per block", known(gpu.threads_per_block, "")},
      {"registers per SM", known(gpu.registers_per_sm, "")},
      {"registers per block", known(gpu.registers_per_block, "")},
      {"registers per thread", known(gpu.registers_per_thread, "")},
      {"registers of a warp come in units of", known(gpu.register_unit, "")},
      {"shared memory per SM", known(gpu.shared_bytes_per_sm, "bytes")},
      {"shared memory per block", known(gpu.shared_bytes_per_block, "bytes")},
      {"shared memory per block, opted in", known(gpu.shared_bytes_per_block_max, "bytes")},
      {"shared memory reserved per block", reserved},
      {"shared memory comes in units of", known(gpu.shared_unit, "bytes")},
      {"L2", known_bytes(gpu.l2_bytes)},
      {"memory", known_bytes(gpu.memory_bytes)},
      {"memory bandwidth", known(gpu.memory_gbps, "GB/s")},
      {"fp32", known(gpu.fp32_tflops, "TFLOP/s")},
      {"bf16 tensor cores", bf16},
      {"boost clock", known(gpu.boost_mhz, "MHz")},
      {"source", std::string(gpu.source.empty() ? "not known" : gpu.source)},
  };
}

}  // namespace warpwise::occupancy
