#include "tutor/commands/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "occupancy/text.h"
#include "report/gate.h"
#include "report/verdict_word.h"
#include "tutor/attempt/attempt.h"
#include "tutor/author/recorded_solution.h"
#include "tutor/commands/comparison.h"
#include "tutor/reading/page.h"

namespace warpwise::tutor {

namespace {

std::optional<double> counter(const CheckVerdict* verdict, const std::string& name) {
  if (verdict == nullptr) return std::nullopt;
  const auto found = verdict->counts.counters.find(name);
  return found == verdict->counts.counters.end() ? std::optional<double>() : found->second;
}

std::optional<double> ratio(std::optional<double> above, std::optional<double> below) {
  if (!above || !below || *below == 0) return std::nullopt;
  return *above / *below;
}

/// The simulator's counts of one kind of access.
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

void add_counts(const CheckVerdict* yours, const CheckVerdict* solution,
                std::vector<ComparedRow>& rows) {
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

/// Adds what the gates saw: the solution's gates, and of yours those that were reached.
void add_gates(const CheckVerdict* yours, const CheckVerdict& solution,
               std::vector<ComparedRow>& rows) {
  // As a verdict shows it.
  const auto saw = [](const GateResult& result) {
    return std::strtod(result.saw_text().c_str(), nullptr);
  };
  for (const GateResult& result : solution.gates) {
    ComparedRow row{"gates", fmt::format("{} ({})", result.gate.name, result.wanted()),
                    std::nullopt, saw(result)};
    const std::vector<GateResult> none;
    for (const GateResult& own : yours != nullptr ? yours->gates : none) {
      if (own.gate.name == result.gate.name) row.yours = saw(own);
    }
    rows.push_back(row);
  }
}

void add_footprints(const CheckVerdict* yours, const CheckVerdict* solution,
                    std::vector<ComparedRow>& rows) {
  const auto add = [&](const char* name, auto value) {
    const auto of = [&](const CheckVerdict* verdict) -> std::optional<double> {
      if (verdict == nullptr || !verdict->footprint) return std::nullopt;
      return static_cast<double>(value(*verdict->footprint));
    };
    const ComparedRow row{"occupancy", name, of(yours), of(solution)};
    if (row.yours || row.solution) rows.push_back(row);
  };
  add("registers of a thread", [](const report::Footprint& f) { return f.registers; });
  add("shared bytes of a block",
      [](const report::Footprint& f) { return f.static_shared_bytes + f.dynamic_shared_bytes; });
  add("threads of a block", [](const report::Footprint& f) { return f.threads; });
  add("blocks on an SM", [](const report::Footprint& f) { return f.blocks; });
  add("warps on an SM", [](const report::Footprint& f) { return f.warps; });
}

void add_times(const CheckVerdict* yours, const CheckVerdict* solution,
               std::vector<ComparedRow>& rows) {
  const auto of = [](const CheckVerdict* verdict) {
    return verdict == nullptr || !verdict->time ? std::optional<double>()
                                                : verdict->time->median_us;
  };
  if (of(yours) || of(solution)) rows.push_back({"time", "us", of(yours), of(solution)});
}

std::string number(std::optional<double> value) {
  return value ? report::short_number(*value) : "-";
}

}  // namespace

bool ComparedRow::differs() const {
  if (!yours || !solution) return false;
  const double larger = std::max(std::abs(*yours), std::abs(*solution));
  return std::abs(*yours - *solution) > 0.005 * larger;
}

Comparison compare(const Context& context, const Exercise& exercise) {
  const Attempt yours =
      attempt(context, exercise, {}, [&] { context.make(context, targets_of(exercise)); });
  // The stub and what does not compile need no build of their own, the solution does.
  if (!yours.judged) context.make(context, targets_of(exercise));
  const CheckVerdict solution = exercise.exported ? recorded_solution(exercise).solution
                                                  : judge_solution(context, exercise, {});
  const CheckVerdict* judged = yours.judged ? &*yours.judged : nullptr;
  Comparison result;
  result.yours_state = judged != nullptr ? report::word_of(*judged) : yours.verdict;
  result.solution_state = report::word_of(solution);
  result.yours_size = judged != nullptr ? judged->counted_size : "";
  result.solution_size = solution.counted_size;
  add_counts(judged, &solution, result.rows);
  add_gates(judged, solution, result.rows);
  add_footprints(judged, &solution, result.rows);
  add_times(judged, &solution, result.rows);
  return result;
}

std::string difference_text(const ComparedRow& row) {
  if (row.group == "time")
    return fmt::format("{} us, not {}", number(row.yours), number(row.solution));
  const std::string numbers =
      fmt::format("{} {}, not {}", number(row.yours), row.name, number(row.solution));
  return row.group == "occupancy" ? numbers : fmt::format("{}: {}", row.group, numbers);
}

std::vector<ComparedRow> differences(const Comparison& both) {
  std::vector<ComparedRow> rows;
  if (!both.same_size()) return rows;
  std::copy_if(both.rows.begin(), both.rows.end(), std::back_inserter(rows),
               // Gates say again what the counts say.
               [](const ComparedRow& row) { return row.group != "gates" && row.differs(); });
  const auto times = [](const ComparedRow& row) {
    const double low = std::min(*row.yours, *row.solution);
    return low > 0 ? std::max(*row.yours, *row.solution) / low : INFINITY;
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const ComparedRow& one, const ComparedRow& other) {
    return times(one) > times(other);
  });
  return rows;
}

std::string conclusion(const Comparison& both) {
  const std::string& state = both.yours_state;
  if (state == "not solved yet" || state == "does not compile") {
    return fmt::format("Yours {}: there is nothing to count yet.",
                       state == "not solved yet" ? "is not solved yet" : state);
  }
  const std::vector<ComparedRow> rows = differences(both);
  std::string text = state == "pass"          ? "Both are right"
                     : state == "missed gate" ? "Yours is right, but misses a gate"
                                              : fmt::format("Yours is not right yet ({})", state);
  if (!both.same_size()) return text + "; its counts are not of the same size.";
  if (rows.empty()) return text + ", and nothing that is counted differs.";
  constexpr std::size_t most = 3;
  text += ". Yours has ";
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
    text += (i == 0 ? "" : "; ") + difference_text(rows[i]);
  }
  return text + ".";
}

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
  for (const ComparedRow& row : both.rows) {
    if (row.group != group) text += fmt::format("  {}\n", row.group);
    group = row.group;
    line("  " + row.name, number(row.yours), number(row.solution));
  }
  text += "\n";
  for (const std::string& piece : occupancy::wrap("  ", conclusion(both), page_width())) {
    text += piece + "\n";
  }
  return text;
}

}  // namespace warpwise::tutor
