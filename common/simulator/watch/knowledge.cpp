#include "simulator/watch/knowledge.h"

#include <algorithm>

namespace warpwise::watch {

std::uint32_t Knowledge::clock_of(std::uint64_t who) const {
  auto found =
      std::lower_bound(entries_.begin(), entries_.end(), who,
                       [](const Entry& entry, std::uint64_t wanted) { return entry.who < wanted; });
  return found != entries_.end() && found->who == who ? found->clock : 0;
}

bool Knowledge::covers(std::uint64_t warp, unsigned lane, std::uint32_t clock) const {
  return clock_of(key(warp, every_lane)) >= clock || clock_of(key(warp, lane)) >= clock;
}

void Knowledge::append(std::uint64_t warp, unsigned lane, std::uint32_t clock) {
  if (clock == 0) return;
  if (!entries_.empty() && entries_.back().who == key(warp, lane))
    entries_.back().clock = std::max(entries_.back().clock, clock);
  else
    entries_.push_back({key(warp, lane), clock});
}

Knowledge::Shared Knowledge::join(const Shared& a, const Shared& b) {
  if (!b || a == b) return a;
  if (!a) return b;
  auto joined = std::make_shared<Knowledge>();
  joined->entries_.reserve(a->entries_.size() + b->entries_.size());
  auto i = a->entries_.begin(), j = b->entries_.begin();
  std::uint64_t warp = ~0ull;     // of the last entry for all lanes
  std::uint32_t all = 0;          // and its clock
  bool is_a = true, is_b = true;  // nothing was added to it
  while (i != a->entries_.end() || j != b->entries_.end()) {
    bool from_a = j == b->entries_.end() || (i != a->entries_.end() && i->who <= j->who);
    bool from_b = i == a->entries_.end() || (j != b->entries_.end() && j->who <= i->who);
    Entry entry = from_a ? *i : *j;
    if (from_b) entry.clock = std::max(entry.clock, j->clock);
    is_a &= from_a && entry.clock == i->clock;
    is_b &= from_b && entry.clock == j->clock;
    i += from_a;
    j += from_b;
    if (entry.who % (every_lane + 1) == 0) {
      warp = entry.who / (every_lane + 1);
      all = entry.clock;
    } else if (entry.who / (every_lane + 1) == warp && entry.clock <= all) {
      continue;  // all lanes say as much
    }
    joined->entries_.push_back(entry);
  }
  return is_a ? a : is_b ? b : joined;
}

}  // namespace warpwise::watch
