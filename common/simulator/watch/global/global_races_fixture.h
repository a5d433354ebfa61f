#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "simulator/watch/global/global_races.h"
#include "simulator/watch/global/inter_block_races.h"

/// \file
/// A launch whose accesses to global memory a test makes one by one.
namespace global_races_test {

using namespace warpwise::watch;

constexpr std::uint32_t all = ~0u;
using warpwise::code::Order;
using Index = std::uint64_t (*)(std::uint64_t lane);
using Value = std::uint32_t (*)(unsigned lane);

constexpr std::uint64_t zero(std::uint64_t) { return 0; }
constexpr std::uint64_t own(std::uint64_t lane) { return lane; }
constexpr std::uint64_t next(std::uint64_t lane) { return lane + 1; }
constexpr std::uint64_t far(std::uint64_t lane) { return 1000 + lane * 40; }
constexpr std::uint64_t column(std::uint64_t lane) { return lane * 32; }
constexpr std::uint64_t next_row(std::uint64_t lane) { return lane * 32 + 32; }
constexpr std::uint32_t ten(unsigned) { return 10; }
constexpr std::uint32_t own_value(unsigned lane) { return 100 + lane; }

/// Blocks that access an array of zeros; what they store is not written into it.
class Launch {
 public:
  Launch(unsigned blocks, unsigned warps, unsigned cell_shift = 2, bool one_history = false)
      : races(cell_shift, !one_history), inter_block(cell_shift), memory(1 << 16) {
    for (unsigned b = 0; b < blocks; ++b) {
      order.push_back(std::make_unique<HappensBefore>(warps));
      order.back()->start_block(b);
    }
  }

  /// All addresses in bytes.
  bool access(const std::array<std::uint64_t, 32>& addresses, std::uint32_t mask, unsigned bytes,
              bool is_store, Order how, const std::uint32_t (&values)[32]) {
    AccessEvent event{};
    event.site = site;
    event.mask = mask;
    event.addresses = addresses.data();
    event.bytes = bytes;
    event.is_consecutive = mask == all;
    for (unsigned lane = 0; lane < 32; ++lane)
      event.is_consecutive &= addresses[lane] == addresses[0] + std::uint64_t{lane} * bytes;
    event.is_store = is_store;
    event.is_atomic = is_store && how != Order::none && is_atomic;
    event.order = how;
    event.is_non_coherent = is_non_coherent && !is_store;
    event.scope = warpwise::code::Scope::gpu;
    event.times = times;
    StoredValues stored;
    stored.distance = reinterpret_cast<std::uint64_t>(memory.data());
    stored.element_bytes = std::min(bytes, 4u);
    for (unsigned e = 0; e < 4; ++e) {
      stored.data[e] = reinterpret_cast<const std::byte*>(values);
      stored.register_bytes[e] = 4;
    }
    last = races.access(*order[block], warp, event, AddressShape(event), stored);
    return last.has_value();
  }

  bool access(Index index, std::uint32_t mask, bool is_store, bool is_strong, Value value) {
    std::array<std::uint64_t, 32> addresses;
    std::uint32_t values[32];
    for (unsigned lane = 0; lane < 32; ++lane) {
      addresses[lane] = 4096 + index(lane) * bytes;
      values[lane] = value(lane);
    }
    return access(addresses, mask, bytes, is_store,
                  is_strong ? Order::relaxed : warpwise::code::Order::none, values);
  }
  bool read(Index index, std::uint32_t mask = all, bool is_strong = false) {
    return access(index, mask, false, is_strong, ten);
  }
  bool write(Index index, std::uint32_t mask = all, Value value = own_value) {
    return access(index, mask, true, false, value);
  }
  bool update(Index index, std::uint32_t mask = all) {
    return access(index, mask, true, true, own_value);
  }
  void start(unsigned number) {
    block = number;
    races.start_block();
  }
  void end() { inter_block.add(block, races); }

  std::vector<std::unique_ptr<HappensBefore>> order;
  GlobalRaces races;
  InterBlockRaces inter_block;
  std::optional<GlobalRaces::Race> last;
  unsigned block = 0, warp = 0, site = 0, bytes = 4;
  std::uint32_t times = 1;       ///< that an access is made, one after another
  bool is_atomic = true;         ///< strong stores are
  bool is_non_coherent = false;  ///< loads are

 private:
  std::vector<std::byte> memory;
};

/// Runs one function for each block, in this order.
template <class Run>
std::vector<InterBlockRaces::Race> between(const std::vector<unsigned>& blocks, Run run) {
  Launch launch(8, 2);
  for (unsigned block : blocks) {
    launch.start(block);
    run(launch, block);
    launch.end();
  }
  std::vector<InterBlockRaces::Race> races;
  launch.inter_block.for_races([&](const auto& race) { races.push_back(race); });
  return races;
}

}  // namespace global_races_test
