#include "simulator/cudart/report/report.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "simulator/code/values/library_files.h"
#include "simulator/cudart/device/settings.h"
#include "simulator/cudart/memory/allocation_sites.h"
#include "simulator/cudart/report/console.h"
#include "simulator/cudart/report/launch_sizes.h"
#include "simulator/cudart/report/source_place.h"
#include "simulator/cudart/runtime.h"
#include "simulator/watch/report/place_text.h"

namespace warpwise::cudart {
namespace {

int open_report(const std::string& file) {
  if (file.empty()) return -1;
  const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (opened < 0) {
    stop(fmt::format("simulator: the report {} cannot be written: {}", file, std::strerror(errno)));
  }
  return opened;
}

// Copies a text into a JSON string; a character that would need an escape becomes a plain one.
void copy_plain(char* out, std::size_t size, const char* text) {
  std::size_t n = 0;
  for (; text[n] != '\0' && n + 1 < size; ++n) {
    out[n] = text[n] == '"' || text[n] == '\\' ? '\'' : text[n];
  }
  out[n] = '\0';
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether a call begins there: <<<, or a name before an opening bracket, and not one of those that
/// begin alike, such as cudaMemcpyHostToDevice.
bool begins_call(std::string_view word, const std::string& line, std::size_t at) {
  if (!is_of_name(word.back())) return true;
  std::size_t end = at + word.size();
  while (end < line.size() && is_of_name(line[end])) ++end;
  return (at == 0 || !is_of_name(line[at - 1])) && end < line.size() &&
         (line[end] == '(' || line[end] == '<');
}

/// The column of the one call in a line that begins with a word; 0 where there is none, or two.
unsigned column_of_call(std::string_view word, const std::string& line) {
  std::size_t column = 0;
  for (auto at = line.find(word); !word.empty() && at != std::string::npos;
       at = line.find(word, at + 1)) {
    if (!begins_call(word, line, at)) continue;
    if (column != 0) return 0;
    column = at + 1;
  }
  return static_cast<unsigned>(column);
}

/// Said once: it also holds for all later diagnoses.
std::string advice_text(std::string_view advice) {
  static std::atomic_flag said;
  if (advice.empty() || said.test_and_set()) return {};
  return fmt::format("  at an unknown line: {}\n", advice);
}

/// Of the place alone.
watch::Diagnosis diagnosis_at(const SourcePlace& place, std::string_view word) {
  watch::Diagnosis diagnosis;
  diagnosis.file = place.file;
  diagnosis.line = place.line;
  diagnosis.column = column_of_call(word, watch::source_line(place.file, place.line));
  return diagnosis;
}

std::string reported_place(const watch::Diagnosis& diagnosis, const SourcePlace& place) {
  return place.line != 0 ? watch::place_text(diagnosis) : advice_text(place.advice);
}

/// True where no line of the program's own led to the instruction, and the launch was a library's.
bool is_in_librarys_kernel(const watch::Diagnosis& diagnosis) {
  return diagnosis.line != 0 && diagnosis.called_from.empty() &&
         code::is_library_file(diagnosis.file);
}

/// Names of template instances can fill a screen.
std::string shortened(const std::string& name) {
  constexpr std::size_t most = 100;
  return name.size() <= most ? name : name.substr(0, most) + "...";
}

/// Replaces the library's line with the line that called the library.
void move_to_call(watch::Diagnosis& diagnosis, const watch::LaunchReport& report) {
  if (diagnosis.library_line == 0) {
    diagnosis.library_file = diagnosis.file;
    diagnosis.library_line = diagnosis.line;
  }
  diagnosis.file = report.launch_file;
  diagnosis.line = report.launch_line;
  diagnosis.column = 0;
}

void explain_lines(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  explain(text);
}

}  // namespace

Reporter::Reporter(const std::string& file) : file_(open_report(file)) {}

void Reporter::append(std::string line) {
  {
    const std::lock_guard lock(mutex_);
    kept_.push_back(line);
    if (kept_.size() > most_kept) kept_.pop_front();
  }
  if (file_ < 0) return;
  line += '\n';
  // One write per line: lines of several processes do not mix.
  if (write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    static const bool reported = [] {
      say("simulator: the report is incomplete: the file cannot be written");
      return true;
    }();
    (void)reported;
  }
}

namespace {

/// Where the program allocated the memory that a message names by a number, because the number does
/// not say which pointer it is.
std::string makers_of(watch::Diagnosis& diagnosis) {
  const std::string& message = diagnosis.message;
  constexpr std::string_view noun = "allocation ";
  std::set<std::uint64_t> ids;
  for (auto at = message.find(noun); at != std::string::npos; at = message.find(noun, at + 1))
    ids.insert(std::strtoull(message.c_str() + at + noun.size(), nullptr, 10));
  std::string text;
  if (ids.empty()) return text;
  for (const memory::Allocation* allocation : runtime().memory.live()) {
    if (!ids.contains(allocation->id)) continue;
    const SourcePlace place = place_of(allocation_site(allocation->base));
    if (place.line == 0) continue;
    if (diagnosis.made_line == 0) {
      diagnosis.made_file = place.file;
      diagnosis.made_line = place.line;
    }
    std::string source = watch::source_line(place.file, place.line);
    source.erase(0, std::min(source.find_first_not_of(" \t"), source.size()));
    text += fmt::format("  allocation {} was made at {}:{}{}{}\n", allocation->id, place.file,
                        place.line, source.empty() ? "" : ": ", source);
  }
  return text;
}

/// What a launch is, without what it did.
watch::LaunchReport header_of(const watch::LaunchReport& report) {
  watch::LaunchReport header = report;
  header.counts = {};
  header.diagnoses.clear();
  return header;
}

/// True where a launch has read the results that it stored itself.
bool reads_own(const watch::DerivedValues& derived) {
  return std::any_of(derived.stored_in.begin(), derived.stored_in.end(),
                     [&](std::uint32_t id) { return derived.read_from.contains(id); });
}

}  // namespace

void Reporter::finish(watch::LaunchReport report, const CallSite& launch) {
  keep_launch_size(report);
  derived_was_read(report.derived.read_from);
  if (report.faulted) settle_unread_results();  // the program may not come to its end
  const bool may_wait = !report.faulted && !reads_own(report.derived);
  std::vector<watch::Diagnosis> reported;
  std::map<ReportedAs, unsigned> of_this_launch;
  for (watch::Diagnosis& diagnosis : report.diagnoses) {
    std::string launched;
    if (diagnosis.severity == watch::Severity::error && report.launch_line == 0) {
      const SourcePlace place = place_of(launch);
      report.launch_file = place.file;
      report.launch_line = place.line;
      if (place.line != 0) launched = fmt::format("  launched at {}:{}\n", place.file, place.line);
    } else if (!report.launched_by.empty() && report.launch_line != 0) {
      launched = fmt::format("  launched by kernel {} at {}:{}\n", shortened(report.launched_by),
                             report.launch_file, report.launch_line);
    }
    const bool is_librarys =
        diagnosis.severity == watch::Severity::error && is_in_librarys_kernel(diagnosis);
    if (is_librarys && report.launch_line != 0) {
      move_to_call(diagnosis, report);
      launched = fmt::format("  in the library's kernel {}\n", shortened(report.kernel));
      if (diagnosis.kind == "host-pointer" && is_reported_of_call(diagnosis, true)) continue;
    }
    if (diagnosis.kind == "uninitialized" && runtime().queue.has_pending_beside())
      diagnosis.message +=
          " Or is it written in another stream? That stream still has work that this launch does "
          "not wait for: record an event after it, then let this stream wait for that "
          "(cudaStreamWaitEvent).";
    const std::string makers = makers_of(diagnosis);
    if (diagnosis.is_only_stored && may_wait) {
      unread_.add({header_of(report), std::move(diagnosis), launched + makers});
      continue;
    }
    tell_of_launch(report.kernel, diagnosis, launched + makers, of_this_launch);
    reported.push_back(std::move(diagnosis));
  }
  report.diagnoses = std::move(reported);
  append(report::to_json(report));
}

/// @param more lines after the diagnosis.
void Reporter::tell_of_launch(const std::string& kernel, const watch::Diagnosis& diagnosis,
                              const std::string& more,
                              std::map<ReportedAs, unsigned>& of_this_launch) {
  const bool is_error = diagnosis.severity == watch::Severity::error;
  const auto [launches, of_launch] = times_reported(kernel, diagnosis, of_this_launch);
  if (launches == 1 && of_launch <= most_of_a_line)
    explain_lines(watch::to_text(diagnosis) + more);
  else if (launches == 2 && of_launch == 1)
    explain_lines(
        fmt::format("{}: {}: the same in another launch of {}, and it is not reported "
                    "again.\n{}",
                    is_error ? "error" : "note", diagnosis.kind, shortened(kernel),
                    watch::place_text(diagnosis)));
  if (is_error) has_reported_errors_ = true;
}

void Reporter::tell(UnreadResult result) {
  for (unsigned launch = 0; launch < result.launches; ++launch) {
    std::map<ReportedAs, unsigned> of_this_launch;
    tell_of_launch(result.launch.kernel, result.diagnosis, result.more, of_this_launch);
  }
  result.launch.diagnoses.push_back(std::move(result.diagnosis));
  append(report::to_json(result.launch));
}

void Reporter::derived_was_read(const std::set<std::uint32_t>& allocations) {
  if (allocations.empty()) return;
  for (UnreadResult& result : unread_.take(allocations)) tell(std::move(result));
}

void Reporter::settle_unread_results() {
  for (UnreadResult& result : unread_.take_all()) {
    const std::set<std::uint32_t>& stored_in = result.launch.derived.stored_in;
    const bool are_left = std::any_of(stored_in.begin(), stored_in.end(), [](std::uint32_t id) {
      return runtime().memory.holds_derived(id);
    });
    if (!are_left) {
      result.diagnosis.severity = watch::Severity::note;
      result.diagnosis.message +=
          " Here it did no harm: the results were overwritten before anything read them.";
    }
    tell(std::move(result));
  }
}

/// A diagnosis without a line goes by its instruction; one that has neither counts as new each
/// time.
/// @param of_this_launch in,out: how often each has been found in the launch that is reported.
Reporter::Times Reporter::times_reported(const std::string& kernel,
                                         const watch::Diagnosis& diagnosis,
                                         std::map<ReportedAs, unsigned>& of_this_launch) {
  if (diagnosis.line == 0 && diagnosis.instruction.empty()) return {1, 1};
  const ReportedAs as{kernel, diagnosis.kind,
                      diagnosis.line == 0 ? diagnosis.instruction : diagnosis.file, diagnosis.line};
  const unsigned of_launch = ++of_this_launch[as];
  const std::lock_guard lock(mutex_);
  unsigned& launches = launches_with_[as];
  launches += of_launch == 1;
  return {launches, of_launch};
}

void Reporter::tell_repeats() const {
  constexpr unsigned fewest = 3;
  constexpr std::size_t most_reported = 4;
  const std::lock_guard lock(mutex_);
  std::size_t reported = 0;
  for (const auto& [as, launches] : launches_with_) {
    const auto& [kernel, kind, place, line] = as;
    if (launches < fewest || ++reported > most_reported) continue;
    explain_lines(fmt::format(
        "note: {} {}{}: in {} launches of {} in all\n", kind, line == 0 ? "in " : "at ",
        line == 0 ? place : fmt::format("{}:{}", place, line), launches, shortened(kernel)));
  }
}

/// A library that is handed host memory may fail in a kernel of its own and in a copy: reported
/// once.
/// @param by_kernel what fails now.
bool Reporter::is_reported_of_call(const watch::Diagnosis& diagnosis, bool by_kernel) {
  if (diagnosis.line == 0) return false;
  const std::lock_guard lock(mutex_);
  return reported_of_calls_.try_emplace({diagnosis.file, diagnosis.line}, by_kernel)
             .first->second != by_kernel;
}

void Reporter::unsupported(const std::string& sentence) {
  watch::LaunchReport report;
  report.unsupported = sentence;
  append(report::to_json(report));
}

void Reporter::mistake(const char* kind, watch::Severity severity, const std::string& message,
                       const HostPlace& place) {
  const SourcePlace source = place_of(place.site);
  const watch::Diagnosis at = diagnosis_at(source, place.word);
  if (std::string_view(kind) == "invalid-copy" && is_reported_of_call(at, false)) return;
  tell({kind, severity, message, at}, reported_place(at, source));
}

void Reporter::mistake(const char* kind, watch::Severity severity, const std::string& message,
                       const watch::Diagnosis& at) {
  tell({kind, severity, message, at}, watch::place_text(at));
}

void Reporter::tell(const Mistake& mistake, const std::string& place) {
  watch::LaunchReport report;
  watch::Diagnosis& diagnosis = report.diagnoses.emplace_back(mistake.at);
  diagnosis.kind = mistake.kind;
  diagnosis.severity = mistake.severity;
  diagnosis.message = mistake.message;
  if (mistake.severity == watch::Severity::error) has_reported_errors_ = true;
  const char* severity = mistake.severity == watch::Severity::error ? "error" : "note";
  explain_lines(fmt::format("{}: {}: {}\n{}", severity, mistake.kind, mistake.message, place));
  append(report::to_json(report));
}

void explain_call(const std::string& message, const HostPlace& place) {
  if (settings().quiet) return;
  const SourcePlace source = place_of(place.site);
  explain_lines(fmt::format("note: {}\n{}", message,
                            reported_place(diagnosis_at(source, place.word), source)));
}

void Reporter::host_diagnosis(const char* kind, const char* message) {
  has_reported_errors_ = true;
  char text[1536];
  const int said = std::snprintf(text, sizeof text, "error: %s: %s", kind, message);
  if (said > 0) explain(std::string_view(text, std::strlen(text)));
  if (file_ < 0) return;
  char plain[768];
  copy_plain(plain, sizeof plain, message);
  const int length = std::snprintf(
      text, sizeof text,
      R"({"kernel":"","mangled":"","grid":[0,0,0],"block":[0,0,0],"dynamic_shared_bytes":0,)"
      R"("registers":0,"static_shared_bytes":0,"counters":{},"lines":[],"diagnoses":[{)"
      R"("kind":"%s","severity":"error","message":"%s","file":"","line":0,"column":0,"library_file":"",)"
      R"("library_line":0,"block":[0,0,0],"thread":[0,0,0],"count":1}],"faulted":false,)"
      R"("unsupported":""})"
      "\n",
      kind, plain);
  if (length > 0) {
    [[maybe_unused]] const auto written = write(file_, text, std::strlen(text));
  }
}

std::string Reporter::take() {
  const std::lock_guard lock(mutex_);
  std::string all;
  for (const std::string& one : kept_) {
    if (!all.empty()) all += ',';
    all += one;
  }
  kept_.clear();
  return all;
}

void Reporter::begins(const std::string& kernel) {
  const std::lock_guard lock(mutex_);
  running_.insert(kernel);
}

void Reporter::ends(const std::string& kernel) {
  const std::lock_guard lock(mutex_);
  running_.erase(running_.find(kernel));
}

std::string Reporter::running() const {
  const std::lock_guard lock(mutex_);
  return running_.empty() ? std::string() : *running_.begin();
}

}  // namespace warpwise::cudart
