#pragma once
#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

namespace warpwise::machine {

/// @param asked 0: one for each processor.
unsigned host_threads(unsigned asked);

/// Host threads that stay between launches. A system that packs threads starts a new one on the
/// processor of the thread that starts it, where it may wait for milliseconds, longer than most
/// launches take: one that sleeps is woken on a free processor at once.
class Helpers {
  struct Helper;

 public:
  /// Those of the process; never destroyed, as they sleep while it ends.
  static Helpers& all();

  /// Helpers that do one piece of work at the same time.
  class Team {
   public:
    /// @param from outlives this, as `work` does.
    /// @param work that start() begins on other threads, with numbers from 1 to count - 1: it must
    /// not throw. Where the system gives no more threads some of it is not done.
    Team(Helpers& from, unsigned count, const std::function<void(unsigned)>& work)
        : from_(from), count_(count), work_(work) {}
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    /// Returns when all that has begun has ended.
    ~Team();
    /// To be called once, or never.
    void start();

   private:
    Helpers& from_;
    unsigned count_;
    const std::function<void(unsigned)>& work_;
    std::vector<Helper*> helpers_;
  };

  /// Starts threads now, so that they sleep when they are first needed: as many as there are
  /// processors for, and as the system gives.
  void prepare(unsigned count);

 private:
  /// One thread, and what it is to do.
  struct Helper {
    pthread_t thread{};
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<const std::function<void(unsigned)>*> work{nullptr};  ///< null: nothing
    unsigned number = 0;

    void start(const std::function<void(unsigned)>& what, unsigned as);
    void wait();
    void serve();
  };
  Helper* take();
  static Helper* make();

  std::mutex mutex_;
  std::vector<Helper*> idle_;
};

}  // namespace warpwise::machine
