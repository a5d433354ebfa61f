#include "simulator/watch/access_tape.h"

#include <algorithm>
#include <bit>

#include "simulator/isa/fast_loops.h"
#include "simulator/watch/line_lanes.h"

namespace warpwise::watch {
namespace {

constexpr std::uint64_t most_stride = INT32_MAX;  // up or down

/// @return false where one is too large.
WARPWISE_FAST_LOOPS bool write_offsets(const std::uint64_t* addresses, std::uint32_t mask,
                                       std::uint64_t base, std::uint32_t* offsets) {
  std::uint64_t beyond = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::uint64_t takes_part = 0 - std::uint64_t{mask >> lane & 1};
    const std::uint64_t offset = (addresses[lane] - base) & takes_part;
    beyond |= (offset + 0x80000000u) >> 32;
    offsets[lane] = static_cast<std::uint32_t>(offset);
  }
  return beyond == 0;
}

}  // namespace

bool AccessTape::add(const Made& made, const AccessEvent& event, const AddressShape& shape,
                     const StoredValues& values) {
  if (event.bytes > most_bytes) return false;
  const std::uint64_t base = event.addresses[std::countr_zero(event.mask)];
  const std::uint32_t row = rows_.size();
  const auto stride = shape.is_regular && shape.stride + most_stride < 2 * most_stride
                          ? static_cast<std::int32_t>(shape.stride)
                          : irregular;
  if (stride == irregular && !add_offsets(event, base)) return false;
  if (event.is_store && !event.is_strong()) add_values(event, values);
  unsigned how = 0;
  if (event.is_store) how |= store;
  if (event.is_atomic) how |= atomic;
  if (event.is_strong()) how |= strong;
  if (event.is_strong() && event.scope == code::Scope::cta) how |= narrow;
  if (event.is_consecutive) how |= consecutive;
  if (made.is_marked) how |= marked;
  Entry& entry = entries_.add(memory_);
  entry = {base,
           event.site,
           event.mask,
           stride,
           row,
           moment(made.moment, made.warp),
           static_cast<std::uint16_t>(made.warp),
           static_cast<std::uint8_t>(event.bytes),
           static_cast<std::uint8_t>(how)};
  return true;
}

bool AccessTape::add_offsets(const AccessEvent& event, std::uint64_t base) {
  const std::uint32_t before = rows_.size();
  if (write_offsets(event.addresses, event.mask, base, rows_.add(memory_).of)) return true;
  rows_.cut(before);
  return false;
}

void AccessTape::add_values(const AccessEvent& event, const StoredValues& values) {
  const unsigned words = (event.bytes + 3) / 4, each = std::min(4u, event.bytes);
  const bool are_words = event.mask == ~0u && event.bytes >= 4 && values.are_words(words);
  for (unsigned word = 0; word < words; ++word) {
    std::uint32_t* const to = rows_.add(memory_).of;
    if (are_words)
      std::copy_n(values.words(word), 32, to);
    else
      for_cells(event.mask,
                [&](unsigned lane) { to[lane] = values.stored(lane, 4u * word, each); });
  }
}

/// Mostly a warp has made its last access at the same moment.
std::uint32_t AccessTape::moment(const Moment& moment, unsigned warp) {
  if (warp >= latest_.size()) latest_.resize(warp + 1);
  std::uint32_t& latest = latest_[warp];
  if (latest) {
    const Moment& last = moments_[latest - 1];
    if (last == moment) return latest - 1;
  }
  moments_.push_back(moment);
  latest = static_cast<std::uint32_t>(moments_.size());
  return latest - 1;
}

void AccessTape::cut(Mark mark) {
  entries_.cut(mark.entry);
  rows_.cut(mark.row);
  if (mark.entry != 0) return;
  moments_.clear();
  std::fill(latest_.begin(), latest_.end(), 0);
}

void AccessTape::addresses(const Entry& entry, std::uint64_t (&of)[32]) const {
  if (entry.stride != irregular) {
    const auto stride = static_cast<std::uint64_t>(std::int64_t{entry.stride});
    const std::uint64_t lane0 =
        entry.base - stride * static_cast<unsigned>(std::countr_zero(entry.mask));
    for (unsigned lane = 0; lane < 32; ++lane) of[lane] = lane0 + stride * lane;
    return;
  }
  const std::uint32_t* const offsets = rows_[entry.row].of;
  for (unsigned lane = 0; lane < 32; ++lane)
    of[lane] = entry.base +
               static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(offsets[lane])});
}

}  // namespace warpwise::watch
