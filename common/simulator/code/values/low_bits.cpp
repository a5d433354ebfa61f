#include "simulator/code/values/low_bits.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>

#include "simulator/code/flow/liveness.h"

namespace warpwise::code {
namespace {

using Addresses = std::map<std::string, std::uint32_t>;
using Known = std::optional<LowBits>;  ///< none: no value has been seen yet

/// The largest power of two that divides the number, LowBits::most at most.
std::uint32_t power_in(std::uint64_t number) {
  const std::uint64_t lowest = number & -number;
  return lowest == 0 || lowest > LowBits::most ? LowBits::most : static_cast<std::uint32_t>(lowest);
}

LowBits made(std::uint32_t modulus, std::uint64_t value) {
  return {modulus, static_cast<std::uint32_t>(value & (modulus - 1))};
}

LowBits constant(std::uint64_t value) { return made(LowBits::most, value); }

LowBits either(const LowBits& a, const LowBits& b) {
  return made(std::min({a.modulus, b.modulus, power_in(a.rest - b.rest)}), a.rest);
}

LowBits sum(const LowBits& a, const LowBits& b) {
  return made(std::min(a.modulus, b.modulus), a.rest + b.rest);
}

LowBits difference(const LowBits& a, const LowBits& b) {
  return made(std::min(a.modulus, b.modulus), a.rest - b.rest);
}

/// (ra + ma i)(rb + mb j) = ra rb + ra mb j + rb ma i + ma mb i j
LowBits product(const LowBits& a, const LowBits& b) {
  const std::uint32_t modulus = std::min({power_in(std::uint64_t{a.rest} * b.modulus),
                                          power_in(std::uint64_t{b.rest} * a.modulus),
                                          power_in(std::uint64_t{a.modulus} * b.modulus)});
  return made(modulus, std::uint64_t{a.rest} * b.rest);
}

/// A bit of the result follows from the same bit of both operands.
template <class Bitwise>
LowBits bitwise(const LowBits& a, const LowBits& b, Bitwise result) {
  return made(std::min(a.modulus, b.modulus), result(a.rest, b.rest));
}

/// Trailing zeros of one operand make the result's bits known, whatever the other is.
LowBits conjunction(const LowBits& a, const LowBits& b) {
  const LowBits both = bitwise(a, b, std::bit_and<std::uint32_t>());
  const LowBits& surer = a.modulus >= b.modulus ? a : b;
  const std::uint32_t zeros = std::min(surer.modulus, power_in(surer.rest));
  return both.modulus >= zeros ? both : made(zeros, 0);
}

class BitSearch {
 public:
  BitSearch(const ptx::Function& function, const Addresses& shared)
      : function_(function), shared_(shared), known_(function.registers.size()) {}

  /// Goes over the instructions until no modulus changes: a modulus only ever shrinks.
  std::vector<LowBits> result() {
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (const ptx::Instruction& instruction : function_.body) is_new |= learn(instruction);
    }
    std::vector<LowBits> all;
    for (const Known& known : known_) all.push_back(known.value_or(LowBits()));
    return all;
  }

 private:
  Known of(const ptx::Operand& operand) const {
    using Kind = ptx::Operand::Kind;
    if (operand.kind == Kind::reg) return known_[static_cast<std::size_t>(operand.id)];
    if (operand.kind == Kind::integer) return constant(static_cast<std::uint64_t>(operand.value));
    const auto variable = shared_.find(operand.name);
    if (operand.kind == Kind::symbol && variable != shared_.end())
      return constant(variable->second + static_cast<std::uint64_t>(operand.value));
    return LowBits();
  }

  /// By the rest of the opcode, once every source has a value. @return nothing known for others.
  static LowBits made_by(std::string_view opcode, const std::vector<LowBits>& sources) {
    const auto is = [&](std::string_view start, std::size_t count) {
      return opcode.starts_with(start) && sources.size() == count;
    };
    const bool is_integer = opcode.find(".f") == std::string_view::npos &&
                            opcode.find(".bf") == std::string_view::npos &&
                            opcode.find(".sat") == std::string_view::npos;
    if (!is_integer) return {};
    // A value narrower than eight bits is not an address.
    if (is("mov.", 1) || is("cvta.", 1) || is("cvt.", 1)) return sources[0];
    if (is("add.", 2)) return sum(sources[0], sources[1]);
    if (is("sub.", 2)) return difference(sources[0], sources[1]);
    if (is("mul.lo.", 2) || is("mul.wide.", 2)) return product(sources[0], sources[1]);
    if (is("mad.lo.", 3) || is("mad.wide.", 3))
      return sum(product(sources[0], sources[1]), sources[2]);
    if (is("shl.", 2) && sources[1].modulus == LowBits::most)
      return product(sources[0], constant(std::uint64_t{1} << std::min(sources[1].rest, 63U)));
    if (is("and.", 2)) return conjunction(sources[0], sources[1]);
    if (is("or.", 2)) return bitwise(sources[0], sources[1], std::bit_or<std::uint32_t>());
    if (is("xor.", 2)) return bitwise(sources[0], sources[1], std::bit_xor<std::uint32_t>());
    if (is("selp.", 3)) return either(sources[0], sources[1]);
    return {};
  }

  Known made_by(const ptx::Instruction& instruction) const {
    std::vector<LowBits> sources;
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
      const Known source = of(instruction.operands[i]);
      if (!source) return source;
      sources.push_back(*source);
    }
    return made_by(instruction.opcode, sources);
  }

  bool learn(const ptx::Instruction& instruction) {
    std::vector<int> written;
    visit_registers(instruction, [&](int id, bool is_written) {
      if (is_written) written.push_back(id);
    });
    if (written.empty()) return false;
    const Known now = written.size() == 1 ? made_by(instruction) : Known(LowBits());
    bool is_new = false;
    for (int id : written) {
      Known& known = known_[static_cast<std::size_t>(id)];
      const Known joined = known && now ? either(*known, *now) : known ? known : now;
      is_new |= joined != known;
      known = joined;
    }
    return is_new;
  }

  const ptx::Function& function_;
  const Addresses& shared_;
  std::vector<Known> known_;
};

}  // namespace

std::vector<LowBits> low_bits(const ptx::Function& function, const Addresses& shared) {
  return BitSearch(function, shared).result();
}

}  // namespace warpwise::code
