#include "tutor/commands/test.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "tutor/command.h"
#include "tutor/course/tally.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/lock.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {
namespace {

// Tells how many tests have ended, as lines of ctest come.
class TestProgress {
 public:
  explicit TestProgress(const Context& context) : ticker_(context) {}
  void take(std::string_view text) {
    text_ += text;
    const std::string now = test_progress(text_);
    if (!now.empty()) ticker_.tell(now);
  }
  const std::string& text() const { return text_; }

 private:
  Ticker ticker_;
  std::string text_;
};

}  // namespace

std::string test_progress(std::string_view output) {
  // "12/80 Test #3: name ....   Passed    0.05 sec"
  constexpr std::string_view mark = " Test ";
  for (auto at = output.rfind(mark); at != std::string_view::npos && at > 0;
       at = output.rfind(mark, at - 1)) {
    const auto line = output.rfind('\n', at) + 1;
    const auto count = output.substr(line, at - line);
    const auto begin = std::min(count.find_first_not_of(' '), count.size());
    const bool is_count = count.find('/') != std::string_view::npos &&
                          count.find_first_not_of(" /0123456789") == std::string_view::npos;
    if (is_count) return fmt::format("testing [{}]", count.substr(begin));
  }
  return {};
}

std::vector<std::string> test_words(const Context& context, bool all) {
  // --yes answers the questions of this command, none that a test asks. The times of the tests are
  // a budget of minutes for machines slower than this one.
  std::vector<std::string> words{"env",
                                 "--unset=WARPWISE_YES",
                                 "ctest",
                                 "--test-dir",
                                 context.build.string(),
                                 "--parallel",
                                 std::to_string(base::cores()),
                                 "--timeout",
                                 "300",
                                 "--verbose"};
  if (!all) words.insert(words.end(), {"--label-exclude", "^long$"});
  return words;
}

std::vector<std::string> test_targets(bool all) {
  if (all) return {"all", "test_programs", "fuzz_seeded"};
  return {};
}

int test_command(Context context, bool all) {
  // Minutes, in which saves are judged.
  context.urgency = Urgency::at_length;
  context.make(context, test_targets(all));
  context.say("testing");
  TestProgress progress(context);
  const Command command{.words = test_words(context, all),
                        .limit = {},
                        .on_output = [&](std::string_view text) { progress.take(text); }};
  const Outcome outcome = run_captured(command);
  const TestSummary summary = read_ctest(progress.text());
  fmt::print("{}", summary.failures);
  if (summary.tally.passed + summary.tally.failed == 0) {
    throw Failure(status_environment,
                  fmt::format("ctest ran no test:\n{}{}", progress.text(), outcome.err));
  }
  if (!all) {
    fmt::print(
        "Left out: some 500 CUDA programs that take longer to compile: ./learn test --all\n");
  }
  fmt::print("{}\n", summary.tally.text());
  return outcome.status == 0 && summary.tally.failed == 0 ? status_ok : status_wrong;
}

}  // namespace warpwise::tutor
