#include <bit>
#include <cmath>

#include "simulator/machine/together/synchronize.h"
#include "simulator/machine/warp/lanes.h"

/// Functions by which lanes of a warp that have met learn each other's values: those of the mask,
/// which are at one instruction, of all that are present.
namespace warpwise::machine {
namespace {

using code::AtomicOp;

std::uint32_t combine(AtomicOp op, bool is_signed, std::uint32_t a, std::uint32_t b) {
  auto sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b);
  switch (op) {
    case AtomicOp::min:
      return is_signed ? static_cast<std::uint32_t>(std::min(sa, sb)) : std::min(a, b);
    case AtomicOp::max:
      return is_signed ? static_cast<std::uint32_t>(std::max(sa, sb)) : std::max(a, b);
    case AtomicOp::bit_and:
      return a & b;
    case AtomicOp::bit_or:
      return a | b;
    case AtomicOp::bit_xor:
      return a ^ b;
    default:
      return a + b;
  }
}

}  // namespace

void WarpMeetings::match(const code::Operation& operation, const std::uint32_t* masks,
                         std::uint32_t mask, std::uint32_t present) {
  std::uint64_t values[32] = {};
  for_lanes(present, [&](unsigned lane) { values[lane] = met_value(operation.s[0], lane); });
  for_lanes(mask, [&](unsigned lane) {
    std::uint32_t named = masks[lane] & present, same = 0;
    for_lanes(named, [&](unsigned other) {
      if (values[other] == values[lane]) same |= 1u << other;
    });
    if (operation.kind == isa::Kind::match_any) return here_.set_lane(operation.d, lane, same);
    here_.set_lane(operation.d, lane, same == named ? named : 0);
    here_.set_lane(operation.d2, lane, same == named);
  });
}

void WarpMeetings::reduce(const code::Operation& operation, const std::uint32_t* masks,
                          std::uint32_t mask, std::uint32_t present) {
  const bool is_signed = isa::is_signed(operation.type);
  std::uint32_t values[32] = {}, results[32] = {};
  for_lanes(present, [&](unsigned lane) {
    values[lane] = static_cast<std::uint32_t>(met_value(operation.s[0], lane));
  });
  for_lanes(mask, [&](unsigned lane) {
    std::uint32_t named = masks[lane] & present;
    results[lane] = values[std::countr_zero(named)];
    for_lanes(named & (named - 1), [&](unsigned other) {
      results[lane] = combine(operation.reduction, is_signed, results[lane], values[other]);
    });
  });
  for_lanes(mask, [&](unsigned lane) { here_.set_lane(operation.d, lane, results[lane]); });
}

void WarpMeetings::elect(const code::Operation& operation, const std::uint32_t* masks,
                         std::uint32_t mask, std::uint32_t present) {
  for_lanes(mask, [&](unsigned lane) {
    auto leader = static_cast<unsigned>(std::countr_zero(masks[lane] & present));
    here_.set_lane(operation.d, lane, leader);
    here_.set_lane(operation.d2, lane, leader == lane);
  });
}

}  // namespace warpwise::machine
