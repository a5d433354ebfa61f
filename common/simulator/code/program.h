#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/code/access.h"
#include "simulator/code/instruction.h"
#include "simulator/code/lowering/runtime_call.h"
#include "simulator/code/lowering/special.h"
#include "simulator/code/lowering/windows.h"
#include "simulator/code/site.h"
#include "simulator/ptx/module.h"

/// Modules become flat programs: registers are places in a warp's register file, branches are
/// indices.
namespace warpwise::code {

/// What lanes need to run one function: registers with their first values, and local memory.
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
    /// A header of the toolkit also reads or writes it: it may be a library variable that was
    /// handed to the program's code.
    bool is_of_library = false;
  };
  std::vector<UnsetRegister> undefined_at_start;
  /// Per thread: first the values passed into and out of functions, then local arrays.
  std::uint32_t local_bytes = 0;
  std::uint32_t passed_bytes = 0;   ///< of these, the passed values
  bool passed_has_address = false;  ///< the program points to some of those
  /// For traces: the text, which the module keeps, and the slot of each of its registers (no_slot:
  /// not used).
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

/// The sides of a branch (branch_sides.h), as ranges in order: of lanes that do not take it, and of
/// lanes that do.
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

/// A named piece of shared memory.
struct SharedArray {
  std::string name;  ///< as the program calls it
  std::uint32_t address = 0, bytes = 0;
  bool is_dynamic = false;  ///< as long as the launch says
};

/// A kernel with all functions that it may call, ready to run. The layout is the kernel's own.
struct Program : FrameLayout {
  std::string name;
  std::uint32_t frame_bytes =
      0;  ///< of the kernel's own frame in compiled code, where there is one
  /// The stack bytes of the kernel and all that it calls, as far as ptxas has computed them.
  std::uint32_t known_stack_bytes = 0;
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
  /// Shared addresses between arrays that do not belong to any array.
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
  /// By instruction: lanes that diverge there may meet elsewhere on the GPU. Empty: nowhere.
  std::vector<bool> parts_for_longer;
  bool blocks_communicate =
      false;  ///< results depend on the order of blocks: they run one after another
};

}  // namespace warpwise::code
