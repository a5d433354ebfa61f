#include <bit>
#include <cctype>
#include <cstdlib>

#include "simulator/ptx/operand_check.h"
#include "simulator/ptx/parser.h"

namespace warpwise::ptx {

void BodyReader::body(Function& function) {
  function_ = &function;
  scopes_.assign(1, {});
  location_ = -1;
  prototypes_.clear();
  take_registers();
  while (!scopes_.empty()) {
    if (at_end()) fail("the text ends inside " + function.name);
    if (scopes_.size() == 1 && at("}")) give_registers({});
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

/// The name under which the function keeps a label of this scope.
std::string BodyReader::own_label(const std::string& name) {
  if (scopes_.size() == 1) return name;
  return scopes_.back().labels[name] = name + "{" + std::to_string(++inner_names_) + "}";
}

void BodyReader::directive() {
  unsigned line = lexer_.peek().line;
  std::string name = word();
  if (name == ".reg") return registers();
  if (name == ".loc") return location();
  if (name == ".pragma") return skip_to(";");
  if (name == ".shared")
    variables_of(Space::shared);
  else if (name == ".local")
    variables_of(Space::local);
  else if (name == ".param")
    variables_of(Space::param);
  else if (name == ".global")
    variables_of(Space::global);
  else if (name == ".const")
    variables_of(Space::constant);
  else
    fail("no such directive inside a function: " + name, line);
}

/// Inner braces may declare names again, as copies of inline assembly do: each is a variable of its
/// own. Those that calls pass in or out can share a place.
void BodyReader::variables_of(Space space) {
  const bool is_global = space == Space::global || space == Space::constant;
  for (Variable& variable : variables(space, Linkage::internal)) {
    if (is_global || (scopes_.size() > 1 && space != Space::param)) {
      std::string own = variable.name + "{" + std::to_string(++inner_names_) + "}";
      scopes_.back().variables[variable.name] = own;
      variable.name = std::move(own);
    }
    remember(variable);
    (is_global ? inner_globals_ : function_->variables).push_back(std::move(variable));
  }
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
  // Compilers write line 0 for code that they moved: the previous place is closer.
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
    if (accept(".callprototype")) return prototype(opcode);
    if (accept(".calltargets")) return call_targets(opcode);
    if (accept(".branchtargets")) return branch_targets(own_label(opcode));
    function_->labels[own_label(opcode)] = function_->body.size();
    return;
  }
  Instruction result;
  result.opcode = opcode;
  result.guard = guard;
  result.guard_negated = guard_negated;
  result.location = location_;
  result.text_line = line;
  auto match = isa::find_row(opcode);
  if (!match) {
    const unsigned width = opcode.starts_with("mov.v") ? vector_width(opcode.substr(3, 3)) : 0;
    if (width) return move_vector(std::move(result), "mov" + opcode.substr(6), width);
    give_up("the simulator does not know " + opcode + " yet", line);
    return skip_to(";");
  }
  result.match = std::move(*match);
  operand_list(result);
  std::size_t written = result.operands.size();
  if (written > result.match.syntax->operands().size())
    if (auto wider = isa::find_row(opcode, written)) result.match = std::move(*wider);
  if (result.kind() == isa::Kind::call) return call(std::move(result));
  if (result.kind() == isa::Kind::branch_table) return branch_by_table(std::move(result));
  if (result.kind() == isa::Kind::ret) give_registers(result);
  add(std::move(result));
}

void BodyReader::add(Instruction instruction) {
  if (const std::string why = operand_problem(*function_, instruction); !why.empty())
    return give_up(why, instruction.text_line);
  function_->body.push_back(std::move(instruction));
}

/// Gives up the function alone: the program may run only other functions of the module.
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
  const bool is_of_call = instruction.kind() == isa::Kind::call;
  const bool is_move = instruction.match.syntax->mnemonic() == "mov";
  do {
    instruction.operands.push_back(operand(is_of_call));
    if (accept("|")) {
      instruction.has_second = true;
      instruction.operands.push_back(operand(is_of_call));
    }
    // A move of an array's element gets the element's address.
    Operand& last = instruction.operands.back();
    if (is_move && last.kind == Operand::Kind::address && last.id < 0 && !last.name.empty())
      last.kind = Operand::Kind::symbol;
  } while (accept(","));
  expect(";");
}

Operand BodyReader::operand(bool is_of_call) {
  if (accept("[")) return address();
  Operand result;
  if (accept("{")) {
    result.kind = Operand::Kind::vector;
    result.elements = list("}", false);
  } else if (is_of_call && accept("(")) {
    result.kind = Operand::Kind::arguments;
    result.elements = list(")", true);
  } else {
    result = simple();
    if (result.kind == Operand::Kind::symbol && accept("[")) return element_address(result);
  }
  return result;
}

std::vector<Operand> BodyReader::list(std::string_view end, bool may_hold_vectors) {
  std::vector<Operand> elements;
  if (accept(end)) return elements;
  do {
    elements.push_back(simple());
    if (elements.back().kind == Operand::Kind::vector && !may_hold_vectors)
      fail("a vector inside a vector");
  } while (accept(","));
  expect(end);
  return elements;
}

/// `table[3]`, `table[%r1]`, `table[%r1+3]`: counts elements.
Operand BodyReader::element_address(const Operand& array) {
  const auto known = element_bytes_.find(array.name);
  if (known == element_bytes_.end()) fail("no array " + array.name + " to take an element of");
  const std::int64_t bytes = known->second;
  const auto scaled = [bytes](std::int64_t count) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(count) *
                                     static_cast<std::uint64_t>(bytes));
  };
  Operand result;
  result.kind = Operand::Kind::address;
  if (!is_register(lexer_.peek().text)) {
    result.name = array.name;
    result.value = scaled(integer_constant());
    expect("]");
    return result;
  }
  const Operand index = simple();
  if (accept("+")) result.value = scaled(integer_constant());
  expect("]");
  if (index.kind != Operand::Kind::reg) fail("the index of an array must be a register");
  const isa::Type type = function_->registers[static_cast<std::size_t>(index.id)].type;
  const std::string name = function_->registers[static_cast<std::size_t>(index.id)].name;
  if (isa::size_bytes(type) < 4) fail("the index of an array needs 32 or 64 bits");
  Operand place, size;
  place.kind = Operand::Kind::reg;
  result.id = place.id = new_registers(array.name + "[" + name + "]", isa::Type::u64, 0);
  size.kind = Operand::Kind::integer;
  size.value = bytes;
  Instruction here;
  here.text_line = lexer_.peek().line;
  if (isa::size_bytes(type) == 8)
    imply("mad.lo.u64", {place, index, size, array}, here);
  else
    imply(isa::is_signed(type) ? "mad.wide.s32" : "mad.wide.u32", {place, index, size, array},
          here);
  return result;
}

