#include "simulator/code/lowering/contraction.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "simulator/code/values/values_everywhere.h"

namespace warpwise::code {
namespace {

using ptx::Operand;

/// A product's place as an operand of a sum.
struct Use {
  std::size_t sum;      ///< index into the function's body
  std::size_t operand;  ///< 1 or 2
  bool negated;         ///< there is a negation in between
  bool in_reach;        ///< the factors still have the values that the product was made of
};

struct Product {
  std::size_t instruction;
  std::vector<unsigned> versions;  ///< of the factors, see Reader
  unsigned part;                   ///< of the run of blocks, see ends_part
  bool lasts;                      ///< see Reader
  std::vector<Use> uses;
  bool read_elsewhere = false;
};

bool is_arithmetic(const ptx::Instruction& instruction) {
  const isa::Match& match = instruction.match;
  return match.syntax->row().kind == isa::Kind::lanes && isa::is_float(match.variant.last_type()) &&
         match.variant["atype"].empty() && match.variant["rnd"].empty();
}

bool is_sum(const ptx::Instruction& instruction) {
  const std::string& mnemonic = instruction.match.syntax->mnemonic();
  return (mnemonic == "add" || mnemonic == "sub") && is_arithmetic(instruction) &&
         instruction.operands.size() == 3;
}

/// A division that is not exact, as __fdividef and -use_fast_math give: ptxas multiplies by the
/// reciprocal.
bool is_fast_division(const ptx::Instruction& instruction) {
  const bool divides =
      instruction.opcode.starts_with("div.approx.") || instruction.opcode.starts_with("div.full.");
  return divides && instruction.guard < 0 && instruction.operands.size() == 3 &&
         instruction.operands[0].kind == Operand::Kind::reg;
}

bool is_product(const ptx::Instruction& instruction) {
  if (is_fast_division(instruction)) return true;
  return instruction.match.syntax->mnemonic() == "mul" && instruction.guard < 0 &&
         is_arithmetic(instruction) && !instruction.match.variant.has("sat") &&
         instruction.operands.size() == 3 && instruction.operands[0].kind == Operand::Kind::reg;
}

/// Pairs of bfloat16 have no negation in hardware: ptxas multiplies.
bool negates(const ptx::Instruction& instruction) {
  return instruction.match.syntax->mnemonic() == "neg" && is_arithmetic(instruction) &&
         instruction.match.variant.last_type() != isa::Type::bf16x2;
}

bool is_move(const ptx::Instruction& instruction) {
  return instruction.match.syntax->mnemonic() == "mov" && instruction.operands.size() == 2 &&
         instruction.operands[0].kind == Operand::Kind::reg &&
         instruction.operands[1].kind == Operand::Kind::reg;
}

/// Whether both work in one format and treat subnormals alike.
bool same_format(const ptx::Instruction& a, const ptx::Instruction& b) {
  return a.match.variant.last_type() == b.match.variant.last_type() &&
         a.match.variant.has("ftz") == b.match.variant.has("ftz");
}

/// Instructions that ptxas turns into branches, or treats like branches: a rounded division has a
/// separate path for unusual operands, and code before and after it handles a sign or a narrow
/// type. Products and sums on either side of it stay separate, as if they were in different blocks.
bool ends_part(const ptx::Instruction& instruction) {
  const isa::Match& match = instruction.match;
  const std::string& mnemonic = match.syntax->mnemonic();
  const isa::Variant& variant = match.variant;
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), mnemonic) != names.end();
  };
  if (instruction.kind() == isa::Kind::fence)
    return !variant.has("mbarrier_init") && variant["restriction"].empty();
  if (mnemonic == "griddepcontrol") return variant.has("launch_dependents");
  if (!is({"div", "rem", "rcp", "sqrt", "rsqrt"})) return false;
  const isa::Type type = variant.last_type();
  if (!isa::is_float(type)) return type != isa::Type::u32;
  if (mnemonic == "rsqrt") return type == isa::Type::f64 && !variant.has("ftz");
  return variant["rnd"] != "approx" && variant["rnd"] != "full" && !variant.has("approx");
}

