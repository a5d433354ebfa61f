#include "occupancy/cliffs.h"

#include <algorithm>

namespace warpwise::occupancy {
namespace {

Kernel with_registers(Kernel kernel, std::int64_t registers) {
  kernel.registers_per_thread = static_cast<int>(registers);
  return kernel;
}

Kernel with_shared(Kernel kernel, std::int64_t bytes) {
  kernel.static_shared_bytes = 0;
  kernel.dynamic_shared_bytes = bytes;
  return kernel;
}

Kernel with_threads(Kernel kernel, std::int64_t threads) {
  kernel.threads_per_block = static_cast<int>(threads);
  return kernel;
}

/// The largest amount in [0, top] for which `enough` holds. It holds for none above one for which
/// it does not.
template <typename Predicate>
std::optional<std::int64_t> largest(std::int64_t top, Predicate enough) {
  if (top < 0 || !enough(0)) return std::nullopt;
  std::int64_t good = 0;
  std::int64_t bad = top + 1;
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (enough(middle) ? good : bad) = middle;
  }
  return good;
}

/// The cliffs of an amount of which more never admits more blocks; `with` puts it into the kernel.
template <typename With>
struct Amount {
  const Gpu& gpu;
  const Kernel& kernel;
  std::int64_t current;
  std::int64_t most;  ///< the largest amount worth trying.
  With with;

  Cliff at(std::int64_t amount) const {
    const Limits changed = limits(gpu, with(kernel, amount));
    return {.change = amount - current,
            .amount = amount,
            .blocks = changed.resident_blocks(),
            .warps = changed.resident_warps()};
  }

  std::optional<Cliff> gain(int resident_blocks) const {
    const auto amount = largest(std::min(current - 1, most), [&](std::int64_t value) {
      return at(value).blocks > resident_blocks;
    });
    return amount ? std::optional(at(*amount)) : std::nullopt;
  }

  std::optional<Cliff> loss(int resident_blocks) const {
    if (resident_blocks == 0) return std::nullopt;
    const auto last_good =
        largest(most, [&](std::int64_t value) { return at(value).blocks >= resident_blocks; });
    if (!last_good || *last_good >= most) return std::nullopt;
    return at(*last_good + 1);
  }

  /// The decrease after which this resource alone would admit more than that many blocks.
  std::int64_t change_for_more(Resource resource, int resident_blocks) const {
    const auto amount = largest(std::min(current, most), [&](std::int64_t value) {
      return limits(gpu, with(kernel, value)).of(resource) > resident_blocks;
    });
    return amount.value_or(current) - current;
  }
};
template <typename With>
Amount(const Gpu&, const Kernel&, std::int64_t, std::int64_t, With) -> Amount<With>;

template <typename Registers, typename Shared>
std::optional<JointCliff> joint(const Gpu& gpu, const Kernel& kernel, int resident_blocks,
                                const Registers& registers, const Shared& shared) {
  JointCliff cliff;
  cliff.registers_change = registers.change_for_more(Resource::registers, resident_blocks);
  cliff.shared_change = shared.change_for_more(Resource::shared_memory, resident_blocks);
  if (cliff.registers_change == 0 || cliff.shared_change == 0) return std::nullopt;
  const Kernel changed =
      with_shared(with_registers(kernel, registers.current + cliff.registers_change),
                  shared.current + cliff.shared_change);
  const Limits after = limits(gpu, changed);
  cliff.blocks = after.resident_blocks();
  cliff.warps = after.resident_warps();
  return cliff.blocks > resident_blocks ? std::optional(cliff) : std::nullopt;
}

/// The first block size, going from `first` by `step` warps up to `last`, that has more warps
/// resident.
std::optional<Cliff> other_block(const Gpu& gpu, const Kernel& kernel, int resident_warps,
                                 int first, int last, int step) {
  for (int warps = first; step > 0 ? warps <= last : warps >= last; warps += step) {
    const int threads = warps * warp_size;
    const Limits changed = limits(gpu, with_threads(kernel, threads));
    if (changed.resident_warps() > resident_warps) {
      return Cliff{.change = std::int64_t{threads} - kernel.threads_per_block,
                   .amount = threads,
                   .blocks = changed.resident_blocks(),
                   .warps = changed.resident_warps()};
    }
  }
  return std::nullopt;
}

}  // namespace

Cliffs cliffs(const Gpu& gpu, const Kernel& kernel) {
  Cliffs result;
  const Limits now = limits(gpu, kernel);
  if (now.warps_per_block == 0) return result;
  const int blocks = now.resident_blocks();
  const int warps = now.resident_warps();

  const Amount registers{gpu, kernel, kernel.registers_per_thread, gpu.registers_per_thread,
                         with_registers};
  result.fewer_registers = registers.gain(blocks);
  result.more_registers = registers.loss(blocks);

  const Amount shared{gpu, kernel, kernel.shared_bytes(),
                      std::int64_t{gpu.shared_bytes_per_block_max} + 1, with_shared};
  result.less_shared = shared.gain(blocks);
  result.more_shared = shared.loss(blocks);
  result.registers_and_shared = joint(gpu, kernel, blocks, registers, shared);

  const int most_warps = gpu.threads_per_block / warp_size;
  result.fewer_threads =
      other_block(gpu, kernel, warps, std::min(now.warps_per_block - 1, most_warps), 1, -1);
  result.more_threads = other_block(gpu, kernel, warps, now.warps_per_block + 1, most_warps, 1);
  return result;
}

}  // namespace warpwise::occupancy
