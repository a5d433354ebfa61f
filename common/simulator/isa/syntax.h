#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/isa/row.h"

namespace warpwise::isa {

/// One operand as a row declares it.
struct OperandSpec {
  std::string name;  ///< "d", "a", ...
  std::string type;  ///< "u32" or the name of a modifier ("type"); "" for the opcode's last type
  bool address = false;          ///< written [a]
  bool has_coordinates = false;  ///< written [a, c]
  bool second = false;           ///< the second half of d|p
  bool optional = false;
  bool destination = false;  ///< named d, d2, p, q before the first source
};

/// The operands of a row that programs do not write.
struct Implicit {
  bool carry_in = false;   ///< the last source
  bool carry_out = false;  ///< the second destination
  bool immediate = false;  ///< the last source
};

/// A row's syntax, parsed once.
class Syntax {
 public:
  explicit Syntax(const Row& row);

  /// Matches an opcode's dotted words after the mnemonic: {"rn", "f32"}.
  std::optional<Variant> match(const std::vector<std::string_view>& words) const;

  /// The same where the words are in another order. ptxas takes them in any, and headers of the
  /// toolkit rely on it (`lg2.approx.f32.ftz`); only the types keep theirs.
  std::optional<Variant> match_in_any_order(std::vector<std::string_view> words) const;

  const Row& row() const { return *row_; }
  const std::string& mnemonic() const { return mnemonic_; }
  const std::vector<OperandSpec>& operands() const { return operands_; }
  const Implicit& implicit() const { return implicit_; }

  /// One modifier of the opcode.
  struct Part {
    std::string name;
    std::vector<std::string>
        choices;  ///< one for a literal; a choice may span words: "shared::cta"
    bool optional;
  };
  /// The modifiers in the order of the opcode.
  const std::vector<Part>& parts() const { return parts_; }

 private:
  bool match_from(std::size_t part, std::size_t word, const std::vector<std::string_view>& words,
                  Variant& variant) const;
  bool match_rest(std::size_t part, std::vector<std::string_view>& words, Variant& variant) const;
  void read_opcode(std::string_view text, std::string_view sets);
  void read_operands(std::string_view text);

  const Row* row_;
  std::string mnemonic_;
  std::vector<Part> parts_;
  std::vector<OperandSpec> operands_;
  Implicit implicit_;
};

/// The type of an operand of an opcode that made these choices.
Type type_of(const OperandSpec& operand, const Variant& variant);

/// A row found for an opcode, with its choices.
struct Match {
  const Syntax* syntax;
  Variant variant;
  LaneFunction function;  ///< null where the row has no selector
};

/// Finds the row for an opcode such as "add.rn.f32"; nothing where no row has it.
/// @param operands how many are written: an opcode may have a row for each count (max.f32).
std::optional<Match> find_row(std::string_view opcode, std::size_t operands = 0);

}  // namespace warpwise::isa
