#include "simulator/cudart/report/unread_results.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace warpwise::cudart {
namespace {

auto key_of(const UnreadResult& result) {
  const watch::Diagnosis& at = result.diagnosis;
  return std::tie(result.launch.kernel, at.file, at.line, at.instruction);
}

bool is_in_one_of(const UnreadResult& result, const std::set<std::uint32_t>& allocations) {
  const std::set<std::uint32_t>& stored_in = result.launch.derived.stored_in;
  return std::any_of(stored_in.begin(), stored_in.end(),
                     [&](std::uint32_t id) { return allocations.contains(id); });
}

}  // namespace

void UnreadResults::add(UnreadResult result) {
  const std::lock_guard lock(mutex_);
  const auto same = std::find_if(results_.begin(), results_.end(), [&](const UnreadResult& kept) {
    return key_of(kept) == key_of(result);
  });
  if (same == results_.end()) return results_.push_back(std::move(result));
  same->launch.derived.add(result.launch.derived);
  ++same->launches;
}

std::vector<UnreadResult> UnreadResults::take(const std::set<std::uint32_t>& allocations) {
  const std::lock_guard lock(mutex_);
  const auto first_taken = std::stable_partition(
      results_.begin(), results_.end(),
      [&](const UnreadResult& result) { return !is_in_one_of(result, allocations); });
  std::vector<UnreadResult> taken(std::make_move_iterator(first_taken),
                                  std::make_move_iterator(results_.end()));
  results_.erase(first_taken, results_.end());
  return taken;
}

std::vector<UnreadResult> UnreadResults::take_all() {
  const std::lock_guard lock(mutex_);
  return std::exchange(results_, {});
}

}  // namespace warpwise::cudart
