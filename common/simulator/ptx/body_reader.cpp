#include <bit>
#include <cctype>
#include <cstdlib>

#include "simulator/ptx/operand_check.h"
#include "simulator/ptx/parser.h"

namespace warpwise::ptx {
namespace {

/// 0.5, 1e3, 2.5e-4: always a double, which the instruction narrows.
bool is_decimal_float(std::string_view word) {
  return std::isdigit(static_cast<unsigned char>(word[0])) &&
         word.find_first_not_of("0123456789.eE+-") == std::string_view::npos &&
         word.find_first_of(".eE") != std::string_view::npos;
}

}  // namespace

void BodyReader::body(Function& function) {
  function_ = &function;
  scopes_.assign(1, {});
  location_ = -1;
  while (!scopes_.empty()) {
    if (at_end()) fail("the text ends inside " + function.name);
    statement();
  }
  function_ = nullptr;
}

void BodyReader::statement() {
  if (accept("{")) return open_scope();
  if (accept("}")) return close_scope();
  if (accept(";")) return;
  if (accept("@")) {
    bool negated = accept("!");
    std::string name = word();
    int guard = find_register(name);
    if (guard < 0) fail("no such register: " + name);
    return instruction(guard, negated);
  }
  if (lexer_.peek().text.starts_with('.')) return directive();
  instruction(-1, false);
}

void BodyReader::open_scope() {
  scopes_.emplace_back();
  scopes_.back().first_instruction = function_->body.size();
}

/// A label belongs to its braces: inline assembly repeats one in each of its copies. Branches
/// within may come before it, so they get its own name when the scope ends, from the innermost
/// outwards.
void BodyReader::close_scope() {
  const Scope& scope = scopes_.back();
  if (!scope.labels.empty()) {
    const auto rename = [&scope](std::string& name) {
      if (auto own = scope.labels.find(name); own != scope.labels.end()) name = own->second;
    };
    for (std::size_t i = scope.first_instruction; i < function_->body.size(); ++i)
      for (Operand& operand : function_->body[i].operands)
        if (operand.kind == Operand::Kind::symbol) rename(operand.name);
    for (const auto& [name, own] : scope.labels)
      if (auto list = function_->branch_targets.find(own); list != function_->branch_targets.end())
        for (std::string& target : list->second) rename(target);
  }
  scopes_.pop_back();
}

/// The name under which the function keeps a label that stands here.
std::string BodyReader::own_label(const std::string& name) {
  if (scopes_.size() == 1) return name;
  return scopes_.back().labels[name] = name + "{" + std::to_string(++inner_labels_) + "}";
}

void BodyReader::directive() {
  unsigned line = lexer_.peek().line;
  std::string name = word();
  if (name == ".reg") return registers();
  if (name == ".loc") return location();
  if (name == ".pragma") return skip_to(";");
  Space space;
  if (name == ".shared")
    space = Space::shared;
  else if (name == ".local")
    space = Space::local;
  else if (name == ".param")
    space = Space::param;
  else
    return fail("no such directive inside a function: " + name, line);
  for (Variable& variable : variables(space, Linkage::internal))
    function_->variables.push_back(std::move(variable));
}

void BodyReader::registers() {
  std::string type_name = word();
  auto type = isa::type_named(type_name.substr(1));
  if (!type) fail("no such register type: " + type_name);
  do {
    std::string name = word();
    int first = static_cast<int>(function_->registers.size());
    if (accept("<")) {
      std::int64_t count = integer();
      expect(">");
      if (count < 0 || count > 1'000'000) fail("too many registers");
      for (std::int64_t i = 0; i < count; ++i)
        function_->registers.push_back({name + std::to_string(i), *type});
      scopes_.back().families.push_back({name, first, static_cast<int>(count)});
    } else {
      function_->registers.push_back({name, *type});
      scopes_.back().names[name] = first;
    }
  } while (accept(","));
  expect(";");
}

int BodyReader::find_register(std::string_view name) const {
  std::size_t digits = name.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(name[digits - 1]))) --digits;
  int index = digits < name.size() && name.size() - digits < 9
                  ? std::atoi(std::string(name.substr(digits)).c_str())
                  : -1;
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    if (auto found = scopes_[i].names.find(name); found != scopes_[i].names.end())
      return found->second;
    for (const Scope::Family& family : scopes_[i].families)
      if (index >= 0 && index < family.count && family.prefix == name.substr(0, digits))
        return family.first + index;
  }
  return -1;
}

void BodyReader::location() {
  Location location;
  location.file = static_cast<unsigned>(integer());
  location.line = static_cast<unsigned>(integer());
  location.column = static_cast<unsigned>(integer());
  while (accept(",")) {
    std::string attribute = word();
    if (attribute == "function_name") {
      word();
      if (accept("+")) integer();
    } else if (attribute == "inlined_at") {
      auto file = static_cast<unsigned>(integer()), line = static_cast<unsigned>(integer()),
           column = static_cast<unsigned>(integer());
      // The place is an earlier .loc, which may itself be inlined.
      for (int i = static_cast<int>(function_->locations.size()); i-- > 0;) {
        const Location& earlier = function_->locations[i];
        if (earlier.file == file && earlier.line == line && earlier.column == column) {
          location.inlined_at = i;
          break;
        }
      }
      if (location.inlined_at < 0) {
        location.inlined_at = static_cast<int>(function_->locations.size());
        function_->locations.push_back({file, line, column, -1});
      }
    } else {
      fail("no such attribute of .loc: " + attribute);
    }
  }
  // Line 0 is what compilers write for code that they moved: the place before it is nearer.
  if (location.line == 0) return;
  location_ = static_cast<int>(function_->locations.size());
  function_->locations.push_back(location);
}

