#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "simulator/machine/access/access.h"
#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

/// Asynchronous copies: the bytes move at once, and are in flight until a thread has waited.
class AsyncCopies {
 public:
  struct Parts {
    Clusters& cluster;
    Bounds& bounds;
    Uninitialized& uninitialized;
    CopyChecks& copy_checks;
    OtherLaunches& other_launches;
    Races& races;
    Accesses& accesses;
  };
  AsyncCopies(RunnerState& here, const Parts& parts) : here_(here), parts_(parts) {}

  /// cp.async: a load into registers of its own, and a store of these.
  void copy_async(const code::Instruction& instruction, const code::Operation& operation,
                  std::uint32_t mask);
  /// cp.async.bulk and cp.reduce.async.bulk. Faults where an address or the size is not a multiple
  /// of 16 bytes.
  void copy_bulk(const code::Instruction& instruction, const code::Operation& operation,
                 std::uint32_t mask);
  /// st.async and red.async, after a store or an update that the instruction before has done.
  void store_async(const code::Instruction& instruction, const code::Operation& operation,
                   std::uint32_t mask);
  /// What the lanes have begun since the last time is a group, for which they may wait.
  void commit_copies(std::uint32_t mask);
  void commit_bulk(std::uint32_t mask);
  /// The lanes wait for copies that they have begun, or for all but some of the last groups.
  void wait_copies(const code::Operation& operation, std::uint32_t mask) {
    wait(operation, mask, CopiesInFlight::Of::copies);
  }
  void wait_bulk(const code::Operation& operation, std::uint32_t mask) {
    wait(operation, mask, CopiesInFlight::Of::bulk);
  }

  /// Bytes that one lane reads or writes.
  struct Reached {
    Block* owner;  ///< of shared memory, else null
    std::byte* bytes;
    std::uint8_t* valid;  ///< null: not known
  };
  /// Looks at an access of one lane, with all checks, and says where its bytes are.
  Reached reach(const code::Access& access, unsigned lane, std::uint64_t address);
  /// Reports a source in shared memory that was stored without a fence of the proxies since.
  /// @param source of a copy in bulk that a lane begins.
  void check_proxies(const Reached& source, unsigned lane, std::uint32_t bytes);
  /// The copy is in flight until a thread sees the end of the mbarrier's phase, which gets its
  /// bytes.
  /// @param pieces of shared memory, from the target on.
  void complete_copy(const code::Instruction& instruction, const code::Operation& operation,
                     CopiesInFlight::Copy copy, std::uint64_t target, std::uint64_t barrier,
                     std::span<const code::Piece> pieces);

 private:
  std::uint32_t lanes_that_copy_all(const code::Operation::Value& limit, unsigned bytes,
                                    std::uint32_t mask, std::uint32_t& asked);
  void copy_partly(const code::Access& from, const code::Operation& operation, std::uint32_t lanes);
  void copy_bulk_lane(const code::Instruction& instruction, const code::Operation& operation,
                      unsigned lane, std::uint64_t target, std::uint64_t barrier);
  void move_bulk(code::Access to, unsigned lane, std::uint64_t target, const Reached& source,
                 std::uint32_t bytes);
  void reduce_bulk(const code::Instruction& instruction, const code::Operation& operation,
                   unsigned lane, std::uint64_t target, std::span<const std::byte> source);
  // copies_ended.cpp
  void wait(const code::Operation& operation, std::uint32_t mask, CopiesInFlight::Of of);
  std::uint32_t groups_to_leave(const code::Operation& operation, std::uint32_t mask);
  void note_landed(const CopiesInFlight::Copy& copy, std::uint32_t lanes);

  RunnerState& here_;
  Parts parts_;
};

}  // namespace warpwise::machine
