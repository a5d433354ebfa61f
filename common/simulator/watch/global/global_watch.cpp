#include "simulator/watch/global/global_watch.h"

#include "simulator/watch/cells/lane_runs.h"

namespace warpwise::watch {
namespace {

Epoch of_block(std::uint64_t block, Epoch epoch) {
  epoch.block = block;
  return epoch;
}

}  // namespace

void GlobalWatch::start_block() {
  races_.start_block();
  if (!looks_first_) return;
  is_close_ = backoff_.start();
  if (is_close_) return;
  own_.start_block();
  owned_.clear();
  stored_.clear();
  pending_reads_.clear();
  pending_stores_.clear();
  pending_strong_.clear();
  pending_cells_.clear();
  log_.cut(start_of_block());  // of a block that did not come to its end
  pending_from_ = log_.end();
}

void GlobalWatch::ask_for(std::uint32_t mask, const std::uint64_t* addresses) const {
  if (is_close_) return;
  for_cells(mask, [&](unsigned lane) {
    const std::uint64_t line = (addresses[lane] >> shift_) / cells_per_line;
    if (are_stores_seen_)
      seen_.ask_for_stored(line);
    else
      pending_cells_.ask_for(line);
  });
}

std::optional<GlobalRaces::Race> GlobalWatch::access(HappensBefore& order, unsigned warp,
                                                     const AccessEvent& event,
                                                     const AddressShape& shape,
                                                     const StoredValues& values) {
  if (!is_close_) {
    if (look(order, warp, event, shape, values)) return std::nullopt;
    look_closely(order);
  }
  return races_.access(order, warp, event, shape, values);
}

/// @return false where the access may race with another of the block.
bool GlobalWatch::look(const HappensBefore& order, unsigned warp, const AccessEvent& event,
                       const AddressShape& shape, const StoredValues& values) {
  // A block alone may fill the log.
  if (event.bytes > AccessLog::most_bytes || log_.bytes() > 2 * log_limit_.most()) return false;
  const LineAccess::Kind kind = kind_of(event);
  const TouchedPieces::Reach reach(event, shape);
  AccessLog::Made made{Epoch::now(order, warp), warp, false};
  made.epoch.block = 0;  // the log's parts know it: epochs of most blocks are the same
  made.is_marked = may_wait(kind, event, shape, reach);
  if (made.is_marked) {
    pending(kind).add(reach);
    return log_.add(made, event, shape, values);
  }
  if (event.is_non_coherent) return false;  // a race, even if something orders it after the store
  const bool meets_pending = pending_stores_.meets(reach) || pending_strong_.meets(reach) ||
                             (kind != LineAccess::read && pending_reads_.meets(reach));
  if (meets_pending && !own_pending()) return false;
  return own(kind, made, event, shape) && log_.add(made, event, shape, values);
}

/// True where the access races with none of the block, and its cells need no owners as long as
/// nothing else touches its pieces.
bool GlobalWatch::may_wait(LineAccess::Kind kind, const AccessEvent& event,
                           const AddressShape& shape, const TouchedPieces::Reach& reach) {
  if (kind == LineAccess::read)
    return !stored_.meets(reach) && !pending_stores_.meets(reach) && !pending_strong_.meets(reach);
  if (!own_.is_scattered(event, shape) || owned_.meets(reach) || pending_reads_.meets(reach))
    return false;
  if (kind == LineAccess::strong) return !pending_stores_.meets(reach);
  return !pending_strong_.meets(reach) && is_new(event);
}

/// True where no store that is pending, and no two lanes of this, touch one of its cells.
bool GlobalWatch::is_new(const AccessEvent& event) {
  if (are_stores_seen_) {
    if (is_first_anywhere(event)) return true;
    know_stores_by_block();
  }
  std::uint32_t known = 0;
  for_lane_runs(event, shift_,
                [&](const LaneRun& run) { known |= pending_cells_.add(run.line, run.cells()); });
  return known == 0;
}

/// Adds the cells of a store to those that blocks have touched.
/// @return false where anyone has touched some, in conflict with it: then none are added.
bool GlobalWatch::is_first_anywhere(const AccessEvent& event) {
  bool meets = false;
  std::uint32_t added[most_lane_runs];
  unsigned runs = 0;
  for_lane_runs(event, shift_, [&](const LaneRun& run) {
    added[runs++] = seen_.add_stored(run.line, run.cells(), meets);
  });
  if (!meets) return true;
  runs = 0;
  for_lane_runs(event, shift_,
                [&](const LaneRun& run) { seen_.take_back_stored(run.line, added[runs++]); });
  return false;
}

/// From here on cells of pending stores are kept block by block: what all blocks have touched does
/// not show that one block touches a cell twice.
void GlobalWatch::know_stores_by_block() {
  for_pending_stores([&](std::uint64_t line, std::uint32_t cells) {
    seen_.take_back_stored(line, cells);
    pending_cells_.add(line, cells);
  });
  are_stores_seen_ = false;
}

/// Calls visit(line, cells) for the block's stores that are pending.
template <class Visit>
void GlobalWatch::for_pending_stores(Visit visit) const {
  if (!pending_stores_.any()) return;
  log_.for_all(pending_from_, log_.end(), AccessLog::Which::marked,
               [&](const AccessLog::Made&, const AccessEvent& event, const StoredValues&) {
                 if (kind_of(event) != LineAccess::write) return;
                 for_lane_runs(event, shift_,
                               [&](const LaneRun& run) { visit(run.line, run.cells()); });
               });
}

/// The cells of an access get their owners.
/// @return false where it may race with another.
bool GlobalWatch::own(LineAccess::Kind kind, const AccessLog::Made& made, const AccessEvent& event,
                      const AddressShape& shape) {
  const TouchedPieces::Reach reach(event, shape);
  owned_.add(reach);
  if (kind != LineAccess::read) stored_.add(reach);
  return own_.add(kind, made.epoch, made.warp, event, shape);
}

/// Cells of pending accesses get their owners.
/// @return false where one may race with another access.
bool GlobalWatch::own_pending() {
  if (are_stores_seen_)
    for_pending_stores(
        [&](std::uint64_t line, std::uint32_t cells) { seen_.take_back_stored(line, cells); });
  bool holds = true;
  log_.for_all(pending_from_, log_.end(), AccessLog::Which::marked,
               [&](const AccessLog::Made& made, const AccessEvent& event, const StoredValues&) {
                 holds &= own(kind_of(event), made, event, AddressShape(event));
               });
  pending_from_ = log_.end();
  pending_reads_.clear();
  pending_stores_.clear();
  pending_strong_.clear();
  pending_cells_.clear();
  return holds;
}

/// Replays the block's part of the log to the close checks, and lets them go on.
void GlobalWatch::look_closely(HappensBefore& order) {
  is_close_ = true;
  const AccessLog::Mark start = start_of_block();
  log_.for_all(
      start, log_.end(), AccessLog::Which::all,
      [&](const AccessLog::Made& made, const AccessEvent& event, const StoredValues& values) {
        races_.recall(order, made.warp, event, values, of_block(order.block(), made.epoch));
      });
  log_.cut(start);
  backoff_.add();
}

void GlobalWatch::finish_block(std::uint64_t block) {
  if (!inter_block_races_) return;
  if (is_close_) {
    needs_all_ = true;
    return inter_block_races_->add(block, races_);
  }
  const Part part{block, pending_from_, log_.end()};
  // Stores that were seen at once met no others, and are not among these.
  pending_cells_.for_lines([&](std::uint64_t line, std::uint32_t cells) {
    needs_all_ |= seen_.add(line, LineAccess::write, cells);
  });
  only_read_.add(pending_reads_);
  only_strong_.add(pending_strong_);
  stored_by_any_.add(stored_);
  stored_by_any_.add(pending_stores_);
  stored_by_any_.add(pending_strong_);
  touched_else_.add(owned_);
  touched_else_.add(pending_reads_);
  touched_else_.add(pending_stores_);
  own_.for_lines([&](std::uint64_t line, const std::uint32_t* cells) {
    needs_all_ |= seen_.add(line, cells);
  });
  parts_.push_back(part);
  if (!log_limit_.is_passed(log_.bytes(), [&] { return touched_bytes(); })) return;
  replay_all();
  needs_all_ = is_close_ = true;
  looks_first_ = false;
}

/// Bytes touched by the blocks that have ended.
std::size_t GlobalWatch::touched_bytes() const {
  TouchedPieces all;
  for (const TouchedPieces* some : {&only_read_, &only_strong_, &stored_by_any_, &touched_else_})
    all.add(*some);
  return all.bytes();
}

/// Compares the cells of accesses that were pending when their block ended with what other blocks
/// did.
void GlobalWatch::see_pending(const Part& part, AccessLog::Which which) {
  log_.for_all(part.pending, part.end, which,
               [&](const AccessLog::Made&, const AccessEvent& event, const StoredValues&) {
                 const LineAccess::Kind kind = kind_of(event);
                 for_lane_runs(event, shift_, [&](const LaneRun& run) {
                   needs_all_ |= seen_.add(run.line, kind, run.cells());
                 });
               });
}

/// Replays the log to the comparison of blocks.
void GlobalWatch::replay_all() {
  AccessLog::Mark from;
  for (const Part& part : parts_) {
    races_.start_block();
    log_.for_all(
        from, part.end, AccessLog::Which::all,
        [&](const AccessLog::Made& made, const AccessEvent& event, const StoredValues& values) {
          races_.recall(nothing_known_, made.warp, event, values, of_block(part.block, made.epoch));
        });
    inter_block_races_->add(part.block, races_);
    from = part.end;
  }
  parts_.clear();
  log_.cut({});
}

void GlobalWatch::settle(const std::vector<GlobalWatch*>& all, bool everything) {
  TouchedPieces only_read, stored, only_strong, touched_else;
  for (const GlobalWatch* one : all) {
    only_read.add(one->only_read_);
    stored.add(one->stored_by_any_);
    only_strong.add(one->only_strong_);
    touched_else.add(one->touched_else_);
    everything |= one->needs_all_;
  }
  const bool reads_matter = only_read.meets(stored);
  const bool strong_matter = only_strong.meets(touched_else);
  for (GlobalWatch* one : all) {
    for (const Part& part : one->parts_) {
      if (reads_matter && !everything) one->see_pending(part, AccessLog::Which::marked_reads);
      if (strong_matter && !everything) one->see_pending(part, AccessLog::Which::marked_strong);
    }
    everything |= one->needs_all_;
  }
  for (std::size_t i = 1; i < all.size() && !everything; ++i)
    everything = all[0]->seen_.add(all[i]->seen_);
  for (GlobalWatch* one : all)
    if (everything) one->replay_all();
}

}  // namespace warpwise::watch
