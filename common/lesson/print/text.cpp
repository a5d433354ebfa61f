#include "lesson/print/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "lesson/print/table.h"
#include "occupancy/derivation.h"
#include "occupancy/text.h"

namespace warpwise::lesson {
namespace {

std::string number(std::optional<double> value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
}

Colour colour_of(Verdict verdict) {
  if (verdict == Verdict::right) return Colour::green;
  return verdict == Verdict::skipped ? Colour::yellow : Colour::red;
}

double gbps(double bytes, double microseconds) { return bytes / microseconds / 1e3; }

/// "3305" GB/s or "38.2" TFLOP/s; a dash where nothing has to be moved.
std::string rate(const LadderResult& ladder, double microseconds) {
  if (ladder.in_flops()) return number(ladder.flops / microseconds / 1e6, 1);
  return ladder.bytes > 0 ? number(gbps(ladder.bytes, microseconds), 0) : "-";
}

/// Time, rate and share of the limit; dashes without a time.
std::vector<Table::Cell> time_cells(const std::optional<Timing>& time, const LadderResult& ladder) {
  if (!time) return {{"-"}, {"-"}, {"-"}};
  const std::optional<Timing> limit = ladder.limit_time();
  const std::optional<double> share = time->of_baseline > 0 ? time->of_baseline
                                      : limit ? std::optional(limit->median_us / time->median_us)
                                              : std::nullopt;
  return {{number(time->median_us, 1)},
          {rate(ladder, time->median_us)},
          {share ? number(100 * *share, 1) : "-"}};
}

std::vector<Table::Cell> count_cells(const Counts& counts) {
  if (counts.empty()) return {{"-"}, {"-"}, {"-"}};
  const auto sectors = [](std::optional<double> each, bool known) {
    return each ? number(each, 2) : known ? "none" : "-";
  };
  return {{sectors(counts.sectors_per_load(), counts.loads_known())},
          {sectors(counts.sectors_per_store(), counts.stores_known())},
          {counts.conflicts_known() ? number(counts.bank_conflicts(), 0) : "-"}};
}

/// "regs+warps": the derivation has the whole words.
std::string short_limiters(const Residency& residency) {
  std::string text;
  for (const std::string& limiter : residency.limiters) {
    const std::string word = limiter == "registers"       ? "regs"
                             : limiter == "shared memory" ? "smem"
                             : limiter == "block slots"   ? "slots"
                                                          : limiter;
    text += (text.empty() ? "" : "+") + word;
  }
  return text.empty() ? "-" : text;
}

/// Blocks and warps an SM, the share of its warps, what limits them; dashes for no single kernel.
std::vector<Table::Cell> occupancy_cells(const Rung& rung) {
  const Residency& residency = rung.residency;
  if (rung.kernel.empty()) return {{"-"}, {"-"}, {"-"}, {"-"}};
  return {{std::to_string(residency.blocks)},
          {std::to_string(residency.warps)},
          {occupancy::decimal(100 * residency.fraction, 1)},
          {short_limiters(residency)}};
}

/// Which size, from where: the line above the numbers.
std::string sizes_line(const LadderResult& ladder) {
  std::string times =
      "times: " + (ladder.no_times.empty() ? std::string("not recorded") : ladder.no_times);
  if (ladder.timed_size) {
    times = ladder.recorded_on.empty()
                ? fmt::format("times: measured, {}", ladder.timed_size->text())
                : fmt::format("times: recorded: {}, full size {}", ladder.recorded_on,
                              ladder.timed_size->text());
  }
  const std::string counts = ladder.counted_size
                                 ? fmt::format("counts: simulated, {}", ladder.counted_size->text())
                                 : "counts: none";
  return paragraph("", times + "; " + counts, 0);
}

/// How the times were taken: in turns, at which clocks.
std::string turns_line(const LadderResult& ladder) {
  bool in_turns = false;
  double slowest = 0, fastest = 0;
  for (const Rung& rung : ladder.rungs) {
    const std::optional<Timing>& time = rung.time ? rung.time : rung.recorded;
    if (!time || time->of_baseline == 0) continue;
    in_turns = true;
    if (time->sm_mhz == 0) continue;
    slowest = slowest == 0 ? time->sm_mhz : std::min(slowest, time->sm_mhz);
    fastest = std::max(fastest, time->sm_mhz);
  }
  if (!in_turns) return "";
  const std::string clock = slowest == 0 ? ""
                            : slowest == fastest
                                ? fmt::format("; SM clock {:.0f} MHz", slowest)
                                : fmt::format("; SM clock {:.0f} to {:.0f} MHz", slowest, fastest);
  return paragraph("", "each rung took turns with the limit; % is the median of pairs" + clock, 0);
}

/// "a copy" that is 100 %, or the rung.
std::string limit_line(const LadderResult& ladder) {
  if (!ladder.limit.empty()) {
    const auto time = ladder.limit_time();
    return fmt::format("limit: {}{}\n", ladder.limit,
                       time ? fmt::format(", {:.1f} us", time->median_us) : "");
  }
  if (!ladder.copy) return "";
  return fmt::format("limit: cudaMemcpy of the same bytes, {:.1f} us, {:.0f} GB/s\n",
                     ladder.copy->median_us, gbps(ladder.bytes, ladder.copy->median_us));
}

std::string floor_line(const LadderResult& ladder) {
  std::string line;
  const double memory_gbps = ladder.memory_gbps;
  if (ladder.floor_us > 0) {
    const double memory_us = memory_gbps > 0 ? ladder.bytes / memory_gbps / 1e3 : 0;
    const bool memory = memory_us >= ladder.floor_us;
    line = fmt::format(
        "floor: {}: {:.1f} us = {} of the {}", ladder.needs_size.text(), ladder.floor_us,
        memory ? fmt::format("{:.1f} MB at the {:.0f} GB/s", ladder.bytes / 1e6, memory_gbps)
               : fmt::format("{:.1f} GFLOP at the {:.1f} TFLOP/s{}", ladder.flops / 1e9,
                             ladder.peak_tflops, ladder.tensor_cores ? " of bf16" : ""),
        ladder.floor_of);
  }
  return line.empty() ? "" : line + "\n";
}

/// Whether the program has machine code for the GPU of the limits.
bool has_code(const Rung& rung, const Device& device) {
  return rung.kernel.empty() || rung.residency.registers_of == device.limits.compute_capability;
}

/// Where the registers come from, if from code of another architecture; once for a ladder.
std::string code_line(const LadderResult& ladder, const Device& device) {
  for (const Rung& rung : ladder.rungs) {
    if (has_code(rung, device)) continue;
    return fmt::format("registers of sm_{}: this program has no code for sm_{}\n",
                       rung.residency.registers_of, device.limits.compute_capability);
  }
  return "";
}

/// Whether the table has a dash for what was counted of a rung.
bool has_unknown_count(const LadderResult& ladder, const Counts& counts) {
  if (ladder.parameter.empty()) {
    return !counts.loads_known() || !counts.stores_known() || !counts.conflicts_known();
  }
  return std::any_of(ladder.shows.begin(), ladder.shows.end(), [&](Shown kind) {
    if (kind == Shown::load_sectors) return !counts.loads_known();
    if (kind == Shown::store_sectors) return !counts.stores_known();
    const bool shared = kind == Shown::bank_conflicts || kind == Shown::shared_load_wavefronts ||
                        kind == Shown::shared_store_wavefronts;
    return shared && !counts.conflicts_known();
  });
}

/// Why there is a dash, once for a ladder.
std::string dashes(const LadderResult& ladder, const Device& device) {
  bool from_ptx = false, no_code = false, not_counted = false, no_kernel = false;
  for (const Rung& rung : ladder.rungs) {
    const bool right = rung.verdict == Verdict::right;
    no_kernel |= right && rung.kernel.empty() && ladder.parameter.empty();
    if (rung.counts.empty()) {
      not_counted |= right && ladder.note.empty() && ladder.parameter.empty();
    } else if (has_unknown_count(ladder, rung.counts)) {
      from_ptx = true;
      no_code |= !has_code(rung, device);
    }
  }
  const std::string sm = fmt::format("sm_{}", device.limits.compute_capability);
  std::string text;
  if (from_ptx && no_code) {
    text += "count -: not known, because this program has no code for " + sm + "\n";
  } else if (from_ptx) {
    text += "count -: not known, because the compiled code has other accesses than the PTX\n";
  }
  if (not_counted) text += "count -: no kernel ran that is counted here\n";
  if (no_kernel) text += "occupancy -: it is not one kernel\n";
  return text;
}

/// The derivation of one rung's occupancy.
std::string derivation_text(const Rung& rung) {
  const std::string& size = rung.residency.size;
  std::string text =
      fmt::format("\n{}: occupancy{}\n", rung.name, size.empty() ? "" : " at " + size);
  for (const std::string& line : rung.residency.derivation) text += line + "\n";
  if (rung.residency.waves.empty()) return text;
  for (const std::string& line : occupancy::step_lines("waves", rung.residency.waves)) {
    text += line + "\n";
  }
  return text;
}

/// Says what happened to a rung in addition to the numbers in its row.
std::string remarks(const Rung& rung) {
  std::string text;
  if (!rung.message.empty()) text += paragraph(rung.name + ": ", rung.message, 2);
  for (const Skip& skip : rung.skips) {
    text += paragraph(rung.name + ": ",
                      fmt::format("skipped at {}: {}", skip.size.text(), skip.reason), 2);
  }
  for (const Diagnosis& diagnosis : rung.diagnoses) {
    if (diagnosis.is_error()) continue;
    text += paragraph(rung.name + ": note: ", diagnosis.message, 2);
  }
  return text;
}

const std::optional<Timing>& time_of(const Rung& rung) {
  return rung.time ? rung.time : rung.recorded;
}

/// A row for each rung.
Table rungs_table(const LadderResult& ladder) {
  Table table({{"kernel", "", false},
               {"verdict", "", false},
               {"time", "us"},
               {ladder.in_flops() ? "TFLOP" : "GB", "per s"},
               {"% of", "limit"},
               {"sect.", "load"},
               {"sect.", "store"},
               {"bank", "confl."},
               {"blocks", "an SM"},
               {"warps", "an SM"},
               {"occ.", "%"},
               {"limiter", "", false}});
  for (const Rung& rung : ladder.rungs) {
    std::vector<Table::Cell> cells{{rung.name},
                                   {verdict_text(rung.verdict), colour_of(rung.verdict)}};
    const auto times = time_cells(time_of(rung), ladder);
    cells.insert(cells.end(), times.begin(), times.end());
    const auto counts = count_cells(rung.counts);
    cells.insert(cells.end(), counts.begin(), counts.end());
    const auto held = occupancy_cells(rung);
    cells.insert(cells.end(), held.begin(), held.end());
    table.add(std::move(cells));
  }
  return table;
}

/// Names in the order of their first point.
std::vector<std::string> series_of(const LadderResult& sweep) {
  std::vector<std::string> series;
  for (const Rung& point : sweep.rungs) {
    const bool known = std::find(series.begin(), series.end(), point.series) != series.end();
    if (!known) series.push_back(point.series);
  }
  return series;
}

/// The cells of one point: counts and rate, or what went wrong.
std::vector<Table::Cell> point_cells(const LadderResult& sweep, const Rung* point, bool timed) {
  std::vector<Table::Cell> cells;
  for (Shown kind : sweep.shows) {
    cells.push_back({point != nullptr ? text_of(kind, value_of(kind, *point)) : "-"});
  }
  if (timed) {
    const auto time = point != nullptr ? time_of(*point) : std::optional<Timing>();
    cells.push_back({time ? rate(sweep, time->median_us) : "-"});
  }
  const bool wrong = point != nullptr && point->verdict != Verdict::right;
  if (wrong && !cells.empty()) {
    cells.back() = {verdict_text(point->verdict), colour_of(point->verdict)};
  }
  return cells;
}

/// A row for each value of the parameter, the series side by side.
Table sweep_table(const LadderResult& sweep) {
  const bool rated = sweep.bytes > 0 || sweep.flops > 0;
  const bool timed =
      rated && std::any_of(sweep.rungs.begin(), sweep.rungs.end(),
                           [](const Rung& rung) { return time_of(rung).has_value(); });
  const std::vector<std::string> series = series_of(sweep);
  std::vector<Table::Column> columns{{sweep.parameter, ""}};
  for (const std::string& name : series) {
    const std::size_t first = columns.size();
    for (Shown kind : sweep.shows) columns.push_back({"", std::string(name_of(kind))});
    if (timed) columns.push_back({"", sweep.in_flops() ? "TFLOP/s" : "GB/s"});
    if (first < columns.size()) columns[first].name = name;
  }
  std::vector<int> values;
  for (const Rung& point : sweep.rungs) {
    if (std::find(values.begin(), values.end(), point.value) == values.end()) {
      values.push_back(point.value);
    }
  }
  Table table(columns);
  for (int value : values) {
    std::vector<Table::Cell> cells{{std::to_string(value)}};
    for (const std::string& name : series) {
      const auto at = std::find_if(sweep.rungs.begin(), sweep.rungs.end(), [&](const Rung& point) {
        return point.value == value && point.series == name;
      });
      const auto found = point_cells(sweep, at != sweep.rungs.end() ? &*at : nullptr, timed);
      cells.insert(cells.end(), found.begin(), found.end());
    }
    table.add(std::move(cells));
  }
  return table;
}

}  // namespace

std::string paragraph(const std::string& head, const std::string& text, std::size_t indentation) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t own = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t deep = indentation + own;
    const std::string begin = result.empty() ? head : std::string(deep, ' ');
    const std::string whole = begin + line.substr(own);
    // wrap() repeats only the indentation as blanks, not the whole head.
    const std::size_t cut = std::min(deep, begin.size());
    for (const std::string& piece :
         occupancy::wrap(whole.substr(0, cut), whole.substr(cut), text_width)) {
      result += piece + "\n";
    }
  }
  return result;
}

