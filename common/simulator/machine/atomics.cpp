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

/// Lanes update one after another, lowest first.
template <class T, class Update>
void each(std::uint32_t mask, const std::uint64_t* addresses, const std::byte* b,
          const std::byte* c, std::byte* result, unsigned result_bytes, Update update) {
  for_lanes(mask, [&](unsigned lane) {
    T old, first, second{};
    auto* at = reinterpret_cast<std::byte*>(addresses[lane]);
    std::memcpy(&old, at, sizeof old);
    std::memcpy(&first, b + lane * sizeof(T), sizeof first);
    if (c) std::memcpy(&second, c + lane * sizeof(T), sizeof second);
    T updated = update(old, first, second);
    std::memcpy(at, &updated, sizeof updated);
    if (result) std::memcpy(result + std::size_t{lane} * result_bytes, &old, sizeof old);
  });
}

}  // namespace

void Worker::atomic(const code::Instruction& instruction, const code::Access& access,
                    std::uint32_t mask, const std::uint64_t* addresses) {
  const std::byte* b = warp_->slot(instruction.s[0]);
  const std::byte* c = instruction.s[1] == code::no_slot ? nullptr : warp_->slot(instruction.s[1]);
  std::byte* result = access.data[0] == code::no_slot ? nullptr : warp_->slot(access.data[0]);
  auto integer = [&]<class T>(T) {
    each<T>(mask, addresses, b, c, result, access.register_bytes[0], [&](T old, T first, T second) {
      return integer_update(access.atomic, old, first, second);
    });
  };
  auto floating = [&]<class T>(T) {
    each<T>(mask, addresses, b, c, result, access.register_bytes[0],
            [&](T old, T first, T) { return float_update(access.atomic, old, first); });
  };
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

}  // namespace warpwise::machine
