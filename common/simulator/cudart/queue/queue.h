#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulator/cudart/queue/before.h"
#include "simulator/cudart/queue/grace_period.h"
#include "simulator/cudart/report/call_site.h"

namespace warpwise::cudart {

/// The memory that an operation touched: overlap.h.
struct Touched;
using TouchedPtr = std::shared_ptr<const Touched>;

/// Two launches: the later one may begin before the earlier one has ended, and waits for it after a
/// while.
struct BesideLast {
  std::atomic<bool> has_dependent = false;  ///< a later launch is such a one
  TouchedPtr touched;                       ///< by the launch, where it has one and has run
  std::shared_ptr<BesideLast> in_front;     ///< of the previous launch; null: begins after it
  /// The launch lets the next one begin while the previous one may go on.
  bool lets_begin_before_waiting = false;
  /// The two are nodes of an executable graph: the record of touched bytes holds for one run of it.
  bool is_of_graph = false;
};

/// The description of an operation that launches a kernel.
struct Launched {
  std::string kernel;
  CallSite from;
  const void* function = nullptr;  ///< host function or kernel handle
  /// It may begin before the previous launch of its stream has ended.
  bool may_begin_early = false;
  bool never_waits = false;  ///< for the previous launch, if it may begin early
  std::shared_ptr<BesideLast> beside = std::make_shared<BesideLast>();
  int device = memory::current_device();
};
using LaunchedPtr = std::shared_ptr<const Launched>;

/// Bytes that an operation took from one device to another.
struct Moved {
  int from = 0, to = 0;
  std::uint64_t bytes = 0;
  bool staged = false;  ///< through the host, else over the link between the two
};

/// The effect of an operation on memory. For copy_in and copy_out, the host's side is page-locked;
/// for copy, both sides are the host's or both the device's.
enum class Does { nothing, kernel, copy_in, copy_out, copy, pageable_copy, fill, host_function };

/// One piece of work of a stream: a launch, a copy, an event.
struct Operation {
  std::function<void()> work;
  std::vector<std::shared_ptr<Operation>>
      after;                   ///< operations that come before it; empty once done.
  std::uint64_t sequence = 0;  ///< in order of issue.
  std::chrono::steady_clock::time_point issued;
  std::chrono::steady_clock::time_point finished;
  LaunchedPtr launch;  ///< null for work other than a launch.
  std::uint64_t chain = 0;
  Before before;
  Before asked;  ///< where operations are kept: the same at the time of issue.
  /// Of a part of a graph: the operation that follows all parts. Operations after the follower need
  /// not know the part.
  std::shared_ptr<Operation> follower;
  std::uint64_t forgets_from = 0;  ///< first chain that later ones need not know; 0: none
  std::uint64_t looked_at = 0;     ///< while it runs: the changes that it can have seen.
  Does does = Does::nothing;
  std::uint64_t stream = 0;  ///< the id of the stream that took it.
  int device = 0;            ///< that it works on.
  std::vector<Moved> moved;  ///< between devices, so far.
  /// Working operations on the longest path to this one, including it, along the enforced order.
  std::size_t depth = 0;
  bool begun = false;
  bool done = false;
};
using OperationPtr = std::shared_ptr<Operation>;

/// One of several pieces of work that a stream takes as a whole.
struct Part {
  std::function<void()> work;
  std::vector<std::size_t> after;  ///< earlier parts.
  OperationPtr also;               ///< another operation that comes before; may be null.
  LaunchedPtr launch;              ///< null for work other than a launch.
  Does does = Does::nothing;       ///< where it is not a launch.
  int device = 0;                  ///< that it works on.
};

/// A queue of operations that run in order.
struct Stream {
  bool blocking = true;  ///< takes part in the legacy default stream's ordering.
  unsigned flags = 0;
  int priority = 0;
  std::uint64_t id = 0;
  int device = 0;            ///< that it belongs to.
  std::uint64_t chain = 0;   ///< of its operations.
  OperationPtr last;         ///< the latest operation, which all earlier ones precede.
  OperationPtr last_launch;  ///< the latest operation, if it is a launch; else null.
};
using StreamPtr = std::shared_ptr<Stream>;

/// All streams of all devices and the thread that serves them.
///
/// Work starts as late as CUDA allows: when the host waits for it (or asks whether it is done), and
/// then only what the wait covers and what that depends on. So a missing synchronisation or a
/// missing dependency between streams shows every time instead of now and then, and the order does
/// not depend on how fast the host is. Work that no thread waits for starts after a while, so a
/// host that polls memory is also served.
///
/// One operation runs at a time. A launch that only waits lets others run: it keeps its thread, and
/// another thread serves the streams until something has changed.
class Queue {
 public:
  static constexpr std::size_t most_pending =
      1024;  ///< then the oldest starts without being asked, and the host waits for room

