#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/machine/copies/mbarrier.h"
#include "simulator/machine/warp/lanes.h"
#include "simulator/machine/worker.h"

/// mbarriers: words in shared memory that count arrivals and bytes, phase after phase.
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

/// Lanes at one mbarrier after another; of these the lowest first.
void Worker::mbarrier(const code::Instruction& instruction, const code::Access& access,
                      std::uint32_t mask, const std::uint64_t* addresses) {
  while (mask) {
    const auto first = static_cast<unsigned>(std::countr_zero(mask));
    std::uint32_t same = 0;
    for_lanes(mask, [&](unsigned lane) {
      if (addresses[lane] == addresses[first]) same |= 1u << lane;
    });
    update_mbarrier(instruction, access, same, reinterpret_cast<std::byte*>(addresses[first]));
    mask &= ~same;
  }
}

void Worker::update_mbarrier(const code::Instruction& instruction, const code::Access& access,
                             std::uint32_t lanes, std::byte* at) {
  const AtomicOp op = access.atomic;
  const std::size_t argument_bytes = op == AtomicOp::mbarrier_test ? 8 : 4;
  Block::MBarrierAt& known = known_mbarrier(at, op, lanes);
  // Threads of other blocks have no clocks in a block's order.
  watch::HappensBefore* order = &owner() == block_ && block_->order ? &*block_->order : nullptr;
  if (order && access.order == code::Order::release)
    order->publish_at(known.arrived, warp_index_, lanes, lanes == warp_->live);
  code::Operation::Value result;
  result.slot = access.data[0];
  result.bytes = access.register_bytes[0];
  std::uint32_t have_seen_the_end = 0;
  for_lanes(lanes, [&](unsigned lane) {
    const std::uint64_t argument =
        register_value(warp_->slot(instruction.s[0]), lane, argument_bytes);
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    if (is_look(op)) {
      bool phase = op == AtomicOp::mbarrier_test ? MBarrier::from(argument).phase : argument & 1;
      bool has_ended = MBarrier::from(word).phase != phase;
      if (!has_ended && known.invalidated) unknown_mbarrier(known.address, lane);
      if (has_ended && owner().copies.any()) end_copies(known.address, phase);
      have_seen_the_end |= std::uint32_t{has_ended} << lane;
      return set_lane(result, lane, has_ended);
    }
    const std::uint64_t updated = op == AtomicOp::mbarrier_init
                                      ? initial_mbarrier(known, argument, lane)
                                      : updated_mbarrier(op, known.address, word, argument, lane);
    if (MBarrier::from(updated).phase != MBarrier::from(word).phase) known.ended = known.arrived;
    std::memcpy(at, &updated, sizeof updated);
    set_lane(result, lane, word);
    changes_ += updated != word || op == AtomicOp::mbarrier_init;
  });
  if (is_look(op) && have_seen_the_end != lanes) spin_waits_.give_way();
  if (order && have_seen_the_end && block_->arrived_copies.any())
    block_->arrived_copies.see(*order, known.address, warp_index_, have_seen_the_end);
  if (have_seen_the_end && known.invalidated) report_late_wait(access, known, have_seen_the_end);
  if (order && have_seen_the_end && access.order == code::Order::acquire)
    order->acquire_from(known.ended, warp_index_, have_seen_the_end,
                        have_seen_the_end == warp_->live);
  if (op == AtomicOp::mbarrier_invalidate) invalidate_mbarrier(access, known, lanes);
}

std::uint64_t Worker::initial_mbarrier(Block::MBarrierAt& known, std::uint64_t count,
                                       unsigned lane) {
  if (count == 0 || count > MBarrier::most_arrivals)
    bad_mbarrier("barrier-divergence", known.address, lane,
                 fmt::format("should take {} arrivals per phase: the number must be from 1 to {}.",
                             count, MBarrier::most_arrivals));
  known.arrived = known.ended = {};
  known.invalidated.reset();
  MBarrier barrier;
  barrier.pending = barrier.expected = static_cast<std::uint32_t>(count);
  return barrier.word();
}

