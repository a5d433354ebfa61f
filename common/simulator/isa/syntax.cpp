#include "simulator/isa/syntax.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace warpwise::isa {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= text.size();) {
    std::size_t end = std::min(text.find(separator, start), text.size());
    parts.push_back(trim(text.substr(start, end - start)));
    start = end + 1;
  }
  return parts;
}

/// Operands are split at commas, but "[a, c]" is one.
std::vector<std::string_view> operands_of(std::string_view text) {
  std::vector<std::string_view> operands;
  for (std::string_view part : split(text, ',')) {
    const bool is_open = !operands.empty() && operands.back().find('[') != std::string_view::npos &&
                         operands.back().find(']') == std::string_view::npos;
    if (!is_open) {
      operands.push_back(part);
    } else {
      const char* start = operands.back().data();
      operands.back() = {start, static_cast<std::size_t>(part.data() + part.size() - start)};
    }
  }
  return operands;
}

/// The set of `.name = {.a, .b}` among the clauses after the first semicolon; itself for a literal.
std::vector<std::string> choices_of(std::string_view name, std::string_view sets) {
  for (std::string_view clause : split(sets, ';')) {
    std::size_t equals = clause.find('=');
    if (equals == std::string_view::npos) continue;
    if (trim(clause.substr(0, equals)) != "." + std::string(name)) continue;
    std::size_t open = clause.find('{'), close = clause.rfind('}');
    std::vector<std::string> choices;
    for (std::string_view choice : split(clause.substr(open + 1, close - open - 1), ','))
      choices.emplace_back(choice.substr(1));
    return choices;
  }
  return {std::string(name)};
}

/// Opcodes are split at dots, but ".shared::cta" is one word.
std::vector<std::string_view> words_of(std::string_view opcode) { return split(opcode, '.'); }

}  // namespace

std::string_view Variant::operator[](std::string_view name) const {
  for (const auto& [key, choice] : choices_)
    if (key == name) return choice;
  return {};
}

bool Variant::has(std::string_view word) const {
  for (const auto& [key, choice] : choices_)
    if (choice == word) return true;
  return false;
}

Type Variant::type(std::string_view name) const {
  return type_named((*this)[name]).value_or(Type::b32);
}

Type Variant::last_type() const {
  for (std::size_t i = choices_.size(); i-- > 0;)
    if (auto type = type_named(choices_[i].second)) return *type;
  return Type::b32;
}

Syntax::Syntax(const Row& row) : row_(&row) {
  std::string_view text = row.syntax, sets;
  if (std::size_t semicolon = text.find(';'); semicolon != std::string_view::npos) {
    sets = text.substr(semicolon + 1);
    text = text.substr(0, semicolon);
  }
  std::size_t space = std::min(text.find(' '), text.size());
  read_opcode(text.substr(0, space), sets);
  read_operands(trim(text.substr(space)));
}

void Syntax::read_opcode(std::string_view text, std::string_view sets) {
  mnemonic_ = std::string(text.substr(0, text.find_first_of(".{")));
  std::size_t at = mnemonic_.size();
  while (at < text.size()) {
    bool optional = text[at] == '{';
    if (optional) ++at;
    ++at;  // the dot
    std::size_t end = std::min(text.find_first_of(".{}", at), text.size());
    std::string name(text.substr(at, end - at));
    parts_.push_back({name, choices_of(name, sets), optional});
    at = optional ? end + 1 : end;
  }
}

void Syntax::read_operands(std::string_view text) {
  if (text.empty()) return;
  bool sources = false;
  bool optional = false;
  for (std::string_view item : operands_of(text)) {
    if (item.front() == '{') optional = true;
    std::string plain;
    for (char c : item)
      if (c != '{' && c != '}') plain += c;
    bool second = false;
    for (std::string_view half : split(plain, '|')) {
      if (half == "CC" || half == "IMM") {
        (half == "IMM" ? implicit_.immediate
         : second      ? implicit_.carry_out
                       : implicit_.carry_in) = true;
        continue;
      }
      OperandSpec spec;
      spec.optional = optional;
      spec.second = second;
      if (half.front() == '[') {
        spec.address = true;
        half = half.substr(1, half.size() - 2);
        const std::size_t comma = half.find(',');
        spec.has_coordinates = comma != std::string_view::npos;
        half = half.substr(0, comma);
      }
      std::size_t colon = std::min(half.find(':'), half.size());
      spec.name = std::string(half.substr(0, colon));
      if (colon < half.size()) spec.type = std::string(half.substr(colon + 1));
      sources |= spec.address || !(spec.name[0] == 'd' || spec.name == "p" || spec.name == "q");
      spec.destination = !sources;
      operands_.push_back(spec);
      second = true;
    }
    optional = item.back() == '{' || (optional && item.back() != '}');
  }
}

