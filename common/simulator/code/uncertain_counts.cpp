#include "simulator/code/uncertain_counts.h"

#include <algorithm>
#include <map>
#include <set>

#include "simulator/code/liveness.h"
#include "simulator/code/lowering.h"
#include "simulator/code/order.h"

namespace warpwise::code {
namespace {

/// The text of one function, and where its code stands in the program.
struct Part {
  const ptx::Function* text;
  std::uint32_t first, last;
};

std::vector<Part> parts_of(const Program& program) {
  std::vector<Part> parts = {{program.text, 0, 0}};
  for (const Function& function : program.functions) {
    parts.back().last = function.entry;
    parts.push_back({function.text, function.entry, 0});
  }
  parts.back().last = static_cast<std::uint32_t>(program.code.size());
  std::erase_if(parts, [](const Part& part) { return part.text == nullptr; });
  return parts;
}

/// What an instruction reads in memory may change while the kernel runs, by what its text says.
bool looks_at_others(const ptx::Instruction& instruction) {
  const isa::Kind kind = instruction.match.syntax->row().kind;
  if (kind == isa::Kind::atomic) return true;
  return kind == isa::Kind::load && order_of(instruction.match.variant, false) != Order::none;
}

/// Registers whose values follow from what others wrote.
std::vector<bool> changed_by_others(const ptx::Function& function) {
  std::vector<bool> changed(function.registers.size());
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const ptx::Instruction& instruction : function.body) {
      bool is_source = looks_at_others(instruction);
      visit_registers(instruction, [&](int id, bool is_written) {
        if (!is_written) is_source |= changed[static_cast<std::size_t>(id)];
      });
      if (!is_source) continue;
      visit_registers(instruction, [&](int id, bool is_written) {
        if (!is_written || changed[static_cast<std::size_t>(id)]) return;
        changed[static_cast<std::size_t>(id)] = is_new = true;
      });
    }
  }
  return changed;
}

/// The address follows from what others wrote, such as a place that an atomic has counted.
bool is_placed_by_others(const ptx::Instruction& instruction, const std::vector<bool>& changed) {
  const isa::Kind kind = instruction.match.syntax->row().kind;
  if (kind != isa::Kind::load && kind != isa::Kind::store && kind != isa::Kind::atomic)
    return false;
  const ptx::Operand& address = instruction.operands[kind == isa::Kind::store ? 0 : 1];
  return address.id >= 0 && changed[static_cast<std::size_t>(address.id)];
}

class Marks {
 public:
  Marks(Program& program, const Part& part)
      : program_(program), part_(part), blocks_(basic_blocks(*part.text)) {
    for (std::uint32_t i = part.first; i < part.last; ++i)
      code_of_[program.code[i].text].push_back(i);
  }

  void make() {
    const std::vector<bool> changed = changed_by_others(*part_.text);
    for (std::size_t at = 0; at < part_.text->body.size(); ++at)
      if (is_placed_by_others(part_.text->body[at], changed)) mark(at, {}, true);
    heads_ = loop_heads(blocks_);
    std::set<std::size_t> loops;
    for (const std::set<std::size_t>& around : heads_) loops.insert(around.begin(), around.end());
    for (const std::size_t head : loops) {
      const std::vector<std::size_t> deciders = deciders_of(head);
      const bool waits = std::any_of(deciders.begin(), deciders.end(), [&](std::size_t at) {
        const int guard = part_.text->body[at].guard;
        return guard >= 0 && changed[static_cast<std::size_t>(guard)];
      });
      for (std::size_t block = 0; block < blocks_.size(); ++block)
        if (heads_[block].count(head))
          for (std::size_t at = blocks_[block].first; at < blocks_[block].last; ++at)
            mark(at, deciders, waits);
    }
  }

 private:
  /// The branches, in the body, that leave the loop or begin it anew.
  std::vector<std::size_t> deciders_of(std::size_t head) const {
    std::vector<std::size_t> deciders;
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      const std::vector<std::size_t>& next = blocks_[block].successors;
      const bool decides = std::any_of(next.begin(), next.end(), [&](std::size_t to) {
        return to == head || !heads_[to].count(head);
      });
      if (heads_[block].count(head) && next.size() > 1 && decides)
        deciders.push_back(blocks_[block].last - 1);
    }
    return deciders;
  }

  void mark(std::size_t at, const std::vector<std::size_t>& deciders, bool depends) {
    for (const std::uint32_t index : code_of(at))
      visit_sites(program_.code[index], deciders, depends);
  }

  void visit_sites(const Instruction& instruction, const std::vector<std::size_t>& deciders,
                   bool depends) {
    if (instruction.op == Op::load || instruction.op == Op::store || instruction.op == Op::atomic) {
      mark_site(program_.accesses[instruction.access], deciders, depends);
    } else if (instruction.op == Op::operation) {
      const Operation& operation = program_.operations[instruction.access];
      for (const std::uint32_t access : {operation.from, operation.to})
        if (access != Operation::no_access) mark_site(program_.accesses[access], deciders, depends);
    }
  }

  void mark_site(const Access& access, const std::vector<std::size_t>& deciders, bool depends) {
    if (access.space == Space::frame) return;
    Site& site = program_.sites[access.site];
    site.depends_on_others |= depends;
    if (!site.is_repeated) return;
    for (const std::size_t decider : deciders)
      for (const std::uint32_t index : code_of(decider))
        if (program_.code[index].op == Op::branch) site.deciders.push_back(index);
  }

  const std::vector<std::uint32_t>& code_of(std::size_t at) const {
    static const std::vector<std::uint32_t> none;
    const auto found = code_of_.find(static_cast<std::uint32_t>(at));
    return found == code_of_.end() ? none : found->second;
  }

  Program& program_;
  const Part& part_;
  std::vector<BasicBlock> blocks_;
  std::vector<std::set<std::size_t>> heads_;  ///< of each block the loops around it
  std::map<std::uint32_t, std::vector<std::uint32_t>>
      code_of_;  ///< of each instruction of the text
};

}  // namespace

void find_uncertain_counts(Program& program) {
  for (const Part& part : parts_of(program)) Marks(program, part).make();
}

}  // namespace warpwise::code
