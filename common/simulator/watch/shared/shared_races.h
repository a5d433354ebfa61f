#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/global/zeroed_memory.h"
#include "simulator/watch/order/epoch.h"
#include "simulator/watch/order/happens_before.h"

namespace warpwise::watch {

/// Finds conflicting accesses to a block's shared memory of which neither comes before the other.
///
/// The last weak write is remembered for each cell, and of all other accesses each warp's last, by
/// kind. Most of them come before a barrier of the whole block: that is one comparison of clocks.
class SharedRaces {
 public:
  /// A conflict: this access against an earlier one of another thread.
  struct Race {
    unsigned lane;  ///< of the later access
    std::uint64_t address;
    unsigned other_thread;  ///< linear index in the block
    bool other_is_store;
    std::uint32_t other_site;
  };
  /// Tells whether the lane stores what another lane of the same instruction stores, or (other =
  /// none) what the memory holds already: equal values do not race.
  static constexpr unsigned none = 32;
  class StoresSameValue {
   public:
    /// @param function lives longer than this.
    template <class Function>
    StoresSameValue(const Function& function)
        : function_(&function),
          call_([](const void* called, unsigned lane, unsigned other) -> bool {
            return (*static_cast<const Function*>(called))(lane, other);
          }) {}
    bool operator()(unsigned lane, unsigned other) const { return call_(function_, lane, other); }

   private:
    const void* function_;
    bool (*call_)(const void*, unsigned, unsigned);
  };

  /// @param cell_shift log2 of a cell's bytes: no access is narrower.
  /// @param order of the block's threads; lives longer.
  SharedRaces(HappensBefore& order, std::uint32_t base, std::uint32_t bytes, unsigned cell_shift);

  /// The next block starts; the order has started it already.
  void start_block() { sync_points_.clear(); }
  /// Checks and records. Call before a store changes the memory.
  std::optional<Race> access(unsigned warp, const AccessEvent& event, const StoresSameValue& same);
  /// Records an access that was made earlier and races with nothing. The order of other warps at
  /// that time is known only as far as all of them knew it: more may be remembered than is needed,
  /// which does no harm.
  void recall(unsigned warp, const AccessEvent& event, const Epoch& epoch);
  /// After a strong access was checked.
  void synchronize(unsigned warp, const AccessEvent& event) {
    if (event.is_strong()) order_.synchronize(warp, event, sync_points_);
  }

 private:
  /// Accesses that are remembered of each warp. The last weak write is enough: a thread that is
  /// ordered after it is ordered after all that came before it.
  enum Kind : std::uint8_t { weak_read, strong_read, strong_store };
  static constexpr unsigned kinds = 3;
  /// Kinds that an access of each kind is in conflict with, as bits; and those of a weak write.
  static constexpr unsigned conflicting[kinds] = {1u << strong_store, 0, 1u << weak_read};
  static constexpr unsigned conflicting_write =
      1u << weak_read | 1u << strong_read | 1u << strong_store;

  /// A warp's work on a cell by accesses of one kind between two synchronisations.
  struct Turn {
    std::uint32_t clock = 0;
    std::uint32_t lanes = 0, site = 0;              ///< by the first instruction
    std::uint32_t other_lanes = 0, other_site = 0;  ///< that others brought; the first of those
  };
  /// All accesses to a cell of one kind, since a weak write or an access of the kind that came
  /// after all of them.
  struct Since {
    std::uint32_t latest = 0;  ///< clock
    std::uint32_t warps = 0;   ///< whose turns count
  };
  struct Cell {
    std::uint32_t write_clock = 0;  ///< 0: never written
    std::uint32_t write_site = 0;
    std::uint32_t write_event = 0;
    std::uint16_t writer = 0;  ///< thread index
    bool has_older = false;    ///< turns in older_
    bool has_several = false;  ///< writers, in several_
    Since since[kinds];

