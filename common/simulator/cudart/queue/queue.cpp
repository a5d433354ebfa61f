#include "simulator/cudart/queue/queue.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "simulator/cudart/memory/registered_pages.h"
#include "simulator/cudart/queue/own_threads.h"
#include "simulator/machine/together/own_signals.h"

namespace warpwise::cudart {
namespace {

thread_local bool this_is_the_device = false;
thread_local bool host_has_waited = false;

}  // namespace

Queue::Queue(int devices) {
  for (int device = 0; device < devices; ++device) {
    legacy_.push_back(std::make_shared<Stream>());
    legacy_.back()->device = device;
    legacy_.back()->chain = Before::chain_of(0, device);
    streams_.insert(legacy_.back());
  }
  start_server();
}

void Queue::start_server() {
  const machine::OwnSignals own;
  std::thread([this] { serve(); }).detach();
}

Queue::Pause::Pause(Queue& queue) : queue_(queue), begin_(std::chrono::steady_clock::now()) {
  ++queue_.pauses_;
}

Queue::Pause::~Pause() {
  const std::lock_guard lock(queue_.mutex_);
  --queue_.pauses_;
  const auto now = std::chrono::steady_clock::now();
  for (auto& [sequence, operation] : queue_.pending_) {
    operation->issued = std::min(now, operation->issued + (now - begin_));
  }
  queue_.wake_device_.notify_one();
}

void Queue::set_grace_period(std::chrono::milliseconds grace_period) {
  const std::lock_guard lock(mutex_);
  grace_period_ = grace_period;
  wake_device_.notify_one();
}

StreamPtr Queue::create_stream(bool blocking, unsigned flags, int priority) {
  const std::lock_guard lock(mutex_);
  auto stream = std::make_shared<Stream>();
  stream->blocking = blocking;
  stream->flags = flags;
  stream->priority = priority;
  stream->id = next_stream_++;
  stream->device = memory::current_device();
  stream->chain = Before::chain_of(stream->id, stream->device);
  streams_.insert(stream);
  return stream;
}

void Queue::forget_stream(const StreamPtr& stream) {
  const std::lock_guard lock(mutex_);
  // Work left in a blocking stream still precedes later work of the default stream.
  if (stream->blocking && stream->last && !comes_before(*stream->last, host_)) {
    Stream& legacy = *legacy_of(stream->device);
    legacy.last = add([] {}, legacy.chain, legacy.device, {stream->last, legacy.last}, nullptr);
    legacy.last_launch = nullptr;
  }
  streams_.erase(stream);
}

OperationPtr Queue::make(std::function<void()> work, int device,
                         const std::vector<OperationPtr>& after, LaunchedPtr launch) {
  auto operation = std::make_shared<Operation>();
  operation->device = device;
  operation->work = std::move(work);
  operation->sequence = next_sequence_++;
  operation->issued = std::chrono::steady_clock::now();
  operation->launch = std::move(launch);
  if (operation->launch) operation->does = Does::kernel;
  if (operation->launch && keeps_ && kept_.size() < most_pending) kept_.push_back(operation);
  for (const OperationPtr& earlier : after) {
    if (earlier && !earlier->done) operation->after.push_back(earlier);
  }
  pending_[operation->sequence] = operation;
  if (operation->launch) ++launches_;
  quiet_since_ = operation->issued;
  return operation;
}

OperationPtr Queue::add(std::function<void()> work, std::uint64_t chain, int device,
                        const std::vector<OperationPtr>& after, LaunchedPtr launch) {
  OperationPtr operation = make(std::move(work), device, after, std::move(launch));
  order(*operation, chain, after);
  if (chain != a_part) chains_[chain].push_back(operation), ++in_streams_;
  return operation;
}

std::vector<OperationPtr> Queue::before(const Stream& stream) const {
  std::vector<OperationPtr> result = {stream.last};
  const StreamPtr& legacy = legacy_of(stream.device);
  if (&stream == legacy.get()) {
    for (const StreamPtr& other : streams_) {
      if (other->blocking && other->device == stream.device && other != legacy)
        result.push_back(other->last);
    }
  } else if (stream.blocking) {
    result.push_back(legacy->last);
  }
  return result;
}

OperationPtr Queue::issue(Stream& stream, std::function<void()> work,
                          const std::vector<OperationPtr>& also, LaunchedPtr launch) {
  const std::lock_guard lock(mutex_);
  std::vector<OperationPtr> after = before(stream);
  after.insert(after.end(), also.begin(), also.end());
  stream.last = add(std::move(work), stream.chain, stream.device, after, std::move(launch));
  stream.last->stream = stream.id;
  stream.last_launch = stream.last->launch ? stream.last : nullptr;
  wake_device_.notify_one();
  return stream.last;
}

OperationPtr Queue::issue_between_all(Stream& stream, std::function<void()> work, Does does,
                                      const std::set<int>& devices) {
  const std::lock_guard lock(mutex_);
  std::vector<OperationPtr> after = before(stream);
  // Pending work of destroyed streams also belongs to the device.
  for (const auto& [sequence, operation] : pending_)
    if (devices.contains(operation->device)) after.push_back(operation);
  for (const StreamPtr& other : streams_)
    if (devices.contains(other->device)) after.push_back(other->last);
  const OperationPtr issued = add(std::move(work), stream.chain, stream.device, after, nullptr);
  issued->stream = stream.id;
  set_does(issued, does);
  stream.last = issued;
  stream.last_launch = nullptr;
  for (const StreamPtr& other : streams_) {
    if (!devices.contains(other->device) || other.get() == &stream) continue;
    other->last = add([] {}, other->chain, other->device, {issued, other->last}, nullptr);
    other->last_launch = nullptr;
  }
  wake_device_.notify_one();
  return issued;
}

OperationPtr Queue::last_launch(const Stream& stream) const {
  const std::lock_guard lock(mutex_);
  return stream.last_launch;
}

OperationPtr Queue::issue_beside_last(Stream& stream, std::function<void()> work,
                                      LaunchedPtr launch) {
  const std::lock_guard lock(mutex_);
  const OperationPtr last = stream.last;
  std::vector<OperationPtr> after = before(stream);
  OperationPtr issued = add(std::move(work), Before::chain_of(next_stream_++, stream.device),
                            stream.device, after, std::move(launch));
  std::erase(after, last);
  order(*issued, issued->chain, after);
  if (stream.last_launch != nullptr) issued->before.add(stream.last_launch->before);
  issued->stream = stream.id;
  stream.last = add([] {}, stream.chain, stream.device, {issued, last}, nullptr);
  stream.last_launch = issued;
  has_launch_beside_ = true;
  wake_device_.notify_one();
  return issued;
}

std::vector<OperationPtr> Queue::issue_parts(Stream& stream, std::vector<Part> parts,
                                             OperationPtr& latest) {
  const std::lock_guard lock(mutex_);
  std::vector<OperationPtr> front = before(stream);
  front.push_back(latest);
  const OperationPtr start = add([] {}, stream.chain, stream.device, front, nullptr);
  std::vector<OperationPtr> issued;
  for (Part& part : parts) {
    std::vector<OperationPtr> after = {start, part.also};
    for (const std::size_t earlier : part.after) after.push_back(issued[earlier]);
    issued.push_back(add(std::move(part.work), a_part, part.device, after, part.launch));
    issued.back()->stream = stream.id;
    if (part.launch == nullptr) set_does(issued.back(), part.does);
  }
  std::vector<OperationPtr> all = issued;
  all.push_back(start);
  latest = stream.last = add([] {}, stream.chain, stream.device, all, nullptr);
  stream.last_launch = nullptr;
  close(issued, stream.last);
  graphs_[stream.chain].push_back({start, stream.last, issued});
  wake_device_.notify_one();
  return issued;
}

void Queue::expect(const OperationPtr& operation) {
  const std::lock_guard lock(mutex_);
  if (!operation || operation->done) return;
  expected_[operation->sequence] = operation;
  wake_device_.notify_one();
}

void Queue::wait(const OperationPtr& operation) {
  std::unique_lock lock(mutex_);
  if (!operation) return;
  host_has_waited |= !comes_before(*operation, host_);
  if (!operation->done) {
    wanted_[operation->sequence] = operation;
    wake_device_.notify_one();
    wait_as({operation}, lock);
  }
  learn(*operation);
}

void Queue::hurry(const OperationPtr& operation) {
  constexpr std::chrono::milliseconds moment{2};
  std::unique_lock lock(mutex_);
  if (!operation->done) wanted_[operation->sequence] = operation;
  wake_device_.notify_one();
  while (!operation->done && parked_.empty()) wake_hosts_.wait_for(lock, moment);
}

void Queue::hurry_device(int device) {
  std::vector<OperationPtr> last;
  {
    const std::lock_guard lock(mutex_);
    for (const StreamPtr& stream : streams_)
      if (stream->device == device && stream->last != nullptr) last.push_back(stream->last);
  }
  for (const OperationPtr& one : last) hurry(one);
}

void Queue::wait_for_room() {
  constexpr std::chrono::milliseconds look{50};
  if (in_streams_ <= most_pending || on_device_thread()) return;
  std::unique_lock lock(mutex_);
  if (ended_ == ended_in_vain_) return;
  const auto is_over = [&] {
    return in_streams_ <= most_pending / 2 || !parked_.empty() || pauses_ > 0;
  };
  ++without_room_;
  wake_device_.notify_one();
  std::uint64_t ended = ended_;
  while (!wake_hosts_.wait_for(lock, look, is_over)) {
    // A function of the program's that takes long may wait for this very thread.
    const bool is_launch = running_ == nullptr || running_->launch != nullptr;
    if (std::exchange(ended, ended_) != ended_ || is_launch) continue;
    ended_in_vain_ = ended_;
    break;
  }
  --without_room_;
}

void Queue::wait_for_all() {
  std::unique_lock lock(mutex_);
  host_has_waited |= has_unknown_to_host();
  const std::uint64_t newest = next_sequence_ - 1;
  for (const auto& entry : pending_) wanted_.insert(entry);
  wake_device_.notify_one();
  wait_as({nullptr, newest}, lock);
  host_.add_all(newest);
  host_depth_ = deepest_;
}

void Queue::wait_for_device(int device) {
  if (legacy_.size() == 1) return wait_for_all();
  std::unique_lock lock(mutex_);
  host_has_waited |= has_unknown_to_host(device);
  const std::uint64_t newest = next_sequence_ - 1;
  for (const auto& entry : pending_)
    if (entry.second->device == device) wanted_.insert(entry);
  wake_device_.notify_one();
  // The last operation of each stream covers the work of other devices that had to come before it.
  std::vector<OperationPtr> last;
  for (const StreamPtr& stream : streams_)
    if (stream->device == device && stream->last != nullptr) last.push_back(stream->last);
  wait_as({nullptr, newest, device}, lock);
  for (const OperationPtr& one : last) learn(*one);
  host_.add_all_of(device, newest);
  host_depth_ = std::max(host_depth_, deepest_of_[static_cast<std::size_t>(device)]);
}

bool Queue::poll(const OperationPtr& operation) {
  constexpr std::chrono::milliseconds moment{2}, longest{1000};
  std::unique_lock lock(mutex_);
  if (!operation) return true;
  if (!operation->done) {
    wanted_[operation->sequence] = operation;
    const auto asked = asked_ = std::chrono::steady_clock::now();
    wake_device_.notify_one();
    // On a GPU an event in an idle stream is done when the host asks.
    if (may_wait_for_launch(operation)) return false;
    while (!wake_hosts_.wait_for(lock, moment, [&] { return operation->done; })) {
      // On a busy machine the device's thread has not had its turn yet.
      const bool has_not_begun = running_ == nullptr && parked_.empty() && pauses_ == 0;
      if (!has_not_begun || std::chrono::steady_clock::now() - asked > longest) return false;
    }
  }
  learn(*operation);
  return true;
}

/// Whether the operation comes after a pending launch. Also true where finding out takes long.
bool Queue::may_wait_for_launch(const OperationPtr& operation) const {
  constexpr std::size_t most_looked_at = 100;
  if (launches_ == 0) return false;
  std::vector<const Operation*> open = {operation.get()};
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (open[i]->launch != nullptr || i == most_looked_at) return true;
    for (const OperationPtr& earlier : open[i]->after)
      if (!earlier->done && std::find(open.begin(), open.end(), earlier.get()) == open.end())
        open.push_back(earlier.get());
  }
  return false;
}

