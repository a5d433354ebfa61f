#include "tutor/system/build.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <mutex>
#include <thread>

#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/interrupt.h"
#include "tutor/system/lock.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {
namespace {

// Keeps the whole output in the log, and tells its progress: on the terminal, in a pipe, and those
// of the processes that wait for this build.
class BuildOutput {
 public:
  BuildOutput(const std::filesystem::path& log, const Context& context, BuildLock& lock)
      : file_(log, std::ios::binary),
        ticker_(context),
        lock_(lock),
        rewrites_(!context.on_progress && isatty(STDERR_FILENO) == 1),
        in_pipe_(!context.on_progress && !rewrites_) {}
  BuildOutput(const BuildOutput&) = delete;
  BuildOutput& operator=(const BuildOutput&) = delete;
  ~BuildOutput() {
    if (shown_ > 0) fmt::print(stderr, "\r{:{}}\r", "", shown_);
  }

  void take(std::string_view text) {
    file_ << text << std::flush;
    text_ += text;
    if (const std::string progress = build_progress(text_); !progress.empty()) show(progress);
  }
  // While one step takes long, a pipe would say nothing.
  void tick() {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begun_);
    if (!in_pipe_ || seconds.count() < 3) return;
    const std::lock_guard lock(guard_);
    ticker_.tell(fmt::format("{}, {} s", progress_, seconds.count()));
  }
  const std::string& text() const { return text_; }

 private:
  using Clock = std::chrono::steady_clock;

  void show(const std::string& progress) {
    lock_.says(progress);
    const std::lock_guard lock(guard_);
    progress_ = progress;
    if (!rewrites_) return ticker_.tell(progress);
    fmt::print(stderr, "\r{:{}}", progress, shown_);
    std::fflush(stderr);
    shown_ = std::max(shown_, progress.size());
  }

  std::ofstream file_;
  Ticker ticker_;
  BuildLock& lock_;
  bool rewrites_, in_pipe_;
  std::size_t shown_ = 0;
  std::mutex guard_;  ///< of what tick() and show() share.
  std::string progress_ = "building";
  const Clock::time_point begun_ = Clock::now();
  std::string text_;
};

// Asks a build to stop as soon as it is asked itself, or another process wants something more
// urgent.
class GivingWay {
 public:
  GivingWay(const Context& context, BuildOutput& output)
      : context_(context),
        output_(output),
        looks_([this](const std::stop_token& end) { look(end); }) {}
  const Cancellation* cancellation() const { return &cancellation_; }
  bool gave_way() const { return gave_way_; }

