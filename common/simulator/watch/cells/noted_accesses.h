#pragma once
#include <cstddef>

#include "simulator/watch/cells/access_log.h"
#include "simulator/watch/global/touched_pieces.h"
#include "simulator/watch/global/touched_tile.h"
#include "simulator/watch/launches/kept_limit.h"

namespace warpwise::watch {

/// Accesses of a block, or of a whole launch, that are only noted down, all of one kind: reads of
/// memory to which it has not stored, stores to cells that it has not touched, or atomics, and the
/// optimistic reads before them, on what it touches by these alone.
class NotedAccesses {
 public:
  /// @param small bytes of notes that are never too many. They may take what the memory takes that
  /// their accesses touch as well; then they are full.
  NotedAccesses(LineAccess::Kind kind, std::size_t small) : kind_(kind), limit_(small) {}

  LineAccess::Kind kind() const { return kind_; }
  bool empty() const { return log_.end().entry == 0; }
  bool is_full() {
    if (!is_full_) is_full_ = limit_.is_passed(log_.bytes(), [&] { return pieces_.bytes(); });
    return is_full_;
  }
  void clear() {
    log_.cut({});
    pieces_.clear();
    limit_.clear();
    is_full_ = false;
  }
  /// Adds an access.
  /// @param shape of the event. @param reach of the event. @param touched pieces, of which it must
  /// touch none. @return false where it does, or cannot be kept.
  bool add(const AccessLog::Made& made, const AccessEvent& event, const AddressShape& shape,
           const TouchedPieces::Reach& reach, const TouchedPieces& touched,
           const StoredValues& values) {
    if (touched.meets(reach) || !log_.add(made, event, shape, values)) return false;
    pieces_.add(reach);
    return true;
  }
  /// True where the access may touch pieces that are in here.
  bool meets(const TouchedPieces::Reach& reach) const { return pieces_.meets(reach); }
  bool has_at(std::uint64_t address) const { return pieces_.has_at(address); }
  /// Calls visit(made, event, values) for all of them, in their order. Values only of weak stores.
  template <class Visit>
  void for_all(Visit visit) const {
    log_.for_all({}, log_.end(), AccessLog::Which::all, visit);
  }

 private:
  LineAccess::Kind kind_;
  KeptLimit limit_;
  bool is_full_ = false;
  AccessLog log_{2};  ///< of accesses to words
  TouchedPieces pieces_;
};

}  // namespace warpwise::watch