const Rung* best_rung(const LadderResult& ladder) {
  const Rung* best = nullptr;
  for (const Rung& rung : ladder.rungs) {
    if (rung.residency.derivation.empty() || rung.verdict != Verdict::right) continue;
    // Without times the last rung is taken: each is meant to be better than the one before.
    const bool slower = best != nullptr && time_of(*best) &&
                        (!time_of(rung) || time_of(rung)->median_us > time_of(*best)->median_us);
    if (!slower) best = &rung;
  }
  return best;
}

std::string residency_text(const LadderResult& ladder, bool every_rung) {
  const Rung* best = best_rung(ladder);
  if (!every_rung) return best != nullptr ? derivation_text(*best) : "";
  std::string text;
  for (const Rung& rung : ladder.rungs) {
    if (!rung.residency.derivation.empty()) text += derivation_text(rung);
  }
  return text;
}

std::string ladder_text(const LadderResult& ladder, const Device& device) {
  std::string below = ladder.note.empty() ? "" : paragraph("", ladder.note, 2);
  below += dashes(ladder, device);
  for (const Rung& rung : ladder.rungs) below += remarks(rung);
  const Table table = ladder.parameter.empty() ? rungs_table(ladder) : sweep_table(ladder);
  return fmt::format("\n{}: {}\n{}{}{}{}{}\n{}{}", ladder.name, ladder.title, sizes_line(ladder),
                     floor_line(ladder), limit_line(ladder), turns_line(ladder),
                     code_line(ladder, device), table.text(), below);
}