/// Reads a function by runs of blocks that follow each other without a choice, and notes the
/// readers of its products. Products with a constant factor come last: ptxas moves them to their
/// readers.
class Reader {
 public:
  Reader(const ptx::Function& function, const std::vector<BasicBlock>& blocks)
      : function_(function),
        values_(function, blocks),
        held_(function.registers.size()),
        lasting_(function.registers.size()),
        versions_(function.registers.size()) {
    for (std::size_t i = 0; i < function.body.size(); ++i)
      if (is_product(function.body[i]) && lasts(function.body[i])) add_lasting(i);
    for (const ptx::Instruction& instruction : function.body) copy_lasting(instruction);
  }

  /// Begins another run.
  void begin() { std::fill(held_.begin(), held_.end(), Held{}); }

  void read(std::size_t index) {
    const ptx::Instruction& instruction = function_.body[index];
    const Held copied = copied_by(instruction);
    if (copied.product < 0) note_readings(index);
    visit_registers(instruction, [&](int id, bool is_written) {
      if (!is_written) return;
      // Under a guard the register may keep its old value: ptxas then sees another value.
      if (instruction.guard >= 0 && held_[id].product >= 0)
        products_[held_[id].product].read_elsewhere = true;
      held_[id] = {};
      ++versions_[id];
    });
    if (copied.product >= 0 && lasting_[instruction.operands[0].id].product < 0)
      held_[instruction.operands[0].id] = copied;
    if (is_product(instruction) && lasting_[instruction.operands[0].id].product < 0) {
      held_[instruction.operands[0].id] = {static_cast<int>(products_.size()), false};
      products_.push_back({index, factor_versions(instruction), part_, false, {}, false});
    }
    if (ends_part(instruction)) ++part_;
  }

  /// At the end of the last block: a value that a later block may read counts as read elsewhere.
  /// @param next the later one
  void leave(const RegisterSets& live, std::size_t next) {
    live.visit(next, [&](int id) {
      const Held& held = held_[static_cast<std::size_t>(id)];
      if (held.product >= 0)
        products_[static_cast<std::size_t>(held.product)].read_elsewhere = true;
    });
  }

  std::vector<Product> products() && { return std::move(products_); }

 private:
  /// The content of a register: a product or its negation, or neither.
  struct Held {
    int product = -1;
    bool negated = false;
  };

  Held held_by(const Operand& operand) const {
    if (operand.kind != Operand::Kind::reg) return {};
    const Held& held = held_[operand.id];
    return held.product >= 0 ? held : lasting_[operand.id];
  }

  bool lasts(const ptx::Instruction& multiply) const {
    return !is_fast_division(multiply) && values_.has_one_source(multiply.operands[0].id) &&
           (values_.is_constant(multiply.operands[1]) || values_.is_constant(multiply.operands[2]));
  }

  void add_lasting(std::size_t index) {
    lasting_[function_.body[index].operands[0].id].product = static_cast<int>(products_.size());
    products_.push_back({index, {}, 0, true, {}, false});
  }

  /// A copy or negation that is the only value of its register lasts as well.
  void copy_lasting(const ptx::Instruction& instruction) {
    const Held copied = copied_by(instruction);
    const int id = copied.product < 0 ? -1 : instruction.operands[0].id;
    if (id >= 0 && lasting_[id].product < 0 && values_.has_one_source(id)) lasting_[id] = copied;
  }

  /// Whether a sum that reads the product there could read its factors instead.
  bool in_reach(const Product& product, std::size_t use) const {
    const ptx::Instruction& multiply = function_.body[product.instruction];
    if (!product.lasts) return factor_versions(multiply) == product.versions;
    return std::all_of(multiply.operands.begin() + 1, multiply.operands.end(),
                       [&](const Operand& factor) {
                         return factor.id < 0 || values_.stays(factor.id, product.instruction, use);
                       });
  }

  Held copied_by(const ptx::Instruction& instruction) const {
    const bool negation = negates(instruction);
    if (instruction.guard >= 0 || (!negation && !is_move(instruction))) return {};
    Held held = held_by(instruction.operands[1]);
    if (held.product < 0) return {};
    if (negation && !same_format(instruction, function_.body[products_[held.product].instruction]))
      return {};
    held.negated ^= negation;
    return held;
  }

