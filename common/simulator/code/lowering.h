#pragma once
#include <memory>

#include "simulator/code/compile.h"
#include "simulator/code/layout.h"
#include "simulator/code/slots.h"

namespace warpwise::code {

struct ClockRegister;

/// Translates instructions one at a time into a program.
class Lowering {
 public:
  Lowering(const ptx::Module& module, const ptx::Function& kernel, const Resolve& resolve,
           Program& program);

  /// Appends the instruction. A branch's target stays the index of its label until the end.
  void instruction(const ptx::Instruction& source);
  void enter(std::uint32_t block);
  /// Says which registers may be read before they are written. Call before the first instruction.
  void undefined_at_start(const std::vector<int>& register_ids);

 private:
  using Operand = ptx::Operand;

  [[noreturn]] void fail(const std::string& what) const;
  Instruction& emit(Op op);
  void emit_lanes(const std::string& opcode, Slot d, unsigned d_bytes,
                  std::initializer_list<Slot> sources);

  isa::Type type_of(const isa::OperandSpec& spec) const;
  unsigned register_bytes(int id) const;
  Slot source(const Operand& operand, isa::Type type);
  Slot source_value(const Operand& operand, isa::Type type);
  Slot read_clock(const ClockRegister& clock, unsigned bytes);
  std::uint64_t symbol_address(const Operand& operand) const;
  bool alias_preset(const Operand& d, Slot preset, unsigned bytes);

  void lanes();
  void vector_move();
  void load();
  void store();
  void parameter_load(const Operand& address);
  void atomic();
  void memory(Instruction& instruction, const Operand& address, Access access);
  void call();
  void barrier();
  void shuffle();
  void vote();
  void convert_address();
  Slot call_slot(const Operand& address, unsigned bytes);

  const ptx::Module& module_;
  const ptx::Function& kernel_;
  const Resolve& resolve_;
  Program& program_;
  Slots slots_;
  Layout layout_;
  std::vector<Slot> registers_;
  std::vector<int> definitions_;  ///< how many instructions write each register
  std::vector<int> reads_;        ///< and how many read it
  std::map<std::pair<std::string, std::int64_t>, Slot> call_slots_;
  const ptx::Instruction* source_ = nullptr;
};

}  // namespace warpwise::code
