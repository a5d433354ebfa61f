#pragma once
#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/cells/address_shape.h"
#include "simulator/watch/cells/line_lanes.h"

namespace warpwise::watch {

/// The cells of one line that an instruction of a warp touches.
struct LinePart {
  std::uint64_t line;   ///< address / bytes of a line
  std::uint32_t cells;  ///< never 0
  LineLanes lanes;      ///< of several at one cell the lowest
};

/// How many cells are from lane to lane, where each is as far from the next as any other. 0 where
/// they are not, or share cells.
/// @param shape of the event.
std::uint64_t stride_of(const AccessEvent& event, const AddressShape& shape, unsigned shift);

/// An instruction's cells, line by line: each line once, in the order of the lowest lanes.
class LineParts {
 public:
  /// @param event addresses are multiples of its width, so that no lane reaches into two lines.
  /// @param shift log2 of a cell's bytes. @param stride of the event.
  LineParts(const AccessEvent& event, unsigned shift, std::uint64_t stride);

  const LinePart* begin() const { return parts_; }
  const LinePart* end() const { return parts_ + count_; }

 private:
  void consecutive(std::uint64_t first, unsigned each);
  void equally_apart(const AccessEvent& event, unsigned shift, std::uint64_t stride);
  void lane_by_lane(const AccessEvent& event, unsigned shift);

  /// Lanes that do not start a line reach into one more than they fill.
  static constexpr unsigned most = 33;

  unsigned count_ = 0;
  LinePart parts_[most];
};

}  // namespace warpwise::watch
