#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/global/inter_block_races.h"
#include "simulator/watch/global/stored_values.h"

/// \file
/// Accesses of blocks of two warps to global memory, made up for tests.
namespace block_steps {

using namespace warpwise::watch;

/// One instruction of a warp, its addresses in cells.
struct Step {
  unsigned warp, site;
  bool is_barrier, is_store, is_atomic;
  std::uint32_t mask;
  std::array<std::uint64_t, 32> cells;
  std::array<std::uint32_t, 32> values;
  unsigned words = 1;  ///< the same number for each lane
};

/// Reads mostly go to other places than stores.
enum class Mostly { anything, scattered_stores, scattered_atomics };
inline Step random_step(std::mt19937& random, Mostly mostly) {
  const bool is_scattered = mostly != Mostly::anything;
  Step step{};
  step.warp = random() % 2;
  step.site = random() % 4;
  step.is_barrier = random() % 6 == 0;
  step.is_store = random() % 3 == 0;
  step.is_atomic = step.is_store &&
                   (mostly == Mostly::scattered_atomics ? random() % 8 != 0
                                                        : random() % (is_scattered ? 12 : 4) == 0);
  step.mask = random() % 2 ? ~0u : random() % 2 ? random() | 1 : 1u << random() % 32;
  const std::uint64_t pieces = 8, cells_per_piece = 1024;
  const std::uint64_t piece =
      step.is_store == (random() % (is_scattered ? 24 : 8) != 0) ? pieces : 0;
  const std::uint64_t start = (piece + random() % 2) * cells_per_piece + random() % 200;
  const bool any_shape = !step.is_store || !is_scattered;
  const std::uint64_t shape = any_shape ? random() % 6 : 3 + random() % 3,
                      stride = 1 + random() % 70, together = 2u << random() % 4;
  for (unsigned lane = 0; lane < 32; ++lane) {
    step.cells[lane] = shape == 0   ? start
                       : shape <= 2 ? start + lane * stride
                       : shape == 3 ? start + random() % 40
                       : shape == 5 ? start + lane / together * stride + lane % together
                                    : piece * cells_per_piece + random() % (4 * cells_per_piece);
    step.values[lane] = random() % 2 ? 7 : random() % 100;
  }
  return step;
}

/// The access of a step.
struct StepAccess {
  /// @param memory before the store.
  StepAccess(const Step& step, unsigned cell_shift, const std::vector<std::byte>& memory) {
    for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = step.cells[lane] << cell_shift;
    event.site = step.site * 3 + step.is_store + step.is_atomic;
    event.mask = step.mask;
    event.addresses = addresses.data();
    event.bytes = step.words << cell_shift;
    event.is_consecutive = step.mask == ~0u;
    for (unsigned lane = 0; lane < 32; ++lane)
      event.is_consecutive &= step.cells[lane] == step.cells[0] + std::uint64_t{lane} * step.words;
    event.is_store = step.is_store;
    event.is_atomic = step.is_atomic;
    if (step.is_atomic) event.order = warpwise::code::Order::relaxed;
    event.scope = warpwise::code::Scope::gpu;
    values.distance = reinterpret_cast<std::uint64_t>(memory.data());
    values.element_bytes = 1u << cell_shift;
    for (unsigned word = 0; word < step.words; ++word) {
      values.data[word] = reinterpret_cast<const std::byte*>(step.values.data());
      values.register_bytes[word] = 4;
    }
  }
  StepAccess(const StepAccess&) = delete;
  StepAccess& operator=(const StepAccess&) = delete;

  std::array<std::uint64_t, 32> addresses;
  AccessEvent event{};
  StoredValues values;
};

/// How many cells each two blocks have met at, by what they did.
inline auto meetings(InterBlockRaces& inter_block) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, int, int>, unsigned> cells;
  inter_block.for_races([&](const InterBlockRaces::Race& race) {
    cells[{race.lower.block, race.higher.block, race.lower.kind, race.higher.kind}] += race.cells;
  });
  return cells;
}

}  // namespace block_steps
