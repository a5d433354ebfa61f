#include "tutor/verdict.h"

#include <fmt/format.h>

#include "tutor/failure.h"
#include "tutor/files.h"
#include "tutor/process.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

// The last lines of what a program printed before it died.
std::string last_lines(const std::string& text) {
  std::size_t from = text.size();
  for (int lines = 0; lines < 8 && from > 0; ++lines) {
    from = from < 2 ? 0 : text.rfind('\n', from - 2) + 1;
  }
  return text.substr(from);
}

}  // namespace

Verdict judge(const Context& context, const Exercise& exercise, const fs::path& image,
              const std::vector<std::string>& flags) {
  const TemporaryFolder folder;
  const fs::path answer = folder.path() / "verdict.json";
  Command command{.words = {context.check_program(exercise.id()).string(), "--image",
                            image.string(), "--json", answer.string()},
                  .limit = std::chrono::minutes(2),
                  .cancel = context.cancel};
  command.words.insert(command.words.end(), flags.begin(), flags.end());
  const Outcome outcome = run_captured(command);
  const std::string name = "the check of " + exercise.id();
  if (outcome.timed_out) {
    throw Failure(status_environment, name + " took longer than two minutes and was stopped");
  }
  if (outcome.status == status_environment) {
    throw CannotRunHere(status_environment, last_lines(outcome.out + outcome.err));
  }
  std::error_code ignored;
  if (outcome.status > status_wrong || !fs::exists(answer, ignored)) {
    throw Failure(status_environment,
                  fmt::format("{} could not judge (status {}):\n{}", name, outcome.status,
                              last_lines(outcome.out + outcome.err)));
  }
  Verdict verdict = parse_verdict(read_file(answer));
  if ((verdict.verdict == "pass") != (outcome.status == 0)) {
    throw Failure(status_environment, fmt::format("{} says '{}' but ended with status {}", name,
                                                  verdict.verdict, outcome.status));
  }
  verdict.text = outcome.out + outcome.err;
  return verdict;
}

}  // namespace warpwise::tutor
