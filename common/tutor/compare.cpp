#include "tutor/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "tutor/attempt.h"
#include "tutor/failure.h"
#include "tutor/files.h"
#include "tutor/names.h"
#include "tutor/recorded_solution.h"

namespace warpwise::tutor {

using Json = nlohmann::ordered_json;

namespace {

/// One number of both sides; absent where it was not counted.
struct Row {
  std::string group;  ///< "global loads"; rows of one group stand together.
  std::string name;   ///< "sectors of each"
  std::optional<double> yours, solution;
  std::string unit = {};
  /// Whether more of it costs more; warps and blocks of an SM are neither good nor bad by
  /// themselves.
  bool less_is_better = true;

  bool differs() const {
    if (!yours || !solution) return false;
    const double larger = std::max(std::abs(*yours), std::abs(*solution));
    return std::abs(*yours - *solution) > 0.005 * larger;
  }
};

struct Comparison {
  std::string yours_state, solution_state;  ///< "pass", "not solved yet", "wrong result", ...
  std::string yours_size, solution_size;    ///< at which the counts were taken.
  std::string problem;                      ///< of the learner's answer, the first line.
  std::vector<Row> rows;

  bool same_size() const { return yours_size == solution_size && !yours_size.empty(); }
};

std::optional<double> counter(const Verdict* verdict, const std::string& name) {
  if (verdict == nullptr) return std::nullopt;
  const auto found = verdict->counters.find(name);
  return found == verdict->counters.end() ? std::optional<double>() : found->second;
}

std::optional<double> ratio(std::optional<double> above, std::optional<double> below) {
  if (!above || !below || *below == 0) return std::nullopt;
  return *above / *below;
}

/// What the simulator counts of one kind of access.
struct Access {
  const char* group;
  const char* requests;
  const char* units;
  const char* unit_name;
  const char* conflicts;  ///< or null.
};

constexpr Access accesses[] = {
    {"global loads", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sectors of each", nullptr},
    {"global stores", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sectors of each", nullptr},
    {"shared loads", "warpwise__shared_requests_op_ld",
     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "wavefronts of each",
     "warpwise__shared_bank_conflicts_op_ld"},
    {"shared stores", "warpwise__shared_requests_op_st",
     "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "wavefronts of each",
     "warpwise__shared_bank_conflicts_op_st"}};

void add_counts(const Verdict* yours, const Verdict* solution, std::vector<Row>& rows) {
  const auto both = [&](const char* name) {
    return std::pair(counter(yours, name), counter(solution, name));
  };
  for (const Access& access : accesses) {
    const auto requests = both(access.requests);
    if (requests.first.value_or(0) == 0 && requests.second.value_or(0) == 0) continue;
    const auto units = both(access.units);
    rows.push_back({access.group, "requests", requests.first, requests.second});
    rows.push_back({access.group, access.unit_name, ratio(units.first, requests.first),
                    ratio(units.second, requests.second)});
    if (access.conflicts == nullptr) continue;
    const auto conflicts = both(access.conflicts);
    rows.push_back({access.group, "bank conflicts", conflicts.first, conflicts.second});
  }
}

void add_footprints(const Verdict* yours, const Verdict* solution, std::vector<Row>& rows) {
  const auto add = [&](const char* name, auto value, bool less_is_better) {
    const auto of = [&](const Verdict* verdict) -> std::optional<double> {
      if (verdict == nullptr || !verdict->footprint) return std::nullopt;
      return static_cast<double>(value(*verdict->footprint));
    };
    Row row{"occupancy", name, of(yours), of(solution)};
    row.less_is_better = less_is_better;
    if (row.yours || row.solution) rows.push_back(row);
  };
  add(
      "registers of a thread", [](const Footprint& f) { return f.registers; }, true);
  add(
      "shared bytes of a block",
      [](const Footprint& f) { return f.static_shared_bytes + f.dynamic_shared_bytes; }, true);
  add(
      "threads of a block", [](const Footprint& f) { return f.threads; }, false);
  add(
      "blocks on an SM", [](const Footprint& f) { return f.blocks; }, false);
  add(
      "warps on an SM", [](const Footprint& f) { return f.warps; }, false);
}

void add_times(const Verdict* yours, const Verdict* solution, std::vector<Row>& rows) {
  const auto of = [](const Verdict* verdict) {
    return verdict == nullptr ? std::optional<double>() : verdict->time_us;
  };
  if (of(yours) || of(solution)) rows.push_back({"time", "us", of(yours), of(solution)});
}

std::string state_of(const Verdict& verdict) {
  if (verdict.verdict == "diagnosed") return verdict.kind;
  return verdict.verdict == "gate" ? "missed gate" : verdict.verdict;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Comparison compare(const Context& context, const Exercise& exercise) {
  const Attempt yours =
      attempt(context, exercise, {}, [&] { context.make(context, targets_of(exercise)); });
  // The stub and what does not compile need no build of their own, the solution does.
  if (!yours.judged) context.make(context, targets_of(exercise));
  const Verdict solution = exercise.exported
                               ? parse_recorded_solution(read_file(exercise.recorded)).solution
                               : judge_solution(context, exercise, {});
  const Verdict* judged = yours.judged ? &*yours.judged : nullptr;
  Comparison result;
  result.yours_state = judged != nullptr ? state_of(*judged) : yours.verdict;
  result.solution_state = state_of(solution);
  result.yours_size = judged != nullptr ? judged->counted_size : "";
  result.solution_size = solution.counted_size;
  if (judged != nullptr && !yours.passed()) result.problem = first_line(judged->message);
  add_counts(judged, &solution, result.rows);
  add_footprints(judged, &solution, result.rows);
  add_times(judged, &solution, result.rows);
  return result;
}

std::string number(std::optional<double> value) {
  if (!value) return "-";
  std::string text = fmt::format("{:.2f}", *value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// "33 sectors of each instead of 4 (8.3 times)"
std::string difference_text(const Row& row) {
  const std::string what = row.group == "occupancy" ? row.name
                           : row.group == "time"    ? "us of time"
                                                    : row.group + ": " + row.name;
  return fmt::format("{}: {} against {}", what, number(row.yours), number(row.solution));
}

}  // namespace

std::string compare_text(const Context& context, const Exercise& exercise) {
  const Comparison both = compare(context, exercise);
  std::string text = fmt::format("{}\n\n", exercise.id());
  const auto line = [&](const std::string& name, const std::string& yours,
                        const std::string& solution) {
    text += fmt::format("  {:26}{:>15}{:>15}\n", name, yours, solution);
  };
  line("", "yours", "solution");
  line("verdict", both.yours_state, both.solution_state);
  if (!both.solution_size.empty()) {
    line("counted at size", both.yours_size.empty() ? "-" : both.yours_size, both.solution_size);
  }
  std::string group;
  for (const Row& row : both.rows) {
    if (row.group != group) text += fmt::format("  {}\n", row.group);
    group = row.group;
    line("  " + row.name, number(row.yours), number(row.solution));
  }
  std::vector<std::string> differences;
  for (const Row& row : both.rows) {
    if (row.differs() && both.same_size()) differences.push_back(difference_text(row));
  }
  text += fmt::format("\n{}\n", fmt::join(differences, "; "));
  return text;
}

std::string compare_json(const Context& context, const Exercise& exercise) {
  const Comparison both = compare(context, exercise);
  return Json{{"exercise", exercise.id()}, {"yours", both.yours_state}}.dump(2) + "\n";
}

int compare_command(const Context& context, const std::string& name, bool json) {
  const Course course = read_course(context.root);
  const Found found = find(course, name);
  if (found.exercise == nullptr) {
    throw Failure(status_usage,
                  fmt::format("{} is a chapter: name one of its exercises", found.chapter->name));
  }
  const Exercise& exercise = *found.exercise;
  fmt::print("{}", json ? compare_json(context, exercise) : compare_text(context, exercise));
  return status_ok;
}

}  // namespace warpwise::tutor
