#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/code/flow/liveness.h"
#include "simulator/ptx/module.h"

namespace warpwise::code {

/// The knowledge about a value: nothing yet, not an address, an address in one array, or one of
/// several. It only moves forward in this list, so the search ends.
struct Origin {
  enum class Kind { unknown, number, array, several };
  Kind kind = Kind::unknown;
  std::uint32_t array = 0;

  bool operator==(const Origin&) const = default;
};

inline constexpr Origin several = {Origin::Kind::several, 0};
inline constexpr Origin number = {Origin::Kind::number, 0};

/// The origin of a register that holds one or the other.
inline Origin either(const Origin& a, const Origin& b) {
  if (a.kind == Origin::Kind::unknown) return b;
  if (b.kind == Origin::Kind::unknown || a == b) return a;
  return several;
}

/// The origin of a value made of two by an addition or a similar operation.
inline Origin together(const Origin& a, const Origin& b) {
  if (a.kind == Origin::Kind::unknown || b.kind == Origin::Kind::unknown) return {};
  if (a.kind == Origin::Kind::number) return b;
  return b.kind == Origin::Kind::number ? a : several;
}

/// Instructions that leave an address in its array.
enum class Effect { copies, adds, subtracts, multiplies_and_adds, chooses, loses };

inline Effect effect_of(std::string_view mnemonic) {
  static const std::map<std::string_view, Effect> effects = {
      {"mov", Effect::copies},    {"cvta", Effect::copies},
      {"cvt", Effect::copies},    {"add", Effect::adds},
      {"or", Effect::adds},       {"xor", Effect::adds},
      {"and", Effect::adds},      {"mapa", Effect::adds},
      {"sub", Effect::subtracts}, {"mad", Effect::multiplies_and_adds},
      {"selp", Effect::chooses}};
  const auto found = effects.find(mnemonic);
  return found == effects.end() ? Effect::loses : found->second;
}

/// Follows the addresses of arrays through the registers of a function.
class OriginSearch {
 public:
  explicit OriginSearch(const ptx::Function& function)
      : function_(function), origins_(function.registers.size()) {}
  virtual ~OriginSearch() = default;

  /// Goes over the instructions until no origin changes.
  const std::vector<Origin>& result() {
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (const ptx::Instruction& instruction : function_.body) is_new |= learn(instruction);
    }
    return origins_;
  }

 protected:
  /// The origin that a name refers to.
  virtual Origin named(const std::string& name) const = 0;
  /// The origin of an address that an instruction makes of something else: unknown where it does
  /// not do so.
  virtual Origin start_in(const ptx::Instruction& instruction) const = 0;

 private:
  Origin of(const ptx::Operand& operand) const {
    if (operand.id >= 0) return origins_[static_cast<std::size_t>(operand.id)];
    if (const Origin start = named(operand.name); start.kind == Origin::Kind::array) return start;
    Origin all = number;
    for (const ptx::Operand& element : operand.elements)
      if (const Origin origin = of(element); origin.kind != Origin::Kind::number) all = several;
    return all;
  }

  Origin made_by(const ptx::Instruction& instruction) const {
    const auto& operands = instruction.operands;
    // What memory holds is a number, wherever it is.
    using isa::Kind;
    const Kind kind = instruction.kind();
    if (kind == Kind::load || kind == Kind::atomic) return number;
    const Effect effect = effect_of(instruction.match.syntax->mnemonic());
    if (effect == Effect::copies && operands.size() == 2) return of(operands[1]);
    if (effect == Effect::adds && operands.size() == 3)
      return together(of(operands[1]), of(operands[2]));
    if (effect == Effect::chooses && operands.size() == 4)
      return either(of(operands[1]), of(operands[2]));
    const bool has_last_apart =
        effect == Effect::subtracts || effect == Effect::multiplies_and_adds;
    Origin sources = number;
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const bool is_address = effect == Effect::subtracts ? i == 1 : has_last_apart && i == 3;
      if (is_address) continue;
      const Origin origin = of(operands[i]);
      if (origin.kind == Origin::Kind::unknown) return {};
      if (origin.kind != Origin::Kind::number) sources = several;
    }
    if (effect == Effect::subtracts && operands.size() == 3)
      return together(of(operands[1]), sources);
    if (effect == Effect::multiplies_and_adds && operands.size() == 4)
      return together(of(operands[3]), sources);
    return sources;
  }

  bool learn(const ptx::Instruction& instruction) {
    bool is_new = false;
    std::vector<int> written;
    visit_registers(instruction, [&](int id, bool is_written) {
      if (is_written) written.push_back(id);
    });
    if (written.empty()) return false;
    Origin made = start_in(instruction);
    if (made.kind == Origin::Kind::unknown)
      made = written.size() == 1 ? made_by(instruction) : made_by_several(instruction);
    for (int id : written) {
      Origin& known = origins_[static_cast<std::size_t>(id)];
      const Origin now = either(known, made);
      is_new |= !(now == known);
      known = now;
    }
    return is_new;
  }

  /// Loads of vectors give numbers; an address that is split into parts is lost.
  Origin made_by_several(const ptx::Instruction& instruction) const {
    using isa::Kind;
    const Kind kind = instruction.kind();
    return kind == Kind::load || kind == Kind::atomic ? number : several;
  }

  const ptx::Function& function_;
  std::vector<Origin> origins_;
};

}  // namespace warpwise::code
