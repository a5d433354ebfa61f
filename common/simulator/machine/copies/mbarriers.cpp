#include "simulator/machine/copies/mbarriers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/machine/copies/mbarrier.h"
#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

using code::AtomicOp;

bool is_look(AtomicOp op) {
  return op == AtomicOp::mbarrier_test || op == AtomicOp::mbarrier_test_parity;
}

std::uint64_t register_value(const std::byte* slot, unsigned lane, std::size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, slot + lane * bytes, bytes);
  return value;
}

}  // namespace

void Mbarriers::execute(const code::Instruction& instruction, const code::Access& access,
                        std::uint32_t mask, const std::uint64_t* addresses) {
  while (mask) {
    const auto first = static_cast<unsigned>(std::countr_zero(mask));
    std::uint32_t same = 0;
    for_lanes(mask, [&](unsigned lane) {
      if (addresses[lane] == addresses[first]) same |= 1u << lane;
    });
    update(instruction, access, same, reinterpret_cast<std::byte*>(addresses[first]));
    mask &= ~same;
  }
}

void Mbarriers::update(const code::Instruction& instruction, const code::Access& access,
                       std::uint32_t lanes, std::byte* at) {
  const AtomicOp op = access.atomic;
  const std::size_t argument_bytes = op == AtomicOp::mbarrier_test ? 8 : 4;
  Block::MBarrierAt& known = known_at(at, op, lanes);
  // Threads of other blocks have no clocks in a block's order.
  watch::HappensBefore* order =
      &here_.owner() == here_.block_ && here_.block_->order ? &*here_.block_->order : nullptr;
  if (order && access.order == code::Order::release)
    order->publish_at(known.arrived, here_.warp_index_, lanes, lanes == here_.warp_->live);
  code::Operation::Value result;
  result.slot = access.data[0];
  result.bytes = access.register_bytes[0];
  std::uint32_t have_seen_the_end = 0;
  for_lanes(lanes, [&](unsigned lane) {
    const std::uint64_t argument =
        register_value(here_.warp_->slot(instruction.s[0]), lane, argument_bytes);
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    if (is_look(op)) {
      bool phase = op == AtomicOp::mbarrier_test ? MBarrier::from(argument).phase : argument & 1;
      bool has_ended = MBarrier::from(word).phase != phase;
      if (!has_ended && known.invalidated) report_unknown(known.address, lane);
      if (has_ended && here_.owner().copies.any()) end_copies(known.address, phase);
      have_seen_the_end |= std::uint32_t{has_ended} << lane;
      return here_.set_lane(result, lane, has_ended);
    }
    const std::uint64_t updated = op == AtomicOp::mbarrier_init
                                      ? initial(known, argument, lane)
                                      : updated_word(op, known.address, word, argument, lane);
    if (MBarrier::from(updated).phase != MBarrier::from(word).phase) known.ended = known.arrived;
    std::memcpy(at, &updated, sizeof updated);
    here_.set_lane(result, lane, word);
    here_.changes_ += updated != word || op == AtomicOp::mbarrier_init;
  });
  if (is_look(op) && have_seen_the_end != lanes) spin_waits_.give_way();
  if (order && have_seen_the_end && here_.block_->arrived_copies.any())
    here_.block_->arrived_copies.see(*order, known.address, here_.warp_index_, have_seen_the_end);
  if (have_seen_the_end && known.invalidated) report_late_wait(access, known, have_seen_the_end);
  if (order && have_seen_the_end && access.order == code::Order::acquire)
    order->acquire_from(known.ended, here_.warp_index_, have_seen_the_end,
                        have_seen_the_end == here_.warp_->live);
  if (op == AtomicOp::mbarrier_invalidate) invalidate(access, known, lanes);
}

std::uint64_t Mbarriers::initial(Block::MBarrierAt& known, std::uint64_t count, unsigned lane) {
  if (count == 0 || count > MBarrier::most_arrivals)
    report_bad("barrier-divergence", known.address, lane,
               fmt::format("should take {} arrivals per phase: the number must be from 1 to {}.",
                           count, MBarrier::most_arrivals));
  known.arrived = known.ended = {};
  known.invalidated.reset();
  MBarrier barrier;
  barrier.pending = barrier.expected = static_cast<std::uint32_t>(count);
  return barrier.word();
}

/// @return the word after the update.
std::uint64_t Mbarriers::updated_word(AtomicOp op, std::uint32_t address, std::uint64_t word,
                                      std::uint64_t argument, unsigned lane) {
  MBarrier barrier = MBarrier::from(word);
  std::uint64_t arrivals = 0;
  std::int64_t bytes = 0;
  switch (op) {
    case AtomicOp::mbarrier_invalidate:
      return word;
    case AtomicOp::mbarrier_hold_for_copies:
      // The phase gets one more arrival, and that comes with the end of the copies.
      here_.owner().copies.bind(here_.warp_index_, 1u << lane, address, barrier.phase);
      return word;
    case AtomicOp::mbarrier_arrive_with_copies:
      here_.owner().copies.bind(here_.warp_index_, 1u << lane, address, barrier.phase);
      arrivals = 1;
      break;
    case AtomicOp::mbarrier_arrive:
    case AtomicOp::mbarrier_drop:
      arrivals = argument;
      break;
    case AtomicOp::mbarrier_arrive_expecting:
    case AtomicOp::mbarrier_drop_expecting:
      arrivals = 1;
      bytes = static_cast<std::int64_t>(argument);
      break;
    case AtomicOp::mbarrier_expect:
      bytes = static_cast<std::int64_t>(argument);
      break;
    default:
      bytes = -static_cast<std::int64_t>(argument);
  }
  bytes += barrier.bytes;
  if (std::abs(bytes) > MBarrier::most_bytes)
    report_bad("barrier-divergence", address, lane,
               fmt::format("would wait for {} bytes: the most is {}. The bytes that copies "
                           "bring must be those that expect_tx announces.",
                           bytes, MBarrier::most_bytes));
  const bool is_arrival = op != AtomicOp::mbarrier_expect && op != AtomicOp::mbarrier_complete;
  if (is_arrival && (arrivals == 0 || arrivals > barrier.pending))
    report_bad("barrier-divergence", address, lane,
               fmt::format("takes {} arrivals per phase, and this one waits for {} more: {} are "
                           "too many. Let as many threads arrive as its initialisation says.",
                           barrier.expected, barrier.pending, arrivals));
  barrier.bytes = static_cast<std::int32_t>(bytes);
  barrier.pending -= static_cast<std::uint32_t>(arrivals);
  if (op == AtomicOp::mbarrier_drop || op == AtomicOp::mbarrier_drop_expecting)
    barrier.expected -= static_cast<std::uint32_t>(arrivals);
  barrier.complete();
  return barrier.word();
}

