#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace warpwise::cudart {

/// One piece of work of a stream: a launch, a copy, an event.
struct Operation {
  std::function<void()> work;
  std::vector<std::shared_ptr<Operation>> after;  ///< what has to be done before; empty once done.
  std::uint64_t sequence = 0;                     ///< in order of issue.
  std::chrono::steady_clock::time_point issued;
  std::chrono::steady_clock::time_point finished;
  bool launch = false;
  bool done = false;
};
using OperationPtr = std::shared_ptr<Operation>;

/// One of several pieces of work that a stream takes as a whole.
struct Part {
  std::function<void()> work;
  std::vector<std::size_t> after;  ///< earlier parts.
  OperationPtr also;               ///< what else goes before; may be null.
  bool launch = false;
};

/// A queue of operations that run in order.
struct Stream {
  bool blocking = true;  ///< takes part in the legacy default stream's ordering.
  unsigned flags = 0;
  int priority = 0;
  std::uint64_t id = 0;
  OperationPtr last;  ///< the latest operation, which all earlier ones precede.
};
using StreamPtr = std::shared_ptr<Stream>;

/// All streams of the device and the thread that serves them.
///
/// Work starts as late as CUDA allows: when the host waits for it (or asks whether it is done), and
/// then only what the wait covers and what that depends on. So a missing synchronisation or a
/// missing dependency between streams shows every time instead of now and then, and the order does
/// not depend on how fast the host is. Work that nobody waits for starts after a while, so that
/// a host that polls memory is served, too.
class Queue {
 public:
  static constexpr std::size_t most_pending =
      1024;  ///< then the oldest starts without being asked.

  Queue();
  ~Queue() = delete;  // Lives as long as the process: its thread is never joined.

  const StreamPtr& legacy() const { return legacy_; }
  /// As long as one lives, no work starts that nobody asks for: what the library itself takes a
  /// while for, such as finding a line, must not change the order in which things happen. The time
  /// does not count as waiting. Making one is async-signal-safe.
  class Pause {
   public:
    explicit Pause(Queue& queue);
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    Queue& queue_;
    std::chrono::steady_clock::time_point begin_;
  };

  /// How long work waits that nobody asks for; 100 ms unless set.
  void set_patience(std::chrono::milliseconds patience);

  StreamPtr create_stream(bool blocking, unsigned flags, int priority);
  /// Work that is still in the stream is done all the same.
  void forget_stream(const StreamPtr& stream);

  /// @param also further operations that have to be done before; null ones are ignored.
  OperationPtr issue(Stream& stream, std::function<void()> work,
                     const std::vector<OperationPtr>& also = {}, bool launch = false);
  /// Issues parts that are ordered among themselves; what the stream takes later follows them all.
  /// @return an operation for each part.
  std::vector<OperationPtr> issue_parts(Stream& stream, std::vector<Part> parts);
  /// Returns when the operation is done; at once for null.
  void wait(const OperationPtr& operation);
  /// Returns when everything issued so far is done.
  void wait_for_all();
  /// True when done (or null). If not, it starts soon. Waits a moment where no launch is pending.
  bool poll(const OperationPtr& operation);
  /// Starts nothing.
  bool is_done(const OperationPtr& operation) const;
  /// Operations that cover all work issued to the stream so far: for the legacy stream those of
  /// every blocking stream. Done ones are left out.
  std::vector<OperationPtr> latest(const Stream& stream) const;
  /// Launches that were issued and are not done.
  std::size_t launches_in_flight() const;

  /// True in the thread that runs operations (and so in host callbacks).
  static bool on_device_thread();

 private:
  OperationPtr add(std::function<void()> work, const std::vector<OperationPtr>& after, bool launch);
  std::vector<OperationPtr> before(const Stream& stream) const;
  void serve();
  OperationPtr choose();
  void run(const OperationPtr& operation, std::unique_lock<std::mutex>& lock);

  mutable std::mutex mutex_;
  std::condition_variable wake_device_, wake_hosts_;
  std::chrono::milliseconds patience_{100};
  std::atomic<int> pauses_{0};
  StreamPtr legacy_;
  std::set<StreamPtr> streams_;
  std::map<std::uint64_t, OperationPtr> pending_;  ///< issued and not done, by sequence.
  std::map<std::uint64_t, OperationPtr> wanted_;   ///< those of them that somebody waits for.
  /// From the oldest wanted operation to the one that runs: each waits for the next. Kept, because
  /// a walk along thousands for each of them would take long.
  std::vector<OperationPtr> path_;
  std::uint64_t next_sequence_ = 1;
  std::uint64_t next_stream_ = 1;
  std::size_t launches_ = 0;
};

}  // namespace warpwise::cudart
