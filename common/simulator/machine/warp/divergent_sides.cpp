#include "simulator/machine/warp/divergent_sides.h"

#include <algorithm>

#include "simulator/machine/warp/call_frame.h"
#include "simulator/machine/warp/group.h"

namespace warpwise::machine {
namespace {

bool are_of_one_parting(std::uint32_t a, std::uint32_t b) {
  return a != whole_warp && b != whole_warp && (a - 1) / 2 == (b - 1) / 2;
}

/// The stretch of these that the group is on, with calls that it is in; null: on none.
const code::Stretch* stretch_of(const Group& group, const CallFrame& of,
                                const std::vector<code::Stretch>& stretches) {
  const CallFrame* frame = group.frame;
  std::uint32_t pc = group.pc;
  for (; frame->depth > of.depth; frame = frame->caller) pc = frame->return_pc - 1;
  if (frame != &of) return nullptr;
  const auto found = std::find_if(
      stretches.begin(), stretches.end(),
      [&](const code::Stretch& stretch) { return pc >= stretch.first && pc < stretch.last; });
  return found == stretches.end() ? nullptr : &*found;
}

}  // namespace

std::uint32_t DivergentSides::part(std::uint32_t of, const CallFrame& frame,
                                   const code::Parting& parting, unsigned first) {
  partings_.push_back(
      {&frame, &parting, first, of, of == whole_warp ? 0 : parting_of(of).depth + 1});
  return static_cast<std::uint32_t>(2 * partings_.size() - 1);
}

void DivergentSides::go_back(std::uint32_t& a, std::uint32_t& b) const {
  while (a != b && a != whole_warp && b != whole_warp && !are_of_one_parting(a, b)) {
    std::uint32_t& deeper = parting_of(a).depth >= parting_of(b).depth ? a : b;
    deeper = parting_of(deeper).of;
  }
}

std::uint32_t DivergentSides::common(std::uint32_t a, std::uint32_t b) const {
  go_back(a, b);
  if (are_of_one_parting(a, b)) return a == b ? a : parting_of(a).of;
  return a == whole_warp ? a : b;
}

std::optional<DivergentSides::Standing> DivergentSides::stands_first(const Group& of_a,
                                                                     const Group& of_b) const {
  std::uint32_t a = of_a.side, b = of_b.side;
  go_back(a, b);
  if (a == b || !are_of_one_parting(a, b)) return std::nullopt;
  const Parting& parting = parting_of(a);
  const bool is_a_first = a < b;
  const auto stretch = [&](const Group& group, bool is_first) {
    return stretch_of(group, *parting.frame,
                      parting.code->sides[is_first ? parting.first : 1 - parting.first]);
  };
  const code::Stretch* own = stretch(of_a, is_a_first);
  if (!own || (!is_a_first && stretch(of_b, true))) return std::nullopt;
  return Standing{own, parting.frame};
}

}  // namespace warpwise::machine
