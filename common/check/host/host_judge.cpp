#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>

#include "check/host/host_call.h"
#include "check/verdict/diagnosis_words.h"
#include "check/verdict/verdict.h"
#include "lesson/device/error.h"
#include "lesson/print/excerpt.h"
#include "lesson/start/paths.h"

namespace warpwise::lesson {
namespace {

constexpr std::string_view launches_gate = "launches";
constexpr std::string_view copies_gate = "copies";

/// "x.cu:7:12: runtime error: division by zero", as the compiler's checks write it.
struct RuntimeError {
  std::string file, what;
  unsigned line = 0, column = 0;
};

/// Whether a program may name this file as the place of its mistake: a text of the exercise, in
/// this repository. Whatever else a program prints or writes into the log is never opened.
bool is_own_file(const std::string& file, const std::string& exercise) {
  const std::filesystem::path path = repository_path(file);
  if (path.empty() || path.is_absolute() || *path.begin() == "..") return false;
  const std::filesystem::path id = exercise;
  return path.filename() == id.filename().string() + ".cu" &&
         std::find(path.begin(), path.end(), id.parent_path()) != path.end();
}

/// @param at the end of the place. @param what the beginning of what happened.
RuntimeError runtime_error_at(const std::string& errors, std::size_t at, std::size_t what) {
  const std::size_t begin = errors.rfind('\n', at) + 1;  // npos + 1 is 0.
  const std::string place = errors.substr(begin, at - begin);
  const std::size_t column = place.rfind(':');
  const std::size_t line = column == std::string::npos ? column : place.rfind(':', column - 1);
  RuntimeError error;
  error.what = errors.substr(what, errors.find('\n', what) - what);
  if (line != std::string::npos) {
    error.file = place.substr(0, line);
    error.line = static_cast<unsigned>(std::atoi(place.c_str() + line + 1));
    error.column = static_cast<unsigned>(std::atoi(place.c_str() + column + 1));
  }
  return error;
}

/// The first with a place in the exercise's file; else the first, without a place.
std::optional<RuntimeError> runtime_error(const std::string& errors, const std::string& exercise) {
  constexpr std::string_view mark = ": runtime error: ";
  std::optional<RuntimeError> first;
  for (std::size_t at = errors.find(mark); at != std::string::npos;
       at = errors.find(mark, at + mark.size())) {
    RuntimeError error = runtime_error_at(errors, at, at + mark.size());
    if (is_own_file(error.file, exercise)) return error;
    if (!first) first = RuntimeError{{}, error.what, 0, 0};
  }
  return first;
}

/// The log without places in files that are not the exercise's.
std::vector<LaunchReport> with_own_places(std::vector<LaunchReport> log,
                                          const std::string& exercise) {
  const auto keep = [&](std::string& file, unsigned& line) {
    if (file.empty() || is_own_file(file, exercise)) return;
    file.clear();
    line = 0;
  };
  for (LaunchReport& report : log) {
    for (Diagnosis& diagnosis : report.diagnoses) keep(diagnosis.file, diagnosis.line);
    for (LineCounts& counts : report.counts.lines) keep(counts.file, counts.line);
  }
  return log;
}

std::string signal_words(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
      return "it touched memory that is not its own";
    case SIGFPE:
      return "it divided an integer by zero";
    case SIGABRT:
      return "it was aborted";
    default:
      return fmt::format("signal {} ended it", signal);
  }
}

std::string signal_advice(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
      return "Look for an index past the end of an array, a pointer to device memory that the host "
             "follows, a recursion without an end.";
    case SIGFPE:
      return "Which divisor can be 0?";
    case SIGABRT:
      return "Look for a failed assertion, or for more memory than it may have.";
    default:
      return "";
  }
}

class Judge {
 public:
  Judge(const HostSpec& spec, const std::vector<HostCall>& calls, const HostAnswers& answers,
        const ChildResult& child, const std::vector<LaunchReport>& log)
      : spec_(spec),
        calls_(calls),
        answers_(answers),
        child_(child),
        log_(with_own_places(log, spec.exercise)) {}

  CheckVerdict verdict() {
    usable();
    author_test();
    if (open()) log_is_whole();
    count();
    if (open()) diagnoses();
    if (open()) ended_well();
    if (open()) right();
    if (open()) notes("leak");
    if (open()) gates();
    if (open()) verdict_.verdict = "pass";
    if (verdict_.passed() && !calls_.empty()) verdict_.size = calls_.back().size;
    verdict_.output = first_lines(child_.output);
    return verdict_;
  }

 private:
  bool open() const { return verdict_.verdict.empty(); }