  explicit Queue(int devices = 1);
  ~Queue() = delete;  // Lives as long as the process: its thread is never joined.

  /// The default stream of the current device.
  const StreamPtr& legacy() const { return legacy_of(memory::current_device()); }
  /// True for the default stream of any device.
  bool is_legacy(const Stream& stream) const { return &stream == legacy_of(stream.device).get(); }
  /// As long as one lives, no work starts without being asked for: slow steps of the library
  /// itself, such as finding a line, must not change the order in which things happen. The time
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

  /// What host code may wait for in ways of its own, such as a function that it gave to a stream:
  /// it and all that it depends on start a good deal sooner than other work that no thread asks
  /// for.
  void expect(const OperationPtr& operation);

  /// How long work waits if no thread asks for it; 100 ms unless set.
  void set_grace_period(std::chrono::milliseconds grace_period);

  /// Of the current device.
  StreamPtr create_stream(bool blocking, unsigned flags, int priority);
  /// Work that is still in the stream is done all the same.
  void forget_stream(const StreamPtr& stream);

  /// @param also further operations that have to be done before; null ones are ignored.
  OperationPtr issue(Stream& stream, std::function<void()> work,
                     const std::vector<OperationPtr>& also = {}, LaunchedPtr launch = nullptr);
  /// The same for work that comes after all that the streams of some devices have taken, and before
  /// all that they will take.
  /// @param does what the work does, which is not a launch.
  OperationPtr issue_between_all(Stream& stream, std::function<void()> work, Does does,
                                 const std::set<int>& devices);
  /// The last operation of the stream, if it is a launch; else null.
  OperationPtr last_launch(const Stream& stream) const;
  /// Issues a launch to a stream whose last_launch() may still run meanwhile; what the stream takes
  /// later follows both.
  OperationPtr issue_beside_last(Stream& stream, std::function<void()> work, LaunchedPtr launch);
  /// Issues parts that are ordered among themselves; what the stream takes later follows them all.
  /// @param latest the end of parts issued before, in any stream, which these also follow; set to
  /// their own end.
  /// @return an operation for each part.
  std::vector<OperationPtr> issue_parts(Stream& stream, std::vector<Part> parts,
                                        OperationPtr& latest);

  // queue_order.cpp; for operations.h
  /// Says what an operation does that is not a launch; before its stream takes another.
  void note_does(const OperationPtr& operation, Does does);
  /// By the operation that runs: the bytes that it moves from one device to another.
  void note_moved(const Moved& moved);
  /// From now on operations that do something are kept for take_kept(), most_pending at most.
  void keep_working(bool wanted);
  /// The operations kept since the last time, in order of issue, all done; depths count from
  /// `before`.
  struct KeptOperations {
    std::vector<OperationPtr> operations;
    std::size_t before = 0;
  };
  KeptOperations take_kept();
  /// True where the program has not asked for one of two kept operations to wait for the other.
  bool may_overlap(const OperationPtr& one, const OperationPtr& other) const;
  /// True where a stream of the current device has work that the host does not know to be done.
  bool is_in_flight() const;
  /// Whether this thread has waited for something, other than what it knew to be done, since the
  /// last time it was asked.
  static bool take_host_waited();

  /// Returns when the operation is done; at once for null.
  void wait(const OperationPtr& operation);
  /// Returns when the operation is done, or at least when a running operation waits. The host does
  /// not count as having waited for it.
  void hurry(const OperationPtr& operation);
  /// The same for all that was issued to the streams of a device.
  void hurry_device(int device);
  /// Where too many operations are pending, counting a graph's launch as one, returns when half of
  /// them are done: on an H100 the host also waits. Returns at once where running work may wait for
  /// the host.
  void wait_for_room();
  /// Returns when everything issued so far is done, on all devices.
  void wait_for_all();
  /// The same for one device.
  void wait_for_device(int device);
  /// True when done (or null). If not, it starts soon. Waits a moment unless the operation waits
  /// for a launch.
  bool poll(const OperationPtr& operation);
  /// True where the host has waited for the operation, or for a later one.
  bool is_known_to_host(const OperationPtr& operation) const;
  /// Starts nothing.
  bool is_done(const OperationPtr& operation) const;
  /// Operations that cover all work issued to the stream so far: for the legacy stream those of
  /// every blocking stream. Those that the host knows to be done are left out.
  std::vector<OperationPtr> latest(const Stream& stream) const;

