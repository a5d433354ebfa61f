#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "tutor/watch/bench.h"

namespace warpwise::tutor {
namespace {

using Json = nlohmann::ordered_json;

// What a learner should not have to wait longer than, on two cores.
struct Target {
  const char* kind;
  const char* name;
  double median_s, most_s;
};
constexpr std::array<Target, 3> targets{{{"exercise", "kernels", 1, 2},
                                         {"program", "programs", 2, 4},
                                         {"arithmetic", "arithmetic", 2, 4}}};
constexpr double most_share = 0.95;

std::vector<double> all_of(const std::vector<Latency>& latencies, const char* kind) {
  std::vector<double> values;
  for (const Latency& latency : latencies) {
    if (latency.kind != kind) continue;
    values.insert(values.end(), latency.total.begin(), latency.total.end());
  }
  return values;
}

// How many programs want a core, on average over the last minute: what else goes on here.
double load() {
  double average = 0;
  return getloadavg(&average, 1) == 1 ? average : 0;
}

std::string machine_text() {
  return fmt::format(
      "{} cores; in the last minute {:.1f} programs wanted one of them. Where that is more than\n"
      "the cores, the machine was shared: the column of the processor's seconds is then nearer to\n"
      "what a machine of one's own takes.\n",
      std::thread::hardware_concurrency(), load());
}

}  // namespace

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double rank = std::ceil(share * static_cast<double>(values.size()));
  return values[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

std::string latency_text(const std::vector<Latency>& latencies, bool& missed) {
  std::string text =
      fmt::format("{:<40}{:>8}{:>9}{:>7}{:>7}{:>11}\n", "seconds from a save to its verdict",
                  "median", "longest", "nvcc", "check", "processor");
  for (const Latency& latency : latencies) {
    text += fmt::format("{:<40}{:>8.2f}{:>9.2f}{:>7.2f}{:>7.2f}{:>11.2f}{}\n", latency.id,
                        quantile(latency.total, 0.5), quantile(latency.total, 1), latency.compile_s,
                        latency.judge_s, latency.processor_s,
                        latency.verdict == "pass" ? "" : "  " + latency.verdict);
    missed |= latency.verdict != "pass";
  }
  text += fmt::format("\n{:<24}{:>6}{:>9}{:>8}{:>8}{:>8}\n", "", "saves", "median", "wanted",
                      "95 %", "wanted");
  for (const Target& target : targets) {
    const std::vector<double> values = all_of(latencies, target.kind);
    if (values.empty()) continue;
    const double median = quantile(values, 0.5), most = quantile(values, most_share);
    const bool met = median < target.median_s && most < target.most_s;
    text += fmt::format("{:<24}{:>6}{:>9.2f}{:>8}{:>8.2f}{:>8}  {}\n", target.name, values.size(),
                        median, fmt::format("< {:g}", target.median_s), most,
                        fmt::format("< {:g}", target.most_s), met ? "met" : "MISSED");
    missed |= !met;
  }
  return text + "\n" + machine_text();
}

std::string latency_json(const std::vector<Latency>& latencies) {
  Json exercises = Json::array(), kinds = Json::array();
  for (const Latency& latency : latencies) {
    exercises.push_back({{"id", latency.id},
                         {"kind", latency.kind},
                         {"verdict", latency.verdict},
                         {"seconds", latency.total},
                         {"compile_s", latency.compile_s},
                         {"judge_s", latency.judge_s},
                         {"processor_s", latency.processor_s}});
  }
  for (const Target& target : targets) {
    const std::vector<double> values = all_of(latencies, target.kind);
    if (values.empty()) continue;
    kinds.push_back({{"kind", target.kind},
                     {"saves", values.size()},
                     {"median_s", quantile(values, 0.5)},
                     {"wanted_median_s", target.median_s},
                     {"percentile_95_s", quantile(values, most_share)},
                     {"wanted_percentile_95_s", target.most_s}});
  }
  const Json all{{"exercises", exercises},
                 {"kinds", kinds},
                 {"cores", std::thread::hardware_concurrency()},
                 {"load", load()}};
  return all.dump(2) + "\n";
}

}  // namespace warpwise::tutor
