#include "simulator/code/lowering/constant_folding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "simulator/code/flow/liveness.h"

namespace warpwise::code {
namespace {

using Operand = ptx::Operand;

constexpr std::uint32_t sign_bit = 0x80000000, quiet_nan = 0x7fffffff;
constexpr int lanes = 32;

float value_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

std::uint32_t without_subnormals(std::uint32_t bits) {
  return std::fpclassify(value_of(bits)) == FP_SUBNORMAL ? bits & sign_bit : bits;
}

/// The functions that the hardware approximates, for arguments that ptxas knows.
double exact(const std::string& mnemonic, double x) {
  if (mnemonic == "lg2") return std::log2(x);
  if (mnemonic == "ex2") return std::exp2(x);
  if (mnemonic == "sin") return std::sin(x);
  if (mnemonic == "cos") return std::cos(x);
  if (mnemonic == "rcp") return 1 / x;
  if (mnemonic == "sqrt") return std::sqrt(x);
  return 1 / std::sqrt(x);  // rsqrt
}

bool is_f32(const ptx::Instruction& instruction) {
  return instruction.kind() == isa::Kind::lanes && instruction.guard < 0 &&
         instruction.match.variant.last_type() == isa::Type::f32;
}

bool is_approximation(const ptx::Instruction& instruction) {
  static const std::string names[] = {"lg2", "ex2", "sin", "cos", "rcp", "sqrt", "rsqrt"};
  return is_f32(instruction) && instruction.match.variant.has("approx") &&
         std::count(std::begin(names), std::end(names), instruction.match.syntax->mnemonic());
}

bool is_fast_quotient(const ptx::Instruction& instruction) {
  return is_f32(instruction) && instruction.match.syntax->mnemonic() == "div" &&
         (instruction.match.variant.has("approx") || instruction.match.variant.has("full"));
}

/// Arithmetic that the compiler leaves to ptxas only because an approximation is in between.
bool is_foldable(const ptx::Instruction& instruction) {
  static const std::string names[] = {"add", "sub", "mul", "fma", "mad",
                                      "neg", "abs", "min", "max", "mov"};
  return is_f32(instruction) && !instruction.has_second &&
         std::count(std::begin(names), std::end(names), instruction.match.syntax->mnemonic());
}

std::uint32_t approximated(const ptx::Instruction& instruction, std::uint32_t bits) {
  const std::string& mnemonic = instruction.match.syntax->mnemonic();
  const bool flushes = instruction.match.variant.has("ftz") || mnemonic == "sin";
  const double x = value_of(flushes ? without_subnormals(bits) : bits);
  const auto result = static_cast<float>(exact(mnemonic, x));
  if (std::isnan(result)) return quiet_nan;
  const auto rounded = std::bit_cast<std::uint32_t>(result);
  return flushes ? without_subnormals(rounded) : rounded;
}

/// Above this magnitude the hardware's reciprocal differs, and with it a quotient.
bool has_plain_reciprocal(std::uint32_t bits) {
  constexpr float largest = 0x1p126f;
  const float magnitude = std::abs(value_of(bits));
  return magnitude >= std::numeric_limits<float>::min() && magnitude <= largest;
}

class Folding {
 public:
  explicit Folding(const ptx::Function& function)
      : function_(function), writes_(writes_by_register(function)) {}

  std::optional<ptx::Function> fold() {
    for (std::size_t at = 0; at < function_.body.size(); ++at) fold(at);
    return std::move(result_);
  }

