#include "check/deliver.h"

#include <fmt/format.h>

#include <cstdio>

#include "check/verdict/verdict.h"
#include "lesson/device/error.h"
#include "lesson/print/text.h"
#include "lesson/start/paths.h"

namespace warpwise::lesson {

std::string exercise_id() {
  const auto file = program_file();
  return file.parent_path().filename().string() + "/" + file.filename().string();
}

namespace {

/// The picture of the accesses; of a run that was stopped before they were counted, why.
std::string picture(const CheckVerdict& verdict) {
  if (!verdict.counts.lines.empty() || verdict.passed()) {
    return view_text(verdict.exercise, verdict.counted_size, verdict.counts);
  }
  return "No accesses were counted, because the run stopped before that. First correct this:\n\n" +
         to_text(verdict, verdict_width());
}

}  // namespace

int deliver(const CheckVerdict& verdict, const CheckOptions& options) {
  if (!options.json.empty()) write_file(options.json, to_json(verdict));
  if (!options.quiet) {
    const std::string text = options.view ? picture(verdict) : to_text(verdict, verdict_width());
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  return verdict.passed() ? all_right : something_wrong;
}

int say(const CheckOptions& options) {
  return deliver(parse_verdict(read_file(options.say)), options);
}

int say_gates(const std::vector<Gate>& gates) {
  const std::string line = announcement(gates);
  if (!line.empty()) fmt::print("{}\n", line);
  return all_right;
}

std::string environment_line(const ChildResult& child) {
  std::string line = child.errors.substr(0, child.errors.find('\n'));
  const std::string prefix = program_name() + ": ";
  if (line.rfind(prefix, 0) == 0) line.erase(0, prefix.size());
  return line.empty() ? fmt::format("the simulator ended with {}", child.status) : line;
}

}  // namespace warpwise::lesson