    /// True where the last write, and accesses of the kinds, come before that clock.
    template <unsigned of_kinds>
    bool is_over(std::uint32_t clock) const {
      bool is = (write_clock <= clock) & !has_older;
      if constexpr ((of_kinds >> weak_read & 1) != 0) is &= since[weak_read].latest <= clock;
      if constexpr ((of_kinds >> strong_read & 1) != 0) is &= since[strong_read].latest <= clock;
      if constexpr ((of_kinds >> strong_store & 1) != 0) is &= since[strong_store].latest <= clock;
      return is;
    }
  };
  /// A turn that the warp's next one does not speak for: lanes have synchronised in part.
  struct OlderTurn : Turn {
    unsigned warp;
    Kind kind;
  };
  /// Lanes of an event that touch the same cell; of a store one lane at a time.
  struct Part {
    const AccessEvent& event;
    const StoresSameValue& same;
    std::uint32_t lanes;
    unsigned warp;
    std::uint32_t clock;         ///< of the warp
    std::uint32_t whole_sync;    ///< of the warp
    std::uint32_t floor;         ///< what any warp did up to this clock comes before
    const std::uint32_t* known;  ///< by warp: the latest clock that comes before this
    unsigned conflicting;        ///< kinds, as bits
    bool is_recalled;            ///< what it stores is not known
    bool stores_same(unsigned other) const;
    /// True where it is one thread's, and that thread's.
    bool is_by(unsigned thread) const { return thread / 32 == warp && lanes == 1u << thread % 32; }
    /// True where all that a warp did up to a clock comes before this.
    bool comes_after(unsigned other_warp, std::uint32_t other_clock) const {
      return other_clock <= floor ||
             other_clock <= (other_warp == warp ? whole_sync : known[other_warp]);
    }
  };

  Turn* turns(Kind kind, unsigned warp) const { return turns_[kind * warps_ + warp]; }
  Turn* make_turns(Kind kind, unsigned warp);
  std::optional<Race> access(unsigned warp, const AccessEvent& event, const StoresSameValue& same,
                             const Epoch& epoch, const std::uint32_t* known, bool is_recalled);
  template <class Visit>
  void for_cells(Part& part, Visit visit) const;
  template <Kind kind>
  void access_cells(Part& part, std::optional<Race>& found);
  template <Kind kind>
  void access_cell(std::uint32_t index, const Part& part, Turn* turns, std::optional<Race>& found);
  void write_cell(std::uint32_t index, const Part& part, std::optional<Race>& found);
  bool writes_with_others(const Cell& cell, const Part& part) const;
  std::uint32_t lanes_unordered_with_writer(const Cell& cell, const Part& part) const;
  bool stores_what_is_written(const Cell& cell, const Part& part) const;
  void add_writer(std::uint32_t index, const Part& part);
  void forget_turns(std::uint32_t index);
  void go_on(std::uint32_t index, const Part& part, Kind kind, Turn& turn);
  bool find_races(std::uint32_t index, const Part& part, std::optional<Race>& found);
  bool is_quiet(const Cell& cell, std::uint32_t index, const Part& part) const;
  bool are_quiet(Kind kind, std::uint32_t warps, std::uint32_t index, const Part& part) const;
  std::optional<Race> race_with_write(const Cell& cell, std::uint32_t index,
                                      const Part& part) const;
  std::optional<Race> race_with_turns(const Cell& cell, std::uint32_t index,
                                      const Part& part) const;
  void check_as_found(std::uint32_t index, const Part& part, std::optional<Race>& found) const;
  std::optional<Race> race_with(const Turn& turn, unsigned warp, Kind kind, const Part& part) const;
  void drop_older(std::uint32_t index, Kind kind);
  void keep_older(std::uint32_t index, const Part& part, Kind kind, const Turn& turn);

  HappensBefore& order_;
  SyncPoints sync_points_;
  std::uint32_t base_;
  unsigned shift_;  ///< log2 of a cell's bytes
  unsigned warps_;
  std::vector<Cell> cells_;
  ZeroedMemory memory_;
  std::vector<Turn*> turns_;  ///< by kind and warp, then by cell; null: none yet
  std::unordered_map<std::uint32_t, std::vector<OlderTurn>> older_;  ///< by cell
  /// By cell and warp: lanes that have all stored the same there, in no order. Each of them may
  /// read it.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> several_;
  std::uint32_t event_ = 0;  ///< number of the access being checked
  /// The last question about a writer, and its answer.
  struct WriterQuestion {
    std::uint32_t event = 0, lanes = 0;
    std::uint16_t writer = 0;
    std::uint32_t write_clock = 0;
    bool operator==(const WriterQuestion&) const = default;
  };
  mutable WriterQuestion last_question_;
  mutable std::uint32_t unordered_lanes_ = 0;
  /// The state that the first lane of a store has found in a cell, for lanes that store to the same
  /// one. Not kept of cells with older turns.
  struct AsFound {
    std::uint32_t index;
    Cell cell;
  };
  std::vector<AsFound> as_found_;
  std::vector<std::uint32_t> known_then_;  ///< by warp, when what is recalled was made
};

}  // namespace warpwise::watch