Operand BodyReader::address() {
  Operand result = simple();
  if (result.kind == Operand::Kind::reg && accept("+")) result.value = integer_constant();
  result.kind = Operand::Kind::address;
  while (accept(",")) coordinates(result);
  expect("]");
  return result;
}

/// Of a texture or surface: a list, or one value alone.
void BodyReader::coordinates(Operand& address) {
  const bool is_list = accept("{");
  do {
    Operand value = simple();
    if (value.kind == Operand::Kind::vector)
      address.elements.insert(address.elements.end(), value.elements.begin(), value.elements.end());
    else
      address.elements.push_back(std::move(value));
  } while (is_list && accept(","));
  if (is_list) expect("}");
}

bool BodyReader::is_register(std::string_view word) const {
  return find_register(word) >= 0 || find_register(word.substr(0, word.find('.', 1))) >= 0;
}

Operand BodyReader::simple() {
  bool negated = false, minus = false;
  if (at("!") || at("-")) {
    Lexer ahead = lexer_;
    const bool is_minus = ahead.next().text == "-";
    if (is_register(ahead.peek().text)) {
      lexer_.next();
      (is_minus ? minus : negated) = true;
    }
  }
  if (lexer_.peek().kind == Token::Kind::punctuation) return of_constant(constant());
  std::string text = word();
  // Video instructions pick bytes and halves of a register: %r1.b0.
  std::size_t dot = text.find('.', 1);
  bool selects = dot != std::string::npos && find_register(text.substr(0, dot)) >= 0;
  Operand result = value_of(selects ? text.substr(0, dot) : text);
  result.negated = negated;
  if (selects) result.selector = text.substr(dot + 1);
  if (minus) result.selector.insert(0, "-");
  if (result.kind == Operand::Kind::symbol && accept("+")) result.value = integer_constant();
  return result;
}

Operand BodyReader::of_constant(const Constant& constant) {
  Operand result;
  result.kind = constant.type == Constant::Type::f32   ? Operand::Kind::f32
                : constant.type == Constant::Type::f64 ? Operand::Kind::f64
                                                       : Operand::Kind::integer;
  result.value = constant.bits;
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
  if (const auto vector = find_registers(word)) {
    result.kind = Operand::Kind::vector;
    result.elements.resize(vector->width);
    for (unsigned i = 0; i < vector->width; ++i) {
      result.elements[i].kind = Operand::Kind::reg;
      result.elements[i].id = vector->first + static_cast<int>(i);
    }
    return result;
  }
  if (const auto value = literal(word)) return of_constant(constant_from(*value));
  if (std::isdigit(static_cast<unsigned char>(word[0]))) fail("not a number: " + std::string(word));
  result.kind = word[0] == '%' ? Operand::Kind::special : Operand::Kind::symbol;
  result.name = own_variable(std::string(word));
  return result;
}

/// The name under which the function or the module keeps a variable.
const std::string& BodyReader::own_variable(const std::string& name) const {
  for (std::size_t i = scopes_.size(); i-- > 0;)
    if (auto own = scopes_[i].variables.find(name); own != scopes_[i].variables.end())
      return own->second;
  return name;
}

}  // namespace warpwise::ptx
