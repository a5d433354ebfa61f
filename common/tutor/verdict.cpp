#include "tutor/verdict.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tutor/failure.h"
#include "tutor/files.h"
#include "tutor/process.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

// Counts are numbers in the JSON; people get them without a needless fraction.
std::string as_text(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return {};
  if (found->is_number()) return fmt::format("{:.6g}", found->get<double>());
  return found->is_string() ? found->get<std::string>() : found->dump();
}

unsigned as_line(const Json& object) {
  const auto found = object.find("line");
  return found != object.end() && found->is_number_unsigned() ? found->get<unsigned>() : 0;
}

Gate parse_gate(const Json& object) {
  return {.name = as_text(object, "name"),
          .saw = as_text(object, "saw"),
          .wanted = as_text(object, "wanted"),
          .met = object.value("met", false),
          .mistake = as_text(object, "mistake"),
          .file = as_text(object, "file"),
          .line = as_line(object)};
}

// The last lines of what a program printed before it died.
std::string last_lines(const std::string& text) {
  std::size_t from = text.size();
  for (int lines = 0; lines < 8 && from > 0; ++lines) {
    from = from < 2 ? 0 : text.rfind('\n', from - 2) + 1;
  }
  return text.substr(from);
}

}  // namespace

Verdict parse_verdict(const std::string& json) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object() || as_text(object, "verdict").empty()) {
    throw Failure(status_environment, "the check's answer is not readable");
  }
  Verdict result{.verdict = as_text(object, "verdict"),
                 .kind = as_text(object, "kind"),
                 .message = as_text(object, "message"),
                 .file = as_text(object, "file"),
                 .line = as_line(object),
                 .gates = {},
                 .text = {}};
  const Json gates = object.value("gates", Json::array());
  for (const Json& gate : gates) {
    if (gate.is_object()) result.gates.push_back(parse_gate(gate));
  }
  return result;
}

Verdict judge(const Context& context, const Exercise& exercise, const fs::path& image,
              const std::vector<std::string>& flags) {
  const TemporaryFolder folder;
  const fs::path answer = folder.path() / "verdict.json";
  Command command{.words = {context.check_program(exercise.id()).string(), "--image",
                            image.string(), "--json", answer.string()},
                  .limit = std::chrono::minutes(2)};
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