bool Queue::is_done(const OperationPtr& operation) const {
  const std::lock_guard lock(mutex_);
  return operation->done;
}

std::vector<OperationPtr> Queue::latest(const Stream& stream) const {
  const std::lock_guard lock(mutex_);
  std::vector<OperationPtr> result;
  const auto add = [&](const Stream& one) {
    if (one.last && !comes_before(*one.last, host_)) result.push_back(one.last);
  };
  if (!is_legacy(stream)) {
    add(stream);
    return result;
  }
  for (const StreamPtr& one : streams_) {
    if (one->blocking && one->device == stream.device) add(*one);
  }
  return result;
}

bool Queue::runs_unasked() const {
  const std::lock_guard lock(mutex_);
  return unasked_;
}

bool Queue::take_host_waited() { return std::exchange(host_has_waited, false); }

bool Queue::on_device_thread() { return this_is_the_device; }

/// The next operation to run, all of whose predecessors are done; null when none should run yet.
OperationPtr Queue::choose() {
  if (wanted_.empty() && !expected_.empty() && pauses_ == 0) {
    const auto first = expected_.begin();
    if (grace_period_of_expected_.is_over(first->first, first->second->issued,
                                          short_grace_period()))
      wanted_.insert(*first);
  }
  unasked_ = false;
  if (!wanted_.empty()) return first_for(wanted_.begin()->second);
  path_.clear();
  if (pending_.empty() || pauses_ > 0) return nullptr;
  const OperationPtr& oldest = pending_.begin()->second;
  if (without_room_ > 0 || pending_.size() > most_pending) return first_for(oldest);
  unasked_ = grace_period_of_oldest_.is_over(oldest->sequence, oldest->issued, grace_period_);
  return unasked_ ? first_for(oldest) : nullptr;
}

