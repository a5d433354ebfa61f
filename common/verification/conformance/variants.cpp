#include "verification/conformance/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "verification/conformance/random/random.h"
#include "verification/conformance/random/selectors.h"

namespace warpwise::conformance {
namespace {

using Parts = std::vector<isa::Syntax::Part>;
/// For each part the index of its choice; 0 is none where the part is optional.
using Combination = std::vector<std::size_t>;

constexpr std::size_t most_variants = 1'500;
constexpr std::size_t most_combinations = 20'000;
/// Tables with which a lookup of three inputs is tried: xor, majority, select, a mixed one, and the
/// extremes.
constexpr std::uint32_t constants[] = {0x96, 0xe8, 0xca, 0x1b, 0x00, 0xff};

std::size_t options(const isa::Syntax::Part& part) { return part.choices.size() + part.optional; }

std::string opcode_of(const isa::Syntax& syntax, const Combination& combination) {
  std::string opcode = syntax.mnemonic();
  for (std::size_t i = 0; i < combination.size(); ++i) {
    const isa::Syntax::Part& part = syntax.parts()[i];
    if (part.optional && combination[i] == 0) continue;
    opcode += "." + part.choices[combination[i] - part.optional];
  }
  return opcode;
}

/// All combinations, or a sample where they are very many.
std::vector<Combination> combinations_of(const isa::Syntax& syntax) {
  const Parts& parts = syntax.parts();
  std::size_t product = 1;
  for (const auto& part : parts) product = std::min(product * options(part), most_combinations + 1);
  std::vector<Combination> result;
  if (product <= most_combinations) {
    for (std::size_t number = 0; number < product; ++number) {
      Combination combination(parts.size());
      std::size_t rest = number;
      for (std::size_t i = parts.size(); i-- > 0; rest /= options(parts[i]))
        combination[i] = rest % options(parts[i]);
      result.push_back(std::move(combination));
    }
    return result;
  }
  Random random(hash_of(syntax.row().syntax));
  std::set<Combination> seen;
  for (std::size_t i = 0; i < most_combinations; ++i) {
    Combination combination;
    for (const auto& part : parts) combination.push_back(random.below(options(part)));
    if (seen.insert(combination).second) result.push_back(std::move(combination));
  }
  return result;
}

/// Keeps enough of `all` that each two choices that occur together in one of them still do.
std::vector<Combination> covering_pairs(std::vector<Combination> all, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random.below(i)]);
  std::set<std::vector<std::size_t>> covered;
  std::vector<Combination> result;
  for (const Combination& combination : all) {
    bool fresh = false;
    for (std::size_t i = 0; i < combination.size(); ++i)
      for (std::size_t j = i; j < combination.size(); ++j)
        fresh |= covered.insert({i, combination[i], j, combination[j]}).second;
    if (fresh) result.push_back(combination);
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// The opcode with each of the constants and optional operands that it may have.
std::vector<Variant> forms_of(const std::string& opcode, const isa::Match& match) {
  const auto& operands = match.syntax->operands();
  auto wanted = std::count_if(operands.begin(), operands.end(), is_immediate);
  bool optional = std::any_of(operands.begin(), operands.end(),
                              [](const isa::OperandSpec& operand) { return operand.optional; });
  std::vector<Variant> result;
  for (bool with : {false, true}) {
    if (with && !optional) continue;
    if (wanted == 0) result.push_back({opcode, {}, with, {}, match});
    for (std::size_t i = 0; wanted > 0 && i < std::size(constants); ++i) {
      Variant variant{opcode, {}, with, {}, match};
      for (std::ptrdiff_t k = 0; k < wanted; ++k)
        variant.immediates.push_back(constants[(i + static_cast<std::size_t>(k)) % 6]);
      result.push_back(std::move(variant));
    }
  }
  for (auto& selectors : selectors_for(opcode, match))
    result.push_back({opcode, {}, false, std::move(selectors), match});
  return result;
}

/// The row's match for an opcode: another row may have the same one, and then the number of
/// operands decides.
std::optional<isa::Match> match_in(const isa::Row& row, const isa::Syntax& syntax,
                                   const std::string& opcode) {
  for (std::size_t operands : {std::size_t{0}, syntax.operands().size()})
    if (auto match = isa::find_row(opcode, operands);
        match && match->syntax->row().syntax == row.syntax)
      return match;
  return std::nullopt;
}

constexpr std::string_view operands_word = "operands=", selectors_word = "selectors=";

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

}  // namespace

bool is_immediate(const isa::OperandSpec& operand) { return operand.name.starts_with("imm"); }

std::string Variant::key() const {
  std::string text = opcode;
  for (std::uint32_t value : immediates) text += fmt::format(" {:#x}", value);
  if (optional_operands) text += " optional";
  if (isa::find_row(opcode)->syntax != match.syntax)
    text += fmt::format(" {}{}", operands_word, match.syntax->operands().size());
  if (!selectors.empty()) text += fmt::format(" {}{}", selectors_word, fmt::join(selectors, ","));
  return text;
}

std::vector<isa::OperandSpec> Variant::operands() const {
  std::vector<isa::OperandSpec> result;
  for (const isa::OperandSpec& operand : match.syntax->operands())
    if (!operand.optional || optional_operands) result.push_back(operand);
  return result;
}

std::string Variant::text(
    const std::function<std::string(const isa::OperandSpec&)>& written) const {
  std::string line = opcode, separator = " ";
  std::size_t immediate = 0, operand_index = 0;
  for (const isa::OperandSpec& operand : operands()) {
    line += operand.second ? "|" : separator;
    separator = ", ";
    line +=
        is_immediate(operand) ? fmt::format("{:#x}", immediates[immediate++]) : written(operand);
    std::string selector = selectors.empty() ? "" : selectors.at(operand_index++);
    if (!selector.empty()) line += "." + selector;
  }
  return line + ";";
}

std::vector<Variant> variants_of(const isa::Row& row, const LeftOut& left_out) {
  if (row.kind != isa::Kind::lanes || row.syntax.starts_with('_')) return {};
  isa::Syntax syntax(row);
  std::vector<Combination> kept;
  for (Combination& combination : combinations_of(syntax)) {
    std::string opcode = opcode_of(syntax, combination);
    auto match = match_in(row, syntax, opcode);
    if (!match) continue;
    auto forms = forms_of(opcode, *match);
    if (!std::all_of(forms.begin(), forms.end(), [&](auto& form) { return left_out(form.key()); }))
      kept.push_back(std::move(combination));
  }
  if (kept.size() > most_variants || row.immediate)
    kept = covering_pairs(std::move(kept), hash_of(row.syntax));
  std::vector<Variant> result;
  for (const Combination& combination : kept) {
    std::string opcode = opcode_of(syntax, combination);
    for (Variant& variant : forms_of(opcode, *match_in(row, syntax, opcode)))
      if (!left_out(variant.key())) result.push_back(std::move(variant));
  }
  return result;
}

std::vector<Variant> all_variants(const LeftOut& left_out) {
  std::vector<Variant> result;
  std::set<std::string> seen;
  for (const isa::Row& row : isa::rows())
    for (Variant& variant : variants_of(row, left_out))
      if (seen.insert(variant.key()).second) result.push_back(std::move(variant));
  return result;
}

std::optional<Variant> variant_of_key(const std::string& key) {
  std::istringstream words(key);
  Variant variant;
  words >> variant.opcode;
  std::size_t operands = 0;
  for (std::string word; words >> word;) {
    if (word == "optional")
      variant.optional_operands = true;
    else if (word.starts_with(operands_word))
      operands = std::stoul(word.substr(operands_word.size()));
    else if (word.starts_with(selectors_word))
      variant.selectors = split(word.substr(selectors_word.size()));
    else
      variant.immediates.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
  }
  auto match = isa::find_row(variant.opcode, operands);
  if (!match || match->syntax->row().kind != isa::Kind::lanes) return std::nullopt;
  if (!variant.selectors.empty()) variant.selectors.resize(match->syntax->operands().size());
  variant.match = *match;
  return variant;
}

}  // namespace warpwise::conformance