 private:
  void look(const std::stop_token& end) {
    while (!end.stop_requested() && !cancellation_.requested()) {
      const bool stops = context_.cancel != nullptr && context_.cancel->requested();
      if (!stops) gave_way_ = Wish::is_there(context_);
      if (stops || gave_way_) cancellation_.request();
      output_.tick();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

  const Context& context_;
  BuildOutput& output_;
  Cancellation cancellation_;
  std::atomic<bool> gave_way_{false};
  std::jthread looks_;  ///< last: it uses what is above.
};

bool starts_an_error(std::string_view line) {
  constexpr std::array<std::string_view, 7> marks{
      "): error",    ": error:",     "error   :",          ": fatal error",
      "CMake Error", "ninja: error", "undefined reference"};
  return std::any_of(marks.begin(), marks.end(), [line](std::string_view mark) {
    return line.find(mark) != std::string_view::npos;
  });
}

// "chapter 7 " for a step of ch07_attention; nothing where no chapter is named.
std::string chapter_of(std::string_view step) {
  const auto digit = [&](std::size_t at) {
    return at < step.size() && step[at] >= '0' && step[at] <= '9';
  };
  for (auto at = step.find("ch"); at != std::string_view::npos; at = step.find("ch", at + 1)) {
    if (!digit(at + 2) || !digit(at + 3) || at + 4 >= step.size() || step[at + 4] != '_') continue;
    const std::string_view number = step.substr(step[at + 2] == '0' ? at + 3 : at + 2);
    return "chapter " + std::string(number.substr(0, number.find('_'))) + " ";
  }
  return "";
}

// Names what a step of ninja makes, in a reader's words: "the simulator ", or nothing.
std::string built_part(std::string_view step) {
  struct Part {
    std::string_view mark, name;
  };
  constexpr std::array<Part, 15> parts{{{"test_", "the tests "},
                                        {"program_", "the tests "},
                                        {"runtime_answers", "the tests "},
                                        {"warpwise_tutor", "the tutor "},
                                        {"learn_tutor", "the tutor "},
                                        {"learn_commands", "the tutor's other commands "},
                                        {"warpwise_report", "the lessons "},
                                        {"warpwise_lesson", "the lessons "},
                                        {"warpwise_ladders", "the lessons "},
                                        {"host_runner", "the lessons "},
                                        {"check_ch", "the checks "},
                                        {"checks/", "the checks "},
                                        {"Image of solution", "the solutions "},
                                        {"warpwise_", "the simulator "},
                                        {"libcudart", "the simulator "}}};
  for (const auto& [mark, name] : parts) {
    if (step.find(mark) != std::string_view::npos) return std::string(name);
  }
  return chapter_of(step);
}

}  // namespace

std::string first_error(std::string_view log) {
  std::vector<std::string_view> lines;
  for (std::string_view rest = log; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    lines.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  constexpr std::ptrdiff_t most = 12;
  auto from = std::find_if(lines.begin(), lines.end(), starts_an_error);
  if (from == lines.end()) from = lines.end() - std::min<std::ptrdiff_t>(most, std::ssize(lines));
  std::string text;
  for (auto line = from; line != lines.end() && line - from < most; ++line) {
    const bool next_error = line != from && starts_an_error(*line);
    if (next_error || line->starts_with('[') || line->starts_with("ninja: build stopped")) break;
    text += *line;
    text += '\n';
  }
  return text;
}

std::string build_progress(std::string_view log) {
  // ninja writes "[12/80] Building ..." at the beginning of a line.
  const auto line = log.rfind("\n[");
  const auto open = line == std::string_view::npos ? (log.starts_with('[') ? 0 : line) : line + 1;
  if (open == std::string_view::npos) return {};
  const auto close = log.find(']', open);
  if (close == std::string_view::npos || close - open > 16) return {};
  // "[0/2] Re-checking globbed directories": every build begins so, also one that has nothing to
  // do.
  if (log.substr(open).starts_with("[0/")) return {};
  const auto step = log.substr(close, log.find('\n', close) - close);
  // The last line may have come in half.
  if (log.find('\n', close) == std::string_view::npos) return {};
  return fmt::format("building {}{}", built_part(step), log.substr(open, close - open + 1));
}

namespace {

// @return whether it came to its end: false when it gave way.
bool make_once(const Context& context, Command command) {
  Wish::wait_for_none(context);
  BuildLock lock(context);
  if (Wish::is_there(context)) return false;
  const std::filesystem::path log = context.build / "learn.log";
  BuildOutput output(log, context, lock);
  command.on_output = [&output](std::string_view part) { output.take(part); };
  Outcome outcome;
  {
    const GivingWay giving_way(context, output);
    command.cancel = giving_way.cancellation();
    try {
      outcome = run_captured(command);
    } catch (const Interrupted&) {
      throw_if_stopped(context.cancel);
      if (giving_way.gave_way()) return false;
      throw;
    }
  }
  if (outcome.status == 0) return true;
  throw Failure(status_wrong, fmt::format("the build failed; the first error (all of it: {}):\n{}",
                                          shown(log), first_error(output.text())));
}

}  // namespace

void make_targets(const Context& context, const std::vector<std::string>& targets) {
  const Wish wish(context);
  Command command{.words = {"cmake", "--build", context.build.string()}, .limit = {}};
  if (!targets.empty()) {
    command.words.emplace_back("--target");
    command.words.insert(command.words.end(), targets.begin(), targets.end());
  }
  while (!make_once(context, command)) {
  }
}

}  // namespace warpwise::tutor