 private:
  void fold(std::size_t at) {
    const ptx::Instruction& instruction = function_.body[at];
    const bool is_quotient = is_fast_quotient(instruction);
    if (!is_quotient && !is_approximation(instruction) && !is_foldable(instruction)) return;
    if (instruction.operands.at(0).kind != Operand::Kind::reg) return;
    if (is_quotient) return fold_quotient(at);
    std::vector<std::uint32_t> sources;
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
      const std::optional<std::uint32_t> known = constant(instruction.operands[i]);
      if (!known) return;
      sources.push_back(*known);
    }
    if (sources.empty() || sources.size() > 3) return;
    const std::uint32_t value = is_approximation(instruction)
                                    ? approximated(instruction, sources[0])
                                    : computed(instruction, sources);
    know(instruction, value);
    const bool is_of_text = instruction.match.syntax->mnemonic() == "mov" &&
                            instruction.operands[1].kind == Operand::Kind::f32;
    if (!is_of_text) replace(at, "mov.f32", {instruction.operands[0], immediate(value)});
  }

  void fold_quotient(std::size_t at) {
    const ptx::Instruction& division = function_.body[at];
    const std::optional<std::uint32_t> above = constant(division.operands.at(1)),
                                       below = constant(division.operands.at(2));
    if (!below || !has_plain_reciprocal(*below)) return;
    const float reciprocal = static_cast<float>(1.0 / static_cast<double>(value_of(*below)));
    const bool flushes = division.match.variant.has("ftz");
    if (!above && reciprocal == 1) {  // No product that a sum could take.
      replace(at, flushes ? "add.ftz.f32" : "add.f32",
              {division.operands[0], division.operands[1], immediate(sign_bit)});
      return;
    }
    replace(at, flushes ? "mul.ftz.f32" : "mul.f32",
            {division.operands[0], division.operands[1],
             immediate(std::bit_cast<std::uint32_t>(reciprocal))});
    if (!above) return;
    const ptx::Instruction& product = result_->body[at];
    const std::uint32_t value =
        computed(product, {*above, std::bit_cast<std::uint32_t>(reciprocal)});
    know(division, value);
    replace(at, "mov.f32", {division.operands[0], immediate(value)});
  }

  std::optional<std::uint32_t> constant(const Operand& operand) const {
    std::optional<std::uint32_t> known;
    if (operand.kind == Operand::Kind::f32) known = static_cast<std::uint32_t>(operand.value);
    if (operand.kind == Operand::Kind::reg)
      if (const auto found = known_.find(operand.id); found != known_.end()) known = found->second;
    if (known && operand.negated) *known ^= sign_bit;
    return known;
  }

  /// The result of the instruction in a lane.
  static std::uint32_t computed(const ptx::Instruction& instruction,
                                const std::vector<std::uint32_t>& sources) {
    alignas(64) std::uint32_t result[lanes], values[4][lanes] = {};
    isa::Operands operands;
    operands.d = result;
    for (std::size_t i = 0; i < 4; ++i) {
      if (i < sources.size()) std::fill_n(values[i], lanes, sources[i]);
      operands.s[i] = values[i];
    }
    instruction.match.function(operands);
    return result[0];
  }

  void know(const ptx::Instruction& instruction, std::uint32_t value) {
    const int id = instruction.operands[0].id;
    if (writes_[static_cast<std::size_t>(id)] == 1) known_[id] = value;
  }

  static Operand immediate(std::uint32_t value) {
    Operand operand;
    operand.kind = Operand::Kind::f32;
    operand.value = value;
    return operand;
  }

  void replace(std::size_t at, const std::string& opcode, std::vector<Operand> operands) {
    if (!result_) result_ = function_;
    ptx::Instruction& instruction = result_->body[at];
    instruction.opcode = opcode;
    instruction.match = isa::find_row(opcode).value();
    instruction.operands = std::move(operands);
  }

  const ptx::Function& function_;
  std::vector<unsigned> writes_;  ///< of each register
  std::map<int, std::uint32_t> known_;
  std::optional<ptx::Function> result_;
};

}  // namespace

std::optional<ptx::Function> fold_constants(const ptx::Function& function) {
  const auto is_folded = [](const ptx::Instruction& instruction) {
    return is_approximation(instruction) || is_fast_quotient(instruction);
  };
  if (std::none_of(function.body.begin(), function.body.end(), is_folded)) return std::nullopt;
  return Folding(function).fold();
}

}  // namespace warpwise::code