/// A runnable operation that has to come before this one; else this one.
OperationPtr Queue::first_for(const OperationPtr& wanted) {
  if (path_.empty() || path_.front() != wanted) path_ = {wanted};
  while (path_.back()->done) path_.pop_back();  // The wanted operation is not done.
  // Nothing waits for itself, so this walk ends.
  while (true) {
    const auto& after = path_.back()->after;
    const auto open = std::find_if(after.begin(), after.end(),
                                   [](const auto& earlier) { return !earlier->done; });
    if (open == after.end()) return path_.back();
    path_.push_back(*open);
  }
}

void Queue::run(const OperationPtr& operation, std::unique_lock<std::mutex>& lock) {
  operation->begun = true;
  operation->looked_at = changes_;
  // The running operation may have learnt more than was known when it was issued.
  for (const OperationPtr& earlier : operation->after) operation->before.add(earlier->before);
  if (operation->forgets_from != 0) operation->before.forget_chains_from(operation->forgets_from);
  running_ = operation;
  lock.unlock();
  {
    const OpenForDevice open;
    const memory::OnDevice here(operation->device);
    operation->work();
  }
  // The work may hold an object with a destructor of the program's.
  operation->work = nullptr;
  lock.lock();
  running_ = nullptr;
  operation->finished = std::chrono::steady_clock::now();
  operation->done = true;
  // Otherwise every operation of a long-lived stream would keep all earlier ones alive.
  operation->after.clear();
  if (operation->launch) --launches_;
  if (operation->chain < first_of_parts) --in_streams_;
  ++ended_;
  pending_.erase(operation->sequence);
  wanted_.erase(operation->sequence);
  expected_.erase(operation->sequence);
  note_done(*operation);
  drop_done(operation->chain);
  if (!touched_.empty()) forget_touched();
  note_change();
  wake_hosts_.notify_all();
}

/// Nothing is to be done now.
void Queue::rest(std::unique_lock<std::mutex>& lock) {
  if (pending_.empty() || pauses_ > 0) {
    wake_device_.wait(lock);
  } else {
    auto until = grace_period_of_oldest_.next_look(pending_.begin()->second->issued, grace_period_);
    if (!expected_.empty())
      until = std::min(until, grace_period_of_expected_.next_look(expected_.begin()->second->issued,
                                                                  short_grace_period()));
    wake_device_.wait_until(lock, until);
  }
}

void Queue::serve() {
  this_is_the_device = true;
  name_own_thread("device");
  std::unique_lock lock(mutex_);
  while (true) {
    if (!parked_.empty()) {
      serve_parked(lock);
    } else if (const OperationPtr next = choose()) {
      run(next, lock);
    } else {
      rest(lock);
    }
  }
}

}  // namespace warpwise::cudart
