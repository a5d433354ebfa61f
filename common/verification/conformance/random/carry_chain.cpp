#include "verification/conformance/random/carry_chain.h"

#include <fmt/format.h>

#include "verification/conformance/assumptions.h"
#include "verification/conformance/random/registers.h"

namespace warpwise::conformance {

CarryChain carry_chain(Random& random, const std::function<std::string(isa::Type, bool)>& name_of) {
  using isa::Type;
  constexpr Type types[] = {Type::u32, Type::s32, Type::u64, Type::s64};
  bool subtracts = random.chance(35);
  std::uint64_t steps = 2 + random.below(4);
  CarryChain chain;
  std::string before;
  for (std::uint64_t i = 0; i < steps; ++i) {
    bool multiplies = !subtracts && random.chance(40), high = random.chance(50);
    Type type = random.pick(types);
    std::string opcode = multiplies ? "mad" : subtracts ? "sub" : "add";
    if (i > 0) opcode += "c";
    if (multiplies) opcode += high ? ".hi" : ".lo";
    if (i + 1 < steps) opcode += ".cc";
    std::string d = name_of(type, true);
    chain.text += fmt::format("  {}.{} {}", opcode, isa::name_of(type), d);
    bool known = i == 0;
    for (int left = multiplies ? 3 : 2; left > 0; --left) {
      std::string source = name_of(type, false);
      known &= !source.starts_with('%');
      if (known && left == 1) {
        before = opaque_copy(scratch_of(type), source, type);
        source = scratch_of(type);
      }
      chain.text += ", " + source;
    }
    chain.text += ";\n";
    chain.results.emplace_back(d, type);
  }
  chain.text = before + chain.text;
  return chain;
}

}  // namespace warpwise::conformance
