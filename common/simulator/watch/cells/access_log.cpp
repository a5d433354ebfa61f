#include "simulator/watch/cells/access_log.h"

#include <algorithm>
#include <bit>

#include "simulator/isa/fast_loops.h"
#include "simulator/watch/cells/line_lanes.h"

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

WARPWISE_FAST_LOOPS void write_hashes(const StoredValues& values, const std::uint32_t* words,
                                      std::uint16_t* hashes) {
  if (values.are_hashes)
    for (unsigned lane = 0; lane < 32; ++lane)
      hashes[lane] = static_cast<std::uint16_t>(words[lane]);
  else
    for (unsigned lane = 0; lane < 32; ++lane) hashes[lane] = short_hash(words[lane]);
}

}  // namespace

bool AccessLog::add(const Made& made, const AccessEvent& event, const AddressShape& shape,
                    const StoredValues& values) {
  if (event.bytes > most_bytes) return false;
  const bool is_regular = shape.is_regular && shape.stride + most_stride < 2 * most_stride;
  auto stride = static_cast<std::int32_t>(shape.stride);
  if (!is_regular) {
    const std::optional<std::uint32_t> index = offsets(event, shape);
    if (!index) return false;
    stride = static_cast<std::int32_t>(*index);
  }
  const std::uint32_t first_value = keeps_hashes_ ? hashes_.size() : rows_.size();
  if (event.is_store && !event.is_strong()) add_values(event, values);
  unsigned how = is_regular ? 0 : irregular;
  if (event.is_store) how |= store;
  if (event.is_atomic) how |= atomic;
  if (event.is_strong()) how |= strong;
  if (event.is_optimistic) how |= optimistic;
  if (event.is_strong() && event.scope == code::Scope::cta) how |= narrow;
  if (event.is_consecutive) how |= consecutive;
  if (made.is_marked) how |= marked;
  Entry& entry = entries_.add(memory_);
  entry = {shape.first,
           event.site,
           event.mask,
           stride,
           first_value,
           epoch(made.epoch, made.warp),
           static_cast<std::uint16_t>(made.warp),
           static_cast<std::uint8_t>(event.bytes),
           static_cast<std::uint8_t>(how)};
  return true;
}

/// Where the distances from the first lane are stored: those of addresses with the same layout, or
/// new ones. None where one does not fit.
std::optional<std::uint32_t> AccessLog::offsets(const AccessEvent& event,
                                                const AddressShape& shape) {
  PatternOffsets& recent = recent_[shape.pattern % recent_patterns];
  if (shape.pattern && recent.pattern == shape.pattern) return recent.index;
  const std::uint32_t end = offsets_.size();
  std::uint32_t index = 0;
  std::uint32_t* kept =
      offsets_.add(memory_, static_cast<unsigned>(std::popcount(event.mask)), index);
  std::uint32_t of_all[32];
  const bool are_all = event.mask == ~0u;
  if (!write_offsets(event.addresses, event.mask, shape.first, are_all ? kept : of_all)) {
    offsets_.cut(end);
    return std::nullopt;
  }
  if (!are_all) for_cells(event.mask, [&](unsigned lane) { *kept++ = of_all[lane]; });
  recent = {shape.pattern, index};
  return index;
}

void AccessLog::add_values(const AccessEvent& event, const StoredValues& values) {
  const unsigned words = (event.bytes + 3) / 4, each = std::min(4u, event.bytes);
  const bool are_words = event.mask == ~0u && event.bytes >= 4 && values.are_words(words);
  for (unsigned word = 0; word < words; ++word) {
    if (keeps_hashes_ && are_words) {
      write_hashes(values, values.words(word), hashes_.add(memory_).of);
      continue;
    }
    Row row{};
    for_cells(event.mask,
              [&](unsigned lane) { row.of[lane] = values.stored(lane, 4u * word, each); });
    if (keeps_hashes_)
      write_hashes(values, row.of, hashes_.add(memory_).of);
    else
      rows_.add(memory_) = row;
  }
}

/// The values that were stored, or their hashes.
/// @param words in: there is room for them. They have to be kept as long as what is returned.
StoredValues AccessLog::values(const Entry& entry, Row* words) const {
  StoredValues values;
  values.element_bytes = std::min<unsigned>(4, entry.bytes);
  values.are_hashes = keeps_hashes_;
  for (unsigned word = 0; word * 4 < entry.bytes; ++word) {
    if (keeps_hashes_)
      std::copy_n(hashes_[entry.values + word].of, 32, words[word].of);
    else
      words[word] = rows_[entry.values + word];
    values.data[word] = reinterpret_cast<const std::byte*>(words[word].of);
    values.register_bytes[word] = 4;
  }
  return values;
}

/// Mostly a warp has made its last access at the same epoch.
std::uint32_t AccessLog::epoch(const Epoch& epoch, unsigned warp) {
  if (warp >= latest_.size()) latest_.resize(warp + 1);
  std::uint32_t& latest = latest_[warp];
  if (latest) {
    const Epoch& last = epochs_[latest - 1];
    if (last == epoch) return latest - 1;
  }
  epochs_.push_back(epoch);
  latest = static_cast<std::uint32_t>(epochs_.size());
  return latest - 1;
}

void AccessLog::cut(Mark mark) {
  entries_.cut(mark.entry);
  offsets_.cut(mark.offset);
  rows_.cut(mark.row);
  hashes_.cut(mark.hashes);
  for (PatternOffsets& recent : recent_)
    if (recent.index >= mark.offset) recent = {};
  if (mark.entry != 0) return;
  epochs_.clear();
  std::fill(latest_.begin(), latest_.end(), 0);
}

void AccessLog::addresses(const Entry& entry, std::uint64_t (&of)[32]) const {
  if (!(entry.how & irregular)) {
    const auto stride = static_cast<std::uint64_t>(std::int64_t{entry.stride});
    const std::uint64_t lane0 =
        entry.base - stride * static_cast<unsigned>(std::countr_zero(entry.mask));
    for (unsigned lane = 0; lane < 32; ++lane) of[lane] = lane0 + stride * lane;
    return;
  }
  const std::uint32_t* offsets = offsets_.at(static_cast<std::uint32_t>(entry.stride));
  const auto at = [&](std::uint32_t offset) {
    return entry.base + static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(offset)});
  };
  if (entry.mask == ~0u) {
    for (unsigned lane = 0; lane < 32; ++lane) of[lane] = at(offsets[lane]);
  } else {
    std::fill(of, of + 32, entry.base);
    for_cells(entry.mask, [&](unsigned lane) { of[lane] = at(*offsets++); });
  }
}

}  // namespace warpwise::watch
