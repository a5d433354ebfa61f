#pragma once
#include <cstdint>
#include <vector>

#include "simulator/code/access.h"
#include "simulator/isa/fragment.h"
#include "simulator/isa/row.h"

namespace warpwise::code {

enum class Op : std::uint8_t {
  enter,  ///< first of every basic block: counts it, lets the warp change to another group of lanes
  lanes,
  load,
  store,
  atomic,
  branch,
  call,
  ret,  ///< of a function; a kernel's is an exit
  exit,
  trap,
  barrier,
  warp_barrier,
  shuffle,
  vote,
  activemask,
  matrix,  ///< all lanes of the warp together
  fence,
  sleep,  ///< nanosleep: a thread that waits for others
  clock,
  print,
  assert_fail,
  heap_allocate,   ///< malloc: d = address or null, s[0] = bytes
  heap_free,       ///< free: s[0]
  device_runtime,  ///< one of Program::runtime_calls
  stack_allocate,  ///< alloca: d = local address, s[0] = bytes, target = alignment
  stack_save,      ///< d = how much of the stack is used
  stack_restore,   ///< s[0] = what stack_save gave
  operation,       ///< one of Program::operations
  nothing,
};

/// The registers of an instruction on matrices.
struct MatrixRegisters {
  std::vector<Slot> d;
  std::vector<Slot> s[4];  ///< the last of a sparse product: its metadata and its selector
  /// Of a product: the elements in D, A, B and C. Empty where values only change their places.
  std::vector<isa::Fragment> fragments;
  /// Of wmma.load and wmma.store, where their lanes meet: where the tile begins, how many elements
  /// are between the starts of its lines, and of how many bytes these have to be multiples.
  struct Tile {
    Slot base = no_slot, stride = no_slot;
    std::int64_t offset = 0;  ///< from the base
    unsigned element_bits = 0, aligned_to = 1, pitch_of = 1;
  };
  Tile tile = {};
};

/// The fixed part of a matrix product by a warpgroup: the work of each of its warps.
struct WarpgroupProduct {
  std::vector<Slot> d;
  std::vector<Slot> a;  ///< four registers; none where A is in shared memory
  unsigned columns = 0;
  unsigned element_bits = 0;  ///< of A and B
  unsigned per_register = 1;  ///< elements of D
  bool in_columns[2] = {};    ///< A, B: elements along M or N are adjacent
  bool is_negated[2] = {};    ///< A, B
  /// Accesses of 16 bytes by which the matrices in shared memory are read, one lane a piece, at
  /// addresses that the descriptors give; no index where A is in registers.
  std::uint32_t reads[2] = {};
};

/// The fixed part of an instruction too rare for an Op of its own: its row's kind says which part
/// of the machine executes it.
struct Operation {
  /// An operand: a register, or a constant in a slot of its own.
  struct Value {
    Slot slot = no_slot;           ///< no_slot: it is not there
    std::uint8_t bytes = 0;        ///< of one lane; 0 for a predicate
    Space space = Space::generic;  ///< of an address
    std::int64_t offset = 0;       ///< of an address: added to the register
    bool is_there() const { return slot != no_slot; }
  };
  isa::Kind kind = isa::Kind::nothing;
  isa::Type type = isa::Type::b32;
  AtomicOp reduction = AtomicOp::add;
  Value d, d2;
  Value s[5];
  /// Of copies: their loads, their stores and the signal of their end, as indices of
  /// Program::accesses.
  std::uint32_t from = no_access, to = no_access, barrier = no_access;
  std::uint32_t texels = no_access;   ///< index of Program::texel_accesses
  std::uint32_t product = no_access;  ///< index of Program::warpgroup_products
  std::uint32_t tensor = no_access;   ///< index of Program::tensor_copies
  bool is_multicast = false;
  bool only_reads = false;  ///< waits for copies in bulk: until they have read their source
  static constexpr std::uint32_t no_access = ~0u;
};

/// The fixed part of a fetch from a texture, or of an access to a surface.
struct TexelAccess {
  enum class What : std::uint8_t { fetch, gather, load, store };
  enum class Outside : std::uint8_t { trap, clamp, zero };
  What what = What::fetch;
  std::uint8_t dimensions = 1;
  bool is_layered = false;  ///< the first coordinate is the layer
  bool is_cubemap = false;
  bool has_integer_coordinates = false;
  isa::Type type = isa::Type::f32;  ///< of each result, or of each stored value
  Outside outside = Outside::trap;  ///< of a surface
  std::uint8_t channel = 0;         ///< that is gathered
  Operation::Value coordinates[4];
  Operation::Value given_level;      ///< of a mipmap; none: the first, or by the gradients
  Operation::Value gradients[2][3];  ///< of the coordinates, to the right and downwards
  Operation::Value data[4];          ///< results, or stored values
  Operation::Value is_resident;
};

/// The fixed part of a copy of a box of a tensor, which a tensor map in memory describes.
struct TensorCopy {
  enum class What : std::uint8_t { load, store, reduce, prefetch };
  What what = What::load;
  std::uint8_t rank = 1;
  AtomicOp update = AtomicOp::add;           ///< of a reduction
  std::uint32_t map = Operation::no_access;  ///< index of Program::accesses
  bool is_im2col = false;
  Operation::Value coordinates[5];
  Operation::Value offsets[3];  ///< of im2col
  Operation::Value bytes;       ///< of a load: where the machine puts the number of arriving bytes
  Operation::Value element;     ///< of a reduction: where the machine puts one
  isa::LaneFunction f16 = nullptr;   ///< of a reduction, where it is defined on that type
  isa::LaneFunction bf16 = nullptr;  ///< likewise
};

/// When the result of an arithmetic instruction is undefined.
enum class Definedness : std::uint8_t {
  any_source,   ///< where any of its sources is
  copy,         ///< where its source is, and no more than its source: moves
  pack,         ///< where all of its sources are: joined bytes, some of which are padding
  select,       ///< where the chosen source, or the choice itself, is
  conjunction,  ///< not where a defined operand decides: s[0] and s[1] of and.pred, s[2] of
                ///< setp.and
  disjunction,
};

struct Instruction {
  Op op = Op::nothing;
  /// See ShuffleMode, VoteMode, BarrierMode; for a fence its Scope; for Op::nothing its
  /// GridControl.
  std::uint8_t mode = 0;
  std::uint8_t d_bytes = 0;  ///< 0 for a predicate
  bool guard_negated = false;
  Definedness definedness = Definedness::any_source;
  Slot guard = no_slot;
  Slot d = no_slot, d2 = no_slot;
  Slot s[4] = {no_slot, no_slot, no_slot, no_slot};
  isa::LaneFunction function = nullptr;
  /// branch: index of the instruction; enter: of the basic block; call: of Program::calls;
  /// barrier: 1 where all lanes of a warp have to be at this very instruction (.aligned)
  std::uint32_t target = 0;
  /// index into Program::accesses; of Op::matrix into matrices, of Op::operation into operations,
  /// of Op::device_runtime into runtime_calls; of branch into partings, of fence into
  /// system_fences, plus 1; 0: it is none
  std::uint32_t access = 0;
  std::uint32_t place = 0;  ///< index into Program::places
  /// Index into the body of the function whose text it comes from; no_text: of none.
  std::uint32_t text = no_text;
  static constexpr std::uint32_t no_text = ~0u;
};

enum class ShuffleMode : std::uint8_t { up, down, butterfly, index };
enum class VoteMode : std::uint8_t { all, any, uniform, ballot };
/// Whether to wait, and the result for the threads that met: how many, whether all, or whether any
/// had a true predicate.
enum class BarrierMode : std::uint8_t { sync, arrive, count, all, any };

/// The effect of an instruction on overlapping launches; it does nothing for its own thread.
enum class GridControl : std::uint8_t { none, lets_dependents_begin, waits_for_prerequisites };

}  // namespace warpwise::code
