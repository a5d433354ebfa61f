#include "occupancy/gpu_table.h"

#include <array>

namespace warpwise::occupancy {
namespace {

// SM limits: CUDA C++ Programming Guide, appendix "Compute Capabilities", table "Technical
// Specifications per Compute Capability" (threads, warps, blocks, registers, shared memory) and
// table "Throughput of Native Arithmetic Instructions" (fp32 lanes). Reserved shared memory: the
// note under the same table (1 KB a block from 8.0 on). Allocation units: the toolkit's
// cuda_occupancy.h. The defaults of SmLimits hold for every capability here.
constexpr SmLimits sm_70 = {.compute_capability = 70,
                            .warps_per_sm = 64,
                            .blocks_per_sm = 32,
                            .threads_per_sm = 2048,
                            .fp32_lanes_per_sm = 64,
                            .shared_bytes_per_sm = 98304,
                            .shared_bytes_per_block_max = 98304,
                            .shared_reserved_per_block = 0,
                            .shared_unit = 256};
constexpr SmLimits sm_75 = {.compute_capability = 75,
                            .warps_per_sm = 32,
                            .blocks_per_sm = 16,
                            .threads_per_sm = 1024,
                            .fp32_lanes_per_sm = 64,
                            .shared_bytes_per_sm = 65536,
                            .shared_bytes_per_block_max = 65536,
                            .shared_reserved_per_block = 0,
                            .shared_unit = 256};
constexpr SmLimits sm_80 = {.compute_capability = 80,
                            .warps_per_sm = 64,
                            .blocks_per_sm = 32,
                            .threads_per_sm = 2048,
                            .fp32_lanes_per_sm = 64,
                            .shared_bytes_per_sm = 167936,
                            .shared_bytes_per_block_max = 166912,
                            .shared_reserved_per_block = 1024,
                            .shared_unit = 128};
constexpr SmLimits sm_86 = {.compute_capability = 86,
                            .warps_per_sm = 48,
                            .blocks_per_sm = 16,
                            .threads_per_sm = 1536,
                            .fp32_lanes_per_sm = 128,
                            .shared_bytes_per_sm = 102400,
                            .shared_bytes_per_block_max = 101376,
                            .shared_reserved_per_block = 1024,
                            .shared_unit = 128};
constexpr SmLimits sm_89 = {.compute_capability = 89,
                            .warps_per_sm = 48,
                            .blocks_per_sm = 24,
                            .threads_per_sm = 1536,
                            .fp32_lanes_per_sm = 128,
                            .shared_bytes_per_sm = 102400,
                            .shared_bytes_per_block_max = 101376,
                            .shared_reserved_per_block = 1024,
                            .shared_unit = 128};
constexpr SmLimits sm_90 = {.compute_capability = 90,
                            .warps_per_sm = 64,
                            .blocks_per_sm = 32,
                            .threads_per_sm = 2048,
                            .fp32_lanes_per_sm = 128,
                            .shared_bytes_per_sm = 233472,
                            .shared_bytes_per_block_max = 232448,
                            .shared_reserved_per_block = 1024,
                            .shared_unit = 128};
constexpr SmLimits sm_100 = {.compute_capability = 100,
                             .warps_per_sm = 64,
                             .blocks_per_sm = 32,
                             .threads_per_sm = 2048,
                             .fp32_lanes_per_sm = 128,
                             .shared_bytes_per_sm = 233472,
                             .shared_bytes_per_block_max = 232448,
                             .shared_reserved_per_block = 1024,
                             .shared_unit = 128};

constexpr std::int64_t mib = std::int64_t{1} << 20;
constexpr std::int64_t gib = std::int64_t{1} << 30;

constexpr Gpu t4() {
  Gpu gpu{sm_75};
  gpu.id = "t4";
  gpu.name = "NVIDIA T4";
  gpu.driver_name = "Tesla T4";
  gpu.sms = 40;
  gpu.l2_bytes = 4 * mib;
  gpu.memory_bytes = 16 * gib;
  gpu.memory_gbps = 320;
  gpu.fp32_tflops = 8.1;
  gpu.boost_mhz = 1590;
  gpu.source = "NVIDIA Turing GPU Architecture whitepaper, appendix on Tesla T4";
  return gpu;
}

constexpr Gpu v100() {
  Gpu gpu{sm_70};
  gpu.id = "v100";
  gpu.name = "V100-like (worked example)";
  gpu.driver_name = "Tesla V100-SXM2-16GB";
  gpu.supported_by_cuda_13 = false;
  gpu.sms = 80;
  gpu.l2_bytes = 6 * mib;
  gpu.memory_bytes = 16 * gib;
  gpu.memory_gbps = 900;
  gpu.fp32_tflops = 15.7;
  gpu.boost_mhz = 1530;
  gpu.source = "NVIDIA Tesla V100 GPU Architecture whitepaper, comparison of Tesla GPUs";
  return gpu;
}

constexpr Gpu a100() {
  Gpu gpu{sm_80};
  gpu.id = "a100";
  gpu.name = "NVIDIA A100 80GB SXM";
  gpu.driver_name = "NVIDIA A100-SXM4-80GB";
  gpu.sms = 108;
  gpu.l2_bytes = 40 * mib;
  gpu.memory_bytes = 80 * gib;
  gpu.memory_gbps = 2039;
  gpu.fp32_tflops = 19.5;
  gpu.bf16_tensor_tflops = 312;
  gpu.boost_mhz = 1410;
  gpu.source =
      "NVIDIA A100 Tensor Core GPU Architecture whitepaper; "
      "A100 80GB datasheet (memory)";
  return gpu;
}

constexpr Gpu rtx3090() {
  Gpu gpu{sm_86};
  gpu.id = "rtx3090";
  gpu.name = "NVIDIA GeForce RTX 3090";
  gpu.driver_name = gpu.name;
  gpu.sms = 82;
  gpu.l2_bytes = 6 * mib;
  gpu.memory_bytes = 24 * gib;
  gpu.memory_gbps = 936;
  gpu.fp32_tflops = 35.6;
  gpu.bf16_tensor_tflops = 71;
  gpu.boost_mhz = 1695;
  gpu.source = "NVIDIA Ampere GA102 GPU Architecture whitepaper, appendix on RTX 3090";
  return gpu;
}

constexpr Gpu rtx4090() {
  Gpu gpu{sm_89};
  gpu.id = "rtx4090";
  gpu.name = "NVIDIA GeForce RTX 4090";
  gpu.driver_name = gpu.name;
  gpu.sms = 128;
  gpu.l2_bytes = 72 * mib;
  gpu.memory_bytes = 24 * gib;
  gpu.memory_gbps = 1008;
  gpu.fp32_tflops = 82.6;
  gpu.bf16_tensor_tflops = 165.2;
  gpu.boost_mhz = 2520;
  gpu.source = "NVIDIA Ada GPU Architecture whitepaper, appendix on RTX 4090";
  return gpu;
}

constexpr Gpu l4() {
  Gpu gpu{sm_89};
  gpu.id = "l4";
  gpu.name = "NVIDIA L4";
  gpu.driver_name = gpu.name;
  gpu.sms = 58;
  gpu.l2_bytes = 48 * mib;
  gpu.memory_bytes = 24 * gib;
  gpu.memory_gbps = 300;
  gpu.fp32_tflops = 30.3;
  gpu.bf16_tensor_tflops = 121;  // the datasheet's 242 are with sparsity
  gpu.boost_mhz = 2040;
  gpu.source =
      "NVIDIA L4 datasheet (peaks, memory); deviceQuery on an L4 (SMs, clock); "
      "Ada whitepaper, AD104 (L2)";
  return gpu;
}

constexpr Gpu h100() {
  Gpu gpu{sm_90};
  gpu.id = "h100";
  gpu.name = "NVIDIA H100 80GB SXM";
  gpu.driver_name = "NVIDIA H100 80GB HBM3";
  gpu.sms = 132;
  gpu.l2_bytes = 50 * mib;
  gpu.memory_bytes = 80 * gib;
  gpu.memory_gbps = 3350;
  gpu.fp32_tflops = 66.9;
  gpu.bf16_tensor_tflops = 989.4;
  gpu.boost_mhz = 1980;
  gpu.source =
      "NVIDIA H100 Tensor Core GPU Architecture whitepaper; "
      "H100 datasheet (memory bandwidth)";
  return gpu;
}

constexpr Gpu h200() {
  Gpu gpu{sm_90};
  gpu.id = "h200";
  gpu.name = "NVIDIA H200";
  gpu.driver_name = gpu.name;
  gpu.sms = 132;
  gpu.l2_bytes = 60 * mib;
  gpu.memory_bytes = 139 * gib;
  gpu.memory_gbps = 4800;
  gpu.fp32_tflops = 67;
  gpu.bf16_tensor_tflops = 989.5;  // the datasheet's 1979 are with sparsity
  gpu.boost_mhz = 1980;
  gpu.source =
      "measured on an H200 SXM (SMs, L2, memory size); NVIDIA H200 datasheet (peaks); "
      "clock: that of H100 SXM, which gives the datasheet's fp32 peak";
  return gpu;
}

constexpr Gpu b200() {
  Gpu gpu{sm_100};
  gpu.id = "b200";
  gpu.name = "NVIDIA B200";
  gpu.driver_name = gpu.name;
  gpu.sms = 148;
  gpu.l2_bytes = 132644864;
  gpu.memory_bytes = 180 * gib;
  gpu.memory_gbps = 7700;
  gpu.fp32_tflops = 75;
  gpu.bf16_tensor_tflops = 2250;  // the datasheet's 4500 are with sparsity
  gpu.boost_mhz = 1965;
  gpu.source =
      "NVIDIA HGX B200 datasheet, per GPU (peaks, memory); published device queries of a B200 "
      "(SMs, L2, clock)";
  return gpu;
}

constexpr std::array table = {t4(), v100(), a100(), rtx3090(), rtx4090(),
                              l4(), h100(), h200(), b200()};

/// Lower case, letters and digits only, without the vendor's name at the front.
std::string plain(std::string_view name) {
  std::string text;
  for (char c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) text += c;
  }
  constexpr std::string_view vendor = "nvidia";
  if (text.starts_with(vendor)) text.erase(0, vendor.size());
  return text;
}

}  // namespace

std::span<const Gpu> gpu_table() { return table; }

const Gpu* find_gpu(std::string_view name) {
  const std::string wanted = plain(name);
  if (wanted.empty()) return nullptr;
  for (const Gpu& gpu : table) {
    if (wanted == gpu.id || wanted == plain(gpu.name) || wanted == plain(gpu.driver_name)) {
      return &gpu;
    }
  }
  return nullptr;
}

const Gpu& nearest_gpu(int compute_capability) {
  if (compute_capability / 10 == 12) compute_capability = 89;
  const Gpu* nearest = nullptr;
  const Gpu* oldest = &table[0];
  for (const Gpu& gpu : table) {
    if (gpu.compute_capability < oldest->compute_capability) oldest = &gpu;
    const bool usable = gpu.compute_capability <= compute_capability;
    if (usable && (!nearest || gpu.compute_capability > nearest->compute_capability)) {
      nearest = &gpu;
    }
  }
  return nearest ? *nearest : *oldest;
}

std::string gpu_ids() {
  std::string ids;
  for (const Gpu& gpu : table) {
    if (!ids.empty()) ids += ", ";
    ids += gpu.id;
  }
  return ids;
}

}  // namespace warpwise::occupancy