  void note_readings(std::size_t index) {
    const ptx::Instruction& instruction = function_.body[index];
    if (!is_sum(instruction)) return note_other_readings(instruction);
    const Held first = held_by(instruction.operands[1]), second = held_by(instruction.operands[2]);
    if (first.product == second.product) return note_other_readings(instruction);
    for (std::size_t operand : {1, 2}) {
      const Held held = operand == 1 ? first : second;
      if (held.product < 0) continue;
      Product& product = products_[held.product];
      const ptx::Instruction& multiply = function_.body[product.instruction];
      if (same_format(instruction, multiply) && (product.lasts || product.part == part_))
        product.uses.push_back({index, operand, held.negated, in_reach(product, index)});
      else
        product.read_elsewhere = true;
    }
  }

  void note_other_readings(const ptx::Instruction& instruction) {
    visit_registers(instruction, [&](int id, bool is_written) {
      if (is_written) return;
      for (const Held& held : {held_[id], lasting_[id]})
        if (held.product >= 0) products_[held.product].read_elsewhere = true;
    });
  }

  std::vector<unsigned> factor_versions(const ptx::Instruction& multiply) const {
    std::vector<unsigned> versions;
    for (std::size_t operand : {1, 2})
      if (multiply.operands[operand].kind == Operand::Kind::reg)
        versions.push_back(versions_[multiply.operands[operand].id]);
    return versions;
  }

  const ptx::Function& function_;
  const ValuesEverywhere values_;
  std::vector<Held> held_;          ///< by register: in this run
  std::vector<Held> lasting_;       ///< by register: everywhere
  std::vector<unsigned> versions_;  ///< how often each register was written
  unsigned part_ = 0;               ///< the one being read
  std::vector<Product> products_;
};

/// Whether a block has exactly one successor, without a choice and without leaving the function.
bool leads_on(const ptx::Function& function, const BasicBlock& block) {
  if (block.successors.size() != 1) return false;
  if (block.first == block.last) return true;
  const ptx::Instruction& last = function.body[block.last - 1];
  switch (last.kind()) {
    case isa::Kind::branch:
      return last.guard < 0;
    case isa::Kind::call:
    case isa::Kind::ret:
    case isa::Kind::exit:
    case isa::Kind::trap:
      return false;
    default:
      return true;
  }
}

/// The products of the function and their readers, in the order of the text of each run of blocks.
std::vector<Product> read_products(const ptx::Function& function,
                                   const std::vector<BasicBlock>& blocks,
                                   const RegisterSets& live) {
  std::vector<std::size_t> predecessors(blocks.size());
  predecessors[0] = 1;  // the start
  for (const BasicBlock& block : blocks)
    for (std::size_t next : block.successors) ++predecessors[next];
  const auto goes_on = [&](std::size_t block) {
    return leads_on(function, blocks[block]) && predecessors[blocks[block].successors[0]] == 1;
  };
  std::vector<bool> continues(blocks.size());
  for (std::size_t block = 0; block < blocks.size(); ++block)
    if (goes_on(block)) continues[blocks[block].successors[0]] = true;
  Reader reader(function, blocks);
  for (std::size_t start = 0; start < blocks.size(); ++start) {
    if (continues[start]) continue;
    reader.begin();
    for (std::size_t block = start;; block = blocks[block].successors[0]) {
      for (std::size_t i = blocks[block].first; i < blocks[block].last; ++i) reader.read(i);
      if (goes_on(block)) continue;
      for (std::size_t next : blocks[block].successors) reader.leave(live, next);
      break;
    }
  }
  return std::move(reader).products();
}

/// A sum and the product that it takes.
struct Choice {
  const Product* product;
  Use use;
};

/// Chooses among the products of a function.
class Chooser {
 public:
  explicit Chooser(const std::vector<Product>& products) {
    for (const Product& product : products)
      for (const Use& use : product.uses) sums_[use.sum].push_back({&product, use});
  }

