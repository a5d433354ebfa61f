#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/watch/access_event.h"
#include "simulator/watch/stored_values.h"
#include "simulator/watch/touched_pieces.h"
#include "simulator/watch/touched_tile.h"

namespace warpwise::watch {

/// Accesses of a block, or of a whole launch, that are only noted down, all of one kind: reads of
/// memory to which it has not stored, stores to cells that it has not touched, or atomics on what
/// it touches by atomics alone.
class AccessLog {
 public:
  /// One instruction of one warp, and what was known of its order when it was executed.
  struct Noted {
    std::uint64_t base;
    std::uint64_t block;
    std::uint32_t site, mask;
    std::uint32_t clock;
    std::uint32_t whole_sync;  ///< of the warp
    std::uint32_t floor;       ///< what any warp of the block did up to this clock came before
    std::uint32_t offsets;     ///< 1 + index; 0: all lanes have the base
    std::uint32_t values;  ///< of a store: index of the first; each lane's first word, and so on
    std::uint16_t warp, bytes;
  };
  /// @param most to be kept; those of a block that has more are watched one by one. 65536 reads
  /// take 10 MB for each host thread.
  AccessLog(Contact::Kind kind, std::size_t most) : kind_(kind), most_(most) {}

  Contact::Kind kind() const { return kind_; }
  bool empty() const { return noted_.empty(); }
  bool is_full() const { return noted_.size() == most_; }
  void clear() {
    noted_.clear();
    offsets_.clear();
    values_.clear();
    pieces_.clear();
  }
  /// Adds an access with the site, the mask, the width and the addresses of the event.
  /// @param pieces of which it must touch none. @return null where it does, or its addresses
  /// lie too far apart; else what was added, of which the rest is to be filled in.
  /// @param reach of the event.
  Noted* add(const AccessEvent& event, const TouchedPieces::Reach& reach,
             const TouchedPieces& pieces);
  /// Keeps what the store that was added last stores, in words of 4 bytes.
  void keep(Noted& noted, const StoredValues& values);
  /// True where the access may touch pieces that are in here.
  bool meets(const TouchedPieces::Reach& reach) const { return pieces_.meets(reach); }
  /// Calls visit(noted, event, values) for all of them, in their order. Values only of stores.
  template <class Visit>
  void for_all(Visit visit) const;

 private:
  struct Offsets {
    std::int32_t of[32];  ///< from the base, by lane
  };
  Contact::Kind kind_;
  std::size_t most_;
  std::vector<Noted> noted_;
  std::vector<Offsets> offsets_;
  std::vector<std::uint32_t> values_;
  TouchedPieces pieces_;
};

template <class Visit>
void AccessLog::for_all(Visit visit) const {
  alignas(64) std::uint64_t addresses[32];
  AccessEvent event{};
  event.addresses = addresses;
  event.is_store = kind_ != Contact::read;
  event.is_atomic = kind_ == Contact::strong;
  if (event.is_atomic) event.order = code::Order::relaxed;
  event.scope = code::Scope::gpu;
  StoredValues values;
  for (const Noted& noted : noted_) {
    event.site = noted.site;
    event.mask = noted.mask;
    event.bytes = noted.bytes;
    for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = noted.base;
    if (noted.offsets)
      for (unsigned lane = 0; lane < 32; ++lane)
        addresses[lane] += static_cast<std::uint64_t>(
            static_cast<std::int64_t>(offsets_[noted.offsets - 1].of[lane]));
    for (unsigned word = 0; kind_ == Contact::write && word < noted.bytes / 4u; ++word) {
      values.data[word] = reinterpret_cast<const std::byte*>(&values_[noted.values + 32 * word]);
      values.register_bytes[word] = 4;
    }
    visit(noted, static_cast<const AccessEvent&>(event), static_cast<const StoredValues&>(values));
  }
}

}  // namespace warpwise::watch