std::string demonstration_text(const Demonstration& demonstration) {
  std::vector<Table::Column> columns;
  for (const std::string& name : demonstration.columns) {
    columns.push_back({name, "", !columns.empty()});
  }
  Table table(columns);
  for (const auto& row : demonstration.rows) {
    std::vector<Table::Cell> cells;
    for (const std::string& text : row) cells.push_back({text});
    table.add(std::move(cells));
  }
  const std::string& note = demonstration.note;
  return fmt::format("\n{}: {}\n\n{}{}", demonstration.name, demonstration.title, table.text(),
                     note.empty() ? "" : paragraph("", note, 2));
}

std::string exercises_text(const RunResult& result) {
  if (result.exercises.empty()) return "";
  Table table({{"exercise", "", false},
               {"whose", "", false},
               {"verdict", "", false},
               {"time", "us"},
               {"load", "sect/req"},
               {"store", "sect/req"},
               {"bank", "conflicts"}});
  std::string below;
  bool told = false;
  for (const ExerciseRow& row : result.exercises) {
    const bool passed = row.verdict == "pass";
    const Colour colour = passed               ? Colour::green
                          : row.solved_or_open ? Colour::yellow
                                               : Colour::red;
    std::vector<Table::Cell> cells{{row.exercise}, {row.whose}, {row.verdict, colour}};
    cells.push_back({row.time ? number(row.time->median_us, 1) : "-"});
    const auto counts = count_cells(row.counts);
    cells.insert(cells.end(), counts.begin(), counts.end());
    table.add(std::move(cells));
    // The next step for an open one is named at the first.
    const bool is_open = row.verdict == "not solved yet";
    if (!row.message.empty() && !(is_open && told)) {
      told |= is_open;
      below += paragraph(fmt::format("{} ({}): ", row.exercise, row.whose), row.message, 2);
    }
  }
  return "\nexercises\n\n" + table.text() + below;
}

}  // namespace warpwise::lesson
