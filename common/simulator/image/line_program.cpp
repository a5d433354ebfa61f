#include "simulator/image/line_program.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/octal_name.h"
#include "simulator/image/bytes.h"

namespace warpwise::image {
namespace {

enum Standard : unsigned {
  kCopy = 1,
  kAdvancePc = 2,
  kAdvanceLine = 3,
  kSetFile = 4,
  kConstAddPc = 8,
  kFixedAdvancePc = 9,
};
enum Extended : unsigned { kEndSequence = 1, kSetAddress = 2 };

/// The content of the head of a line number program.
struct Head {
  unsigned instruction_size;
  int line_base;
  unsigned line_range;
  unsigned opcode_base;
  std::vector<unsigned> operand_counts;  ///< of standard opcodes, from opcode 1.
  std::vector<std::size_t> files;        ///< in the line table's list; file 1 first.
};

/// A place in code: an offset within a section.
struct Place {
  std::size_t section;
  std::uint64_t offset;
};

/// Addresses in the program are relocations; the key is the offset of the 8 bytes they replace.
using Places = std::unordered_map<std::uint64_t, Place>;

Places read_places(const Elf& elf, std::size_t section) {
  Places places;
  for (const Relocation& relocation : relocations_of(elf, section)) {
    if (relocation.symbol >= elf.symbols.size()) continue;
    const Symbol& symbol = elf.symbols[relocation.symbol];
    places[relocation.offset] = {symbol.section,
                                 symbol.value + static_cast<std::uint64_t>(relocation.addend)};
  }
  return places;
}

std::string join(std::string_view directory, std::string_view file) {
  // Directory 0 means that the path is already whole.
  return directory.empty() ? std::string(file) : std::string(directory) + '/' + std::string(file);
}

std::vector<std::size_t> read_files(Reader& in, LineTable& table) {
  std::vector<std::string_view> directories = {""};
  for (auto name = in.text(); !name.empty(); name = in.text()) directories.push_back(name);
  std::vector<std::size_t> files;
  for (auto name = in.text(); !name.empty(); name = in.text()) {
    const std::uint64_t directory = in.unsigned_leb();
    in.unsigned_leb();  // time of change
    in.unsigned_leb();  // size
    if (directory >= directories.size()) in.fail();
    files.push_back(table.add_file(base::from_octal_name(join(directories[directory], name))));
  }
  return files;
}

/// Reads the head after its length and leaves the reader at the first opcode.
Head read_head(Reader& in, unsigned version, LineTable& table) {
  const auto head_size = in.number<std::uint32_t>();
  const std::uint64_t start = in.offset() + std::uint64_t{head_size};
  Head head{};
  head.instruction_size = in.number<std::uint8_t>();
  if (version >= 4) in.number<std::uint8_t>();  // operations in an instruction: 1 here
  in.number<std::uint8_t>();                    // whether rows start statements
  head.line_base = in.number<std::int8_t>();
  head.line_range = in.number<std::uint8_t>();
  head.opcode_base = in.number<std::uint8_t>();
  if (head.line_range == 0 || head.opcode_base == 0) in.fail();
  for (unsigned i = 1; i < head.opcode_base; ++i) {
    head.operand_counts.push_back(in.number<std::uint8_t>());
  }
  head.files = read_files(in, table);
  // A few zero bytes may follow the names.
  in.seek(start);
  return head;
}

/// The machine that DWARF describes: opcodes move an address and a line, some of them make a row.
class Machine {
 public:
  Machine(const Head& head, const Places& places, LineTable& table)
      : head_(head), places_(places), table_(table) {}

  /// @param base offset in the section of the reader's first byte.
  void run(Reader& in, std::uint64_t base) {
    while (!in.at_end()) {
      const unsigned opcode = in.number<std::uint8_t>();
      if (opcode == 0) {
        extended(in, base);
      } else if (opcode >= head_.opcode_base) {
        special(opcode);
      } else {
        standard(in, opcode);
      }
    }
  }

 private:
  struct State {
    std::optional<std::size_t> section;  ///< unknown until an address is set.
    std::uint64_t offset = 0;
    std::uint64_t file = 1;
    std::int64_t line = 1;
  };

  void add_row() {
    if (!at_.section) return;
    const bool known = at_.file >= 1 && at_.file <= head_.files.size() && at_.line > 0;
    if (!known) return end_row();
    const auto line = static_cast<unsigned>(at_.line);
    table_.add(*at_.section, {at_.offset, head_.files[at_.file - 1], line});
  }

  void end_row() {
    if (at_.section) table_.add(*at_.section, {at_.offset, 0, 0});
  }

  void advance(std::uint64_t instructions) { at_.offset += instructions * head_.instruction_size; }

  void advance_line(std::int64_t lines) {
    // Unsigned, because damaged steps may overflow.
    at_.line = static_cast<std::int64_t>(static_cast<std::uint64_t>(at_.line) +
                                         static_cast<std::uint64_t>(lines));
  }

  void special(unsigned opcode) {
    const unsigned step = opcode - head_.opcode_base;
    advance(step / head_.line_range);
    advance_line(head_.line_base + static_cast<int>(step % head_.line_range));
    add_row();
  }

  void standard(Reader& in, unsigned opcode) {
    switch (opcode) {
      case kCopy:
        return add_row();
      case kAdvancePc:
        return advance(in.unsigned_leb());
      case kAdvanceLine:
        return advance_line(in.signed_leb());
      case kSetFile:
        at_.file = in.unsigned_leb();
        return;
      case kConstAddPc:
        return advance((255 - head_.opcode_base) / head_.line_range);
      case kFixedAdvancePc:
        at_.offset += in.number<std::uint16_t>();
        return;
      default:
        for (unsigned i = 0; i < head_.operand_counts[opcode - 1]; ++i) in.unsigned_leb();
    }
  }

  void extended(Reader& in, std::uint64_t base) {
    const std::uint64_t size = in.unsigned_leb();
    const std::size_t start = in.offset();
    const auto body = in.take(size);
    if (body.empty()) return;
    const auto opcode = std::to_integer<unsigned>(body[0]);
    if (opcode == kSetAddress) {
      set_address(base + start + 1);
    } else if (opcode == kEndSequence) {
      end_row();
      at_ = {};
    }
    // Others, such as NVIDIA's 0x90 that names the inlined function, do not move the location.
  }

  void set_address(std::uint64_t operand) {
    const auto place = places_.find(operand);
    at_.section.reset();
    if (place == places_.end()) return;
    at_.section = place->second.section;
    at_.offset = place->second.offset;
  }

  const Head& head_;
  const Places& places_;
  LineTable& table_;
  State at_;
};

/// @param section index of a .debug_line section.
void run_line_programs(const Elf& elf, std::size_t section, LineTable& table) {
  const Places places = read_places(elf, section);
  Reader units(elf.sections[section].bytes, "line table");
  while (!units.at_end()) {
    const auto size = units.number<std::uint32_t>();
    const std::size_t base = units.offset();
    Reader unit(units.take(size), "line table");
    const auto version = unit.number<std::uint16_t>();
    if (version < 2 || version > 4) continue;
    const Head head = read_head(unit, version, table);
    Machine(head, places, table).run(unit, base);
  }
}

}  // namespace

LineTable read_line_table(const Elf& elf) {
  LineTable table;
  for (std::size_t i = 0; i < elf.sections.size(); ++i) {
    if (elf.sections[i].name == ".debug_line") run_line_programs(elf, i, table);
  }
  table.sort();
  return table;
}

}  // namespace warpwise::image
