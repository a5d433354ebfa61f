#include <algorithm>
#include <utility>

#include "simulator/cudart/queue/queue.h"

/// The order of operations that the program asks for. It is also known for operations that have
/// run: running first proves nothing.
namespace warpwise::cudart {

bool Queue::comes_before(const Operation& one, const Before& before) {
  const auto holds = [&](const Operation& last) { return before.holds(last.chain, last.sequence); };
  return holds(one) || (one.follower != nullptr && holds(*one.follower));
}

bool Queue::are_unordered(const Operation& one, const Operation& other) {
  return &one != &other && !comes_before(one, other.before) && !comes_before(other, one.before);
}

/// The host knows that the operation has begun, and so that all before it is done.
void Queue::learn_begun(const Operation& operation) {
  host_.add(operation.before);
  host_depth_ = std::max(host_depth_, operation.depth);
}

/// The host knows that the operation is done.
void Queue::learn(const Operation& operation) {
  learn_begun(operation);
  host_.add(operation.chain, operation.sequence);
}

/// Work that the host issues comes after all that it knows to be done.
/// @param chain of the stream; a_part for a part of a graph.
void Queue::order(Operation& operation, std::uint64_t chain,
                  const std::vector<OperationPtr>& after) {
  operation.depth = host_depth_;
  operation.chain = chain == a_part ? part_chain(operation) : chain;
  operation.before = host_;
  for (const OperationPtr& earlier : after) {
    if (earlier == nullptr) continue;
    operation.before.add(earlier->before);
    operation.before.add(earlier->chain, earlier->sequence);
    operation.depth = std::max(operation.depth, earlier->depth);
  }
  if (keeps_) operation.asked = operation.before;
  if (operation.does != Does::nothing) ++operation.depth;
  note_depth(operation);
}

void Queue::note_depth(const Operation& operation) {
  std::size_t& deepest = deepest_of_[static_cast<std::size_t>(operation.device)];
  deepest = std::max(deepest, operation.depth);
  deepest_ = std::max(deepest_, deepest);
}

void Queue::set_does(const OperationPtr& operation, Does does) {
  if (does == Does::nothing) return;
  operation->does = does;
  ++operation->depth;
  note_depth(*operation);
  if (keeps_ && kept_.size() < most_pending) kept_.push_back(operation);
}

void Queue::note_does(const OperationPtr& operation, Does does) {
  const std::lock_guard lock(mutex_);
  set_does(operation, does);
}

void Queue::note_moved(const Moved& moved) {
  const std::lock_guard lock(mutex_);
  running_->moved.push_back(moved);
}

void Queue::keep_working(bool wanted) {
  const std::lock_guard lock(mutex_);
  keeps_ = wanted;
  kept_.clear();
  kept_from_ = deepest_;
}

Queue::KeptOperations Queue::take_kept() {
  wait_for_all();
  const std::lock_guard lock(mutex_);
  return {std::exchange(kept_, {}), std::exchange(kept_from_, deepest_)};
}

bool Queue::may_overlap(const OperationPtr& one, const OperationPtr& other) const {
  const std::lock_guard lock(mutex_);
  return one != other && !comes_before(*one, other->asked) && !comes_before(*other, one->asked);
}

bool Queue::has_unknown_to_host(int device) const {
  return std::any_of(streams_.begin(), streams_.end(), [&](const StreamPtr& stream) {
    return (device == all_devices || stream->device == device) && stream->last != nullptr &&
           !comes_before(*stream->last, host_);
  });
}

bool Queue::is_in_flight() const {
  const std::lock_guard lock(mutex_);
  return has_unknown_to_host(memory::current_device());
}

/// The end of a graph follows all its parts: operations after the end need not know them.
void Queue::close(const std::vector<OperationPtr>& parts, const OperationPtr& end) {
  end->before.forget_chains_from(first_of_parts);
  end->forgets_from = first_of_parts;
  for (const OperationPtr& part : parts) part->follower = end;
}

bool Queue::has_several_streams() const {
  const std::lock_guard lock(mutex_);
  return streams_.size() > 1;
}

bool Queue::has_unordered() const {
  const std::lock_guard lock(mutex_);
  const auto with_running = [&](const Operation& other) { return are_unordered(*running_, other); };
  if (std::any_of(touched_.begin(), touched_.end(),
                  [&](const Kept& kept) { return with_running(*kept.operation); }))
    return true;
  // With one stream and no graph everything is in order.
  if (streams_.size() == 1 && running_->chain < first_of_parts && !has_launch_beside_) return false;
  // No thread waits for it, so the program may issue more work that is not ordered with it.
  if (hosts_.empty()) return true;
  return is_unordered_with_pending(*running_);
}

bool Queue::has_pending_beside() const {
  const std::lock_guard lock(mutex_);
  return running_ != nullptr && is_unordered_with_pending(*running_);
}

/// The end of a graph comes after its parts, though it does not list them.
bool Queue::is_behind(const Operation& one, const Operation& part) {
  if (comes_before(part, one.before)) return true;
  const Operation* const end = part.follower.get();
  return end != nullptr && end->chain == one.chain && end->sequence <= one.sequence;
}

/// Along a chain, the operations before `one` come first and those after it last: it is enough to
/// look at the first of the others.
bool Queue::is_unordered_with_pending(const Operation& one) const {
  for (const auto& [chain, operations] : chains_) {
    const auto other = std::partition_point(
        operations.begin(), operations.end(), [&](const OperationPtr& operation) {
          return operation.get() == &one || comes_before(*operation, one.before);
        });
    if (other != operations.end() && !is_behind(**other, one)) return true;
  }
  const auto is_done_or_ordered = [&](const OperationPtr& part) {
    return part->done || !are_unordered(one, *part);
  };
  for (const auto& [chain, graphs] : graphs_) {
    auto graph = std::partition_point(
        graphs.begin(), graphs.end(),
        [&](const PendingGraph& earlier) { return comes_before(*earlier.end, one.before); });
    for (; graph != graphs.end() && !comes_before(one, graph->start->before); ++graph)
      if (!std::all_of(graph->parts.begin(), graph->parts.end(), is_done_or_ordered)) return true;
  }
  return false;
}

/// An operation of the chain is done: the done ones are at the front.
void Queue::drop_done(std::uint64_t chain) {
  const auto drop = [chain](auto& chains, auto is_done) {
    const auto found = chains.find(chain);
    if (found == chains.end()) return;
    while (!found->second.empty() && is_done(found->second.front())) found->second.pop_front();
    if (found->second.empty()) chains.erase(found);
  };
  drop(chains_, [](const OperationPtr& operation) { return operation->done; });
  drop(graphs_, [](const PendingGraph& graph) { return graph.end->done; });
}

std::vector<TouchedPtr> Queue::add_touched(TouchedPtr touched) {
  constexpr std::size_t most_kept = 64;
  const std::lock_guard lock(mutex_);
  std::vector<TouchedPtr> unordered;
  for (const Kept& kept : touched_)
    if (are_unordered(*running_, *kept.operation)) unordered.push_back(kept.touched);
  if (touched_.size() == most_kept) touched_.erase(touched_.begin());
  touched_.push_back({running_, std::move(touched)});
  return unordered;
}

void Queue::note_done(const Operation& operation) {
  if (operation.chain < first_of_parts) done_.add(operation.chain, operation.sequence);
}

void Queue::synchronise_running() {
  running_->before.add(done_);
  host_.add(running_->before);
}

void Queue::may_have_synchronised() {
  const std::lock_guard lock(mutex_);
  synchronise_running();
}

bool Queue::is_known_to_host(const OperationPtr& operation) const {
  const std::lock_guard lock(mutex_);
  return comes_before(*operation, host_);
}

void Queue::tell_host() {
  const std::lock_guard lock(mutex_);
  learn_begun(*running_);  // The host still has to wait for its end.
}

/// Drops records of operations that are ordered with all running and all future operations.
void Queue::forget_touched() {
  std::erase_if(touched_, [&](const Kept& kept) {
    return comes_before(*kept.operation, host_) && !is_unordered_with_pending(*kept.operation);
  });
}

}  // namespace warpwise::cudart
