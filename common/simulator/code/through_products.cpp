#include "simulator/code/through_products.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simulator/code/liveness.h"

namespace warpwise::code {
namespace {

/// What a register holds, as far as it comes from the load.
enum class Held : std::uint8_t { other, loaded, product };

class Search {
 public:
  Search(const ptx::Function& function, std::size_t load)
      : held_(function.registers.size(), Held::other) {
    write(function.body[load], Held::loaded);
  }

  void pass(const ptx::Instruction& instruction) {
    Held most = Held::other;
    visit_registers(instruction, [&](int id, bool is_written) {
      if (!is_written) most = std::max(most, held_[static_cast<std::size_t>(id)]);
    });
    const isa::Kind kind = instruction.kind();
    if (kind == isa::Kind::matrix && most != Held::other)
      write(instruction, Held::product);
    else
      write(instruction, kind == isa::Kind::lanes ? most : Held::other);
  }

  bool is_product(const ptx::Operand& value) const {
    if (!value.elements.empty())
      return std::all_of(value.elements.begin(), value.elements.end(),
                         [&](const ptx::Operand& element) { return is_product(element); });
    return value.id >= 0 && held_[static_cast<std::size_t>(value.id)] == Held::product;
  }

 private:
  void write(const ptx::Instruction& instruction, Held held) {
    visit_registers(instruction, [&](int id, bool is_written) {
      if (is_written) held_[static_cast<std::size_t>(id)] = held;
    });
  }

  std::vector<Held> held_;  ///< by each register
};

}  // namespace

bool goes_through_product(const ptx::Function& function, std::size_t load, std::size_t store) {
  if (load >= store) return false;
  Search search(function, load);
  for (std::size_t i = load + 1; i < store; ++i) search.pass(function.body[i]);
  const auto& operands = function.body[store].operands;
  return operands.size() > 1 && operands[0].kind == ptx::Operand::Kind::address &&
         search.is_product(operands[1]);
}

}  // namespace warpwise::code
