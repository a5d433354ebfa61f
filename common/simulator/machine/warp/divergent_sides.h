#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/code/program.h"

namespace warpwise::machine {

struct Group;
struct CallFrame;

/// On which sides of branches the lanes of a warp are that diverge, until they meet again. Which
/// side goes first changes no more than the order in which they print or update memory. The
/// hardware lets the one with fewer lanes go first, and of two equal ones the one that does not
/// take the branch: verification/programs/warps/order_of_sides.cu.
class DivergentSides {
 public:
  /// Lanes on the side `of` part.
  /// @param frame in which they do.
  /// @param first which of the two sides goes first.
  /// @return the number of that side; the next one is the other's.
  std::uint32_t part(std::uint32_t of, const CallFrame& frame, const code::Parting& parting,
                     unsigned first);

  /// The side of lanes that met.
  std::uint32_t common(std::uint32_t a, std::uint32_t b) const;

  /// Whether, where the two parted, `a` is still on its side, and `b` is where both may come to, or
  /// it is on the side that goes later.
  bool goes_first(const Group& a, const Group& b) const { return stands_first(a, b).has_value(); }

  /// Where a group is on its side of a branch.
  struct Standing {
    const code::Stretch* stretch;
    const CallFrame* frame;  ///< of the branch
  };
  /// @return of `a`; none if it does not go first.
  std::optional<Standing> stands_first(const Group& a, const Group& b) const;

  void forget() { partings_.clear(); }
  std::size_t size() const { return partings_.size(); }

 private:
  struct Parting {
    const CallFrame* frame;
    const code::Parting* code;
    unsigned first;
    std::uint32_t of;
    std::uint32_t depth;
  };
  const Parting& parting_of(std::uint32_t side) const { return partings_[(side - 1) / 2]; }
  /// Goes back from both to the parting that made them two, or to one that the other comes from.
  void go_back(std::uint32_t& a, std::uint32_t& b) const;

  std::vector<Parting> partings_;  ///< the sides of number k are 2k + 1 and 2k + 2
};

}  // namespace warpwise::machine
