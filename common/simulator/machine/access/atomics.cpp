#include "simulator/machine/access/atomics.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

using code::AtomicOp;

float canonical_nan(float, bool) { return std::bit_cast<float>(0x7fffffffu); }
/// The L2 cache has another than the multiprocessor, which adds where memory is shared.
double canonical_nan(double, bool in_cache) {
  return std::bit_cast<double>(in_cache ? 0x7fffffffffffffffull : 0xfff8000000000000ull);
}

/// Slots of the elements of a vector follow each other.
constexpr std::size_t slot_bytes(std::size_t lane_bytes) {
  return (32 * lane_bytes + code::slot_unit - 1) / code::slot_unit * code::slot_unit;
}

__extension__ using Wide = unsigned __int128;

template <class T>
T integer_update(AtomicOp op, T old, T b, T c) {
  switch (op) {
    case AtomicOp::add:
      return static_cast<T>(old + b);
    case AtomicOp::min:
      return old < b ? old : b;
    case AtomicOp::max:
      return old > b ? old : b;
    case AtomicOp::bit_and:
      return old & b;
    case AtomicOp::bit_or:
      return old | b;
    case AtomicOp::bit_xor:
      return old ^ b;
    case AtomicOp::exchange:
      return b;
    case AtomicOp::compare_and_swap:
      return old == b ? c : old;
    case AtomicOp::increment:
      return old >= b ? T(0) : static_cast<T>(old + 1);
    case AtomicOp::decrement:
      return old == 0 || old > b ? b : static_cast<T>(old - 1);
    default:
      return old;
  }
}

/// Atomics of f32 in global memory, which the L2 cache executes, know no subnormal numbers; those
/// in shared memory do, and sums of tensors of f32.
template <class T>
T float_update(AtomicOp op, bool in_cache, bool keeps_subnormals, T old, T b) {
  if (op != AtomicOp::add) return b;
  const bool flushes = in_cache && sizeof(T) == 4 && !keeps_subnormals;
  auto flushed = [&](T value) {
    return flushes && std::fabs(value) < std::numeric_limits<T>::min() ? std::copysign(T(0), value)
                                                                       : value;
  };
  T sum = flushed(flushed(old) + flushed(b));
  return std::isnan(sum) ? canonical_nan(T{}, in_cache) : sum;
}

/// For 16-bit floats, one or a pair: as the arithmetic instruction does it, in its first lane.
template <class T>
T half_update(isa::LaneFunction function, T old, T b) {
  alignas(64) T olds[32] = {old}, bs[32] = {b}, sums[32];
  isa::Operands operands;
  operands.d = sums;
  operands.s[0] = olds;
  operands.s[1] = bs;
  function(operands);
  return sums[0];
}

/// Calls integer(T{}) or floating(T{}) with the type that the instruction works on.
template <class Integer, class Floating>
void by_type(const code::Access& access, Integer integer, Floating floating) {
  switch (access.type) {
    case isa::Type::s32:
      return integer(std::int32_t{});
    case isa::Type::s64:
      return integer(std::int64_t{});
    case isa::Type::f32:
      return floating(float{});
    case isa::Type::f64:
      return floating(double{});
    default:
      return access.element_bytes == 16  ? integer(Wide{})
             : access.element_bytes == 8 ? integer(std::uint64_t{})
             : access.element_bytes == 2 ? integer(std::uint16_t{})
                                         : integer(std::uint32_t{});
  }
}

/// Lanes update one after another, lowest first.
template <class T, class Update>
void each(std::uint32_t mask, const std::uint64_t* addresses, const std::byte* b,
          const std::byte* c, std::byte* result, unsigned result_bytes, bool& changed,
          Update update) {
  for_lanes(mask, [&](unsigned lane) {
    T old, first, second{};
    auto* at = reinterpret_cast<std::byte*>(addresses[lane]);
    std::memcpy(&old, at, sizeof old);
    std::memcpy(&first, b + lane * sizeof(T), sizeof first);
    if (c) std::memcpy(&second, c + lane * sizeof(T), sizeof second);
    T updated = update(old, first, second);
    changed |= std::memcmp(&old, &updated, sizeof old) != 0;
    std::memcpy(at, &updated, sizeof updated);
    if (result) std::memcpy(result + std::size_t{lane} * result_bytes, &old, sizeof old);
  });
}

/// Lanes update while other host threads may update the same: only for results that are never read.
/// Where the value stays as it is, no processor has to wait until it owns the word.
template <class T, class Update>
void each_shared(std::uint32_t mask, const std::uint64_t* addresses, const std::byte* b,
                 Update update) {
  for_lanes(mask, [&](unsigned lane) {
    T value;
    std::memcpy(&value, b + lane * sizeof(T), sizeof value);
    std::atomic_ref<T> at(*reinterpret_cast<T*>(addresses[lane]));
    T old = at.load(std::memory_order_relaxed), updated = update(old, value, T{});
    while (updated != old && !at.compare_exchange_weak(old, updated, std::memory_order_relaxed))
      updated = update(old, value, T{});
  });
}

}  // namespace

