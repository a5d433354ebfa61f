#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include "simulator/machine/checks/bounds.h"
#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

/// Follows undefined values: from memory that nothing has written, from registers that were never
/// set and from lanes that take no part in a shuffle, to where they decide something.
class Uninitialized {
 public:
  Uninitialized(RunnerState& here, const Bounds& bounds) : here_(here), bounds_(bounds) {}

  // uninitialized.cpp
  /// An access is about to be made: loads take over what memory has of undefined values, stores
  /// leave it there.
  /// @param places of 32 lanes: the addresses, but for local memory, of which each thread has its
  /// own.
  void follow_validity(const code::Access& access, code::Space space, std::uint32_t mask,
                       const std::uint64_t* addresses, bool is_consecutive,
                       const std::uint64_t* places);
  /// Something reads global memory, of a tracked allocation. Values that a launch has made of
  /// undefined ones and stored there count as defined from now on: the launch is to blame.
  /// @return whether there were any.
  bool read_derived(std::uint64_t address, unsigned bytes);
  /// The memory in which such values were left, or found.
  const watch::DerivedValues& derived_values() const { return derived_; }
  /// A lane's value comes from an undefined place, which the source names with its instruction.
  void note_source(unsigned lane, const UndefinedSource& source);
  /// Shared memory that a lane copies in bulk, or adds to memory. The copied bytes are not looked
  /// at, so that a tile may be filled in part.
  /// @param address where the tile begins. @param valid of what is taken from it.
  void check_bulk_source(std::uint64_t address, std::span<const std::uint8_t> valid, unsigned lane,
                         bool updates);
  /// An argument of printf, which is in the lane's local memory.
  void check_printed(std::uint64_t argument, unsigned lane, unsigned bytes);

  // undefined_uses.cpp
  /// Reports undefined values of the lanes, which decide something: the instruction that made them
  /// is the one to fix.
  /// @param use of the value by the current instruction.
  void use_value(code::Slot slot, std::uint32_t mask, const Use& use = "decides what runs");
  /// The registers of an access: its address, and what an atomic gets.
  void check_uses(const code::Instruction& instruction, const code::Access& access,
                  std::uint32_t mask);
  /// An instruction other than a copy reads its registers: no product may still be writing them.
  void use_registers(const code::Instruction& instruction, std::uint32_t mask);
  /// A register is read: reports a product that may still be writing it.
  void report_in_flight(code::Slot slot, std::uint32_t mask);
  /// Keeps the report for the case that the value, which the lane got from an absent one, decides
  /// something.
  void note_absent(unsigned lane, unsigned source);
  /// Reports the shuffles from lanes that have returned whose values nothing has used.
  void note_left_lanes();
  /// True where undefined values are on their way into or out of functions.
  bool any_passed() const { return !passed_.empty(); }
  /// An access to a value that passes into or out of a function.
  void follow_passed(const code::Access& access, std::uint32_t mask);
  /// Values have been copied from the one place of the warp's stack to the other.
  void move_passed(std::uint32_t from, std::uint32_t to, std::uint32_t bytes, std::uint32_t lanes);
  void finish_block(std::uint64_t block);

 private:
  /// Undefined values that lanes last read by one instruction, and where they came from.
  struct UndefinedLoad {
    std::uint32_t lanes = 0;
    UndefinedSource sources[32];
  };
  /// Lanes that pass an undefined value to or from a function at some place of their stack.
  struct Passed {
    std::uint32_t lanes = 0, computed = 0, origin = UndefinedValues::no_origin;
  };
  /// By warp and place, of the block that runs.
  using PassedAt = std::tuple<std::uint64_t, unsigned, std::uint32_t>;  ///< block, warp, address

  std::uint32_t lanes_that_read_zero(const code::Access& access, std::uint32_t mask,
                                     const std::uint64_t* addresses) const;
  bool ask_host(const code::Access& access, std::uint32_t mask,
                const std::uint64_t* addresses) const;
  bool is_of_managed(const UndefinedSource& source) const;
  void read_undefined(const code::Access& access, unsigned element, code::Space space,
                      std::uint32_t lanes, std::uint32_t computed, const std::uint64_t* addresses);
  void store_validity(const code::Access& access, code::Space space, std::uint32_t mask,
                      const std::uint64_t* addresses, std::uint8_t* const* valid);
  static const UndefinedSource& source_of(const UndefinedLoad& load, unsigned lane);
  bool is_marked(const UndefinedLoad& load, std::uint64_t address) const;
  bool read_derived(std::uint32_t mask, const std::uint64_t* addresses, unsigned bytes);

  // uninitialized_report.cpp
  void note_copied(const code::Access& access, const UndefinedLoad& load, std::uint32_t lanes);
  bool is_in_library_kernel(const UndefinedSource& source) const;
  bool is_updated_in_line(std::uint32_t instruction) const;
  void report_uninitialized(const UndefinedLoad& load, std::uint32_t lanes, const Use& use,
                            watch::Severity severity = watch::Severity::error);

  // undefined_uses.cpp
  void report_shared_pointer(const UndefinedSource& source, std::uint32_t lanes);
  void report_unset(std::uint32_t reads, std::uint32_t lanes, const Use& use);

  RunnerState& here_;
  const Bounds& bounds_;
  /// By instruction: what to say when the undefined value that it made decides something.
  std::map<std::uint32_t, watch::Finding> findings_;
  /// By instruction: shuffles that read from a lane which has returned, as long as nothing has used
  /// what they got.
  std::map<std::uint32_t, watch::Finding> left_lanes_;
  std::set<std::uint32_t> used_shuffles_;  ///< those whose undefined values decided something
  std::map<std::uint32_t, UndefinedLoad> loads_;  ///< by instruction
  std::map<PassedAt, Passed> passed_;
  watch::DerivedValues derived_;
};

}  // namespace warpwise::machine
