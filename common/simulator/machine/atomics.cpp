#include <atomic>
#include <cstring>

#include "simulator/machine/lanes.h"
#include "simulator/machine/worker.h"

namespace warpwise::machine {
namespace {

using code::AtomicOp;

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
  }
  return old;
}

template <class T>
T float_update(AtomicOp op, T old, T b) {
  return op == AtomicOp::add ? old + b : b;
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
      return access.element_bytes == 8 ? integer(std::uint64_t{}) : integer(std::uint32_t{});
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

/// Lanes update while other host threads may update the same: only for results that nobody reads.
template <class T, class Update>
void each_shared(std::uint32_t mask, const std::uint64_t* addresses, const std::byte* b,
                 Update update) {
  for_lanes(mask, [&](unsigned lane) {
    T value;
    std::memcpy(&value, b + lane * sizeof(T), sizeof value);
    std::atomic_ref<T> at(*reinterpret_cast<T*>(addresses[lane]));
    T old = at.load(std::memory_order_relaxed);
    while (!at.compare_exchange_weak(old, update(old, value, T{}), std::memory_order_relaxed)) {
    }
  });
}

}  // namespace

void Worker::atomic(const code::Instruction& instruction, const code::Access& access,
                    std::uint32_t mask, const std::uint64_t* addresses) {
  const std::byte* b = warp_->slot(instruction.s[0]);
  const std::byte* c = instruction.s[1] == code::no_slot ? nullptr : warp_->slot(instruction.s[1]);
  std::byte* result = access.data[0] == code::no_slot ? nullptr : warp_->slot(access.data[0]);
  bool changed = false;
  auto integer = [&]<class T>(T) {
    auto update = [&](T old, T first, T second) {
      return integer_update(access.atomic, old, first, second);
    };
    if (grid_.workers > 1 && access.space != code::Space::shared && !result)
      return each_shared<T>(mask, addresses, b, update);
    each<T>(mask, addresses, b, c, result, access.register_bytes[0], changed, update);
  };
  auto floating = [&]<class T>(T) {
    each<T>(mask, addresses, b, c, result, access.register_bytes[0], changed,
            [&](T old, T first, T) { return float_update(access.atomic, old, first); });
  };
  by_type(access, integer, floating);
  changes_ += changed;
}

}  // namespace warpwise::machine
