#pragma once
#include <pthread.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

namespace warpwise::machine {

/// @param asked 0: one for each processor.
unsigned host_threads(unsigned asked);

/// Host threads that stay between launches. A system that packs threads starts a new one on the
/// processor of whoever starts it, where it may wait for milliseconds, longer than most launches
/// take: one that sleeps is woken on a free processor at once.
class Helpers {
 public:
  /// Those of the process; never destroyed, as they sleep while it ends.
  static Helpers& all();

  /// Calls work(0) on this thread and work(1) to work(count - 1) on others, all at the same time;
  /// here too, afterwards, where the system gives no more threads. Returns when all have ended.
  /// Several threads may do so at once.
  /// @param count 1 or more. @param work must not throw on another thread.
  void run(unsigned count, const std::function<void(unsigned)>& work);
  /// Starts threads now, so that they sleep when they are first needed: as many as there are
  /// processors for, and as the system gives.
  void prepare(unsigned count);

 private:
  /// One thread, and what it is to do.
  struct Helper {
    pthread_t thread{};
    std::mutex mutex;
    std::condition_variable changed;
    const std::function<void(unsigned)>* work = nullptr;  ///< null: nothing
    unsigned number = 0;

    void start(const std::function<void(unsigned)>& what, unsigned as);
    void wait();
    void serve();
  };
  class Borrowed;

  Helper* take();
  static Helper* make();

  std::mutex mutex_;
  std::vector<Helper*> idle_;
};

}  // namespace warpwise::machine
