#include <fmt/format.h>

#include <limits>

#include "lesson/device/error.h"
#include "lesson/results/results.h"
#include "report/report_json.h"
#include "report/timing_json.h"

namespace warpwise::lesson {
namespace {

using nlohmann::json;

constexpr int format_version = 1;

json size_json(const std::optional<Size>& size) { return size ? json(size->text()) : json(); }

std::optional<Size> size_of(const json& value, const char* key) {
  const auto at = value.find(key);
  if (at == value.end() || at->is_null()) return std::nullopt;
  std::string problem;
  // A record's size has been computed already.
  return Size::parse(at->get<std::string>(), problem, std::numeric_limits<std::size_t>::max());
}

Verdict verdict_of(const std::string& text) {
  for (Verdict verdict :
       {Verdict::right, Verdict::wrong_result, Verdict::diagnosed, Verdict::skipped}) {
    if (verdict_text(verdict) == text) return verdict;
  }
  return Verdict::not_run;
}

json residency_json(const Residency& residency) {
  return {{"registers", residency.registers},
          {"registers_of", residency.registers_of},
          {"static_shared_bytes", residency.static_shared_bytes},
          {"local_bytes", residency.local_bytes},
          {"blocks", residency.blocks},
          {"warps", residency.warps},
          {"occupancy", residency.fraction},
          {"limiters", residency.limiters},
          {"derivation", residency.derivation},
          {"waves", residency.waves},
          {"size", residency.size}};
}

Residency residency_of(const json& value) {
  Residency residency;
  residency.registers = value.value("registers", 0);
  residency.registers_of = value.value("registers_of", 0);
  residency.static_shared_bytes = value.value("static_shared_bytes", std::size_t{0});
  residency.local_bytes = value.value("local_bytes", std::size_t{0});
  residency.blocks = value.value("blocks", 0);
  residency.warps = value.value("warps", 0);
  residency.fraction = value.value("occupancy", 0.0);
  residency.limiters = value.value("limiters", std::vector<std::string>());
  residency.derivation = value.value("derivation", std::vector<std::string>());
  residency.waves = value.value("waves", "");
  residency.size = value.value("size", "");
  return residency;
}

json rung_json(const Rung& rung) {
  json skips = json::array();
  for (const Skip& skip : rung.skips) {
    skips.push_back({{"size", skip.size.text()}, {"reason", skip.reason}});
  }
  return {{"name", rung.name},
          {"series", rung.series},
          {"value", rung.value},
          {"kernel", rung.kernel},
          {"grid", rung.grid},
          {"block", rung.block},
          {"dynamic_shared_bytes", rung.shared_bytes},
          {"residency", residency_json(rung.residency)},
          {"verdict", verdict_text(rung.verdict)},
          {"message", rung.message},
          {"skipped_sizes", skips},
          {"time", timing_json(rung.time)},
          {"recorded_time", timing_json(rung.recorded)},
          {"recorded_grid", rung.recorded_grid},
          {"recorded_block", rung.recorded_block},
          {"recorded_dynamic_shared_bytes", rung.recorded_shared_bytes},
          {"counts", rung.counts},
          {"diagnoses", rung.diagnoses}};
}

Rung rung_of(const json& value) {
  Rung rung;
  rung.name = value.at("name").get<std::string>();
  rung.series = value.value("series", "");
  rung.value = value.value("value", 0);
  rung.kernel = value.value("kernel", "");
  rung.grid = value.value("grid", Index3{});
  rung.block = value.value("block", Index3{});
  rung.shared_bytes = value.value("dynamic_shared_bytes", std::size_t{0});
  rung.residency = residency_of(value.value("residency", json::object()));
  rung.verdict = verdict_of(value.value("verdict", ""));
  rung.message = value.value("message", "");
  for (const json& skip : value.value("skipped_sizes", json::array())) {
    rung.skips.push_back({size_of(skip, "size").value_or(Size()), skip.value("reason", "")});
  }
  rung.time = timing_of(value, "time");
  rung.recorded = timing_of(value, "recorded_time");
  rung.recorded_grid = value.value("recorded_grid", Index3{});
  rung.recorded_block = value.value("recorded_block", Index3{});
  rung.recorded_shared_bytes = value.value("recorded_dynamic_shared_bytes", std::size_t{0});
  rung.counts = value.value("counts", json::object()).get<Counts>();
  rung.diagnoses = value.value("diagnoses", std::vector<Diagnosis>());
  return rung;
}

/// A record holds what the table shows as text, so that pages say what the program says.
json shown_json(const LadderResult& ladder, const Rung& rung) {
  json shown = json::object();
  for (Shown kind : ladder.shows) {
    shown[std::string(name_of(kind))] = text_of(kind, value_of(kind, rung));
  }
  return shown;
}

json ladder_json(const LadderResult& ladder) {
  json rungs = json::array();
  for (const Rung& rung : ladder.rungs) {
    rungs.push_back(rung_json(rung));
    if (!ladder.shows.empty()) rungs.back()["shown"] = shown_json(ladder, rung);
  }
  json shows = json::array();
  for (Shown kind : ladder.shows) shows.push_back(name_of(kind));
  return {{"name", ladder.name},
          {"title", ladder.title},
          {"parameter", ladder.parameter},
          {"shows", shows},
          {"size_of_times", size_json(ladder.timed_size)},
          {"size_of_counts", size_json(ladder.counted_size)},
          {"size_of_floor", size_json(ladder.needs_size)},
          {"bytes", ladder.bytes},
          {"flops", ladder.flops},
          {"tensor_cores", ladder.tensor_cores},
          {"peak_tflops", ladder.peak_tflops},
          {"floor_us", ladder.floor_us},
          {"floor_of", ladder.floor_of},
          {"memory_gbps", ladder.memory_gbps},
          {"rate", ladder.in_flops() ? "TFLOP/s" : "GB/s"},
          {"limit", ladder.limit},
          {"copy", timing_json(ladder.copy)},
          {"limit_recorded", timing_json(ladder.limit_recorded)},
          {"recorded_on", ladder.recorded_on},
          {"no_times", ladder.no_times},
          {"note", ladder.note},
          {"rungs", rungs}};
}

LadderResult ladder_of(const json& value) {
  LadderResult ladder;
  ladder.name = value.at("name").get<std::string>();
  ladder.title = value.value("title", "");
  ladder.parameter = value.value("parameter", "");
  for (const json& name : value.value("shows", json::array())) {
    if (const auto kind = shown_named(name.get<std::string>())) ladder.shows.push_back(*kind);
  }
  ladder.timed_size = size_of(value, "size_of_times");
  ladder.counted_size = size_of(value, "size_of_counts");
  ladder.needs_size = size_of(value, "size_of_floor").value_or(Size());
  ladder.bytes = value.value("bytes", 0.0);
  ladder.flops = value.value("flops", 0.0);
  ladder.tensor_cores = value.value("tensor_cores", false);
  ladder.peak_tflops = value.value("peak_tflops", 0.0);
  ladder.floor_us = value.value("floor_us", 0.0);
  ladder.floor_of = value.value("floor_of", "");
  ladder.memory_gbps = value.value("memory_gbps", 0.0);
  ladder.limit = value.value("limit", "");
  ladder.copy = timing_of(value, "copy");
  ladder.limit_recorded = timing_of(value, "limit_recorded");
  ladder.recorded_on = value.value("recorded_on", "");
  ladder.no_times = value.value("no_times", "");
  ladder.note = value.value("note", "");
  for (const json& rung : value.value("rungs", json::array())) {
    ladder.rungs.push_back(rung_of(rung));
  }
  return ladder;
}

json table_json(const Demonstration& table) {
  return {{"name", table.name},
          {"title", table.title},
          {"columns", table.columns},
          {"rows", table.rows},
          {"note", table.note}};
}

Demonstration table_of(const json& value) {
  return {value.value("name", ""), value.value("title", ""),
          value.value("columns", std::vector<std::string>()),
          value.value("rows", std::vector<std::vector<std::string>>()), value.value("note", "")};
}

json exercise_json(const ExerciseRow& row) {
  json judged;
  if (row.judged) {
    judged = json::parse(to_json(*row.judged));
    judged.erase("counts");  // the row has them
  }
  return {{"exercise", row.exercise}, {"whose", row.whose}, {"verdict", row.verdict},
          {"message", row.message},   {"judged", judged},   {"time", timing_json(row.time)},
          {"counts", row.counts}};
}

ExerciseRow exercise_of(const json& value) {
  ExerciseRow row;
  row.exercise = value.value("exercise", "");
  row.whose = value.value("whose", "");
  row.verdict = value.value("verdict", "");
  row.message = value.value("message", "");
  row.time = timing_of(value, "time");
  row.counts = value.value("counts", json::object()).get<Counts>();
  const auto judged = value.find("judged");
  if (judged != value.end() && judged->is_object()) {
    row.judged = parse_verdict(judged->dump(-1, ' ', false, json::error_handler_t::replace));
    row.judged->counts = row.counts;
  }
  return row;
}

}  // namespace

std::string to_json(const RunResult& result) {
  json ladders = json::array();
  for (const LadderResult& ladder : result.ladders) ladders.push_back(ladder_json(ladder));
  json exercises = json::array();
  for (const ExerciseRow& row : result.exercises) exercises.push_back(exercise_json(row));
  json tables = json::array();
  for (const Demonstration& table : result.tables) tables.push_back(table_json(table));
  const json whole{{"format", format_version},
                   {"program", result.program},
                   {"date", result.date},
                   {"device",
                    {{"kind", result.device_kind},
                     {"name", result.device_name},
                     {"reason", result.device_reason},
                     {"driver", result.driver},
                     {"runtime", result.runtime}}},
                   {"limits_of", result.limits_of},
                   {"ladders", ladders},
                   {"tables", tables},
                   {"exercises", exercises}};
  // Text of a learner's printf may be anything; what is not UTF-8 must not end the program.
  return whole.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

RunResult parse_result(const std::string& text) {
  try {
    const json whole = json::parse(text);
    if (whole.at("format") != format_version) throw Stop(bad_environment, "another format");
    RunResult result;
    result.program = whole.value("program", "");
    result.date = whole.value("date", "");
    const json& device = whole.at("device");
    result.device_kind = device.value("kind", "");
    result.device_name = device.value("name", "");
    result.device_reason = device.value("reason", "");
    result.driver = device.value("driver", "");
    result.runtime = device.value("runtime", "");
    result.limits_of = whole.value("limits_of", "");
    for (const json& ladder : whole.at("ladders")) result.ladders.push_back(ladder_of(ladder));
    for (const json& table : whole.value("tables", json::array())) {
      result.tables.push_back(table_of(table));
    }
    for (const json& row : whole.at("exercises")) result.exercises.push_back(exercise_of(row));
    return result;
  } catch (const json::exception& error) {
    throw Stop(bad_environment, fmt::format("this is not a chapter's result: {}", error.what()));
  } catch (const NoVerdict& problem) {
    throw Stop(bad_environment, problem.what());
  }
}

}  // namespace warpwise::lesson