  /// How an operation waits for others.
  struct Waiting {
    bool has_changed = false;    ///< since it last waited, it did something that others may see.
    bool stands = false;         ///< blocked: it goes on only if others do something.
    bool host_may_help = false;  ///< the host can do that without any call.
    bool for_room = false;       ///< it could not begin next to those that wait.
  };
  enum class Resumed { unchanged, changed, deadlock };
  /// By the operation that runs: lets others run. Returns soon. For a blocked operation, returns
  /// once something has changed, or nothing can change: then all blocked operations go on with a
  /// deadlock.
  Resumed let_others_run(const Waiting& waiting);
  /// After a deadlock: the launches that are blocked or have not begun, except the one that runs,
  /// in order of issue.
  struct Other {
    LaunchedPtr launch;
    bool begun, for_room;
  };
  std::vector<Other> others_in_deadlock() const;

  /// Threads of the program that wait for operations which are not done.
  std::size_t waiting_hosts() const;

  /// True where work need not be in one order.
  bool has_several_streams() const;
  /// True where an operation runs or ran that is not ordered with the running one.
  bool has_unordered() const;
  /// Whether work waits that is not ordered with the running operation: it may later write what the
  /// running one reads.
  bool has_pending_beside() const;
  /// Adds the record of the running operation. It is kept as long as unordered work may come.
  /// @return what such operations touched, in their order.
  std::vector<TouchedPtr> add_touched(TouchedPtr touched);
  /// The operation that runs looks at memory that others change while it runs: it may have seen
  /// that earlier work is done, and may have passed this on to others and the host.
  void may_have_synchronised();
  /// By the operation that runs: the host learns now that it has come so far.
  void tell_host();

  /// True where the running work was started because no thread had asked for it for so long.
  bool runs_unasked() const;

  /// True in a thread that runs operations (and so in host callbacks).
  static bool on_device_thread();

 private:
  /// An operation that lets others run.
  struct Parked {
    OperationPtr operation;
    Waiting waiting;
    std::optional<Resumed> resumed;
    std::condition_variable wake;
  };
  /// A thread of the program that waits: for an operation, or for all up to one.
  struct WaitingHost {
    OperationPtr operation;
    std::uint64_t newest = 0;
    int device = all_devices;
  };
  static constexpr int all_devices = -1;

  const StreamPtr& legacy_of(int device) const { return legacy_[static_cast<std::size_t>(device)]; }
  OperationPtr make(std::function<void()> work, int device, const std::vector<OperationPtr>& after,
                    LaunchedPtr launch);
  OperationPtr add(std::function<void()> work, std::uint64_t chain, int device,
                   const std::vector<OperationPtr>& after, LaunchedPtr launch);
  std::vector<OperationPtr> before(const Stream& stream) const;
  bool may_wait_for_launch(const OperationPtr& operation) const;
  void start_server();
  void serve();
  OperationPtr choose();
  OperationPtr first_for(const OperationPtr& wanted);
  void run(const OperationPtr& operation, std::unique_lock<std::mutex>& lock);
  void rest(std::unique_lock<std::mutex>& lock);

  // queue_order.cpp
  /// Instead of a chain: the operation is a part of a graph.
  static constexpr std::uint64_t a_part = ~std::uint64_t{0};
  /// Parts of a graph have chains of their own from here on.
  static constexpr std::uint64_t first_of_parts = std::uint64_t{1} << 63;
  static bool comes_before(const Operation& one, const Before& before);
  static bool is_behind(const Operation& one, const Operation& part);
  static bool are_unordered(const Operation& one, const Operation& other);
  void learn_begun(const Operation& operation);
  void learn(const Operation& operation);
  void note_done(const Operation& operation);
  void set_does(const OperationPtr& operation, Does does);
  void synchronise_running();
  void note_depth(const Operation& operation);
  /// The chain of a part of a graph.
  static std::uint64_t part_chain(const Operation& part) {
    return first_of_parts + Before::chain_of(part.sequence, part.device);
  }
  void order(Operation& operation, std::uint64_t chain, const std::vector<OperationPtr>& after);
  void close(const std::vector<OperationPtr>& parts, const OperationPtr& end);
  void forget_touched();
  bool is_unordered_with_pending(const Operation& one) const;
  bool has_unknown_to_host(int device = all_devices) const;
  void drop_done(std::uint64_t chain);