/// Returns what is known of the mbarrier there; init makes it known.
Block::MBarrierAt& Mbarriers::known_at(const std::byte* at, AtomicOp op, std::uint32_t lanes) {
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  const auto offset = static_cast<std::uint64_t>(at - here_.owner().shared.data());
  if (offset >= here_.grid_.shared_bytes)
    here_.fault(
        here_.finding("out-of-bounds",
                      fmt::format("thread {} uses an mbarrier that is not in shared memory. "
                                  "Declare it __shared__.",
                                  here_.thread_text(here_.warp_index_ * 32 + lane)),
                      lane));
  const auto address = static_cast<std::uint32_t>(code::shared_base + offset);
  std::vector<Block::MBarrierAt>& known = here_.owner().mbarriers;
  auto found = std::find_if(known.begin(), known.end(), [&](const Block::MBarrierAt& mbarrier) {
    return mbarrier.address == address;
  });
  if (op == AtomicOp::mbarrier_init && found == known.end())
    known.emplace_back().address = address;
  else if (found == known.end())
    report_unknown(address, lane);
  else if (found->invalidated && op != AtomicOp::mbarrier_init &&
           !(is_look(op) && lanes_beside_end(*found, lanes)))
    report_unknown(address, lane);
  else
    return *found;
  return known.back();
}

void Mbarriers::report_unknown(std::uint32_t address, unsigned lane) {
  report_bad("uninitialized", address, lane,
             "has not been initialised, or no longer is. One thread must call init() first, and "
             "all must wait for it at a __syncthreads().");
}

void Mbarriers::report_bad(const char* kind, std::uint32_t address, unsigned lane,
                           const std::string& rest) {
  here_.fault(here_.finding(kind,
                            fmt::format("thread {}: the mbarrier at {} {}",
                                        here_.thread_text(here_.warp_index_ * 32 + lane),
                                        here_.shared_text(address), rest),
                            lane));
}

void Mbarriers::pending_count(const code::Operation& operation, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    here_.set_lane(operation.d, lane,
                   MBarrier::from(here_.lane_value(operation.s[0], lane)).pending);
  });
}

std::string Mbarriers::missing_arrivals(const Group& group) const {
  const code::Instruction& instruction = here_.program_.code[group.looked_pc];
  if (instruction.op != code::Op::atomic) return {};
  const code::Access& access = here_.program_.accesses[instruction.access];
  if (!is_look(access.atomic)) return {};
  std::uint64_t offset =
      static_cast<std::uint32_t>(group.looked_address) - std::uint64_t{code::shared_base};
  if (offset + 8 > here_.grid_.shared_bytes) return {};
  std::uint64_t word;
  std::memcpy(&word, here_.block_->shared.data() + offset, sizeof word);
  MBarrier barrier = MBarrier::from(word);
  const std::string begin = "this loop waits for an mbarrier whose phase cannot end: ";
  if (barrier.bytes < 0)
    return begin +
           fmt::format(
               "{} more bytes have arrived than were expected. Expect in each phase as many "
               "bytes as its copies bring (expect_tx).",
               -barrier.bytes);
  if (barrier.pending == 0)
    return begin + fmt::format(
                       "{} bytes are missing, and no copy in flight brings them. Expect in "
                       "each phase as many bytes as its copies bring (expect_tx).",
                       barrier.bytes);
  // A program that uses a class of the library has written no parity.
  const char* advice =
      here_.program_.places[instruction.place].is_library
          ? "Does every thread arrive that its initialisation counts, once per phase? With a "
            "cuda::pipeline, producer_commit() and consumer_release() do."
          : "Is the parity right, and does every thread arrive that its initialisation counts?";
  return begin +
         fmt::format(
             "{} of {} arrivals{} are missing, and no thread that still runs will bring them. {}",
             barrier.pending, barrier.expected,
             barrier.bytes ? fmt::format(" and {} bytes", barrier.bytes) : std::string(), advice);
}

/// Copies that end with a phase of the mbarrier have come, for the threads that have seen its end.
void Mbarriers::end_copies(std::uint32_t barrier, bool phase) {
  Block& memory = here_.owner();
  const bool has_order = &memory == here_.block_ && memory.order.has_value();
  memory.copies.phase_ended(barrier, phase,
                            [&](const CopiesInFlight::Copy& copy, std::uint32_t lanes) {
                              if (has_order && !copy.only_reads)
                                memory.arrived_copies.add(copy, lanes);
                            });
}

}  // namespace warpwise::machine
