#include "simulator/machine/schedule/run_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/code/flow/arrival_order.h"
#include "simulator/machine/block_runner.h"
#include "simulator/machine/schedule/helpers.h"
#include "simulator/memory/current_device.h"

namespace warpwise::machine {
namespace {

/// Reports what the launch used in total, where no block alone used all that it may use.
void report_budget(const Grid& grid, watch::LaunchReport& report) {
  watch::Diagnosis diagnosis;
  diagnosis.kind = "timeout";
  diagnosis.message = fmt::format(
      "the launch used more than {} thread instructions. Does it start too many threads, or do too "
      "much in each?",
      grid.options.budget);
  for (const code::Place& place : grid.program.places) {
    if (place.line == 0) continue;
    diagnosis.file = place.file;
    diagnosis.line = place.line;
    break;
  }
  report.faulted = true;
  report.diagnoses = {diagnosis};
}

/// Prints the output of the blocks, in their order, as far as the buffer holds it.
void print_output(const std::vector<std::unique_ptr<BlockRunner>>& runners,
                  std::uint64_t last_block, const Options& options) {
  std::map<std::uint64_t, std::string_view> output;
  for (const auto& runner : runners)
    output.insert(runner->output().begin(), runner->output().end());
  std::size_t left = options.output_bytes;
  for (auto [block, text] : output) {
    if (block > last_block || !options.print || left == 0) break;
    options.print(text.substr(0, left));
    left -= std::min(left, text.size());
  }
}

bool has_race(const watch::LaunchReport& report) {
  return std::any_of(report.diagnoses.begin(), report.diagnoses.end(), [](const auto& diagnosis) {
    return diagnosis.kind == "race" &&
           (diagnosis.severity == watch::Severity::error || diagnosis.leaves_open);
  });
}

/// Takes the hardware's names from all counts.
void unconfirm(watch::LaunchReport& report) {
  std::map<std::string, double> counters;
  for (const auto& [name, count] : report.counts.counters)
    counters[(name.starts_with("l1tex__") || name.starts_with("smsp__") ? "ptx__" : "") + name] =
        count;
  report.counts.counters = std::move(counters);
  for (watch::LineCounts& line : report.counts.lines) line.compiled = line.confirmed = false;
}

void write_participation(const std::vector<std::unique_ptr<BlockRunner>>& runners,
                         watch::LaunchReport& report) {
  if (!runners[0]->participation()) return;
  watch::Participation all = *runners[0]->participation();
  for (std::size_t i = 1; i < runners.size(); ++i) all.add(*runners[i]->participation());
  all.write(report);
}

}  // namespace

void run_grid(Grid& grid, watch::LaunchReport& report) {
  std::vector<std::unique_ptr<BlockRunner>> runners(grid.runners);
  {
    const std::function<void(unsigned)> run = [&](unsigned i) {
      const memory::OnDevice here(grid.device);
      runners[i] = std::make_unique<BlockRunner>(grid, i == 0);
      runners[i]->run();
    };
    Helpers::Team others(Helpers::all(), grid.runners, run);
    grid.call_others = [&] { others.start(); };
    run(0);
  }
  std::erase(runners, nullptr);  // a short launch does not call the others

  watch::Counters counters(grid.program);
  watch::Diagnoses diagnoses;
  Arrivals arrivals;
  for (const auto& runner : runners) {
    counters.add(runner->counters());
    diagnoses.add(runner->diagnoses());
    arrivals.add(runner->arrivals());
    report.peer_bytes.add(runner->peer_bytes());
    report.derived.add(runner->derived_values());
  }
  std::uint64_t faulted = grid.faulted_block.load();
  report.faulted = faulted != ~0ull;
  if (grid.inter_block_races && !report.faulted) {
    std::vector<watch::GlobalWatch*> watches;
    for (const auto& runner : runners) watches.push_back(runner->global_watch());
    watch::GlobalWatch::settle(watches, grid.wants_footprint);
    runners[0]->race_reports().report_inter_block_races(diagnoses);
    if (grid.wants_footprint) runners[0]->race_reports().report_conflicts(diagnoses);
  }
  if (grid.begins_early && !report.faulted) runners[0]->other_launches().report(diagnoses);
  if (grid.wants_host_footprint && !report.faulted)
    runners[0]->other_launches().keep_host_footprint();
  diagnoses.stop_at(faulted);
  diagnoses.write(report, grid.program);
  if (!report.faulted && grid.options.budget && grid.executed.load() > grid.options.budget)
    report_budget(grid, report);
  if (!report.faulted) counters.write(report);
  if (arrivals.leaves_counts_open() || (has_race(report) && code::follows_memory(grid.program)))
    unconfirm(report);
  if (!report.faulted) write_participation(runners, report);
  arrivals.leave(grid.memory);
  print_output(runners, faulted, grid.options);
  // A program that asks for work has one runner.
  if (grid.options.device_runtime && !report.faulted)
    grid.options.device_runtime->ask_for(runners[0]->take_asked_for());
}

}  // namespace warpwise::machine
