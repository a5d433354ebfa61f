#pragma once
#include <cstdint>

#include "simulator/code/lowering/space.h"
#include "simulator/code/values/low_bits.h"
#include "simulator/isa/type.h"

namespace warpwise::code {

/// A warp's register file is one array of bytes; every slot starts at a multiple of slot_unit and
/// holds 32 lanes of 2, 4 or 8 bytes, or one mask for a predicate.
using Slot = std::uint32_t;
constexpr Slot slot_unit = 64;
constexpr Slot no_slot = ~0u;

enum class AtomicOp : std::uint8_t {
  add,
  min,
  max,
  bit_and,
  bit_or,
  bit_xor,
  exchange,
  compare_and_swap,
  increment,
  decrement,
  // Operations on mbarriers, which are words in shared memory.
  mbarrier_init,
  mbarrier_invalidate,
  mbarrier_arrive,
  mbarrier_arrive_expecting,  ///< bytes
  mbarrier_drop,
  mbarrier_drop_expecting,
  mbarrier_expect,
  mbarrier_complete,
  mbarrier_arrive_with_copies,  ///< an arrival that the phase expects, once copies have ended
  mbarrier_hold_for_copies,     ///< the phase does not end before copies have
  mbarrier_test,                ///< whether the phase of a token has ended
  mbarrier_test_parity,
};

constexpr bool is_of_mbarrier(AtomicOp op) { return op >= AtomicOp::mbarrier_init; }

/// How a memory instruction orders others around it. Plain loads and stores have `none`; all other
/// orders are strong: two strong accesses do not form a data race.
enum class Order : std::uint8_t { none, relaxed, acquire, release, acquire_release };

/// Which threads a strong access or a fence reaches.
enum class Scope : std::uint8_t { cta, cluster, gpu, system };

/// Whether a load is an optimistic read, which needs no order: its value may be old if an atomic
/// checks the place again.
enum class OptimisticRead : std::uint8_t {
  none,
  swapped,  ///< a compare-and-swap finds out whether the value was right
  glance,   ///< the value does no more than decide whether an atomic looks at the same place
};

/// Bytes of a frame.
struct Piece {
  std::uint32_t offset = 0, bytes = 0;
};

/// The fixed part of a memory instruction.
struct Access {
  Space space = Space::global;
  isa::Type type = isa::Type::b32;
  std::uint32_t element_bytes = 4;
  std::uint8_t elements = 1;
  bool is_store = false;
  bool is_atomic = false;
  bool is_part = false;  ///< of an instruction on matrices: ptxas never merges it
  /// True for a sum of f32 in global memory; all other sums treat subnormal numbers as zero.
  bool keeps_subnormals = false;
  bool is_copy = false;  ///< part of an asynchronous copy whose end an mbarrier signals
  Order order = Order::none;
  Scope scope = Scope::gpu;
  bool is_non_coherent = false;  ///< ld.global.nc: no thread writes this memory meanwhile
  OptimisticRead optimistic_read = OptimisticRead::none;  ///< of a load
  AtomicOp atomic = AtomicOp::add;
  /// no_slot: the value is dropped
  Slot data[8] = {no_slot, no_slot, no_slot, no_slot, no_slot, no_slot, no_slot, no_slot};
  std::uint8_t register_bytes[8] = {};
  Slot base = no_slot;  ///< 4- or 8-byte register, or none for a fixed address
  std::uint8_t base_bytes = 8;
  LowBits base_low_bits;  ///< in shared memory: of the register
  std::int64_t offset = 0;
  std::uint32_t site = 0;  ///< index into Program::sites; of no use for Space::frame
  /// In shared memory: the array of Program::shared_arrays that its address was made from, if that
  /// is known.
  std::uint32_t shared_array = any_array;
  static constexpr std::uint32_t any_array = ~0u;
  /// In local memory: the array of the frame that its address was made from, if that is known.
  Piece local_array;

  unsigned bytes() const { return element_bytes * elements; }
  bool is_strong() const { return order != Order::none; }
};

}  // namespace warpwise::code
