#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/report/report.h"

namespace warpwise::watch {

/// Which threads of a launch touch which named array, by loads, stores and atomics. Kept only
/// where it is asked for: each access costs a look at every lane.
class Participation {
 public:
  /// A named array in global memory.
  struct Array {
    std::string name;
    std::uint64_t begin = 0, end = 0;
  };
  /// The cost of an access, as Counters counts it.
  struct Cost {
    std::uint64_t requests = 0, sectors = 0;
  };
  /// Larger grids are not followed.
  static constexpr std::uint64_t most_threads = 1 << 22;

  /// @param threads of the grid.
  Participation(std::vector<Array> arrays, std::uint64_t threads);

  /// @param event in global memory. @param first_thread of its warp, in the grid.
  void access(const AccessEvent& event, const Cost& cost, std::uint64_t first_thread);
  /// Costs of an access that is known already.
  void add_cost(const AccessEvent& event, const Cost& cost);
  /// Joins what another host thread saw of the same launch.
  void add(const Participation& other);
  /// Fills the report's arrays: one entry for each array and kind of access that there was.
  void write(LaunchReport& report) const;

 private:
  enum Kind { load, store, atomic, kinds };
  struct Seen {
    Cost cost;
    std::vector<std::uint32_t> accesses;  ///< by thread of the grid; empty: there were none.
  };
  static Kind kind_of(const AccessEvent& event);
  /// The array that holds an address, by its index; one past the last: memory without a name.
  std::size_t array_at(std::uint64_t address) const;

  std::vector<Array> arrays_;
  std::uint64_t threads_;
  std::vector<std::array<Seen, kinds>> seen_;  ///< by array; the last is of all other memory.
};

}  // namespace warpwise::watch
