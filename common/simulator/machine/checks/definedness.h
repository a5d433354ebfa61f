#pragma once
#include <cstdint>
#include <vector>

#include "simulator/code/program.h"

namespace warpwise::machine {

/// The use of a value, as the end of a sentence, and what follows from it.
struct Use {
  // Most uses are a sentence alone.
  constexpr Use(const char* sentence, bool leads_on = true, bool may_wait = false)
      : text(sentence), misleads(leads_on), waits(may_wait) {}
  const char* text;
  bool misleads;  ///< as an address or a decision: it may lead to other mistakes
  bool waits;     ///< it does harm only once what was made of the value is read
};
inline constexpr Use goes_into_result{"makes a result that is stored", false};
/// The same, in memory that only kernels and copies read.
inline constexpr Use goes_into_device_memory{goes_into_result.text, false, true};
inline constexpr Use part_of_address{"is part of an address"};

/// Which lanes of which registers hold a value that nothing defined, such as one shuffled out of a
/// lane that does not take part. Values may be carried about freely; it matters where they decide.
///
/// It also knows the registers that a product of a warpgroup may still be writing, which nothing
/// else may read.
///
/// A warp without such values, which is nearly every one, pays for none of this.
class UndefinedValues {
 public:
  static constexpr std::uint32_t no_origin = ~0u;

  bool any() const { return undefined_ > 0; }
  void clear();
  /// @param origin index of the instruction that made the value, for the report.
  /// @param computed lanes whose value is more than a copy of undefined memory: to store it in
  /// global memory is a use.
  void set(code::Slot slot, std::uint32_t lanes, std::uint32_t origin,
           std::uint32_t computed = ~0u);
  /// The lanes were written with defined values.
  void define(code::Slot slot, std::uint32_t lanes);
  std::uint32_t lanes(code::Slot slot) const;
  std::uint32_t computed(code::Slot slot) const;
  std::uint32_t origin(code::Slot slot) const;

  /// The register is a result of a product of a warpgroup that is in flight. Its value is there all
  /// the same, for later products; copies of it also go on.
  /// @param group number of the group of products, from 1, that has to be waited for.
  void set_in_flight(code::Slot slot, std::uint32_t group, std::uint32_t origin);
  /// The group whose result the register is; 0 where that is not so.
  std::uint32_t in_flight(code::Slot slot) const;
  std::uint32_t in_flight_from(code::Slot slot) const;
  /// All groups up to this one have ended.
  void land(std::uint32_t group);

  /// Applies an arithmetic instruction to its destinations; call before it is executed.
  /// @param registers of the warp, for choices and masks that decide.
  void propagate(const code::Instruction& instruction, std::uint32_t mask,
                 const std::byte* registers);

 private:
  struct Value {
    std::uint32_t lanes = 0, computed = 0, origin = no_origin;
    std::uint32_t group = 0, group_origin = no_origin;  ///< in flight
    bool matters() const { return lanes != 0 || group != 0; }
  };
  std::vector<Value> values_;  ///< by slot / slot_unit
  unsigned undefined_ = 0;     ///< how many of them matter
};

}  // namespace warpwise::machine
