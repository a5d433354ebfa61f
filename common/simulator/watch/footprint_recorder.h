#pragma once
#include <cstdint>
#include <vector>

#include "simulator/watch/access_event.h"
#include "simulator/watch/footprint.h"
#include "simulator/watch/stored_values.h"

namespace warpwise::watch {

/// Makes a footprint of some of a launch's accesses, as they happen.
class FootprintRecorder {
 public:
  /// @param cell_shift log2 of the bytes in which stored values are compared.
  explicit FootprintRecorder(unsigned cell_shift)
      : shift_(cell_shift), footprint_(1u << cell_shift) {}

  /// What some of an access's lanes touched.
  /// @param values of a store. @param are_known false where it is not known what is stored.
  void access(std::uint64_t block, unsigned warp, const AccessEvent& event, std::uint32_t lanes,
              const StoredValues& values, bool are_known);
  /// Ends the recording. @param lines of the source, by site.
  Footprint finish(std::vector<unsigned> lines);

 private:
  unsigned shift_;
  Footprint footprint_;
};

}  // namespace warpwise::watch
