#include "simulator/code/values/deciding_values.h"

#include <set>
#include <utility>

#include "simulator/code/flow/liveness.h"

namespace warpwise::code {
namespace {

/// How many instructions after branches the search looks at. It assumes that the remaining branches
/// decide.
constexpr std::size_t most_looks = 4 << 20;

/// Goes from what decides back to where it comes from.
class BackwardSearch {
 public:
  explicit BackwardSearch(const FunctionCode& code)
      : code_(code), deciding_(code.text().registers.size()), writers_(deciding_.size()) {
    for (std::size_t at = 0; at < code.size(); ++at)
      visit_registers(code.at(at), [&](int id, bool is_written) {
        if (is_written) writers_[static_cast<std::size_t>(id)].push_back(at);
      });
  }

  /// Finds them all.
  void run() {
    for (std::size_t at = 0; at < code_.size(); ++at) add_addresses(at);
    find_branches();
    while (!waiting_.empty()) {
      const std::size_t id = waiting_.back();
      waiting_.pop_back();
      for (const std::size_t writer : writers_[id]) add_sources(writer);
      for (const std::size_t branch : branches_[id]) add_sources(branch);
    }
  }

  std::vector<bool> registers() { return std::move(deciding_); }
  bool has_kept_values() const { return !kept_.empty(); }

 private:
  void add(int id) {
    if (id < 0 || deciding_[static_cast<std::size_t>(id)]) return;
    deciding_[static_cast<std::size_t>(id)] = true;
    waiting_.push_back(static_cast<std::size_t>(id));
  }

  /// All sources of the instruction decide, because its result does.
  void add_sources(std::size_t at) {
    visit_registers(code_.at(at), [&](int id, bool is_written) {
      if (!is_written) add(id);
    });
    const Access* access = code_.access_at(at);
    if (access && is_kept(access->space)) add_kept_values(*access);
  }

  /// True for memory of the block or the thread, or possibly so.
  static bool is_kept(Space space) {
    return space == Space::shared || space == Space::local || space == Space::generic;
  }

  static bool may_be_same(const Access& a, const Access& b) {
    if (a.space != b.space) return a.space == Space::generic || b.space == Space::generic;
    return a.shared_array == b.shared_array || a.shared_array == Access::any_array ||
           b.shared_array == Access::any_array;
  }

  /// A value loaded from memory of the block or the thread was stored there earlier.
  void add_kept_values(const Access& read) {
    if (!kept_.insert({read.space, read.shared_array}).second) return;
    for (std::size_t at = 0; at < code_.size(); ++at) {
      const Access* access = code_.access_at(at);
      if (access && (access->is_store || access->is_atomic) && is_kept(access->space) &&
          may_be_same(read, *access))
        visit_registers(code_.at(at), [&](int id, bool is_written) {
          if (!is_written) add(id);
        });
    }
  }

  /// Addresses, and the condition of the access; values passed to functions and back.
  void add_addresses(std::size_t at) {
    const ptx::Instruction& instruction = code_.at(at);
    bool is_access = instruction.kind() == isa::Kind::call;
    code_.visit_sites(at, [&](const Site&) { is_access = true; });
    const Access* access = code_.access_at(at);
    const bool is_passed = access && access->space == Space::frame && access->is_store;
    if (!is_access && !is_passed) return;
    add(instruction.guard);
    for (const ptx::Operand& operand : instruction.operands)
      if (is_passed || instruction.kind() == isa::Kind::call ||
          operand.kind == ptx::Operand::Kind::address)
        add_all(operand);
  }

  void add_all(const ptx::Operand& operand) {
    add(operand.id);
    for (const ptx::Operand& element : operand.elements) add_all(element);
  }

  /// Branches that decide about accesses are found at once; other branches once a register that
  /// they decide about does.
  void find_branches() {
    const std::vector<BasicBlock>& blocks = code_.blocks();
    branches_.resize(deciding_.size());
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      if (blocks[block].successors.size() < 2) continue;
      const std::size_t branch = blocks[block].last - 1;
      if (looks_ > most_looks) {
        add_sources(branch);
        continue;
      }
      for (const std::size_t side : code_.sides_of(block))
        for (std::size_t at = blocks[side].first; at < blocks[side].last; ++at, ++looks_)
          add_behind(branch, at);
    }
  }

  void add_behind(std::size_t branch, std::size_t at) {
    bool is_access = code_.at(at).kind() == isa::Kind::call;
    code_.visit_sites(at, [&](const Site&) { is_access = true; });
    if (is_access) add_sources(branch);
    visit_registers(code_.at(at), [&](int id, bool is_written) {
      if (!is_written) return;
      std::vector<std::size_t>& branches = branches_[static_cast<std::size_t>(id)];
      if (branches.empty() || branches.back() != branch) branches.push_back(branch);
    });
  }

  const FunctionCode& code_;
  std::vector<bool> deciding_;
  std::vector<std::size_t> waiting_;                ///< registers whose writers are to be looked at
  std::vector<std::vector<std::size_t>> writers_;   ///< of each register
  std::vector<std::vector<std::size_t>> branches_;  ///< that decide whether it is written
  std::set<std::pair<Space, std::uint32_t>> kept_;  ///< read where values decide: space and array
  std::size_t looks_ = 0;
};

}  // namespace

DecidingValues::DecidingValues(const FunctionCode& code) : code_(code) {
  BackwardSearch search(code);
  search.run();
  registers_ = search.registers();
  are_kept_in_memory_ = search.has_kept_values();
}

bool DecidingValues::are_given_by(std::size_t at) const {
  const isa::Kind kind = code_.at(at).kind();
  if (kind == isa::Kind::copy_async || kind == isa::Kind::copy_bulk ||
      kind == isa::Kind::copy_tensor)
    return are_kept_in_memory_;
  if (kind != isa::Kind::load && kind != isa::Kind::atomic) return false;
  bool is_given = false;
  visit_registers(code_.at(at), [&](int id, bool is_written) {
    is_given |= is_written && registers_[static_cast<std::size_t>(id)];
  });
  return is_given;
}

}  // namespace warpwise::code