  std::map<std::size_t, Choice> choose() {
    for (bool single : {true, false})
      for (const auto& [sum, candidates] : sums_) take_best(sum, candidates, single);
    return taken_;
  }

 private:
  void take_best(std::size_t sum, const std::vector<Choice>& candidates, bool single) {
    if (taken_.count(sum)) return;
    const Choice* best = nullptr;
    for (const Choice& candidate : candidates) {
      const std::size_t readers = candidate.product->uses.size();
      if ((single && readers != 1) || !is_free(*candidate.product)) continue;
      if (!best || readers < best->product->uses.size() ||
          (readers == best->product->uses.size() && candidate.use.operand < best->use.operand))
        best = &candidate;
    }
    if (best) taken_[sum] = *best;
  }

  /// A product stays rounded for all sums if one of them reads it next to another product that it
  /// takes.
  bool is_free(const Product& product) const {
    return !product.read_elsewhere &&
           std::none_of(product.uses.begin(), product.uses.end(), [&](const Use& use) {
             auto found = taken_.find(use.sum);
             return found != taken_.end() && found->second.product != &product;
           });
  }

  std::map<std::size_t, std::vector<Choice>> sums_;  ///< by index: in the order of the text
  std::map<std::size_t, Choice> taken_;
};

/// The sum with the product's factors in its place.
ptx::Instruction fused(const ptx::Instruction& sum, const ptx::Instruction& multiply,
                       const Use& use) {
  const isa::Variant& variant = sum.match.variant;
  const bool subtracts = sum.match.syntax->mnemonic() == "sub";
  ptx::Instruction fma = sum;
  fma.opcode = std::string("fma.rn") + (variant.has("ftz") ? ".ftz" : "") +
               (variant.has("sat") ? ".sat" : "") + "." +
               std::string(isa::name_of(variant.last_type()));
  fma.match = isa::find_row(fma.opcode).value();
  Operand first = multiply.operands[1], addend = sum.operands[3 - use.operand];
  first.negated = use.negated != (subtracts && use.operand == 2);
  addend.negated = subtracts && use.operand == 1;
  const bool divides = is_fast_division(multiply);
  fma.operands = {sum.operands[0], first, multiply.operands[divides ? 0 : 2], addend};
  return fma;
}

/// The reciprocal that replaces a quotient which only one sum reads. For divisors below 2^-126, and
/// with `full` above 2^126, ptxas first multiplies both operands by a power of two; this step is
/// omitted.
ptx::Instruction reciprocal(const ptx::Instruction& division) {
  ptx::Instruction result = division;
  result.opcode = "rcp.approx.ftz.f32";
  result.match = isa::find_row(result.opcode).value();
  result.operands = {division.operands[0], division.operands[2]};
  return result;
}

/// The sum reads the quotient's own register, not a copy of it.
bool is_read_there(const ptx::Function& function, const Choice& choice) {
  const Operand& read = function.body[choice.use.sum].operands[choice.use.operand];
  return read.id == function.body[choice.product->instruction].operands[0].id;
}

}  // namespace

std::optional<ptx::Function> contract(const ptx::Function& function,
                                      const std::vector<BasicBlock>& blocks,
                                      const RegisterSets& live) {
  if (!function.may_contract ||
      std::none_of(function.body.begin(), function.body.end(), is_product) ||
      std::none_of(function.body.begin(), function.body.end(), is_sum))
    return std::nullopt;
  std::optional<ptx::Function> result;
  const std::vector<Product> products = read_products(function, blocks, live);
  for (const auto& [sum, choice] : Chooser(products).choose()) {
    if (!choice.use.in_reach) continue;
    const std::size_t product = choice.product->instruction;
    const bool divides = is_fast_division(function.body[product]);
    if (divides && (choice.product->uses.size() != 1 || !is_read_there(function, choice))) continue;
    if (!result) result = function;
    if (divides) result->body[product] = reciprocal(function.body[product]);
    result->body[sum] = fused(function.body[sum], function.body[product], choice.use);
  }
  return result;
}

}  // namespace warpwise::code
