#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/cells/address_shape.h"
#include "simulator/watch/global/stored_values.h"
#include "simulator/watch/global/zeroed_memory.h"
#include "simulator/watch/order/chunked_array.h"
#include "simulator/watch/order/chunked_words.h"
#include "simulator/watch/order/epoch.h"

namespace warpwise::watch {

/// Accesses to global memory in the order in which they were made, short enough to be kept for a
/// whole launch: to be gone through again where it turns out that they matter. Such as follow each
/// other take less where their epochs are the same. It keeps hashes of what was stored, where
/// cells are words.
class AccessLog {
 public:
  /// @param cell_shift as GlobalRaces has it.
  explicit AccessLog(unsigned cell_shift) : keeps_hashes_(cell_shift == 2) {}

  /// A place in the log, before its next access.
  struct Mark {
    std::uint32_t entry = 0, offset = 0, row = 0, hashes = 0;
  };

  /// Facts that are kept together with the access itself.
  struct Made {
    Epoch epoch;
    unsigned warp;
    bool is_marked;  ///< with the meaning that the owner of the log gives to it
  };

  /// Adds an access.
  /// @return false where it cannot be kept: its addresses are too far from each other, or it is too
  /// wide.
  /// @param shape of the event.
  bool add(const Made& made, const AccessEvent& event, const AddressShape& shape,
           const StoredValues& values);
  Mark end() const { return {entries_.size(), offsets_.size(), rows_.size(), hashes_.size()}; }
  /// Forgets all after the mark.
  void cut(Mark mark);
  /// The bytes that the accesses take.
  std::size_t bytes() const {
    return entries_.size() * sizeof(Entry) + offsets_.size() * sizeof(std::uint32_t) +
           rows_.size() * sizeof(Row) + hashes_.size() * sizeof(Hashes) +
           epochs_.size() * sizeof(Epoch);
  }
  /// Strong accesses are not reads or stores here.
  enum class Which { all, marked, marked_reads, marked_strong };
  /// Calls visit(made, event, values) for the accesses between two marks, in their order.
  /// Values only of weak stores.
  template <class Visit>
  void for_all(Mark from, Mark to, Which which, Visit visit) const;

  /// A wider access cannot be kept.
  static constexpr unsigned most_bytes = 32;

 private:
  struct Entry {
    std::uint64_t base;  ///< address of the lowest lane
    std::uint32_t site, mask;
    std::int32_t stride;   ///< bytes from lane to lane; irregular: where the lanes' distances
                           ///< from the base are stored
    std::uint32_t values;  ///< the first of the rows, or hashes, word by word
    std::uint32_t epoch;   ///< index
    std::uint16_t warp;
    std::uint8_t bytes, how;
  };
  /// A word for each lane.
  struct Row {
    std::uint32_t of[32];
  };
  struct Hashes {
    std::uint16_t of[32];
  };
  enum How : std::uint8_t {
    store = 1,
    atomic = 2,
    strong = 4,
    narrow = 8,
    consecutive = 16,
    marked = 32,
    irregular = 64,
    optimistic = 128
  };

  std::optional<std::uint32_t> offsets(const AccessEvent& event, const AddressShape& shape);
  void add_values(const AccessEvent& event, const StoredValues& values);
  std::uint32_t epoch(const Epoch& epoch, unsigned warp);
  void addresses(const Entry& entry, std::uint64_t (&of)[32]) const;
  StoredValues values(const Entry& entry, Row* words) const;

  bool keeps_hashes_;
  ZeroedMemory memory_;
  ChunkedArray<Entry, 1024, false> entries_;
  ChunkedWords offsets_;
  ChunkedArray<Row, 256, false> rows_;
  ChunkedArray<Hashes, 256, false> hashes_;
  std::vector<Epoch> epochs_;
  std::vector<std::uint32_t> latest_;  ///< by warp: 1 + index of its last epoch, 0: none
  /// Where the offsets of a pattern of addresses are, by the pattern's number.
  struct PatternOffsets {
    std::uint32_t pattern = 0, index = 0;
  };
  static constexpr unsigned recent_patterns = 64;
  PatternOffsets recent_[recent_patterns];
};

template <class Visit>
void AccessLog::for_all(Mark from, Mark to, Which which, Visit visit) const {
  unsigned looked_at = 0, wanted = 0;
  if (which != Which::all) looked_at = wanted = marked;
  if (which == Which::marked_reads) looked_at |= store | strong;
  if (which == Which::marked_strong) looked_at = wanted |= strong;
  alignas(64) std::uint64_t addresses[32];
  AccessEvent event{};
  event.addresses = addresses;
  Row words[most_bytes / 4];
  for (std::uint32_t i = from.entry; i < to.entry; ++i) {
    const Entry& entry = entries_[i];
    if ((entry.how & looked_at) != wanted) continue;
    this->addresses(entry, addresses);
    event.site = entry.site;
    event.mask = entry.mask;
    event.bytes = entry.bytes;
    event.is_consecutive = entry.how & consecutive;
    event.is_store = entry.how & store;
    event.is_atomic = entry.how & atomic;
    event.is_optimistic = entry.how & optimistic;
    event.order = entry.how & strong ? code::Order::relaxed : code::Order::none;
    event.scope = entry.how & narrow ? code::Scope::cta : code::Scope::gpu;
    const bool has_values = event.is_store && !event.is_strong();
    const StoredValues values = has_values ? this->values(entry, words) : StoredValues();
    visit(Made{epochs_[entry.epoch], entry.warp, (entry.how & marked) != 0},
          static_cast<const AccessEvent&>(event), values);
  }
}

}  // namespace warpwise::watch