std::optional<Variant> Syntax::match(const std::vector<std::string_view>& words) const {
  Variant variant;
  if (!match_from(0, 0, words, variant)) return std::nullopt;
  return variant;
}

bool Syntax::match_from(std::size_t part, std::size_t word,
                        const std::vector<std::string_view>& words, Variant& variant) const {
  if (part == parts_.size()) return word == words.size();
  const Part& expected = parts_[part];
  std::size_t kept = variant.size();
  if (word < words.size()) {
    for (const std::string& choice : expected.choices) {
      if (choice != words[word]) continue;
      variant.set(expected.name, choice);
      if (match_from(part + 1, word + 1, words, variant)) return true;
      variant.resize(kept);
    }
  }
  return expected.optional && match_from(part + 1, word, words, variant);
}

std::optional<Variant> Syntax::match_in_any_order(std::vector<std::string_view> words) const {
  Variant variant;
  if (std::ranges::any_of(words, &std::string_view::empty)) return std::nullopt;
  if (!match_rest(0, words, variant)) return std::nullopt;
  return variant;
}

/// Takes one of the remaining words for each part; a taken word becomes empty.
bool Syntax::match_rest(std::size_t part, std::vector<std::string_view>& words,
                        Variant& variant) const {
  if (part == parts_.size()) return std::ranges::all_of(words, &std::string_view::empty);
  const Part& expected = parts_[part];
  const std::size_t kept = variant.size();
  bool behind_a_type = false;
  for (std::string_view& word : words) {
    const std::string_view taken = word;
    const bool is_type = type_named(taken).has_value();
    const auto choice = std::ranges::find(expected.choices, taken);
    if (choice != expected.choices.end() && !(is_type && behind_a_type)) {
      variant.set(expected.name, *choice);
      word = {};
      if (match_rest(part + 1, words, variant)) return true;
      word = taken;
      variant.resize(kept);
    }
    behind_a_type |= is_type;
  }
  return expected.optional && match_rest(part + 1, words, variant);
}

Type type_of(const OperandSpec& operand, const Variant& variant) {
  bool comparison = operand.destination && (operand.name == "p" || operand.name == "q");
  if (operand.type.empty()) return comparison ? Type::pred : variant.last_type();
  if (operand.type == "wide") {
    Type narrow = variant.last_type();
    return *type_named((is_signed(narrow) ? "s" : "u") + std::to_string(16 * size_bytes(narrow)));
  }
  if (auto type = type_named(operand.type)) return *type;
  return variant.type(operand.type);
}

std::optional<Match> find_row(std::string_view opcode, std::size_t operands) {
  static const auto* table = [] {
    auto* map = new std::unordered_map<std::string, std::vector<Syntax>>;
    for (const Row& row : rows()) {
      Syntax syntax(row);
      (*map)[syntax.mnemonic()].push_back(std::move(syntax));
    }
    return map;
  }();
  std::vector<std::string_view> words = words_of(opcode);
  auto found = table->find(std::string(words.front()));
  if (found == table->end()) return std::nullopt;
  words.erase(words.begin());
  for (const bool any_order : {false, true}) {
    for (const Syntax& syntax : found->second) {
      if (syntax.operands().size() < operands) continue;
      std::optional<Variant> variant =
          any_order ? syntax.match_in_any_order(words) : syntax.match(words);
      if (!variant) continue;
      LaneFunction function = nullptr;
      if (syntax.row().select) {
        function = syntax.row().select(*variant);
        if (!function) continue;
      }
      return Match{&syntax, std::move(*variant), function};
    }
  }
  return std::nullopt;
}

}  // namespace warpwise::isa
