#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <tuple>

#include "simulator/cudart/queue/queue.h"
#include "simulator/machine/device_calls/device_runtime.h"
#include "simulator/watch/launches/footprint.h"

namespace warpwise::cudart {

/// Launches, copies and fills that kernels asked for, compared with accesses that are not ordered
/// with them: those of their parent after it had asked, those of its other threads and blocks, and
/// those of the other work that it asked for. Those that launch others themselves are not followed.
class RelatedLaunches {
 public:
  /// By a launch that has ended: reports its conflicts, once per pair of lines.
  void compare(const Launched& launch, std::shared_ptr<const watch::Footprint> footprint,
               const machine::DeviceWork& asked);
  /// The same by a copy or a fill.
  void compare_move(const machine::DeviceWork& asked);

 private:
  struct Sibling {
    std::uint64_t parent, queue;
    std::string what;
    unsigned asked_line;
    std::shared_ptr<const watch::Footprint> footprint;
  };
  static constexpr std::size_t most_siblings = 64;

  void compare(const std::string& what, std::shared_ptr<const watch::Footprint> footprint,
               const machine::DeviceWork& asked);
  /// With the parent alone. @param what was asked for, in words.
  void compare_with_parent(const std::string& what, const watch::Footprint& footprint,
                           const machine::DeviceWork& asked);
  void compare_with_late(const watch::Footprint& late, const std::string& what,
                         const watch::Footprint& footprint, const machine::DeviceWork& asked);
  void compare_with_concurrent(const watch::Footprint& concurrent, const std::string& what,
                               const watch::Footprint& footprint, const machine::DeviceWork& asked);
  void compare_with(const Sibling& other, const std::string& what,
                    const watch::Footprint& footprint, const machine::DeviceWork& asked);
  bool is_new(const std::string& one, unsigned line, const std::string& other, unsigned other_line);

  std::deque<Sibling> siblings_;  ///< the latest last
  std::set<std::tuple<std::string, unsigned, std::string, unsigned>> reported_;
};

}  // namespace warpwise::cudart
