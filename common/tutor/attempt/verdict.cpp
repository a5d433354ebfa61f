#include "tutor/attempt/verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tutor/course/kind.h"
#include "tutor/reading/page.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/process.h"

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

// How the check starts: confined as a whole, or with instructions to confine the program that runs
// the learner's host code.
Command check_command_of(const Context& context, bool host_code) {
  const Confinement& confinement = context.confinement;
  Command command{.words = {}, .limit = confinement.limit, .cancel = context.cancel};
  if (!confinement.confined()) return command;
  if (host_code) {
    command.environment = {
        {"WARPWISE_CONFINE", fmt::format("{}", fmt::join(confinement.running, "\n"))},
        {"WARPWISE_SEED", confinement.seed}};
    command.words = confinement.outside;
    command.words.emplace_back("--");
    return command;
  }
  command.words = confinement.checking;
  command.words.push_back("WARPWISE_SEED=" + confinement.seed);
  return command;
}

Verdict took_too_long(std::chrono::milliseconds limit) {
  Verdict verdict;
  verdict.verdict = "diagnosed";
  verdict.kind = "time-limit";
  verdict.message = fmt::format("the kernels had not ended after {} s", limit.count() / 1000);
  return verdict;
}

}  // namespace

CheckVerdict verdict_in(const std::string& json) {
  try {
    return report::parse_verdict(json);
  } catch (const report::NoVerdict&) {
    throw Failure(status_environment, "the check's answer is not readable");
  }
}

Verdict judge(const Context& context, const Exercise& exercise, const fs::path& image,
              const std::vector<std::string>& flags) {
  const TemporaryFolder folder;
  const bool host_code = kind_of(exercise) != "exercise";
  const bool confined = context.confinement.confined();
  // Where learner's host code runs, the check itself stays outside, and so does its answer.
  const fs::path answer =
      (confined && !host_code ? context.confinement.folder : folder.path()) / "verdict.json";
  Command command = check_command_of(context, host_code);
  for (const std::string& word :
       {context.check_program(exercise.id()).string(), std::string("--image"), image.string(),
        std::string("--json"), answer.string()}) {
    command.words.push_back(word);
  }
  command.environment.emplace_back("COLUMNS", std::to_string(terminal_width()));
  command.words.insert(command.words.end(), flags.begin(), flags.end());
  const Outcome outcome = run_captured(command);
  const std::string name = "the check of " + exercise.id();
  // The simulator runs a kernel as long as the kernel wants; host code has its own limit inside.
  if (outcome.timed_out && confined && !host_code) return took_too_long(command.limit);
  if (outcome.timed_out) {
    throw Failure(status_environment, fmt::format("{} took longer than {} s and was stopped", name,
                                                  command.limit.count() / 1000));
  }
  if (outcome.status == status_environment) {
    throw CannotRunHere(status_environment, last_lines(outcome.out + outcome.err));
  }
  if (outcome.status == status_usage) {
    throw Failure(status_usage, last_lines(outcome.out + outcome.err));
  }
  std::error_code ignored;
  if (outcome.status > status_wrong || !fs::exists(answer, ignored)) {
    throw Failure(status_environment,
                  fmt::format("{} could not judge (status {}):\n{}", name, outcome.status,
                              last_lines(outcome.out + outcome.err)));
  }
  Verdict verdict{verdict_in(read_file(answer)), outcome.out + outcome.err};
  if ((verdict.verdict == "pass") != (outcome.status == 0)) {
    throw Failure(status_environment, fmt::format("{} says '{}' but ended with status {}", name,
                                                  verdict.verdict, outcome.status));
  }
  return verdict;
}

}  // namespace warpwise::tutor