  /// @param call the number of the call in which it happened, perhaps past the last.
  void fail(std::size_t call, const std::string& stage, const std::string& kind,
            const std::string& message) {
    verdict_.verdict = stage;
    verdict_.kind = kind;
    verdict_.message = message;
    if (call < calls_.size()) verdict_.size = calls_[call].size;
  }

  void usable() {
    if (!answers_.problem.empty()) fail(calls_.size(), "signature", "", answers_.problem);
  }

  /// The number of the call to which an entry of the log belongs; entries of a call that did not
  /// return, and of the end, come last.
  std::size_t call_of(std::size_t entry) const {
    std::size_t call = 0;
    for (std::size_t end = 0; call < answers_.calls.size(); ++call) {
      end += answers_.calls[call].reports;
      if (entry < end) break;
    }
    return call;
  }

  void report(std::size_t entry, const Diagnosis& diagnosis) {
    const bool on_device = !log_[entry].kernel.empty();
    const DiagnosisWords words = words_of(diagnosis, on_device);
    fail(call_of(entry), "diagnosed", diagnosis.kind, words.says);
    verdict_.next = words.next;
    verdict_.file = diagnosis.file;
    verdict_.line = diagnosis.line;
    verdict_.related = callers_of(diagnosis);
    const auto add = [&](const char* role, const std::string& file, unsigned line) {
      if (on_device && line != 0) verdict_.related.push_back({role, file, line});
    };
    if (diagnosis.kind == "out-of-bounds") {
      add("allocated in", diagnosis.made_file, diagnosis.made_line);
    }
    add("launched in", log_[entry].launch_file, log_[entry].launch_line);
    verdict_.column = column_of_array(diagnosis, raw_source_line(diagnosis.file, diagnosis.line));
  }

  /// Each launch is written into the log and counted by the runner: one that only the log has was
  /// was written there by other code.
  void log_is_whole() {
    if (!answers_.done || answers_.calls.size() != calls_.size()) return;
    for (std::size_t i = 0; i < log_.size(); ++i) {
      if (log_[i].kernel.empty() || call_of(i) < calls_.size()) continue;
      return fail(calls_.size(), "diagnosed", "log",
                  "the simulator's log names a launch that never happened");
    }
  }

  /// A refused launch in a call that is about refusals: what it returns tells whether it noticed.
  bool is_asked_for(std::size_t entry, const Diagnosis& diagnosis) const {
    const std::size_t call = call_of(entry);
    return diagnosis.kind == "launch-configuration" && call < calls_.size() &&
           calls_[call].may_be_refused;
  }

  void diagnoses() {
    for (std::size_t i = 0; i < log_.size(); ++i) {
      if (!log_[i].unsupported.empty()) throw Stop(bad_environment, log_[i].unsupported);
      for (const Diagnosis& diagnosis : log_[i].diagnoses) {
        verdict_.diagnoses.push_back(diagnosis);
        if (diagnosis.kind == "leak" || is_asked_for(i, diagnosis)) continue;
        if (open() && diagnosis.fails_exercise()) report(i, diagnosis);
      }
    }
    if (open()) notes("unchecked-error");
  }

  /// A note of this kind is not an error of a program; in an exercise it is.
  void notes(const std::string& kind) {
    for (std::size_t i = 0; i < log_.size(); ++i) {
      for (const Diagnosis& diagnosis : log_[i].diagnoses) {
        if (open() && diagnosis.kind == kind) report(i, diagnosis);
      }
    }
  }

  void ended_well() {
    const std::size_t call = answers_.calls.size();
    const std::string where = call < calls_.size() ? calls_[call].text : spec_.function;
    const auto died = [&](const char* kind, const std::string& says, const std::string& next) {
      fail(call, "diagnosed", kind, says);
      verdict_.next = next;
    };
    if (const auto error = runtime_error(child_.errors, spec_.exercise)) {
      const bool has_no_return = error->what.find("without returning") != std::string::npos;
      died("undefined-behaviour", fmt::format("in {}: {}", where, error->what),
           has_no_return
               ? "Each way through the function ends in a return: which one does not?"
               : "C++ leaves the result of this open: rule the case out before it is computed.");
      verdict_.file = error->file;
      verdict_.line = error->line;
      verdict_.column = error->column;
    } else if (child_.timed_out) {
      died("time-limit", fmt::format("{} had not returned after {:g} s.", where, spec_.limit_s),
           "Is there a loop without an end?");
    } else if (child_.status == 128 + SIGXFSZ) {
      died("output-limit", fmt::format("{} printed without an end.", where),
           "Print less, or end the loop that prints.");
    } else if (child_.status > 128) {
      died("crash", fmt::format("{} did not return: {}.", where, signal_words(child_.status - 128)),
           signal_advice(child_.status - 128));
    } else if (!answers_.thrown.empty()) {
      died("exception", fmt::format("{} was left by an exception: {}.", where, answers_.thrown),
           "Catch it, or see to it that it is not thrown.");
    } else if (!answers_.done || answers_.calls.size() != calls_.size()) {
      died("exit",
           fmt::format("the program ended with status {} before {} had returned.", child_.status,
                       where),
           "A function returns; it does not call exit.");
    }
  }

