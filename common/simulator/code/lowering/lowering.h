#pragma once
#include <memory>

#include "simulator/code/flow/liveness.h"
#include "simulator/code/flow/optimistic_reads.h"
#include "simulator/code/lowering/layout.h"
#include "simulator/code/lowering/resolve.h"
#include "simulator/code/lowering/slots.h"
#include "simulator/code/program.h"
#include "simulator/code/values/library_files.h"
#include "simulator/code/values/local_origins.h"
#include "simulator/code/values/low_bits.h"
#include "simulator/code/values/shared_origins.h"

namespace warpwise::code {

struct ClockRegister;
struct RuntimeFunction;

/// The operation that a row's modifier names: "add", "exch", ...
AtomicOp atomic_named(std::string_view name);

/// The space that a row's modifier names; generic for "".
Space space_named(std::string_view name);

/// The state that all functions of a program share while they are translated.
struct Unit {
  const ptx::Module& module;
  const Resolve& resolve;
  Program& program;
  SharedLayout shared;
  std::map<std::string, std::uint32_t> shared_arrays;  ///< by name: of Program::shared_arrays
  std::map<std::string, std::uint32_t> functions;      ///< name -> index into Program::functions
  LibraryFiles library;
  AtomicParameters atomic_parameters;
};

/// How a memory instruction orders others, by its words.
Order order_of(const isa::Variant& variant, bool is_atomic);

/// Which threads a fence or a strong access reaches.
Scope scope_of(const isa::Variant& variant);

/// Translates the instructions of one function, one at a time, into the unit's program.
class Lowering {
 public:
  /// @param frame where the sizes go: the program itself for a kernel, else the Function.
  /// @param first_place index of the place of the function's first location.
  Lowering(Unit& unit, const ptx::Function& function, FrameLayout& frame,
           std::uint32_t first_place);

  /// Appends the instruction. A branch's target stays the index of its label until the end.
  void instruction(const ptx::Instruction& source);
  void enter(std::uint32_t block);
  /// Says which registers may be read before they are written. Call before the first instruction.
  void undefined_at_start(const RegisterSets& live);
  const Layout& layout() const { return layout_; }
  /// The slot of each register of the text. Complete once all instructions are there.
  const std::vector<Slot>& registers() const { return registers_; }

 private:
  class Matrix;  ///< lowering_matrix.h

  using Operand = ptx::Operand;

  void translate(const ptx::Instruction& source);
  [[noreturn]] void fail(const std::string& what) const;
  Instruction& emit(Op op);
  void emit_lanes(const std::string& opcode, Slot d, unsigned d_bytes,
                  std::initializer_list<Slot> sources);

  isa::Type type_of(const isa::OperandSpec& spec) const;
  unsigned register_bytes(int id) const;
  Slot source(const Operand& operand, isa::Type type);
  Slot source_value(const Operand& operand, isa::Type type);
  Slot read_clock(const ClockRegister& clock, unsigned bytes);
  Slot symbol_value(const Operand& operand, unsigned bytes);
  std::uint64_t symbol_address(const Operand& operand) const;
  bool alias_preset(const Operand& d, Slot preset, unsigned bytes);

  void lanes();
  Slot carry();
  std::uint64_t immediate() const;
  void vector_move();
  void wide_access(const Operand& value, const Operand& address, bool is_store);
  void load();
  void store();
  void atomic();
  std::vector<Operand> elements_of(const Operand& operand) const;
  Slot parts_together(const Operand& operand, isa::Type type);
  static bool set_update(Instruction& instruction, std::string_view op, isa::Type type);
  static bool depends_on_order(std::string_view op, isa::Type type);
  void memory(Instruction& instruction, const Operand& address, Access access);
  Space space_of_name(const ptx::Operand& address) const;
  Piece local_array(int id) const;
  std::uint32_t add_access(const Operand& address, Access access, bool is_counted);
  void call();
  bool supplied_call(const std::string& name, const CallParts& parts);
  void set_conditional(const CallParts& parts);
  void runtime_call(const RuntimeFunction& function, const CallParts& parts);
  void runtime_outputs(const RuntimeCall& call, unsigned bytes);
  Slot supplied_argument(const CallParts& parts, std::size_t index, unsigned bytes,
                         unsigned offset = 0, unsigned register_bytes = 0);
  void supplied_result(const CallParts& parts, Slot value, unsigned bytes, unsigned slot_bytes);
  const Piece* passed(const Operand& address) const;
  void passed_access(const Operand& address, Access access);
  void kernel_parameter_load(const Operand& address);
  Slot frame_address(std::uint64_t offset, unsigned bytes);
  void branch_table();
  void test_address();
  Slot in_constants();
  void stack();
  void barrier();
  void matrix(isa::Kind kind);
  void warpgroup_product();
  bool flag(std::size_t operand, std::int64_t unset, std::int64_t set) const;
  std::vector<Slot> whole_registers(const Operand& list, std::size_t count);
  std::uint32_t add_tile_read();
  void operation();
  void mbarrier(isa::Kind kind);
  void copy_async();
  void copy_bulk();
  Operation::Value reduction(Access& to);
  void copy_tensor();
  void im2col_offsets(TensorCopy& copy, const Operand& list);
  void tensor_reduction(TensorCopy& copy, Access& to);
  void store_async();
  std::uint32_t completion(const Operand& address, Slot bytes);
  Operation::Value operation_value(const isa::OperandSpec& spec, const Operand& operand);
  void texel_access(isa::Kind kind);
  Operation::Value handle_of(const Operand& operand);
  Operation::Value texel_value(const Operand& operand, isa::Type type);
  void shuffle();
  void vote();
  void fence();
  void convert_address();

  void note_unset(const ptx::Instruction& source);

  Unit& unit_;
  const ptx::Function& function_;
  Program& program_;
  std::uint32_t first_place_;
  Slots slots_;
  Layout layout_;
  std::vector<Slot> registers_;
  std::vector<std::uint32_t> shared_origins_;     ///< of each register
  std::vector<Piece> local_origins_;              ///< of each register
  std::vector<LowBits> low_bits_;                 ///< of each register
  std::vector<int> definitions_;                  ///< how many instructions write each register
  std::vector<int> reads_;                        ///< and how many use it
  std::vector<OptimisticRead> optimistic_reads_;  ///< of each instruction
  FrameLayout& frame_;
  std::map<unsigned, std::vector<Slot>> scratch_;  ///< of Matrix, by bytes of a lane
  const ptx::Instruction* source_ = nullptr;
  Slot carry_ = no_slot;
  struct Unset {
    std::size_t index = 0;  ///< of FrameLayout::undefined_at_start
    bool is_read = false;   ///< by an instruction so far
  };
  std::map<int, Unset> unset_;  ///< by register
};

}  // namespace warpwise::code