std::string BodyReader::source_place() const {
  if (!function_ || location_ < 0) return {};
  const Location* place = &function_->locations[location_];
  while (place->inlined_at >= 0) place = &function_->locations[place->inlined_at];
  return " (in " + function_->name + ", source line " + std::to_string(place->line) + ")";
}

void BodyReader::instruction(int guard, bool guard_negated) {
  unsigned line = lexer_.peek().line;
  std::string opcode = word();
  if (accept(":")) {
    // Callees say themselves what they take.
    if (at(".callprototype") || at(".calltargets")) return skip_to(";");
    if (accept(".branchtargets")) return branch_targets(own_label(opcode));
    function_->labels[own_label(opcode)] = function_->body.size();
    return;
  }
  auto match = isa::find_row(opcode);
  if (!match) {
    give_up("the simulator does not know " + opcode + " yet", line);
    return skip_to(";");
  }
  Instruction result;
  result.opcode = opcode;
  result.match = std::move(*match);
  result.guard = guard;
  result.guard_negated = guard_negated;
  result.location = location_;
  result.text_line = line;
  operand_list(result);
  std::size_t written = result.operands.size();
  if (written > result.match.syntax->operands().size())
    if (auto wider = isa::find_row(opcode, written)) result.match = std::move(*wider);
  if (const std::string why = operand_problem(*function_, result); !why.empty())
    return give_up(why, line);
  function_->body.push_back(std::move(result));
}

/// On the function alone: others of the module may be all that the program runs.
void BodyReader::give_up(const std::string& what, unsigned line) {
  if (function_->unsupported.empty()) function_->unsupported = sentence(what, line);
}

void BodyReader::branch_targets(const std::string& list) {
  do function_->branch_targets[list].push_back(word());
  while (accept(","));
  expect(";");
}

void BodyReader::operand_list(Instruction& instruction) {
  if (accept(";")) return;
  do {
    instruction.operands.push_back(operand());
    if (accept("|")) {
      instruction.has_second = true;
      instruction.operands.push_back(operand());
    }
  } while (accept(","));
  expect(";");
}

Operand BodyReader::operand() {
  if (accept("[")) return address();
  bool vector = at("{");
  if (vector || at("(")) {
    lexer_.next();
    Operand list;
    list.kind = vector ? Operand::Kind::vector : Operand::Kind::arguments;
    std::string_view end = vector ? "}" : ")";
    if (accept(end)) return list;
    do list.elements.push_back(simple());
    while (accept(","));
    expect(end);
    return list;
  }
  return simple();
}

Operand BodyReader::address() {
  Operand result = simple();
  if (result.kind == Operand::Kind::reg && accept("+")) result.value = integer();
  result.kind = Operand::Kind::address;
  while (accept(",")) coordinates(result);
  expect("]");
  return result;
}

/// Of a texture or surface: a list, or one value alone.
void BodyReader::coordinates(Operand& address) {
  const bool is_list = accept("{");
  do address.elements.push_back(simple());
  while (is_list && accept(","));
  if (is_list) expect("}");
}

Operand BodyReader::simple() {
  bool negated = accept("!"), minus = accept("-");
  std::string text = word();
  // Video instructions pick bytes and halves of a register: %r1.b0.
  std::size_t dot = text.find('.', 1);
  bool selects = dot != std::string::npos && find_register(text.substr(0, dot)) >= 0;
  Operand result = value_of(selects ? text.substr(0, dot) : text);
  result.negated = negated;
  if (selects) result.selector = text.substr(dot + 1);
  if (minus && result.kind == Operand::Kind::reg) result.selector.insert(0, "-");
  if (minus && result.kind == Operand::Kind::f32) result.value ^= 0x80000000;
  if (minus && result.kind == Operand::Kind::f64) result.value ^= INT64_MIN;
  if (minus && result.kind == Operand::Kind::integer) result.value = negative(result.value);
  if (result.kind == Operand::Kind::symbol && accept("+")) result.value = integer();
  return result;
}

Operand BodyReader::value_of(std::string_view word) {
  Operand result;
  if (word == "_") return result;
  if (int id = find_register(word); id >= 0) {
    result.kind = Operand::Kind::reg;
    result.id = id;
    return result;
  }
  bool hexadecimal_float = word.size() > 2 && word[0] == '0' &&
                           std::isalpha(static_cast<unsigned char>(word[1])) && word[1] != 'x' &&
                           word[1] != 'X';
  if (hexadecimal_float) {
    bool single = word[1] == 'f' || word[1] == 'F';
    result.kind = single ? Operand::Kind::f32 : Operand::Kind::f64;
    result.value =
        static_cast<std::int64_t>(std::strtoull(std::string(word.substr(2)).c_str(), nullptr, 16));
  } else if (is_decimal_float(word)) {
    result.kind = Operand::Kind::f64;
    result.value = std::bit_cast<std::int64_t>(std::strtod(std::string(word).c_str(), nullptr));
  } else if (word == "WARP_SZ") {
    result.kind = Operand::Kind::integer;
    result.value = 32;
  } else if (auto value = number(word)) {
    result.kind = Operand::Kind::integer;
    result.value = *value;
  } else if (std::isdigit(static_cast<unsigned char>(word[0]))) {
    fail("not a number: " + std::string(word));
  } else {
    result.kind = word[0] == '%' ? Operand::Kind::special : Operand::Kind::symbol;
    result.name = word;
  }
  return result;
}

}  // namespace warpwise::ptx
