#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/code/low_bits.h"
#include "simulator/code/site.h"
#include "simulator/isa/fragment.h"
#include "simulator/isa/row.h"
#include "simulator/ptx/module.h"

/// Modules become flat programs: registers are places in a warp's register file, branches are
/// indices.
namespace warpwise::code {

/// A warp's register file is one array of bytes; every slot starts at a multiple of slot_unit and
/// holds 32 lanes of 2, 4 or 8 bytes, or one mask for a predicate.
using Slot = std::uint32_t;
constexpr Slot slot_unit = 64;
constexpr Slot no_slot = ~0u;

/// Addresses of shared and local memory in the generic space. No host pointer can be one of them.
constexpr std::uint64_t shared_window = 1ull << 56;
constexpr std::uint64_t local_window = 1ull << 57;
/// On a GPU all threads have their local memory at the same addresses, and nobody notices who uses
/// a pointer that another thread has made. Here each thread has addresses of its own, so far apart.
constexpr unsigned local_shift = 24;
constexpr std::uint64_t local_start(std::uint64_t block, std::uint64_t thread) {
  constexpr std::uint64_t threads = 1024, blocks = 1ull << 21;  // those behind begin anew
  return local_window + ((block % blocks * threads + thread + 1) << local_shift);
}
constexpr std::uint64_t parameter_window = 1ull << 58;  ///< a kernel's parameters
/// Functions have addresses of their own, where no data lies.
constexpr std::uint64_t function_window = 1ull << 55;
constexpr std::uint64_t function_stride = 16;
/// The hardware keeps the first KiB of a block's shared memory for itself (from sm_90 on).
constexpr std::uint32_t shared_base = 1024;
/// The part of the bytes before it that cooperative groups use for tiles of several warps, as an
/// H200 says.
constexpr std::uint32_t reserved_tiles = 0, reserved_tiles_bytes = 288;
/// An address of shared memory has above this the block of the cluster: 0 for the own, else its
/// rank
/// + 1.
constexpr unsigned shared_rank_shift = 24;

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
  // Of mbarriers, which are words in shared memory.
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

/// How a memory instruction orders others around it. All but `none`, which is what plain loads and
/// stores have, are strong: two strong accesses are no data race.
enum class Order : std::uint8_t { none, relaxed, acquire, release, acquire_release };

/// Which threads a strong access or a fence reaches.
enum class Scope : std::uint8_t { cta, cluster, gpu, system };

/// Whether a load needs an order: what it reads may be old where an atomic looks again.
enum class Guess : std::uint8_t {
  none,
  swapped,  ///< a compare-and-swap finds out whether the value was right
  glance,   ///< the value does no more than decide whether an atomic looks at the same place
};

/// Bytes of a frame.
struct Piece {
  std::uint32_t offset = 0, bytes = 0;
};

/// What is fixed about a memory instruction.
struct Access {
  Space space = Space::global;
  isa::Type type = isa::Type::b32;
  std::uint32_t element_bytes = 4;
  std::uint8_t elements = 1;
  bool is_store = false;
  bool is_atomic = false;
  bool is_part = false;  ///< of an instruction on matrices: ptxas merges it with no other
  /// Of a sum of f32 in global memory; all others take subnormal numbers for zero.
  bool keeps_subnormals = false;
  bool is_copy = false;  ///< part of an asynchronous copy, of whose end an mbarrier tells
  Order order = Order::none;
  Scope scope = Scope::gpu;
  bool is_non_coherent = false;  ///< ld.global.nc: of memory that nobody writes meanwhile
  Guess guess = Guess::none;     ///< of a load
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

/// The registers of an instruction on matrices.
struct MatrixRegisters {
  std::vector<Slot> d;
  std::vector<Slot> s[4];  ///< the last of a sparse product: its metadata and its selector
  /// Of a product: what D, A, B and C hold. Empty where values only change their places.
  std::vector<isa::Fragment> fragments;
  /// Of wmma.load and wmma.store, where their lanes meet: where the tile begins, how many elements
  /// lie between the starts of its lines, and of how many bytes these have to be multiples.
  struct Tile {
    Slot base = no_slot, stride = no_slot;
    std::int64_t offset = 0;  ///< from the base
    unsigned element_bits = 0, aligned_to = 1, pitch_of = 1;
  };
  Tile tile = {};
};

/// What is fixed about a product of matrices by a warpgroup: what each of its warps does.
struct WarpgroupProduct {
  std::vector<Slot> d;
  std::vector<Slot> a;  ///< four registers; none where A is in shared memory
  unsigned columns = 0;
  unsigned element_bits = 0;  ///< of A and B
  unsigned per_register = 1;  ///< elements of D
  bool in_columns[2] = {};    ///< A, B: elements along M or N lie side by side
  bool is_negated[2] = {};    ///< A, B
  /// Accesses of 16 bytes by which the matrices in shared memory are read, one lane a piece, at
  /// addresses that the descriptors give; no index where A is in registers.
  std::uint32_t reads[2] = {};
};

/// What is fixed about an instruction too rare for an Op of its own: its row's kind says who
/// executes it.
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
  /// Of copies: what they read, write and tell of their end, as indices of Program::accesses.
  std::uint32_t from = no_access, to = no_access, barrier = no_access;
  std::uint32_t texels = no_access;   ///< index of Program::texel_accesses
  std::uint32_t product = no_access;  ///< index of Program::warpgroup_products
  std::uint32_t tensor = no_access;   ///< index of Program::tensor_copies
  bool is_multicast = false;
  static constexpr std::uint32_t no_access = ~0u;
};

/// What is fixed about a fetch from a texture, or an access to a surface.
struct TexelAccess {
  enum class What : std::uint8_t { fetch, gather, load, store };
  enum class Outside : std::uint8_t { trap, clamp, zero };
  What what = What::fetch;
  std::uint8_t dimensions = 1;
  bool is_layered = false;  ///< the first coordinate is the layer
  bool is_cubemap = false;
  bool has_integer_coordinates = false;
  isa::Type type = isa::Type::f32;  ///< of each result, or of what is stored
  Outside outside = Outside::trap;  ///< of a surface
  std::uint8_t channel = 0;         ///< that is gathered
  Operation::Value coordinates[4];
  Operation::Value given_level;      ///< of a mipmap; none: the first, or as the gradients say
  Operation::Value gradients[2][3];  ///< of the coordinates, to the right and downwards
  Operation::Value data[4];          ///< results, or what is stored
  Operation::Value is_resident;
};

/// What is fixed about a copy of a box of a tensor, which a tensor map in memory describes.
struct TensorCopy {
  enum class What : std::uint8_t { load, store, reduce, prefetch };
  What what = What::load;
  std::uint8_t rank = 1;
  AtomicOp update = AtomicOp::add;           ///< of a reduction
  std::uint32_t map = Operation::no_access;  ///< index of Program::accesses
  bool is_im2col = false;
  Operation::Value coordinates[5];
  Operation::Value offsets[3];       ///< of im2col
  Operation::Value bytes;            ///< of a load: where the machine says how many arrive
  Operation::Value element;          ///< of a reduction: where the machine puts one
  isa::LaneFunction f16 = nullptr;   ///< of a reduction, where it is defined on that type
  isa::LaneFunction bf16 = nullptr;  ///< likewise
};

/// When the result of an arithmetic instruction is undefined.
enum class Definedness : std::uint8_t {
  any_source,   ///< where any of its sources is
  copy,         ///< where its source is, and no more than its source: moves
  pack,         ///< where all of its sources are: bytes put together, some of which are padding
  select,       ///< where the chosen source, or the choice itself, is
  conjunction,  ///< not where a defined operand decides: s[0] and s[1] of and.pred, s[2] of
                ///< setp.and
  disjunction,
};

struct Instruction {
  Op op = Op::nothing;
  /// See ShuffleMode, VoteMode, BarrierMode; of a fence its Scope; of nothing GridControl.
  std::uint8_t mode = 0;
  std::uint8_t d_bytes = 0;  ///< 0 for a predicate
  bool guard_negated = false;
  Definedness definedness = Definedness::any_source;
  Slot guard = no_slot;
  Slot d = no_slot, d2 = no_slot;
  Slot s[4] = {no_slot, no_slot, no_slot, no_slot};
  isa::LaneFunction function = nullptr;
  /// branch: index of the instruction; enter: of the basic block; call: of Program::calls;
  /// barrier: 1 where all lanes of a warp have to stand at this very instruction (.aligned)
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
/// Whether to wait, and what those that met learn: how many, whether all, whether any said yes.
enum class BarrierMode : std::uint8_t { sync, arrive, count, all, any };

/// What a launch does for those that overlap it, though it does nothing for the thread.
enum class GridControl : std::uint8_t { none, lets_dependents_begin, waits_for_prerequisites };

enum class Special : std::uint8_t {
  // Different in each block.
  ctaid_x,
  ctaid_y,
  ctaid_z,
  smid,
  local_start,  ///< generic address of the thread's local memory
  clusterid_x,
  clusterid_y,
  clusterid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_ctarank,
  last_of_block = cluster_ctarank,
  // The same in all blocks.
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_nctarank,
  is_explicit_cluster,
  laneid,
  warpid,
  nwarpid,
  nsmid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_smem_size,
  total_smem_size,
  aggr_smem_size,
  gridid,
  envreg1,  ///< this and the next: where the blocks of a cooperative launch meet
  envreg2,
  current_graph,
  reserved_shared_end,    ///< of the bytes before shared_base that somebody uses
  reserved_shared_cap,    ///< of those that there are
  reserved_shared_tiles,  ///< where cooperative groups keep what tiles of several warps share
  zero,
  frame_base,  ///< local address at which the function's own frame starts
};

enum class Clock : std::uint8_t { block, global };

/// What lanes need to run one function: registers, what stands in them from the start, and local
/// memory.
struct FrameLayout {
  Slot register_bytes = 0;  ///< size of a warp's register file
  struct Constant {
    Slot slot;
    std::uint8_t bytes;
    std::uint64_t value;
  };
  struct LaneConstants {
    Slot slot;
    std::uint8_t bytes;  ///< of one lane
    std::array<std::uint64_t, 32> values;
  };
  struct ParameterSlot {
    Slot slot;
    std::uint8_t bytes;  ///< of the register
    std::uint32_t offset;
    std::uint8_t memory_bytes;  ///< of the parameter
    bool is_signed;
  };
  struct SpecialSlot {
    Slot slot;
    std::uint8_t bytes;
    Special special;
  };
  std::vector<Constant> constants;
  std::vector<LaneConstants> lane_constants;
  std::vector<ParameterSlot> parameter_slots;
  std::vector<SpecialSlot> specials;
  /// A register that some path reads before it writes it.
  struct UnsetRegister {
    Slot slot, bytes;
    std::uint32_t first_read = 0;  ///< index of an instruction that reads it, the first in the code
    /// A header of the toolkit reads or writes it, too: it may be a variable of the library's that
    /// the program's code was handed.
    bool is_of_library = false;
  };
  std::vector<UnsetRegister> undefined_at_start;
  /// Per thread: first values on their way into and out of functions, then local arrays.
  std::uint32_t local_bytes = 0;
  std::uint32_t passed_bytes = 0;   ///< of these, the values on their way
  bool passed_has_address = false;  ///< the program points to some of those
  /// For those that show what runs: the text, which the module keeps, and where each of its
  /// registers is (no_slot: it is not used).
  const ptx::Function* text = nullptr;
  std::vector<Slot> text_registers;
};

/// A function that the kernel may call.
struct Function : FrameLayout {
  std::string name;
  std::uint32_t entry = 0;  ///< index of its first instruction
  std::vector<Piece> parameters;
  std::vector<Piece> results;
  std::optional<std::uint32_t> compiled_stack_bytes;  ///< of a call, if the cubin says so
  std::string unavailable;  ///< why it cannot run, one sentence; "" where it can
};

/// A run of a program's instructions: [first, last).
struct Stretch {
  std::uint32_t first, last;
};

/// The sides of a branch (sides.h), as stretches in order: of lanes that go on, of those that take
/// it.
struct Parting {
  std::vector<Stretch> sides[2];
  bool is_table = false;  ///< the compiled code looks the target up in a table
};

/// Where a call finds its arguments and puts its results in the caller's frame.
struct Call {
  static constexpr std::uint32_t by_address = ~0u;
  std::uint32_t function = by_address;  ///< index into Program::functions, or s[0] has its address
  std::vector<Piece> arguments;
  std::vector<Piece> results;
  Parting parting;  ///< by address: of lanes that are in different functions
};

/// What the device runtime is asked for: device_runtime.h.
enum class RuntimeCallee : std::uint8_t {
  parameter_buffer,  ///< where the arguments of a launch are to be put
  launch,
  take_error,
  last_error,
  error_name,
  error_text,
  device_count,
  current_device,
  device_attribute,
  device_limit,
  cache_config,
  shared_config,
  runtime_version,
  function_attributes,
  occupancy,
  allocate,
  release,
  copy,
  copy_rows,
  fill,
  fill_rows,
  create_stream,
  destroy_stream,
  wait_event,
  create_event,
  record_event,
  destroy_event,
  graph_launch,
};

/// A call of the device runtime. What it fills in for the program, stores that follow it write.
struct RuntimeCall {
  RuntimeCallee callee = RuntimeCallee::launch;
  std::vector<Slot> arguments;  ///< of 8 bytes each; a dim3 is three
  std::vector<Slot> outputs;    ///< of 8 bytes each
  Slot result = no_slot;        ///< of 8 bytes: an error's number, or an address
  Slot succeeded = no_slot;     ///< a predicate: the outputs are to be written
};

/// A named piece of shared memory.
struct SharedArray {
  std::string name;  ///< as the program calls it
  std::uint32_t address = 0, bytes = 0;
  bool is_dynamic = false;  ///< as long as the launch says
};

/// A kernel with all functions that it may call, ready to run. The layout is the kernel's own.
struct Program : FrameLayout {
  std::string name;
  std::vector<Instruction> code;  ///< the kernel's from index 0, then the functions'
  std::vector<Access> accesses;
  std::vector<MatrixRegisters> matrices;
  std::vector<WarpgroupProduct> warpgroup_products;
  std::vector<Operation> operations;
  std::vector<TexelAccess> texel_accesses;
  std::vector<TensorCopy> tensor_copies;
  std::vector<Site> sites;
  /// Fences that reach the whole system: the hardware counts each as a store of one sector, and a
  /// warp's as one request.
  std::vector<Site> system_fences;
  /// A branch among the deciders of some site, and the basic block that it ends.
  struct Decider {
    std::uint32_t branch, block;
  };
  std::vector<Decider> deciders;
  std::vector<Place> places;
  std::vector<std::uint32_t> block_sizes;  ///< PTX instructions of each basic block
  std::vector<Call> calls;
  std::vector<Parting> partings;
  std::vector<RuntimeCall> runtime_calls;
  /// Address of a kernel -> its name, where kernels launch others.
  std::map<std::uint64_t, std::string> kernel_addresses;
  std::vector<Function> functions;
  /// Address of a function -> index into `functions`.
  std::map<std::uint64_t, std::uint32_t> function_addresses;

  std::vector<SharedArray> shared_arrays;  ///< in order of address
  /// Shared addresses between arrays that belong to none.
  struct Gap {
    std::uint32_t from, to;
  };
  std::vector<Gap> shared_gaps;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t dynamic_shared_offset = 0;  ///< from shared_base
  /// [is shared][is store]: the compiled code has accesses that the text does not show, such as the
  /// loop that a sum of doubles in shared memory becomes.
  bool has_unseen[2][2] = {};
  bool has_update_loops = false;  ///< of a site
  bool is_debug = false;          ///< compiled with -G
  bool yields_and_calls = false;  ///< as in image::KernelFacts
  /// By instruction: lanes that part there may meet elsewhere on the GPU. Empty: nowhere.
  std::vector<bool> parts_for_longer;
  bool blocks_communicate =
      false;  ///< results depend on the order of blocks: they run one after another
};

}  // namespace warpwise::code