  bool returned_right(const HostCall& call, const HostAnswer& answer) const {
    if (!call.wanted) return true;
    if (!answer.returned) return false;
    const double most = call.tolerance.absolute + call.tolerance.relative * std::fabs(*call.wanted);
    return std::fabs(*answer.returned - *call.wanted) <= most || *answer.returned == *call.wanted;
  }

  /// For a bug that is to be found: whether its author's calls are right and without diagnoses.
  void author_test() {
    std::vector<std::string> sizes;
    for (std::size_t i = 0; i < spec_.author_calls; ++i) {
      if (i >= answers_.calls.size() || !is_right(i)) return;
      sizes.push_back(calls_[i].size);
    }
    for (std::size_t i = 0; i < log_.size(); ++i) {
      for (const Diagnosis& diagnosis : log_[i].diagnoses) {
        if (call_of(i) < spec_.author_calls && diagnosis.fails_exercise()) return;
      }
    }
    verdict_.author_test = fmt::format("{}", fmt::join(sizes, ", "));
  }

  bool is_right(std::size_t call) const {
    if (!returned_right(calls_[call], answers_.calls[call])) return false;
    const auto& given = answers_.calls[call].outputs;
    for (std::size_t i = 0; i < calls_[call].outputs.size(); ++i) {
      if (i >= given.size() || !compared(calls_[call].outputs[i], given[i]).right()) return false;
    }
    return true;
  }

  static Comparison compared(const HostOutput& output, const std::vector<float>& given) {
    return compare(output.expected, given, output.tolerance, output.row_length);
  }

