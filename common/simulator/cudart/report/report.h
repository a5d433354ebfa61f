#pragma once
#include <atomic>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "simulator/cudart/report/call_site.h"
#include "simulator/cudart/report/unread_results.h"
#include "simulator/watch/report/report.h"

namespace warpwise::cudart {

/// Where the host's code made a mistake.
struct HostPlace {
  CallSite site;
  std::string_view word = {};  ///< that the call begins with: a caret shows it in the source line.
};

/// Hands on the results of launches: diagnoses to stderr, one JSON line each to the report file,
/// and the same objects to a lesson that asks for them.
class Reporter {
 public:
  /// A lesson that never asks must not take more and more memory: older reports are dropped.
  static constexpr std::size_t most_kept = 4096;

  /// @param file appended to; empty for none. A file that cannot be opened ends the program with
  /// status 3 and a line with the reason.
  explicit Reporter(const std::string& file);

  /// @param launch where the host asked for it: shown with the first error.
  void finish(watch::LaunchReport report, const CallSite& launch);
  /// Records why the program is about to end with status 3.
  void unsupported(const std::string& sentence);
  /// A mistake of the host's code, without a launch: a report without a kernel.
  void mistake(const char* kind, watch::Severity severity, const std::string& message,
               const HostPlace& place);
  /// A mistake whose line is known: file, line and column of `at` are used.
  void mistake(const char* kind, watch::Severity severity, const std::string& message,
               const watch::Diagnosis& at);
  /// A mistake without its line, always an error. The texts must not contain control characters.
  /// Async-signal-safe.
  void host_diagnosis(const char* kind, const char* message);

  /// The program has read results in these allocations, which launches computed from memory that
  /// was never written: reports the launches.
  void derived_was_read(const std::set<std::uint32_t>& allocations);
  /// At the end: reports the other launches of that kind, as an error where their results are still
  /// there, as a note where they were overwritten.
  void settle_unread_results();
  /// At the end: reports in how many launches the same was found, where that is more than was
  /// shown.
  void tell_repeats() const;

  /// False as long as only notes were reported.
  bool has_reported_errors() const { return has_reported_errors_; }

  /// The JSON objects of all launches since the last call, separated by commas.
  std::string take();

  /// Kernels that run or wait, for messages.
  void begins(const std::string& kernel);
  void ends(const std::string& kernel);
  /// One of them; empty where there is none.
  std::string running() const;

 private:
  struct Mistake {
    const char* kind;
    watch::Severity severity;
    const std::string& message;
    const watch::Diagnosis& at;
  };
  /// @param place the place as the user reads it.
  void tell(const Mistake& mistake, const std::string& place);
  void append(std::string line);
  /// A kernel, the kind, file and line; without a line, the instruction instead of the file.
  using ReportedAs = std::tuple<std::string, std::string, std::string, unsigned>;
  /// In how many launches it has been found, and how often in this one, this time included: a line
  /// may race with several others, and may read and write what it should not.
  struct Times {
    unsigned launches, of_launch;
  };
  static constexpr unsigned most_of_a_line = 2;  ///< reports of one launch
  void tell_of_launch(const std::string& kernel, const watch::Diagnosis& diagnosis,
                      const std::string& more, std::map<ReportedAs, unsigned>& of_this_launch);
  void tell(UnreadResult result);
  Times times_reported(const std::string& kernel, const watch::Diagnosis& diagnosis,
                       std::map<ReportedAs, unsigned>& of_this_launch);
  bool is_reported_of_call(const watch::Diagnosis& diagnosis, bool by_kernel);

  int file_ = -1;
  UnreadResults unread_;
  std::atomic<bool> has_reported_errors_ = false;
  mutable std::mutex mutex_;
  std::deque<std::string> kept_;
  std::multiset<std::string> running_;
  /// By kernel, kind, file and line.
  std::map<ReportedAs, unsigned> launches_with_;
  /// For calls of libraries, by file and line: whether a kernel of the library failed, or a copy.
  std::map<std::pair<std::string, unsigned>, bool> reported_of_calls_;
};

/// The reason why a host call failed, if that need not be a mistake: a note on stderr, not in a
/// report.
void explain_call(const std::string& message, const HostPlace& place);

}  // namespace warpwise::cudart
