#include <algorithm>
#include <chrono>
#include <utility>

#include "simulator/cudart/memory/limit.h"
#include "simulator/cudart/queue/own_threads.h"
#include "simulator/cudart/queue/queue.h"

/// Operations that wait for others while they run. Exactly one thread serves the streams; one that
/// parks its operation passes this on to another and gets it back when it is resumed.
namespace warpwise::cudart {

/// The oldest operation that could begin.
OperationPtr Queue::next_to_begin() const {
  const auto is_done = [](const OperationPtr& earlier) { return earlier->done; };
  for (const auto& [sequence, operation] : pending_) {
    if (operation->begun) continue;
    if (std::all_of(operation->after.begin(), operation->after.end(), is_done)) return operation;
  }
  return nullptr;
}

/// An operation that has waited since before something changed, or else one that is not known to be
/// blocked; null where all are blocked.
Queue::Parked* Queue::next_to_resume() const {
  const auto changed = std::find_if(parked_.begin(), parked_.end(), [&](const Parked* parked) {
    return parked->operation->looked_at != changes_;
  });
  if (changed != parked_.end()) return *changed;
  const auto open = std::find_if(parked_.begin(), parked_.end(),
                                 [](const Parked* parked) { return !parked->waiting.stands; });
  return open == parked_.end() ? nullptr : *open;
}

void Queue::note_change() {
  ++changes_;
  quiet_since_ = std::chrono::steady_clock::now();
}

Queue::Resumed Queue::let_others_run(const Waiting& waiting) {
  std::unique_lock lock(mutex_);
  Operation& running = *running_;
  synchronise_running();
  const bool has_seen_all = running.looked_at == changes_;
  if (waiting.has_changed) note_change();
  // It may have looked too early for a change that happened since its last turn began.
  if (has_seen_all) running.looked_at = changes_;
  if (!waiting.stands && next_to_begin() == nullptr && next_to_resume() == nullptr) {
    running.looked_at = changes_;
    return Resumed::unchanged;
  }
  Parked self;
  self.operation = running_;
  self.waiting = waiting;
  parked_.push_back(&self);
  pass_on();
  self.wake.wait(lock, [&] { return self.resumed.has_value(); });
  running_ = self.operation;
  running_->looked_at = changes_;
  return *self.resumed;
}

/// All that are parked go on with a deadlock, one after the other, in order of issue.
void Queue::begin_deadlock() {
  deadlock_ = true;
  std::sort(parked_.begin(), parked_.end(), [](const Parked* a, const Parked* b) {
    return a->operation->sequence < b->operation->sequence;
  });
  in_deadlock_.clear();
  for (const auto& [sequence, operation] : pending_) {
    if (operation->launch == nullptr) continue;
    const bool for_room = std::any_of(parked_.begin(), parked_.end(), [&](const Parked* parked) {
      return parked->operation == operation && parked->waiting.for_room;
    });
    in_deadlock_.push_back({operation, {operation->launch, operation->begun, for_room}});
  }
}

std::vector<Queue::Other> Queue::others_in_deadlock() const {
  const std::lock_guard lock(mutex_);
  std::vector<Other> result;
  for (const auto& [operation, other] : in_deadlock_)
    if (operation != running_) result.push_back(other);
  return result;
}

/// Another thread is to serve.
void Queue::pass_on() {
  running_ = nullptr;
  path_.clear();
  if (idle_ == 0) return start_server();
  passed_ = true;
  wake_idle_.notify_one();
}

/// Gives this thread's turn to the parked operation, and waits until another passes it on again.
void Queue::resume(Parked& next, Resumed how, std::unique_lock<std::mutex>& lock) {
  std::erase(parked_, &next);
  next.resumed = how;
  next.wake.notify_one();
  ++idle_;
  wake_idle_.wait(lock, [&] { return passed_; });
  --idle_;
  passed_ = false;
}

/// One step, where some operation is parked.
void Queue::serve_parked(std::unique_lock<std::mutex>& lock) {
  constexpr std::chrono::milliseconds moment{1};
  if (deadlock_) {
    deadlock_ = parked_.size() > 1;
    return resume(*parked_.front(), Resumed::deadlock, lock);
  }
  if (const OperationPtr next = next_to_begin()) return run(next, lock);
  if (Parked* next = next_to_resume())
    return resume(*next,
                  next->operation->looked_at != changes_ ? Resumed::changed : Resumed::unchanged,
                  lock);
  if (is_deadlock()) return begin_deadlock();
  wake_device_.wait_for(lock, moment);
  for (Parked* parked : parked_)
    if (parked->waiting.host_may_help || time_is_over())
      parked->operation->looked_at = ~std::uint64_t{0};
}

/// All operations that could run are blocked. True if the host cannot help either. It may have
/// other threads than those that wait here. These may take a while; threads that only another
/// thread could wake do nothing.
bool Queue::is_deadlock() {
  constexpr std::chrono::seconds recently{1}, long_time{5};
  const auto now = std::chrono::steady_clock::now();
  const std::size_t waiting = count_waiting();
  const bool asks = now - asked_ <= recently;
  if (waiting == 0 && !asks) return false;
  const std::optional<ProgramThreads> threads = program_threads();
  if (threads && waiting >= threads->all) return true;
  const bool is_quiet = now - quiet_since_ > long_time;
  if (!threads || !threads->sleep_is_known) return !a_host_may_help() && is_quiet;
  // A thread that asks again and again for so long does nothing else.
  if (asks) return !a_host_may_help() && is_quiet && threads->asleep + 1 >= threads->all;
  if (threads->asleep < threads->all) return false;
  // While they were counted one after the other, one may have woken another.
  return std::exchange(stops_seen_, threads->stops) == threads->stops;
}

bool Queue::a_host_may_help() const {
  return std::any_of(parked_.begin(), parked_.end(),
                     [](const Parked* parked) { return parked->waiting.host_may_help; });
}

std::size_t Queue::count_waiting() const {
  return static_cast<std::size_t>(std::count_if(
      hosts_.begin(), hosts_.end(), [&](const WaitingHost* host) { return !is_over(*host); }));
}

std::size_t Queue::waiting_hosts() const {
  const std::lock_guard lock(mutex_);
  return count_waiting();
}

bool Queue::is_over(const WaitingHost& host) const {
  if (host.operation != nullptr) return host.operation->done;
  return std::none_of(pending_.begin(), pending_.upper_bound(host.newest), [&](const auto& entry) {
    return host.device == all_devices || entry.second->device == host.device;
  });
}

void Queue::wait_as(const WaitingHost& host, std::unique_lock<std::mutex>& lock) {
  hosts_.push_back(&host);
  note_change();  // Before it waits it may have written memory that it shares with the device.
  wake_hosts_.wait(lock, [&] { return is_over(host); });
  std::erase(hosts_, &host);
}

}  // namespace warpwise::cudart
