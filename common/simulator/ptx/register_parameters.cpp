#include <algorithm>

#include "simulator/ptx/parser.h"

/// Values that pass between functions in registers: `.func (.reg .u32 r) f (.reg .f64 x)`, and
/// `call (%r1), f, (%r2, 1.5)`. The module keeps parameters only in memory of their own, so
/// instructions that the text does not have move values from registers there and back.
namespace warpwise::ptx {
namespace {

Operand named(Operand::Kind kind, const std::string& name) {
  Operand operand;
  operand.kind = kind;
  operand.name = name;
  return operand;
}

Operand of_register(int id) {
  Operand operand;
  operand.kind = Operand::Kind::reg;
  operand.id = id;
  return operand;
}

bool is_of_predicates(const Function& function, const Operand& operand) {
  const auto is_one = [&](const Operand& element) {
    return element.id >= 0 &&
           function.registers[static_cast<std::size_t>(element.id)].type == isa::Type::pred;
  };
  return is_one(operand) || std::any_of(operand.elements.begin(), operand.elements.end(), is_one);
}

/// The opcode that moves a value of this size to or from a parameter.
std::string access(const std::string& name, unsigned vector, unsigned bytes) {
  const unsigned element = bytes / std::max(1u, vector);
  return name + ".param" + (vector ? ".v" + std::to_string(vector) : "") + ".b" +
         std::to_string(8 * element);
}

/// %tid and its like: three numbers and a zero.
Operand elements_of_special(const std::string& name) {
  Operand vector;
  vector.kind = Operand::Kind::vector;
  for (const char* element : {".x", ".y", ".z"})
    vector.elements.push_back(named(Operand::Kind::special, name + element));
  vector.elements.emplace_back().kind = Operand::Kind::integer;
  return vector;
}

}  // namespace

/// Adds an instruction that the text does not have, with the guard and the place of one it has.
void BodyReader::imply(const std::string& opcode, std::vector<Operand> operands,
                       const Instruction& because_of) {
  Instruction implied;
  auto match = isa::find_row(opcode);
  if (!match) return give_up("values of this size cannot be passed", because_of.text_line);
  implied.opcode = opcode;
  implied.match = std::move(*match);
  implied.guard = because_of.guard;
  implied.guard_negated = because_of.guard_negated;
  implied.operands = std::move(operands);
  implied.is_implied = true;
  implied.location = location_;
  implied.text_line = because_of.text_line;
  add(std::move(implied));
}

/// Puts the parameters into their registers, at the start of a function.
void BodyReader::take_registers() {
  Instruction start;
  start.text_line = lexer_.peek().line;
  for (const auto* list : {&function_->parameters, &function_->results})
    for (const Parameter& parameter : *list) {
      if (!parameter.is_register) continue;
      if (parameter.type == isa::Type::pred) {
        give_up("no predicate can be passed to a function", start.text_line);
        continue;
      }
      const int first = new_registers(parameter.name, parameter.type, parameter.vector);
      scopes_.back().names[parameter.name] = {first, parameter.vector};
      if (list == &function_->results) continue;
      imply(access("ld", parameter.vector, static_cast<unsigned>(parameter.bytes)),
            {value_of(parameter.name), named(Operand::Kind::address, parameter.name)}, start);
    }
}

/// Puts the registers that hold results where the caller finds them, before the function returns.
void BodyReader::give_registers(const Instruction& leaving) {
  for (const Parameter& result : function_->results)
    if (result.is_register && result.type != isa::Type::pred)
      imply(access("st", result.vector, static_cast<unsigned>(result.bytes)),
            {named(Operand::Kind::address, result.name), register_of(result)}, leaving);
}

/// The registers of a result, whatever inner braces declare under its name.
Operand BodyReader::register_of(const Parameter& result) const {
  const NamedRegisters registers = scopes_.front().names.find(result.name)->second;
  if (!result.vector) return of_register(registers.first);
  Operand vector;
  vector.kind = Operand::Kind::vector;
  for (unsigned i = 0; i < result.vector; ++i)
    vector.elements.push_back(of_register(registers.first + static_cast<int>(i)));
  return vector;
}

/// Finds the parameters of the called function: by its name, or by that of the prototype, the list
/// or the table of functions after the arguments. Null where the text does not say it.
const Signature* BodyReader::signature_of(const Instruction& call) const {
  for (std::size_t i = call.operands.size(); i-- > 0;) {
    const Operand& operand = call.operands[i];
    if (operand.kind != Operand::Kind::symbol) continue;
    for (const auto* known : {&prototypes_, &signatures_})
      if (auto found = known->find(operand.name); found != known->end()) return &found->second;
  }
  return nullptr;
}

/// The name of a parameter in memory for a value of a call that the text has in a register.
std::string BodyReader::passing_place(const std::string& kind, std::size_t index, unsigned bytes) {
  Variable variable;
  variable.space = Space::param;
  variable.name = "{" + kind + " " + std::to_string(index) + "}";
  variable.bytes = variable.alignment = bytes;
  function_->variables.push_back(variable);
  return variable.name;
}

/// How many bytes a call passes for an operand; 0 where the text does not say it.
unsigned BodyReader::passed_bytes(const Operand& operand, const std::vector<Parameter>* parameters,
                                  std::size_t index) const {
  if (parameters && index < parameters->size())
    return static_cast<unsigned>(std::min<std::uint64_t>((*parameters)[index].bytes, 16));
  const Operand& first = operand.elements.empty() ? operand : operand.elements[0];
  if (first.id < 0) return 0;
  const isa::Type type = function_->registers[static_cast<std::size_t>(first.id)].type;
  return isa::size_bytes(type) *
         static_cast<unsigned>(std::max<std::size_t>(1, operand.elements.size()));
}

void BodyReader::call(Instruction call) {
  const Signature* signature = signature_of(call);
  std::vector<std::pair<std::string, std::vector<Operand>>> afterwards;
  const bool has_results =
      !call.operands.empty() && call.operands[0].kind == Operand::Kind::arguments;
  for (std::size_t part = 0; part < call.operands.size(); ++part) {
    if (call.operands[part].kind != Operand::Kind::arguments) continue;
    const bool are_results = has_results && part == 0;
    const std::vector<Parameter>* parameters = !signature    ? nullptr
                                               : are_results ? &signature->results
                                                             : &signature->parameters;
    for (std::size_t i = 0; i < call.operands[part].elements.size(); ++i) {
      Operand& operand = call.operands[part].elements[i];
      if (operand.kind == Operand::Kind::symbol) continue;
      if (is_of_predicates(*function_, operand))
        return give_up("no predicate can be passed to a function", call.text_line);
      const unsigned bytes = passed_bytes(operand, parameters, i);
      if (bytes == 0) return give_up("nothing says what the function takes", call.text_line);
      const std::string place = passing_place(are_results ? "result" : "argument", i, bytes);
      const auto vector = static_cast<unsigned>(operand.elements.size());
      const Operand address = named(Operand::Kind::address, place);
      if (!are_results)
        imply(access("st", vector, bytes), {address, operand}, call);
      else if (operand.kind != Operand::Kind::sink)
        afterwards.push_back({access("ld", vector, bytes), {operand, address}});
      operand = named(Operand::Kind::symbol, place);
    }
  }
  const Instruction made = call;
  add(std::move(call));
  for (auto& [opcode, operands] : afterwards) imply(opcode, std::move(operands), made);
}

/// mov.v2 and mov.v4: all are read before any is written.
void BodyReader::move_vector(Instruction move, std::string opcode, unsigned width) {
  const Operand to = operand(false);
  expect(",");
  Operand from = operand(false);
  expect(";");
  if (from.kind == Operand::Kind::special) from = elements_of_special(from.name);
  const auto type = isa::type_named(opcode.substr(std::min<std::size_t>(opcode.size(), 4)));
  if (to.elements.size() != width || from.elements.size() != width || !type ||
      *type == isa::Type::pred)
    return give_up(move.opcode + " needs two vectors", move.text_line);
  std::vector<Operand> values;
  for (const Operand& element : from.elements) {
    values.push_back(of_register(new_registers("_", *type, 0)));
    imply(opcode, {values.back(), element}, move);
  }
  for (unsigned i = 0; i < width; ++i) imply(opcode, {to.elements[i], values[i]}, move);
}

/// The lanes that do not take a guarded branch jump around it.
void BodyReader::branch_by_table(Instruction branch) {
  if (branch.guard < 0) return add(std::move(branch));
  const std::string behind = "{behind " + std::to_string(++inner_names_) + "}";
  Instruction around = branch;
  around.guard_negated = !branch.guard_negated;
  branch.guard = -1;
  imply("bra", {named(Operand::Kind::symbol, behind)}, around);
  add(std::move(branch));
  function_->labels[behind] = function_->body.size();
}

void BodyReader::prototype(const std::string& name) {
  Signature signature;
  if (at("(")) signature.results = parameter_list();
  word();
  if (at("(")) signature.parameters = parameter_list();
  prototypes_[name] = std::move(signature);
  skip_to(";");
}

/// All functions of a list have the same parameters.
void BodyReader::call_targets(const std::string& name) {
  if (auto known = signatures_.find(word()); known != signatures_.end())
    prototypes_[name] = known->second;
  skip_to(";");
}

}  // namespace warpwise::ptx
