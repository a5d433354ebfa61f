#include "occupancy/occupancy.h"

#include <algorithm>

namespace warpwise::occupancy {
namespace {

constexpr std::int64_t divide_up(std::int64_t amount, std::int64_t unit) {
  return amount / unit + (amount % unit != 0);
}

constexpr std::int64_t round_up(std::int64_t amount, std::int64_t unit) {
  return divide_up(amount, unit) * unit;
}

bool is_kernel(const Kernel& kernel) {
  return kernel.registers_per_thread >= 0 && kernel.static_shared_bytes >= 0 &&
         kernel.dynamic_shared_bytes >= 0 && kernel.threads_per_block > 0;
}

void limit_registers(const Gpu& gpu, const Kernel& kernel, Limits& limits) {
  limits.registers_per_warp =
      round_up(std::int64_t{kernel.registers_per_thread} * warp_size, gpu.register_unit);
  // The launch is checked as if the block's warps were spread evenly over the partitions.
  limits.registers_per_block =
      limits.registers_per_warp * round_up(limits.warps_per_block, gpu.warp_unit);
  int& blocks = limits.blocks[static_cast<int>(Resource::registers)];
  if (kernel.registers_per_thread == 0) {
    blocks = no_limit;
    return;
  }
  // A warp's registers are in one partition: the rest of each is of no use to another.
  limits.warps_by_registers =
      gpu.registers_per_sm / gpu.warp_unit / limits.registers_per_warp * gpu.warp_unit;
  const bool launches = limits.registers_per_block <= gpu.registers_per_block &&
                        kernel.registers_per_thread <= gpu.registers_per_thread;
  blocks = launches ? static_cast<int>(limits.warps_by_registers / limits.warps_per_block) : 0;
}

void limit_shared_memory(const Gpu& gpu, const Kernel& kernel, Limits& limits) {
  limits.shared_bytes_per_block =
      round_up(kernel.shared_bytes() + gpu.shared_reserved_per_block, gpu.shared_unit);
  int& blocks = limits.blocks[static_cast<int>(Resource::shared_memory)];
  if (limits.shared_bytes_per_block == 0) {
    blocks = no_limit;
  } else if (kernel.shared_bytes() <= gpu.shared_bytes_per_block_max) {
    blocks = static_cast<int>(gpu.shared_bytes_per_sm / limits.shared_bytes_per_block);
  }
}

std::vector<Misfit> misfits_of(const Gpu& gpu, const Kernel& kernel, const Limits& limits) {
  std::vector<Misfit> misfits;
  if (kernel.registers_per_thread < 0 || kernel.static_shared_bytes < 0 ||
      kernel.dynamic_shared_bytes < 0 || kernel.threads_per_block < 0) {
    misfits.push_back(Misfit::negative_amount);
  } else if (kernel.threads_per_block == 0) {
    misfits.push_back(Misfit::no_threads);
  }
  if (!misfits.empty()) return misfits;
  if (limits.of(Resource::warps) == 0) misfits.push_back(Misfit::threads_per_block);
  if (kernel.registers_per_thread > gpu.registers_per_thread) {
    misfits.push_back(Misfit::registers_per_thread);
  } else if (limits.of(Resource::registers) == 0) {
    misfits.push_back(Misfit::registers_per_block);
  }
  if (limits.of(Resource::shared_memory) == 0) misfits.push_back(Misfit::shared_bytes_per_block);
  return misfits;
}

}  // namespace

std::int64_t Kernel::shared_bytes() const {
  constexpr std::int64_t beyond_any_gpu = std::int64_t{1} << 40;
  return std::clamp(static_shared_bytes, -beyond_any_gpu, beyond_any_gpu) +
         std::clamp(dynamic_shared_bytes, -beyond_any_gpu, beyond_any_gpu);
}

std::string_view name_of(Resource resource) {
  constexpr std::string_view names[] = {"registers", "shared memory", "warps", "block slots"};
  return names[static_cast<int>(resource)];
}

int Limits::resident_blocks() const { return *std::min_element(blocks.begin(), blocks.end()); }

Limits limits(const Gpu& gpu, const Kernel& kernel) {
  Limits limits;
  if (!is_kernel(kernel)) return limits;
  limits.warps_per_block = static_cast<int>(divide_up(kernel.threads_per_block, warp_size));
  limit_registers(gpu, kernel, limits);
  limit_shared_memory(gpu, kernel, limits);
  limits.blocks[static_cast<int>(Resource::warps)] =
      kernel.threads_per_block <= gpu.threads_per_block ? gpu.warps_per_sm / limits.warps_per_block
                                                        : 0;
  limits.blocks[static_cast<int>(Resource::block_slots)] = gpu.blocks_per_sm;
  return limits;
}

bool Occupancy::limited_by(Resource resource) const {
  return std::find(limiters.begin(), limiters.end(), resource) != limiters.end();
}

Occupancy occupancy(const Gpu& gpu, const Kernel& kernel) {
  Occupancy result;
  result.limits = limits(gpu, kernel);
  result.resident_blocks = result.limits.resident_blocks();
  result.resident_warps = result.limits.resident_warps();
  result.warps_per_sm = gpu.warps_per_sm;
  if (gpu.warps_per_sm > 0) {
    result.fraction = static_cast<double>(result.resident_warps) / gpu.warps_per_sm;
  }
  result.misfits = misfits_of(gpu, kernel, result.limits);
  if (result.limits.warps_per_block == 0) return result;  // not a kernel: no resource is to blame
  for (int i = 0; i < resource_count; ++i) {
    const auto resource = static_cast<Resource>(i);
    if (result.limits.of(resource) == result.resident_blocks) result.limiters.push_back(resource);
  }
  return result;
}

}  // namespace warpwise::occupancy
