#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/isa/type.h"

/// One row per instruction of PTX: its syntax in the manual's notation and its meaning on 32 lanes.
namespace warpwise::isa {

/// Pointers to the operands of one warp-wide instruction: arrays of 32 lanes, or a mask for
/// predicates. Where operands are lists of registers (matrices): pointers to arrays of such
/// pointers.
struct Operands {
  void* d = nullptr;   ///< destination
  void* d2 = nullptr;  ///< second destination: the q of setp's p|q
  const void* s[4] = {};
};

/// The work of an instruction on all 32 lanes. Lanes that do not take part are also computed, and
/// the caller drops their results, so no input may trap.
using LaneFunction = void (*)(const Operands&);

/// The executor of a row. `lanes` is a pure function; the machine executes all others.
enum class Kind : std::uint8_t {
  lanes,
  load,
  store,
  atomic,
  branch,
  branch_table,  ///< brx.idx
  call,
  ret,
  exit,
  trap,
  barrier,
  warp_barrier,
  shuffle,
  vote,
  match_any,
  match_all,
  reduce,  ///< redux
  elect,
  cluster_arrive,
  cluster_wait,
  map_shared,   ///< mapa
  shared_rank,  ///< getctarank
  copy_async,   ///< cp.async
  commit_copies,
  wait_copies,
  copy_bulk,    ///< cp.async.bulk
  copy_tensor,  ///< cp.async.bulk.tensor, and its prefetch
  commit_bulk,
  wait_bulk,
  store_async,
  reduce_async,
  mbarrier_arrive,  ///< and all other changes of an mbarrier
  mbarrier_test,
  mbarrier_pending,
  cache_policy,
  activemask,
  fence,
  proxy_fence,  ///< between ordinary and asynchronous accesses
  sleep,
  matrix,       ///< a pure function too, of all 32 lanes together; operands are lists
  matrix_load,  ///< of lists of registers, by accesses of single lanes
  matrix_store,
  warpgroup_fence,    ///< wgmma.fence
  warpgroup_product,  ///< a pure function of each warp's part; shared memory is read before
  commit_products,
  wait_products,
  convert_address,  ///< between generic addresses and those of one space
  test_address,     ///< isspacep
  stack,            ///< alloca, stacksave, stackrestore
  texture,          ///< tex and tld4
  surface_load,
  surface_store,
  nothing,  ///< hints that change no value: prefetch, pragma-like instructions
};

/// The choices one opcode made among its row's modifiers: `add.rn.ftz.f32` -> {rnd: rn}, {ftz}, ...
class Variant {
 public:
  void set(std::string_view name, std::string_view choice) { choices_.emplace_back(name, choice); }
  /// The text that replaces the modifier `name` of the syntax ("rnd"), or "".
  std::string_view operator[](std::string_view name) const;
  /// True where the modifier, literal or chosen, is present ("ftz").
  bool has(std::string_view word) const;
  /// The type at the modifier `name`.
  Type type(std::string_view name = "type") const;
  /// The last type written in the opcode: the type of operands that do not name their own.
  Type last_type() const;
  std::size_t size() const { return choices_.size(); }
  void resize(std::size_t size) { choices_.resize(size); }

 private:
  std::vector<std::pair<std::string, std::string>> choices_;
};

/// Gives the function for a variant, or null where the row does not support it.
using Selector = LaneFunction (*)(const Variant&);

/// Packs the parts of an opcode that a function needs and cannot have as template arguments into
/// one more source, which code/ supplies.
/// @param selectors the text after each operand's dot, "" for most: {"", "b0", "h1"} for d, a.b0,
/// b.h1
using Immediate = std::uint64_t (*)(const Variant&, std::span<const std::string_view> selectors);

/// True for instructions that all lanes of a warp, and all warps of a warpgroup, execute together.
constexpr bool is_of_warpgroup(Kind kind) {
  return kind >= Kind::warpgroup_fence && kind <= Kind::wait_products;
}

/// One instruction.
struct Row {
  /// "add{.rnd}{.ftz}{.sat}.f32 d, a, b; .rnd = {.rn, .rz, .rm, .rp}": braces are optional parts, a
  /// name with a set means one member of the set, all else is literal. An operand may name its own
  /// type ("b:u32", "b:any" for a value or a predicate); the others have the last type of the
  /// opcode. "[a, c]" is the handle of a texture or surface and a list of coordinates.
  /// Two operands are not written by programs: CC is the carry of each lane, read as the last
  /// source or written ("d|CC"); IMM is the row's `immediate`, as the last source.
  std::string_view syntax;
  Kind kind = Kind::lanes;
  Selector select = nullptr;  ///< of pure functions; some loads and stores of matrices have one
  Immediate immediate = nullptr;
};

/// All rows, compiled for the best level that this processor has and the build made. Without one,
/// the program ends with status 3 and reports how to build one.
std::span<const Row> rows();

/// The level in use: "v3" or "portable". WARPWISE_ISA=portable in the environment forces the
/// latter, in a build with WARPWISE_EVERY_PROCESSOR.
std::string_view level();

}  // namespace warpwise::isa
