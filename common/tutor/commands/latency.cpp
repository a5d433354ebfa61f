#include "tutor/commands/latency.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

namespace warpwise::tutor {
namespace {

using OrderedJson = nlohmann::ordered_json;

// The longest times that a learner should have to wait, on two cores.
struct Target {
  const char* kind;
  const char* name;
  double median_s, most_s;
};
constexpr std::array<Target, 3> measured{{{"exercise", "kernels", 1, 2},
                                          {"program", "programs", 2, 4},
                                          {"arithmetic", "arithmetic", 2, 4}}};
constexpr double most_share = 0.95;

// The measurements of one kind.
struct Summary {
  Target target;
  std::size_t saves = 0;
  double median_s = 0, most_s = 0;
  double processor_s = 0;  // the median.
  bool met() const { return median_s < target.median_s && most_s < target.most_s; }
};

// Summaries of the kinds that occur.
std::vector<Summary> summaries(const std::vector<Latency>& latencies) {
  std::vector<Summary> all;
  for (const Target& target : measured) {
    std::vector<double> total, processor;
    for (const Latency& latency : latencies) {
      if (latency.kind != target.kind) continue;
      total.insert(total.end(), latency.total.begin(), latency.total.end());
      processor.insert(processor.end(), latency.processor.begin(), latency.processor.end());
    }
    if (total.empty()) continue;
    all.push_back({target, total.size(), quantile(total, 0.5), quantile(total, most_share),
                   quantile(processor, 0.5)});
  }
  return all;
}

// How many programs want a core, on average over the last minute: the other load of this machine.
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
  const std::string heading = "seconds from a save to its verdict";
  std::size_t width = heading.size();
  for (const Latency& latency : latencies) width = std::max(width, latency.id.size());
  std::string text = fmt::format("{:{}}{:>8}{:>9}{:>7}{:>7}{:>11}\n", heading, width, "median",
                                 "longest", "nvcc", "check", "processor");
  for (const Latency& latency : latencies) {
    text += fmt::format("{:{}}{:>8.2f}{:>9.2f}{:>7.2f}{:>7.2f}{:>11.2f}{}\n", latency.id, width,
                        quantile(latency.total, 0.5), quantile(latency.total, 1), latency.compile_s,
                        latency.judge_s, quantile(latency.processor, 0.5),
                        latency.verdict == "pass" ? "" : "  " + latency.verdict);
    missed |= latency.verdict != "pass";
  }
  text += fmt::format("\n{:<24}{:>6}{:>9}{:>8}{:>8}{:>8}{:>11}\n", "", "saves", "median", "wanted",
                      "95 %", "wanted", "processor");
  for (const Summary& kind : summaries(latencies)) {
    text += fmt::format("{:<24}{:>6}{:>9.2f}{:>8}{:>8.2f}{:>8}{:>11.2f}  {}\n", kind.target.name,
                        kind.saves, kind.median_s, fmt::format("< {:g}", kind.target.median_s),
                        kind.most_s, fmt::format("< {:g}", kind.target.most_s), kind.processor_s,
                        kind.met() ? "met" : "MISSED");
    missed |= !kind.met();
  }
  return text + "\n" + machine_text();
}

std::string latency_json(const std::vector<Latency>& latencies) {
  OrderedJson exercises = OrderedJson::array(), kinds = OrderedJson::array();
  for (const Latency& latency : latencies) {
    exercises.push_back({{"id", latency.id},
                         {"kind", latency.kind},
                         {"verdict", latency.verdict},
                         {"seconds", latency.total},
                         {"processor_s", latency.processor},
                         {"compile_s", latency.compile_s},
                         {"judge_s", latency.judge_s}});
  }
  for (const Summary& kind : summaries(latencies)) {
    kinds.push_back({{"kind", kind.target.kind},
                     {"saves", kind.saves},
                     {"median_s", kind.median_s},
                     {"wanted_median_s", kind.target.median_s},
                     {"percentile_95_s", kind.most_s},
                     {"wanted_percentile_95_s", kind.target.most_s},
                     {"processor_median_s", kind.processor_s},
                     {"met", kind.met()}});
  }
  const OrderedJson all{{"exercises", exercises},
                        {"kinds", kinds},
                        {"cores", std::thread::hardware_concurrency()},
                        {"load", load()}};
  return all.dump(2) + "\n";
}

}  // namespace warpwise::tutor
