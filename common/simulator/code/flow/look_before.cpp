#include "simulator/code/flow/look_before.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string_view>

#include "simulator/code/flow/liveness.h"
#include "simulator/code/flow/order.h"
#include "simulator/code/flow/post_dominators.h"
#include "simulator/code/values/value_numbers.h"

namespace warpwise::code {
namespace {

using isa::Kind;

/// The registers that decide whether an instruction runs: its guard's, and those of branches.
class Deciders {
 public:
  explicit Deciders(const ptx::Function& function)
      : function_(function), blocks_(basic_blocks(function)), passed_(function, blocks_) {}

  std::set<int> of(std::size_t at) const {
    std::set<int> registers = {function_.body[at].guard};
    std::set<std::size_t> done;
    std::vector<std::size_t> waiting = {block_of(at)};
    while (!waiting.empty()) {
      const std::size_t decided = waiting.back();
      waiting.pop_back();
      for (std::size_t branch = 0; branch < blocks_.size(); ++branch)
        if (decides(branch, decided) && done.insert(branch).second) {
          registers.insert(function_.body[blocks_[branch].last - 1].guard);
          waiting.push_back(branch);
        }
    }
    registers.erase(-1);
    return registers;
  }

 private:
  std::size_t block_of(std::size_t at) const {
    std::size_t block = 0;
    while (blocks_[block].last <= at) ++block;
    return block;
  }

  /// True where all of one of the branch's ways go through the block, and not all of the other's.
  bool decides(std::size_t branch, std::size_t block) const {
    const auto& ways = blocks_[branch].successors;
    const auto passes = [&](std::size_t way) { return passed_.is_passed(way, block); };
    return ways.size() > 1 && std::any_of(ways.begin(), ways.end(), passes) &&
           !std::all_of(ways.begin(), ways.end(), passes);
  }

  const ptx::Function& function_;
  std::vector<BasicBlock> blocks_;
  PostDominators passed_;
};

/// The values derived from a load's result, up to a write.
struct Derived {
  std::set<int> registers;
  const ptx::Instruction* comparison = nullptr;  ///< that decides; null: it does not decide

  Derived(const ptx::Function& function, std::size_t load, std::size_t write,
          const std::set<int>& deciders) {
    const ptx::Operand& value = function.body[load].operands[0];
    for (const ptx::Operand& element : value.elements) registers.insert(element.id);
    registers.insert(value.id);
    registers.erase(-1);
    const ptx::Instruction* last = nullptr;
    for (std::size_t i = load + 1; i < write && !comparison; ++i) {
      const ptx::Instruction& instruction = function.body[i];
      const bool derives = instruction.kind() == Kind::lanes && reads(instruction);
      if (derives && mnemonic(instruction) == "setp") last = &instruction;
      visit_registers(instruction, [&](int id, bool is_written) {
        if (!is_written) return;
        if (!derives && instruction.guard < 0) registers.erase(id);  // it has another value now
        if (!derives) return;
        registers.insert(id);
        if (deciders.count(id)) comparison = last;
      });
    }
  }

  bool reads(const ptx::Instruction& instruction) const {
    bool does = false;
    visit_registers(instruction, [&](int id, bool is_written) {
      does |= !is_written && registers.count(id) > 0;
    });
    return does;
  }

  /// True where a derived value is written.
  bool goes_into(const ptx::Instruction& write) const {
    return std::any_of(write.operands.begin(), write.operands.end(), [&](const ptx::Operand& each) {
      if (each.kind == ptx::Operand::Kind::address) return false;
      return registers.count(each.id) > 0 ||
             std::any_of(each.elements.begin(), each.elements.end(),
                         [&](const ptx::Operand& part) { return registers.count(part.id) > 0; });
    });
  }
};

/// Registers whose values all follow from a thread's index within its block.
std::set<int> indices_of_thread(const ptx::Function& function) {
  static const std::set<std::string_view> arithmetic = {"mov", "cvt", "and", "or",  "xor",
                                                        "add", "mul", "mad", "shl", "shr"};
  std::set<int> indices, others;
  const auto is_index = [&](const ptx::Operand& operand) {
    return operand.kind == ptx::Operand::Kind::integer || indices.count(operand.id) > 0 ||
           (operand.kind == ptx::Operand::Kind::special &&
            (operand.name.starts_with("%tid") || operand.name.starts_with("%ntid")));
  };
  for (const ptx::Instruction& instruction : function.body) {
    const auto& operands = instruction.operands;
    const bool is_one = arithmetic.count(mnemonic(instruction)) && operands.size() > 1 &&
                        std::all_of(operands.begin() + 1, operands.end(), is_index);
    visit_registers(instruction, [&](int id, bool is_written) {
      if (is_written) (is_one ? indices : others).insert(id);
    });
  }
  for (const int id : others) indices.erase(id);
  return indices;
}

/// True where one of the deciders asks whether the thread has a certain index.
bool choose_thread(const ptx::Function& function, const std::set<int>& deciders) {
  const std::set<int> indices = indices_of_thread(function);
  return std::any_of(
      function.body.begin(), function.body.end(), [&](const ptx::Instruction& instruction) {
        const auto& operands = instruction.operands;
        const bool asks = instruction.opcode.starts_with("setp.eq.") ||
                          instruction.opcode.starts_with("setp.ne.");
        return asks && operands.size() == 3 && deciders.count(operands[0].id) &&
               indices.count(operands[1].id) && operands[2].kind == ptx::Operand::Kind::integer;
      });
}

bool has_part(std::string_view opcode, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    const std::size_t at = opcode.find(part);
    return at != opcode.npos &&
           (at + part.size() == opcode.size() || opcode[at + part.size()] == '.');
  });
}

}  // namespace

std::optional<LookBefore> look_before(const ptx::Function& function, std::size_t write) {
  const auto& body = function.body;
  const ptx::Operand* const written = address_of(body[write]);
  if (!written) return std::nullopt;
  ValueNumbers values(function);
  const std::size_t place = values.of_place(*written);
  const std::set<int> deciders = Deciders(function).of(write);
  // A load that a barrier separates from the write is not a look before it.
  for (std::size_t i = write; i-- > 0 && body[i].kind() != Kind::barrier;) {
    if (body[i].kind() != Kind::load || is_of_parameters(body[i])) continue;
    const ptx::Operand* const read = address_of(body[i]);
    if (!read || values.of_place(*read) != place) continue;
    const Derived derived(function, i, write, deciders);
    if (!derived.comparison && !derived.goes_into(body[write])) continue;
    const auto opcode =
        derived.comparison ? std::string_view(derived.comparison->opcode) : std::string_view();
    return LookBefore{i, derived.comparison != nullptr,
                      has_part(opcode, {".lt", ".le", ".gt", ".ge", ".lo", ".ls", ".hi", ".hs",
                                        ".ltu", ".leu", ".gtu", ".geu"}),
                      has_part(opcode, {".f16", ".f32", ".f64", ".bf16"}),
                      choose_thread(function, deciders)};
  }
  return std::nullopt;
}

bool looks_behind(const ptx::Function& function, std::size_t atomic, std::size_t load) {
  const auto& body = function.body;
  const ptx::Operand *updated = address_of(body[atomic]), *read = address_of(body[load]);
  if (load <= atomic || !updated || !read || body[load].kind() != Kind::load) return false;
  for (std::size_t i = atomic; i < load; ++i)
    if (body[i].kind() == Kind::barrier) return false;
  ValueNumbers values(function);
  return values.of_place(*updated) == values.of_place(*read);
}

}  // namespace warpwise::code