  /// All wrong returns together, then the outputs of the first call that has wrong ones.
  void right() {
    constexpr std::size_t most_shown = 4;
    std::string rows;
    std::size_t count = 0, first = 0;
    std::vector<double> wanted(calls_.size());
    std::vector<double> got(calls_.size());
    Marks wrong(calls_.size());
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (returned_right(calls_[i], answers_.calls[i])) continue;
      wrong[i] = true;
      wanted[i] = *calls_[i].wanted;
      got[i] = answers_.calls[i].returned.value_or(NAN);
      if (count++ == 0) first = i;
      if (count > most_shown) continue;
      const HostCall& call = calls_[i];
      rows += fmt::format("\n   {} gives {}, not {}", call.text,
                          call.write(answers_.calls[i].returned.value_or(NAN)),
                          call.write(*call.wanted));
    }
    if (count > 0) {
      const Pattern values = value_pattern({wanted, got, wrong, {}, 0, false});
      if (count > most_shown) rows += "\n   ...";
      fail(first, "wrong result", "",
           fmt::format("{} of {} calls give a wrong result.{}{}{}", count, calls_.size(), rows,
                       values.says.empty() ? "" : "\n", values.says));
      verdict_.next =
          values.asks.empty() ? "Work out the first of these calls by hand." : values.asks;
    }
    for (std::size_t i = 0; i < calls_.size() && open(); ++i) outputs(i);
  }

  bool has_launched(std::size_t call) const {
    for (std::size_t i = 0; i < log_.size(); ++i) {
      if (!log_[i].kernel.empty() && call_of(i) == call) return true;
    }
    return false;
  }

  void outputs(std::size_t call) {
    for (std::size_t i = 0; i < calls_[call].outputs.size() && open(); ++i) {
      const HostOutput& output = calls_[call].outputs[i];
      const auto& given = answers_.calls[call].outputs;
      const Comparison comparison =
          compared(output, i < given.size() ? given[i] : std::vector<float>());
      if (comparison.right()) continue;
      fail(call, "wrong result", "", comparison.text());
      verdict_.next = comparison.next();
      const bool nothing_came = comparison.unwritten == comparison.total;
      if (spec_.on_device && nothing_came && has_launched(call)) {
        verdict_.next =
            "A kernel ran, and nothing came back to the host: is there a cudaMemcpy(..., "
            "cudaMemcpyDeviceToHost) after the launch?";
      }
    }
  }

  /// Counts the launches of the last call, and its accesses. A program that does the work on the
  /// host has none. The footprint is of its last launch.
  void count() {
    if (!spec_.on_device || !answers_.simulated) return;
    for (std::size_t i = 0; i < log_.size(); ++i) {
      if (log_[i].kernel.empty() || call_of(i) + 1 != calls_.size()) continue;
      ++launches_;
      verdict_.counts.add(log_[i].counts);
      verdict_.counted_size = calls_.back().size;
      verdict_.footprint = footprint_of(spec_.limits, log_[i]);
    }
  }

  void gates() {
    if (!spec_.on_device || !answers_.simulated) return;
    for (Gate gate : gates_of(spec_)) {
      if (gate.name == copies_gate) {
        gate.at_least = output_bytes();
        add_gate(judge(gate, static_cast<double>(answers_.calls.back().bytes_for_host)));
        continue;
      }
      if (gate.name == launches_gate) {
        add_gate(judge(gate, launches_));
      } else if (is_of_operations(gate.measure)) {
        const auto& counted = answers_.calls.back().operations;
        const auto found = counted.find(operations_key(gate.measure));
        add_gate(judge(gate, found == counted.end() ? 0 : found->second));
      } else if (is_of_launch(gate.measure)) {
        add_gate(judge(gate, number_of_launch(gate.measure)));
      } else {
        add_gate(judge(gate, verdict_.counts.lines, verdict_.counts.arrays));
      }
    }
  }

  double waves_of(const LaunchReport& launch) const {
    const std::optional<Footprint> held = footprint_of(spec_.limits, launch);
    if (!held || held->blocks == 0) return 0;
    const double blocks = static_cast<double>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    return blocks / (static_cast<double>(held->blocks) * spec_.limits.sms);
  }

  /// Waves of the last launch, or the most, where a launch of any call has more than one: a grid
  /// that is right for one call alone shows.
  double waves() const {
    double most = 0, last = 0;
    for (const LaunchReport& launch : log_) {
      if (launch.kernel.empty()) continue;
      last = waves_of(launch);
      most = std::max(most, last);
    }
    return most > 1 ? most : last;
  }

  /// A number of the last call's last launch, on the GPU whose limits apply.
  double number_of_launch(Measure measure) const {
    if (measure == Measure::barriers) return verdict_.counts.value(counter::barriers);
    if (!verdict_.footprint) return 0;
    const Footprint& held = *verdict_.footprint;
    if (measure == Measure::resident_warps) return held.warps;
    if (measure == Measure::own_shared_bytes) return static_cast<double>(held.static_shared_bytes);
    return measure == Measure::waves ? waves() : 0;
  }

  /// Bytes of the results of all calls.
  double output_bytes() const {
    std::size_t count = 0;
    for (const HostCall& call : calls_) {
      for (const HostOutput& output : call.outputs) count += output.expected.size();
    }
    return static_cast<double>(count * sizeof(float));
  }

  void add_gate(const GateResult& result) {
    verdict_.gates.push_back(result);
    if (result.met || !open()) return;
    fail(calls_.size() - 1, "gate", result.gate.name,
         fmt::format("{}: saw {}, wants {}", result.gate.what, result.saw_text(), result.wanted()));
    verdict_.file = result.file;
    verdict_.line = result.line;
  }

  const HostSpec& spec_;
  const std::vector<HostCall>& calls_;
  const HostAnswers& answers_;
  const ChildResult& child_;
  const std::vector<LaunchReport> log_;
  int launches_ = 0;  ///< by the last call.
  CheckVerdict verdict_;
};

}  // namespace

std::vector<Gate> gates_of(const HostSpec& spec) {
  if (!spec.on_device) return {};
  std::vector<Gate> gates{{.name = std::string(launches_gate),
                           .what = "kernels launched",
                           .at_least = 1,
                           .announced = "a kernel does the work"}};
  gates.insert(gates.end(), spec.gates.begin(), spec.gates.end());
  gates.push_back({.name = std::string(copies_gate),
                   .what = "bytes that came back from the device, all calls together",
                   .at_least = 1,
                   .announced = "the result comes from the device"});
  return with_implied(std::move(gates));
}

CheckVerdict judge_calls(const HostSpec& spec, const std::vector<HostCall>& calls,
                         const HostAnswers& answers, const ChildResult& child,
                         const std::vector<LaunchReport>& log) {
  return Judge(spec, calls, answers, child, log).verdict();
}

}  // namespace warpwise::lesson
