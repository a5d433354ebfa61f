#pragma once
#include <array>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "simulator/code/lowering/lowering.h"

namespace warpwise::code {

/// Instructions on matrices become ordinary accesses of single lanes, as ptxas makes them of wmma,
/// and functions of all lanes on lists of registers.
class Lowering::Matrix {
 public:
  /// For the instruction that the lowering is at.
  explicit Matrix(Lowering& lowering);

  void product();
  void load();
  void store();

 private:
  struct Place {
    unsigned line, offset;
  };
  /// The distance of a lane's address from that of the tile, or of its line.
  struct LanePlaces {
    std::array<std::uint64_t, 32> lines, bytes;
  };

  Slot scratch(unsigned bytes);
  Slot computed(const std::string& opcode, unsigned bytes, std::initializer_list<Slot> sources);
  Slot constant(std::uint64_t value);
  void wait_for_all_lanes();
  void together(isa::LaneFunction function, MatrixRegisters registers);
  std::vector<Slot> registers(const ptx::Operand& list, unsigned count, unsigned bits);
  isa::Fragment fragment(isa::Role role, bool is_destination);
  Slot selector(const ptx::Operand& operand);
  Slot guard_of(unsigned lanes);
  /// @param base 8-byte register of addresses; none for the address as the instruction has it.
  void access(Op op, Slot base, std::int64_t offset, isa::Type type, const std::vector<Slot>& data,
              unsigned register_bytes, unsigned lanes = 32);
  std::vector<Slot> row_registers();
  void transpose(std::vector<Slot> d, std::vector<Slot> s);
  void repeat(const std::vector<Slot>& d, unsigned different);

  // wmma.load and wmma.store
  void begin_tile(const isa::Fragment& fragment);
  void wait_at_tile(const ptx::Operand& address, Slot stride);
  Place place(unsigned lane, unsigned reg, unsigned part) const;
  unsigned bytes(unsigned elements) const;
  static LanePlaces word_places();
  LanePlaces element_places() const;
  void begin_lanes(const LanePlaces& places);
  Slot at_line(unsigned line);
  void tile_load();
  void tile_store();
  void load_rows(const std::vector<Slot>& d, unsigned count);
  void load_words(const std::vector<Slot>& d, unsigned count);
  void load_bytes(const std::vector<Slot>& d, unsigned count);
  void whole_registers(Op op, const std::vector<Slot>& data);

  Lowering& lowering_;
  Program& program_;
  const ptx::Instruction& source_;
  std::map<unsigned, unsigned> used_;  ///< of the lowering's scratch registers, by bytes
  isa::Fragment fragment_{};
  bool by_columns_ = false;     ///< columns are contiguous in memory
  bool is_contiguous_ = false;  ///< so do the elements of a register
  Slot units_ = no_slot;        ///< from line to line
  unsigned unit_bytes_ = 1;
  Slot base_ = no_slot;
  LanePlaces places_{};
  Slot line_start_ = no_slot;       ///< the lanes' addresses in the tile's first line
  std::map<unsigned, Slot> lines_;  ///< the lanes' addresses, by lines down
};

}  // namespace warpwise::code
