#include "simulator/machine/schedule/helpers.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <system_error>
#include <thread>

#include "simulator/machine/together/own_signals.h"

namespace warpwise::machine {
namespace {

/// Keeps a thread off the processor where this one runs, and will run on: the system may think
/// otherwise for milliseconds.
void keep_away(pthread_t thread) {
  cpu_set_t allowed;
  const int here = sched_getcpu();
  if (here < 0 || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  CPU_CLR(here, &allowed);
  if (CPU_COUNT(&allowed) > 0) pthread_setaffinity_np(thread, sizeof allowed, &allowed);
}

}  // namespace

unsigned host_threads(unsigned asked) {
  return asked ? asked : std::max(1u, std::thread::hardware_concurrency());
}

Helpers& Helpers::all() {
  static auto* const helpers = new Helpers;
  return *helpers;
}

void Helpers::Helper::start(const std::function<void(unsigned)>& what, unsigned as) {
  keep_away(thread);
  const std::lock_guard lock(mutex);
  work = &what;
  number = as;
  changed.notify_all();
}

void Helpers::Helper::wait() {
  // Threads that share a launch end at about the same time, and to sleep and be woken takes longer.
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::microseconds(100);
  while (work && Clock::now() < until) std::this_thread::yield();
  std::unique_lock lock(mutex);
  changed.wait(lock, [this] { return work == nullptr; });
}

void Helpers::Helper::serve() {
  std::unique_lock lock(mutex);
  for (;;) {
    changed.wait(lock, [this] { return work != nullptr; });
    lock.unlock();
    (*work.load())(number);
    lock.lock();
    work = nullptr;
    changed.notify_all();
  }
}

/// @return null where the system gives no more threads.
Helpers::Helper* Helpers::make() {
  auto helper = std::make_unique<Helper>();
  const OwnSignals own;
  try {
    std::thread thread([at = helper.get()] { at->serve(); });
    helper->thread = thread.native_handle();
    pthread_setname_np(helper->thread, "warpwise blocks");
    thread.detach();
  } catch (const std::system_error&) {
    return nullptr;
  }
  return helper.release();
}

Helpers::Helper* Helpers::take() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return make();
  Helper* const helper = idle_.back();
  idle_.pop_back();
  return helper;
}

void Helpers::Team::start() {
  for (unsigned number = 1; number < count_; ++number) {
    Helper* const helper = from_.take();
    if (!helper) return;
    helpers_.push_back(helper);
    helper->start(work_, number);
  }
}

Helpers::Team::~Team() {
  for (Helper* helper : helpers_) helper->wait();
  const std::lock_guard lock(from_.mutex_);
  from_.idle_.insert(from_.idle_.end(), helpers_.begin(), helpers_.end());
}

void Helpers::prepare(unsigned count) {
  const std::lock_guard lock(mutex_);
  count = std::min(count, std::thread::hardware_concurrency());
  while (idle_.size() < count) {
    Helper* const helper = make();
    if (!helper) return;
    idle_.push_back(helper);
  }
}

}  // namespace warpwise::machine
