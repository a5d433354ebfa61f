#pragma once
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "tutor/live/state.h"
#include "tutor/system/context.h"
#include "tutor/system/interrupt.h"

namespace warpwise::tutor::watch {

/// A thread that does one piece of work at a time while the keyboard is served. Its messages and
/// its end come back as events.
class Worker {
 public:
  /// @param context of the work; Cancellation and progress are set for each.
  /// @throws Failure (status 3) when this machine has no descriptor left.
  explicit Worker(Context context);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  /// Ends what is going on.
  ~Worker();

  using Task = std::function<Event(const Context&)>;
  /// Begins a work; what is going on is ended first, and says nothing more. Does not wait.
  /// @param job goes into Failed, if the task throws one, and into Progressed.
  void start(int job, Task task);
  /// Ends what is going on.
  void cancel();

  /// @return a descriptor that is readable when take() has something to tell.
  int event() const { return event_; }
  std::vector<Event> take();

 private:
  struct Piece {
    int job;
    Task task;
    Cancellation cancellation;
  };
  void run();
  Event result_of(Piece& piece);
  void post(const Piece& piece, Event event);

  Context context_;
  int event_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::shared_ptr<Piece> next_, current_;
  bool ends_ = false;
  std::vector<Event> events_;
  std::thread thread_;
};

}  // namespace warpwise::tutor::watch
