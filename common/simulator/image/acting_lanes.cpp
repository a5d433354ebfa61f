#include "simulator/image/acting_lanes.h"

#include <optional>

#include "simulator/image/word.h"

// NVIDIA does not publish these encodings. They were read from the machine code of known kernels,
// like those in sass.cpp.

namespace warpwise::image {
namespace {

/// How far back an atomic's predicate is looked for, in instructions.
constexpr std::size_t most_steps = 2048;

/// An instruction's fields that matter here.
struct Fields : Word {
  unsigned destination() const { return low >> 16 & 0xff; }
  unsigned first() const { return low >> 24 & 0xff; }
  unsigned second() const { return low >> 32 & 0xff; }
  auto immediate() const { return static_cast<std::uint32_t>(low >> 32); }
  unsigned set_predicate() const { return high >> 17 & 7; }
  bool compares_for_equality() const { return (high >> 12 & 7) == 2; }
  unsigned special_register() const { return high >> 8 & 0xff; }
};

constexpr unsigned always = 7;  ///< a guard

// ISETP by the form of its second operand, and all of them.
constexpr unsigned compare_register = 0x20c, compare_immediate = 0x80c, compare_uniform = 0xc0c,
                   compare = 0x00c;
constexpr unsigned find_leading_one = 0x100, find_leading_one_uniform = 0x0bd;  // FLO, UFLO
constexpr unsigned read_special = 0x919, lane_number = 0;                       // S2R

/// Searches backwards from an instruction for the one that made its operand.
class Backwards {
 public:
  Backwards(std::span<const std::byte> code, std::size_t at) : code_(code), at_(at) {}

  Fields here() const { return {word_at(code_, at_)}; }

  /// The nearest earlier instruction that passes the test.
  template <class Test>
  std::optional<Backwards> find(Test test) const {
    Backwards to = *this;
    for (std::size_t step = 0; step < most_steps && to.at_ >= kInstructionBytes; ++step) {
      to.at_ -= kInstructionBytes;
      if (test(to.here())) return to;
    }
    return std::nullopt;
  }

  bool is_lane_number(unsigned id) const {
    return find([id](Fields word) {
             return word.opcode() == read_special && word.destination() == id &&
                    word.special_register() == lane_number;
           })
        .has_value();
  }

  bool is_leading_one(unsigned id, unsigned operation) const {
    return find([id, operation](Fields word) {
             return word.operation() == operation && word.destination() == id;
           })
        .has_value();
  }

 private:
  std::span<const std::byte> code_;
  std::size_t at_;
};

}  // namespace

ActingLanes acting_lanes(std::span<const std::byte> code, std::size_t at) {
  const Backwards atomic(code, at);
  const unsigned guard = atomic.here().guard();
  if (guard == always) return ActingLanes::all;
  const auto decision = atomic.find([guard](Fields word) {
    return word.operation() == compare && word.set_predicate() == guard;
  });
  if (!decision || !decision->here().compares_for_equality()) return ActingLanes::some;
  const Fields test = decision->here();
  const bool is_negated = atomic.here().is_guard_negated();
  const auto is_elected = [&](unsigned lane, unsigned leader, unsigned operation) {
    return !is_negated && decision->is_lane_number(lane) &&
           decision->is_leading_one(leader, operation);
  };
  switch (test.opcode()) {
    case compare_register:
      if (is_elected(test.first(), test.second(), find_leading_one) ||
          is_elected(test.second(), test.first(), find_leading_one))
        return ActingLanes::elected;
      break;
    case compare_uniform:
      if (is_elected(test.first(), test.second(), find_leading_one_uniform))
        return ActingLanes::elected;
      break;
    case compare_immediate:
      if (is_negated && test.immediate() == ~0u) return ActingLanes::all_of_partial_warp;
      if (!is_negated && test.immediate() == 31 && decision->is_lane_number(test.first()))
        return ActingLanes::last_of_whole_warp;
      break;
    default:
      break;
  }
  return ActingLanes::some;
}

}  // namespace warpwise::image