  // queue_parked.cpp
  OperationPtr next_to_begin() const;
  Parked* next_to_resume() const;
  void pass_on();
  void resume(Parked& next, Resumed how, std::unique_lock<std::mutex>& lock);
  void serve_parked(std::unique_lock<std::mutex>& lock);
  bool is_deadlock();
  bool a_host_may_help() const;
  void begin_deadlock();
  void note_change();
  std::size_t count_waiting() const;
  bool is_over(const WaitingHost& host) const;
  void wait_as(const WaitingHost& host, std::unique_lock<std::mutex>& lock);

  mutable std::mutex mutex_;
  std::condition_variable wake_device_, wake_hosts_;
  std::chrono::milliseconds grace_period_{100};
  /// A host that waits for a callback does not do anything meanwhile that could show a mistake.
  std::chrono::microseconds short_grace_period() const {
    return std::chrono::microseconds(grace_period_) / 50;
  }
  GracePeriod grace_period_of_oldest_, grace_period_of_expected_;
  std::atomic<int> pauses_{0};
  std::vector<StreamPtr> legacy_;  ///< one for each device
  std::set<StreamPtr> streams_;
  std::map<std::uint64_t, OperationPtr> pending_;   ///< issued and not done, by sequence.
  std::map<std::uint64_t, OperationPtr> wanted_;    ///< those of them that a thread waits for.
  std::map<std::uint64_t, OperationPtr> expected_;  ///< those for which the host may wait unseen.
  /// From the oldest wanted operation to the one that runs: each waits for the next. Kept, because
  /// a walk along thousands of operations for each of them would take long.
  std::vector<OperationPtr> path_;
  std::uint64_t next_sequence_ = 1;
  std::uint64_t next_stream_ = 1;
  std::size_t launches_ = 0;
  std::atomic<std::size_t> in_streams_ = 0;  ///< pending, except parts of graphs
  unsigned without_room_ = 0;                ///< threads of the program that wait for room
  std::uint64_t ended_ = 0;                  ///< operations so far
  std::uint64_t ended_in_vain_ = ~0ull;      ///< this count, when waiting for room was in vain
  bool unasked_ = false;                     ///< of what runs
  bool has_launch_beside_ = false;           ///< some were issued by issue_beside_last()

  /// A launched graph: its parts, and the stream's operations around them.
  struct PendingGraph {
    OperationPtr start, end;
    std::vector<OperationPtr> parts;
  };
  /// The pending operations except parts of graphs, by chain, in order; and the graphs, by chain of
  /// their ends.
  std::map<std::uint64_t, std::deque<OperationPtr>> chains_;
  std::map<std::uint64_t, std::deque<PendingGraph>> graphs_;

  Before host_;  ///< operations that the host knows to be done.
  std::size_t host_depth_ = 0, deepest_ = 0, kept_from_ = 0;  ///< in depths of operations.
  std::array<std::size_t, memory::most_devices> deepest_of_ = {};
  bool keeps_ = false;
  std::vector<OperationPtr> kept_;
  Before done_;  ///< done operations, known to the host or not; without parts of graphs.
  struct Kept {
    OperationPtr operation;
    TouchedPtr touched;
  };
  std::vector<Kept> touched_;  ///< in the order in which they ran.

  OperationPtr running_;
  std::vector<Parked*> parked_;                              ///< the longest first.
  bool deadlock_ = false;                                    ///< no parked operation can go on.
  std::vector<std::pair<OperationPtr, Other>> in_deadlock_;  ///< the blocked, and those not begun.
  std::uint64_t changes_ = 0;  ///< that parked operations may have waited for.
  unsigned idle_ = 0;          ///< threads that could serve.
  bool passed_ = false;        ///< one of them is to serve.
  std::condition_variable wake_idle_;
  std::vector<const WaitingHost*> hosts_;
  std::uint64_t stops_seen_ = 0;                       ///< when all of the program's threads slept
  std::chrono::steady_clock::time_point asked_;        ///< when the host last looked at something.
  std::chrono::steady_clock::time_point quiet_since_;  ///< nothing has happened.
};

}  // namespace warpwise::cudart
