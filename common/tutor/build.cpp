#include "tutor/build.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "tutor/failure.h"
#include "tutor/files.h"
#include "tutor/lock.h"
#include "tutor/process.h"

namespace warpwise::tutor {
namespace {

// Keeps the whole output in the log and its progress on the terminal.
class BuildOutput {
 public:
  BuildOutput(const std::filesystem::path& log, const Context& context)
      : file_(log, std::ios::binary),
        context_(context),
        shows_progress_(context.on_progress || isatty(STDERR_FILENO) == 1) {}
  BuildOutput(const BuildOutput&) = delete;
  BuildOutput& operator=(const BuildOutput&) = delete;
  ~BuildOutput() {
    if (shown_ > 0) fmt::print(stderr, "\r{:{}}\r", "", shown_);
  }

  void take(std::string_view text) {
    file_ << text << std::flush;
    text_ += text;
    if (shows_progress_) show_progress();
  }
  const std::string& text() const { return text_; }

 private:
  // ninja writes "[12/80] Building ..." at the beginning of a line.
  void show_progress() {
    const auto line = text_.rfind("\n[");
    const auto open = line == std::string::npos ? text_.rfind("[", 0) : line + 1;
    if (open == std::string::npos) return;
    const auto close = text_.find(']', open);
    if (close == std::string::npos || close - open > 16) return;
    const std::string progress = fmt::format("building {}", text_.substr(open, close - open + 1));
    if (context_.on_progress) return context_.on_progress(progress);
    fmt::print(stderr, "\r{:{}}", progress, shown_);
    std::fflush(stderr);
    shown_ = std::max(shown_, progress.size());
  }

  std::ofstream file_;
  const Context& context_;
  bool shows_progress_;
  std::size_t shown_ = 0;
  std::string text_;
};

bool starts_an_error(std::string_view line) {
  constexpr std::array<std::string_view, 7> marks{
      "): error",    ": error:",     "error   :",          ": fatal error",
      "CMake Error", "ninja: error", "undefined reference"};
  return std::any_of(marks.begin(), marks.end(), [line](std::string_view mark) {
    return line.find(mark) != std::string_view::npos;
  });
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

void make_targets(const Context& context, const std::vector<std::string>& targets) {
  const BuildLock lock(context);
  Command command{
      .words = {"cmake", "--build", context.build.string()}, .limit = {}, .cancel = context.cancel};
  if (!targets.empty()) {
    command.words.emplace_back("--target");
    command.words.insert(command.words.end(), targets.begin(), targets.end());
  }
  const std::filesystem::path log = context.build / "learn.log";
  Outcome outcome;
  std::string text;
  {
    BuildOutput output(log, context);
    command.on_output = [&output](std::string_view part) { output.take(part); };
    outcome = run_captured(command);
    text = output.text();
  }
  if (outcome.status == 0) return;
  throw Failure(status_wrong, fmt::format("the build failed; the first error (all of it: {}):\n{}",
                                          shown(log), first_error(text)));
}

}  // namespace warpwise::tutor
