#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simulator/machine/copies/arrived_copies.h"
#include "simulator/machine/copies/bulk_targets.h"
#include "simulator/machine/copies/copies_in_flight.h"
#include "simulator/machine/copies/proxies.h"
#include "simulator/machine/warp/warp.h"
#include "simulator/watch/report/diagnoses.h"
#include "simulator/watch/shared/meeting_updates.h"
#include "simulator/watch/shared/shared_watch.h"

namespace warpwise::machine {

struct Grid;
struct Block;

/// Four warps whose first is a multiple of four.
constexpr unsigned warpgroup_warps = 4, most_warpgroups = 8;

/// Blocks that start together and reach each other's shared memory.
struct Cluster {
  std::vector<Block*> blocks;  ///< by rank; null for one that has ended
};

/// A read of what nothing has written.
struct UndefinedSource {
  std::uint32_t instruction = 0, thread = 0;
  code::Space space = code::Space::global;
  std::uint64_t address = 0;
  std::uint32_t called_at = ~0u;  ///< as a Finding has it
  /// The value is a pointer to the shared memory of that block, of no use to another.
  std::uint64_t pointer_of = no_block;
  static constexpr std::uint64_t no_block = ~0ull;
};

/// The writer of a word that a texture or a surface may show.
struct TexelWriter {
  std::uint32_t instruction = 0, thread = 0, clock = 0;
};

/// A block that has started and not ended: its warps, its shared memory and the threads that wait.
/// Reused block after block.
struct Block {
  struct Barrier {
    std::uint32_t arrived = 0;     ///< threads; 0: none waits
    std::uint32_t expected = 0;    ///< 0: all that live
    std::uint32_t said_yes = 0;    ///< of those that arrived
    std::uint32_t asked = 0;       ///< of those that arrived: they bring a predicate
    std::uint32_t lanes[32] = {};  ///< that arrived, by warp
  };

  explicit Block(const Grid& grid);

  std::uint64_t index = 0;  ///< linear, in the grid
  std::vector<Warp> warps;
  std::vector<std::byte> shared;
  std::vector<std::byte>
      reserved;  ///< the bytes from reserved_tiles on, where the program uses them
  watch::SyncPoints reserved_points;          ///< there
  std::vector<std::uint8_t> shared_validity;  ///< a memory::Validity for each byte
  /// By shared address, or local_place: where that came from which is a copy of, or derived from,
  /// such values.
  std::unordered_map<std::uint64_t, UndefinedSource> derived_from;
  /// By word of global memory; only of programs that read textures or surfaces.
  std::unordered_map<std::uint64_t, TexelWriter> texels_written;
  /// By local_place: what made the value without content that is there, where that is not a read of
  /// memory.
  std::unordered_map<std::uint64_t, std::uint32_t> made_from_nothing;
  /// The place of a thread's local memory; no shared address is as large.
  static std::uint64_t local_place(unsigned thread, std::uint64_t address) {
    return std::uint64_t{thread + 1} << 32 | address;
  }
  std::optional<watch::HappensBefore> order;  ///< none: races are not checked
  std::optional<watch::SharedWatch> races;    ///< none also without shared memory
  /// None also where no update of shared memory is a loop.
  std::optional<watch::MeetingUpdates> updates;
  static constexpr unsigned named_barriers = 16;
  /// Those that programs name, then one of each warpgroup: its warps meet before their products.
  Barrier barriers[named_barriers + most_warpgroups];
  /// An mbarrier that has been initialised.
  struct MBarrierAt {
    /// A lane that did something there at a clock of its warp.
    struct Use {
      unsigned warp = 0, lane = 0;
      std::uint32_t clock = 0, site = 0;
    };
    std::uint32_t address = 0;
    /// Accesses that come before arrivals: of all so far, and of those in phases that have ended.
    watch::HappensBefore::Published arrived, ended;
    std::optional<Use> invalidated;  ///< until it is initialised again
  };
  std::vector<MBarrierAt> mbarriers;
  CopiesInFlight copies;  ///< from and to its shared memory
  ArrivedCopies arrived_copies;
  std::uint32_t readers = 0;  ///< warps that have loaded from its shared memory
  BulkTargets bulk_targets;
  OrdinaryWrites ordinary_writes;
  std::shared_ptr<Cluster> cluster;
  /// The finding where the block ends before the cluster has met again: another block has accessed
  /// its shared memory.
  std::optional<watch::Finding> reached;
  std::uint32_t live_threads = 0;
  std::uint64_t slept = 0;     ///< nanoseconds, by its warps together
  std::uint64_t awake_at = 0;  ///< of these, those before it did nothing else but wait
  std::uint64_t spent = 0;     ///< thread instructions
  std::uint64_t counted = 0;   ///< of these, added to the grid's
  /// When `spent` has come so far: looks at the budget, and at all that may be due.
  std::uint64_t budget_look = 0, next_look = 0;
};

/// Log2 of the bytes that races are looked for in: those of the narrowest access to the space, at
/// most 4.
unsigned cell_shift(const code::Program& program, code::Space space);

}  // namespace warpwise::machine