/// @return the word after the update.
std::uint64_t Worker::updated_mbarrier(AtomicOp op, std::uint32_t address, std::uint64_t word,
                                       std::uint64_t argument, unsigned lane) {
  MBarrier barrier = MBarrier::from(word);
  std::uint64_t arrivals = 0;
  std::int64_t bytes = 0;
  switch (op) {
    case AtomicOp::mbarrier_invalidate:
      return word;
    case AtomicOp::mbarrier_hold_for_copies:
      // The phase gets one more arrival, and that comes with the end of the copies.
      owner().copies.bind(warp_index_, 1u << lane, address, barrier.phase);
      return word;
    case AtomicOp::mbarrier_arrive_with_copies:
      owner().copies.bind(warp_index_, 1u << lane, address, barrier.phase);
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
    bad_mbarrier("barrier-divergence", address, lane,
                 fmt::format("would wait for {} bytes: the most is {}. The bytes that copies "
                             "bring must be those that expect_tx announces.",
                             bytes, MBarrier::most_bytes));
  const bool is_arrival = op != AtomicOp::mbarrier_expect && op != AtomicOp::mbarrier_complete;
  if (is_arrival && (arrivals == 0 || arrivals > barrier.pending))
    bad_mbarrier("barrier-divergence", address, lane,
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
Block::MBarrierAt& Worker::known_mbarrier(const std::byte* at, AtomicOp op, std::uint32_t lanes) {
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  const auto offset = static_cast<std::uint64_t>(at - owner().shared.data());
  if (offset >= grid_.shared_bytes)
    fault(finding("out-of-bounds",
                  fmt::format("thread {} uses an mbarrier that is not in shared memory. "
                              "Declare it __shared__.",
                              thread_text(warp_index_ * 32 + lane)),
                  lane));
  const auto address = static_cast<std::uint32_t>(code::shared_base + offset);
  std::vector<Block::MBarrierAt>& known = owner().mbarriers;
  auto found = std::find_if(known.begin(), known.end(), [&](const Block::MBarrierAt& mbarrier) {
    return mbarrier.address == address;
  });
  if (op == AtomicOp::mbarrier_init && found == known.end())
    known.emplace_back().address = address;
  else if (found == known.end())
    unknown_mbarrier(address, lane);
  else if (found->invalidated && op != AtomicOp::mbarrier_init &&
           !(is_look(op) && lanes_beside_end(*found, lanes)))
    unknown_mbarrier(address, lane);
  else
    return *found;
  return known.back();
}

void Worker::unknown_mbarrier(std::uint32_t address, unsigned lane) {
  bad_mbarrier("uninitialized", address, lane,
               "has not been initialised, or no longer is. One thread must call init() first, and "
               "all must wait for it at a __syncthreads().");
}

void Worker::bad_mbarrier(const char* kind, std::uint32_t address, unsigned lane,
                          const std::string& rest) {
  fault(finding(kind,
                fmt::format("thread {}: the mbarrier at {} {}",
                            thread_text(warp_index_ * 32 + lane), shared_text(address), rest),
                lane));
}

void Worker::pending_count(const code::Operation& operation, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    set_lane(operation.d, lane, MBarrier::from(lane_value(operation.s[0], lane)).pending);
  });
}

/// Names what a group waits for when it looks at an mbarrier again and again; "" where it does not.
std::string Worker::missing_arrivals(const Group& group) const {
  const code::Instruction& instruction = program_.code[group.looked_pc];
  if (instruction.op != code::Op::atomic) return {};
  const code::Access& access = program_.accesses[instruction.access];
  if (!is_look(access.atomic)) return {};
  std::uint64_t offset =
      static_cast<std::uint32_t>(group.looked_address) - std::uint64_t{code::shared_base};
  if (offset + 8 > grid_.shared_bytes) return {};
  std::uint64_t word;
  std::memcpy(&word, block_->shared.data() + offset, sizeof word);
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
      program_.places[instruction.place].is_library
          ? "Does every thread arrive that its initialisation counts, once per phase? With a "
            "cuda::pipeline, producer_commit() and consumer_release() do."
          : "Is the parity right, and does every thread arrive that its initialisation counts?";
  return begin +
         fmt::format(
             "{} of {} arrivals{} are missing, and no thread that still runs will bring them. {}",
             barrier.pending, barrier.expected,
             barrier.bytes ? fmt::format(" and {} bytes", barrier.bytes) : std::string(), advice);
}

}  // namespace warpwise::machine
