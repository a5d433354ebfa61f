#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "tutor/system/context.h"

namespace warpwise::tutor {

/// The text that the holder of a lock writes into its file for those that wait.
struct Holder {
  int process = 0;  ///< 0: nothing is known.
  std::chrono::system_clock::time_point since;
  std::string doing;  ///< "building the simulator [36/62]", or nothing yet.
};
std::string to_text(const Holder& holder);
/// @return what could be read; a text that is damaged or half written is not an error.
Holder read_holder(std::string_view text);

/// @return the command of a process as it was typed, "./learn run ch04 --gpu l4"; empty where it is
/// not known.
std::string typed_command(int process);

/// "waiting for ./learn run ch04 (process 812): building ch04_reduction [3/20], 12 s".
/// @param process the one that waits, which may hold the lock itself: the watcher, which builds
/// ahead.
std::string waiting_line(const Holder& holder, int process,
                         std::chrono::system_clock::time_point now);

/// Tells lines of long work: on a screen each as it changes, in a pipe or a file one every few
/// seconds.
class Ticker {
 public:
  explicit Ticker(const Context& context) : context_(context) {}
  void tell(const std::string& line);

 private:
  const Context& context_;
  std::string told_;
  std::chrono::steady_clock::time_point next_{};
};

/// A file that one process at a time holds.
class FileLock {
 public:
  /// Waits for the lock; says so when that takes longer than half a second, and every few seconds
  /// from then on.
  /// @param file its name in the build folder.
  /// @param reason what is waited for where the holder has not said it: "another build".
  /// @throws Interrupted while waiting; Failure (status 3) when the file cannot be opened.
  FileLock(const Context& context, const std::string& file, const std::string& reason);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

  /// Tells the processes that wait what is being done.
  void says(const std::string& doing);

 private:
  void wait(const Context& context, const std::string& reason) const;
  int file_;
  std::chrono::system_clock::time_point since_;
};

/// Held by the process that builds: two builds in one folder at the same time would overwrite each
/// other.
class BuildLock : public FileLock {
 public:
  explicit BuildLock(const Context& context) : FileLock(context, "learn.lock", "another build") {}
};

/// While it lives, builds that are less urgent (Context::urgency) stop or do not begin. Any number
/// of processes may want that at once; one that is killed wants nothing any more.
class Wish {
 public:
  explicit Wish(const Context& context);
  Wish(const Wish&) = delete;
  Wish& operator=(const Wish&) = delete;
  ~Wish();
  /// @return whether any process has one that is more urgent than this context's work.
  static bool is_there(const Context& context);
  /// Waits until no process has one. @throws Interrupted.
  static void wait_for_none(const Context& context);

 private:
  int file_;
};

}  // namespace warpwise::tutor
