#include "simulator/cudart/related_launches.h"

#include <fmt/format.h>

#include <utility>

#include "simulator/cudart/overlap.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

using watch::Footprint;

std::string line_text(unsigned line) { return line != 0 ? fmt::format(" (line {})", line) : ""; }

void tell_race(const machine::DeviceWork& asked, unsigned line, const std::string& message) {
  watch::Diagnosis at = asked.asked;
  at.line = line;
  at.column = 0;
  runtime().reporter.mistake("race", watch::Severity::error, message, at);
}

}  // namespace

void RelatedLaunches::compare(const Launched& launch, std::shared_ptr<const Footprint> footprint,
                              const machine::DeviceWork& asked) {
  if (footprint->is_too_large()) return;
  compare_with_parent(launch, *footprint, asked);
  if (asked.is_tail) return;
  for (const Sibling& other : siblings_)
    if (other.parent == asked.parent && other.queue != asked.queue)
      compare_with(other, launch, *footprint, asked);
  if (siblings_.size() == most_siblings) siblings_.pop_front();
  siblings_.push_back(
      {asked.parent, asked.queue, launch.kernel, asked.asked.line, std::move(footprint)});
}

bool RelatedLaunches::is_new(const std::string& one, unsigned line, const std::string& other,
                             unsigned other_line) {
  return told_.emplace(one, line, other, other_line).second;
}

void RelatedLaunches::compare_with_parent(const Launched& launch, const Footprint& footprint,
                                          const machine::DeviceWork& asked) {
  if (!asked.late || asked.late->is_too_large() || footprint.is_too_large()) return;
  const bool is_graph = asked.kind == machine::DeviceWork::Kind::graph;
  for (const Footprint::Overlap& overlap : asked.late->overlaps(footprint)) {
    const unsigned line = asked.late->line(overlap.mine);
    const unsigned child_line = footprint.line(overlap.theirs);
    if (!is_new(asked.by, line, launch.kernel, child_line)) continue;
    tell_race(asked, line,
              fmt::format("{} {} {} after it has launched {}{} in line {}, which {} it{}. A kernel "
                          "does not wait for what it launches: do this in front of the launch, or "
                          "in {}.",
                          asked.by, watch::verb(overlap.my_kind), memory_text(overlap.address),
                          is_graph ? "the graph of " : "", launch.kernel, asked.asked.line,
                          watch::verb(overlap.their_kind), line_text(child_line),
                          is_graph ? "a graph that is launched with cudaStreamGraphTailLaunch"
                                   : "another kernel that is launched behind it, in the same "
                                     "stream or in cudaStreamTailLaunch"));
  }
}

void RelatedLaunches::compare_with(const Sibling& other, const Launched& launch,
                                   const Footprint& footprint, const machine::DeviceWork& asked) {
  for (const Footprint::Overlap& overlap : footprint.overlaps(*other.footprint)) {
    const unsigned line = footprint.line(overlap.mine);
    const unsigned other_line = other.footprint->line(overlap.theirs);
    if (!is_new(launch.kernel, line, other.kernel, other_line)) continue;
    tell_race(asked, line,
              fmt::format("{} {} {} that another launch of {} {}{}. Both were launched by {}, in "
                          "lines {} and {}, and nothing orders the two: they are in different "
                          "streams, or different blocks launched them. Launch them in one stream "
                          "of one block, the later one in cudaStreamTailLaunch, or let each have "
                          "its own part of the memory.",
                          launch.kernel, watch::verb(overlap.my_kind), memory_text(overlap.address),
                          other.kernel, watch::verb(overlap.their_kind), line_text(other_line),
                          asked.by, other.asked_line, asked.asked.line));
  }
}

}  // namespace warpwise::cudart
