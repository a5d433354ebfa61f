#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/global/stored_values.h"
#include "simulator/watch/launches/footprint.h"

namespace warpwise::watch {

/// Calls visit(kind, piece, lanes, hashes) for the neighbouring bytes that some of an access's
/// lanes touched.
/// @param cell_shift log2 of the bytes in which stored values are compared.
/// @param values of a store. @param are_known false where it is not known what is stored: then the
/// hashes are null.
template <class Visit>
void visit_pieces(std::uint64_t block, unsigned warp, const AccessEvent& event, std::uint32_t lanes,
                  const StoredValues& values, bool are_known, unsigned cell_shift, Visit visit) {
  const LineAccess::Kind kind = kind_of(event);
  const unsigned cell_bytes = 1u << cell_shift;
  const bool has_values = kind == LineAccess::write && are_known;
  Footprint::Piece piece;
  std::uint32_t of_piece = 0;
  std::vector<std::uint16_t> hashes;
  const auto end_piece = [&] {
    if (of_piece != 0) visit(kind, piece, of_piece, has_values ? hashes.data() : nullptr);
    hashes.clear();
    of_piece = 0;
  };
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t begin = event.addresses[lane];
    const auto thread = static_cast<std::uint16_t>(warp * 32 + lane);
    const bool is_same = begin >= piece.begin && begin + event.bytes <= piece.end;
    if (is_same && !has_values && of_piece != 0) {
      of_piece |= 1u << lane;
      continue;
    }
    if (begin != piece.end || of_piece == 0) {
      end_piece();
      piece.begin = begin;
      piece.site = event.site;
      piece.block = static_cast<std::uint32_t>(block);
      piece.first_thread = thread;
    }
    piece.end = begin + event.bytes;
    piece.last_thread = thread;
    of_piece |= 1u << lane;
    for (unsigned offset = 0; has_values && offset < event.bytes; offset += cell_bytes)
      hashes.push_back(values.hash(values.stored(lane, offset, cell_bytes)));
  }
  end_piece();
}

/// Makes a footprint of some of a launch's accesses, as they happen.
class FootprintRecorder {
 public:
  /// @param cell_shift log2 of the bytes in which stored values are compared.
  explicit FootprintRecorder(unsigned cell_shift)
      : shift_(cell_shift), footprint_(1u << cell_shift) {}

  /// Adds what some of an access's lanes touched.
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
