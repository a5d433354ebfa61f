#include "simulator/cudart/managed_use.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <variant>

#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

using memory::Allocation;
using memory::Kind;

/// Of a larger allocation only the beginning is searched for pointers: this is done for each
/// launch.
constexpr std::uint64_t searched_bytes = 1 << 18;

/// Follows pointers from allocation to allocation until all managed ones are found.
class Reach {
 public:
  explicit Reach(const std::vector<const Allocation*>& live)
      : managed_(static_cast<std::size_t>(
            std::count_if(live.begin(), live.end(),
                          [](const Allocation* one) { return one->kind == Kind::managed; }))) {}

  void add(const Allocation& allocation) {
    if (!seen_.insert(allocation.base).second) return;
    if (allocation.kind == Kind::managed) found_.push_back(allocation.base);
    to_search_.push_back(&allocation);
  }

  /// Every word that is an address of device memory counts as a pointer.
  void search(std::span<const std::byte> bytes) {
    const memory::AddressSpace& memory = runtime().memory;
    std::uint64_t word = 0;
    for (std::size_t i = 0; i + sizeof word <= bytes.size() && !complete(); i += sizeof word) {
      std::memcpy(&word, bytes.data() + i, sizeof word);
      if (!memory.contains(word)) continue;
      // Some arguments point before an array, or to its end.
      const Allocation* target = memory.find(word);
      if (target == nullptr) target = memory.nearest(word);
      if (target != nullptr && target->live) add(*target);
    }
  }

  void follow() {
    while (!to_search_.empty() && !complete()) {
      const Allocation& next = *to_search_.back();
      to_search_.pop_back();
      search({runtime().memory.host(next.base), std::min(next.bytes, searched_bytes)});
    }
  }

  bool complete() const { return found_.size() == managed_; }
  const std::vector<std::uint64_t>& found() const { return found_; }

 private:
  std::size_t managed_;
  std::set<std::uint64_t> seen_;
  std::vector<std::uint64_t> found_;
  std::vector<const Allocation*> to_search_;
};

struct InUse {
  std::mutex mutex;
  std::map<std::uint64_t, std::vector<OperationPtr>> launches;  ///< by allocation.
};
InUse& in_use() {
  static auto& all = *new InUse;
  return all;
}

}  // namespace

std::vector<std::uint64_t> managed_memory_of(const Work& work) {
  const std::vector<const Allocation*> live = runtime().memory.live();
  Reach reach(live);
  if (reach.complete()) return {};
  const auto* kernel = std::get_if<KernelWork>(&work);
  // Kernels name variables in their code.
  const auto is_variable = [](const Allocation& one) {
    return one.is_variable || one.kind == Kind::variable || one.kind == Kind::constant;
  };
  for (const Allocation* one : live)
    if (kernel == nullptr || is_variable(*one)) reach.add(*one);
  if (kernel != nullptr) reach.search(kernel->arguments);
  reach.follow();
  return reach.found();
}

void close_managed(const std::vector<std::uint64_t>& allocations, const OperationPtr& launch) {
  const std::lock_guard lock(in_use().mutex);
  for (const std::uint64_t base : allocations) {
    std::vector<OperationPtr>& launches = in_use().launches[base];
    if (launches.empty()) runtime().memory.set_managed_access(base, false);
    std::erase_if(launches, [](const auto& one) { return runtime().queue.is_done(one); });
    launches.push_back(launch);
  }
}

void open_managed() {
  const std::lock_guard lock(in_use().mutex);
  std::erase_if(in_use().launches, [](const auto& entry) {
    const auto& [base, launches] = entry;
    const bool done = std::all_of(launches.begin(), launches.end(),
                                  [](const auto& one) { return runtime().queue.is_done(one); });
    if (done) runtime().memory.set_managed_access(base, true);
    return done;
  });
}

}  // namespace warpwise::cudart