/// True where no thread has to see at once what the access, to global memory, adds.
bool Atomics::may_wait(const code::Access& access) const {
  const memory::Allocation* const of = here_.cached_[access.site];
  return here_.grid_.runners > 1 && access.is_atomic && access.atomic == AtomicOp::add &&
         access.order == code::Order::relaxed && access.data[0] == code::no_slot &&
         (access.type == isa::Type::u32 || access.type == isa::Type::s32 ||
          access.type == isa::Type::u64) &&
         !here_.several_allocations_ && !memory::is_host_memory(of->kind) &&
         !memory::is_shared_with_host(of->kind);
}

void Atomics::write_deferred(const code::Access& access) {
  const bool is_same = here_.cached_[access.site] == here_.deferred_adds_.of();
  if (here_.several_allocations_ || is_same != may_wait(access)) here_.deferred_adds_.write();
}

void Atomics::execute(const code::Instruction& instruction, const code::Access& access,
                      code::Space space, std::uint32_t mask, const std::uint64_t* addresses,
                      std::uint64_t host) {
  alignas(64) std::uint64_t element[32];
  for (unsigned lane = 0; lane < 32; ++lane) element[lane] = addresses[lane] + host;
  if (code::is_of_mbarrier(access.atomic))
    return mbarriers_.execute(instruction, access, mask, element);
  for (unsigned e = 0; e < access.elements; ++e) {
    update_element(instruction, access, space, e, mask, element);
    for (std::uint64_t& address : element) address += access.element_bytes;
  }
}

void Atomics::update_element(const code::Instruction& instruction, const code::Access& access,
                             code::Space space, unsigned e, std::uint32_t mask,
                             const std::uint64_t* addresses) {
  const std::byte* b = here_.warp_->slot(instruction.s[0]) + e * slot_bytes(access.element_bytes);
  const std::byte* c =
      instruction.s[1] == code::no_slot ? nullptr : here_.warp_->slot(instruction.s[1]);
  std::byte* result = access.data[e] == code::no_slot ? nullptr : here_.warp_->slot(access.data[e]);
  const bool in_cache = space == code::Space::global;
  bool changed = false;
  auto integer = [&]<class T>(T) {
    auto update = [&](T old, T first, T second) {
      return integer_update(access.atomic, old, first, second);
    };
    if constexpr (sizeof(T) == 4 || sizeof(T) == 8)
      if (space == code::Space::global && may_wait(access))
        return for_lanes(mask, [&](unsigned lane) {
          T value;
          std::memcpy(&value, b + lane * sizeof(T), sizeof value);
          here_.deferred_adds_.add(here_.cached_[access.site],
                                   reinterpret_cast<std::byte*>(addresses[lane]), value);
        });
    if constexpr (sizeof(T) <= 8)
      if (here_.grid_.runners > 1 && space == code::Space::global && !result)
        return each_shared<T>(mask, addresses, b, update);
    each<T>(mask, addresses, b, c, result, access.register_bytes[e], changed, update);
  };
  auto floating = [&]<class T>(T) {
    each<T>(mask, addresses, b, c, result, access.register_bytes[e], changed,
            [&](T old, T first, T) {
              return float_update(access.atomic, in_cache, access.keeps_subnormals, old, first);
            });
  };
  auto halves = [&]<class T>(T) {
    each<T>(mask, addresses, b, c, result, access.register_bytes[e], changed,
            [&](T old, T first, T) { return half_update(instruction.function, old, first); });
  };
  if (instruction.function)
    access.element_bytes == 2 ? halves(std::uint16_t{}) : halves(std::uint32_t{});
  else
    by_type(access, integer, floating);
  here_.note_changes(space, changed);
}

std::uint32_t Atomics::lanes_that_change_nothing(const code::Access& access, std::uint32_t mask,
                                                 const std::uint64_t* addresses,
                                                 std::uint64_t distance) const {
  using enum AtomicOp;
  const AtomicOp op = access.atomic;
  const bool is_swap = op == compare_and_swap;
  const bool adds = op == add || op == bit_or || op == bit_xor;
  const bool is_float = access.type == isa::Type::f32 || access.type == isa::Type::f64;
  if (access.elements != 1 || is_float || here_.current_->function) return 0;
  const std::byte *first = here_.warp_->slot(here_.current_->s[0]),
                  *second = is_swap ? here_.warp_->slot(here_.current_->s[1]) : nullptr;
  const std::byte nothing[16] = {};
  const std::size_t bytes = access.element_bytes;
  std::uint32_t lanes = 0;
  if (adds || is_swap)
    for_lanes(mask, [&](unsigned lane) {
      const std::byte* same = second ? second + lane * bytes : nothing;
      if (std::memcmp(first + lane * bytes, same, bytes) == 0) lanes |= 1u << lane;
    });
  const bool may_miss = is_swap || op == bit_or || op == bit_and || op == min || op == max;
  if (!may_miss || distance == 0) return lanes;
  auto look = [&]<class T>(T) {
    for_lanes(mask & ~lanes, [&](unsigned lane) {
      T old, b, c{};
      std::memcpy(&old, reinterpret_cast<const std::byte*>(addresses[lane] + distance), sizeof old);
      std::memcpy(&b, first + lane * sizeof b, sizeof b);
      if (second) std::memcpy(&c, second + lane * sizeof c, sizeof c);
      if (integer_update(op, old, b, c) == old) lanes |= 1u << lane;
    });
  };
  by_type(access, look, [](auto) {});
  return lanes;
}

}  // namespace warpwise::machine
