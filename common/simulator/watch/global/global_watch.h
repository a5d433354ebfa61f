#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "simulator/watch/cells/access_log.h"
#include "simulator/watch/cells/cell_set.h"
#include "simulator/watch/global/global_races.h"
#include "simulator/watch/global/inter_block_races.h"
#include "simulator/watch/global/own_cells.h"
#include "simulator/watch/global/touched_pieces.h"
#include "simulator/watch/launches/kept_limit.h"
#include "simulator/watch/launches/seen_cells.h"
#include "simulator/watch/order/backoff.h"

namespace warpwise::watch {

/// Watches global memory for the blocks that a host thread runs, one after another.
///
/// Nearly all blocks of right programs need no more than a first look: each of their cells has an
/// owner, and no other block comes there. Their accesses are kept in a log. Where it is not as
/// simple as that, the log is replayed to the close checks: for a block where two of its threads
/// meet at once, and for all blocks after the last one where blocks meet.
class GlobalWatch {
 public:
  /// @param cell_shift as GlobalRaces has it. @param warps of a block.
  /// @param inter_block_races compares the blocks with each other; null: they are not compared.
  /// @param looks_first false: each access is looked at closely.
  /// @param small_log bytes of a log that is never too long. A longer one may take what the
  /// memory takes that was touched, shared among all host threads. Beyond that each access is
  /// looked at closely.
  GlobalWatch(unsigned cell_shift, unsigned warps, InterBlockRaces* inter_block_races,
              bool looks_first, std::size_t small_log, unsigned host_threads)
      : shift_(cell_shift),
        log_limit_(small_log, host_threads),
        inter_block_races_(inter_block_races),
        looks_first_(looks_first),
        is_close_(!looks_first),
        races_(cell_shift, inter_block_races != nullptr),
        own_(cell_shift),
        log_(cell_shift),
        nothing_known_(warps) {}

  /// Forgets what earlier blocks did, but for the comparison with others.
  void start_block();
  /// Lets what is known of scattered cells come from memory: some time before they are stored to.
  void ask_for(std::uint32_t mask, const std::uint64_t* addresses) const;
  /// Checks and records, as GlobalRaces does.
  /// @param shape of the event.
  std::optional<GlobalRaces::Race> access(HappensBefore& order, unsigned warp,
                                          const AccessEvent& event, const AddressShape& shape,
                                          const StoredValues& values);
  /// True where two of the block's threads may have met.
  bool looks_closely() const { return is_close_; }
  /// The block has ended, with all its threads.
  void finish_block(std::uint64_t block);

  /// After the last block: the comparison of blocks gets all that may matter then.
  /// @param all of a launch. @param everything to be known, even where no block met another.
  static void settle(const std::vector<GlobalWatch*>& all, bool everything);

 private:
  /// A block's part of the log.
  struct Part {
    std::uint64_t block;
    AccessLog::Mark pending, end;  ///< from where on marked accesses had no owners
  };

  bool look(const HappensBefore& order, unsigned warp, const AccessEvent& event,
            const AddressShape& shape, const StoredValues& values);
  bool may_wait(LineAccess::Kind kind, const AccessEvent& event, const AddressShape& shape,
                const TouchedPieces::Reach& reach);
  bool is_new(const AccessEvent& event);
  bool is_first_anywhere(const AccessEvent& event);
  void know_stores_by_block();
  template <class Visit>
  void for_pending_stores(Visit visit) const;
  /// By kind: pieces of accesses that wait.
  TouchedPieces& pending(LineAccess::Kind kind) {
    return kind == LineAccess::read    ? pending_reads_
           : kind == LineAccess::write ? pending_stores_
                                       : pending_strong_;
  }
  bool own(LineAccess::Kind kind, const AccessLog::Made& made, const AccessEvent& event,
           const AddressShape& shape);
  bool own_pending();
  AccessLog::Mark start_of_block() const {
    return parts_.empty() ? AccessLog::Mark{} : parts_.back().end;
  }
  void look_closely(HappensBefore& order);
  std::size_t touched_bytes() const;
  void see_pending(const Part& part, AccessLog::Which which);
  void replay_all();

  unsigned shift_;
  KeptLimit log_limit_;
  InterBlockRaces* inter_block_races_;
  bool looks_first_;
  bool is_close_;           ///< of this block: no first look
  bool needs_all_ = false;  ///< blocks met, or one was looked at closely
  Backoff backoff_{1u << 20};

  GlobalRaces races_;
  OwnCells own_;
  TouchedPieces owned_, stored_;  ///< by all that is not pending, and by stores of that
  /// Reads of memory that the block does not store to, scattered stores to cells that it has not
  /// touched, and scattered strong accesses to what it touches by such alone, wait for their
  /// owners: they are marked in the log, from there on.
  AccessLog::Mark pending_from_;
  TouchedPieces pending_reads_, pending_stores_, pending_strong_;
  /// Cells of the stores are in what blocks have touched, as long as no cell is stored to twice:
  /// then they are kept by themselves, until the block ends.
  bool are_stores_seen_ = true;
  CellSet pending_cells_;
  AccessLog log_;
  std::vector<Part> parts_;  ///< of blocks that have ended
  /// Pieces that were read while they were pending, and pieces that blocks stored to. Where they do
  /// not meet, the reads need not be looked at.
  TouchedPieces only_read_, stored_by_any_;
  /// The same of strong accesses: what else than those blocks did.
  TouchedPieces only_strong_, touched_else_;
  SeenCells seen_;
  HappensBefore nothing_known_;  ///< of the order of blocks that have ended
};

}  // namespace warpwise::watch
