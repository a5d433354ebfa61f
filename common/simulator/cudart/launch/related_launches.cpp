#include "simulator/cudart/launch/related_launches.h"

#include <fmt/format.h>

#include <utility>

#include "simulator/cudart/queue/overlap.h"
#include "simulator/cudart/report/report.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

using machine::DeviceWork;
using watch::Footprint;
using watch::LineAccess;

std::string line_text(unsigned line) { return line != 0 ? fmt::format(" (line {})", line) : ""; }

void tell_race(const DeviceWork& asked, unsigned line, const std::string& message) {
  watch::Diagnosis at = asked.asked;
  at.line = line;
  at.column = 0;
  runtime().reporter.mistake("race", watch::Severity::error, message, at);
}

/// "launched k", "asked for a copy": the parent's action in a message.
std::string asked_text(const DeviceWork& asked, const std::string& what) {
  return (asked.kind == DeviceWork::Kind::launch ? "launched " : "asked for ") + what;
}

std::shared_ptr<const Footprint> footprint_of(const DeviceWork& work) {
  auto footprint = std::make_shared<Footprint>();
  const auto add = [&](LineAccess::Kind kind, std::uint64_t begin, std::uint64_t pitch) {
    for (std::uint64_t row = 0; row < work.rows; ++row) {
      Footprint::Piece piece;
      piece.begin = begin + row * pitch;
      piece.end = piece.begin + work.width;
      if (piece.end != piece.begin) footprint->add(kind, piece);
    }
  };
  add(LineAccess::write, work.to, work.to_pitch);
  if (work.kind == DeviceWork::Kind::copy) add(LineAccess::read, work.from, work.from_pitch);
  footprint->complete();
  return footprint;
}

}  // namespace

void RelatedLaunches::compare(const Launched& launch, std::shared_ptr<const Footprint> footprint,
                              const DeviceWork& asked) {
  compare(launch.kernel, std::move(footprint), asked);
}

void RelatedLaunches::compare_move(const DeviceWork& asked) {
  compare(asked.kind == DeviceWork::Kind::copy ? "a copy" : "a fill", footprint_of(asked), asked);
}

void RelatedLaunches::compare(const std::string& what, std::shared_ptr<const Footprint> footprint,
                              const DeviceWork& asked) {
  if (footprint->is_too_large()) return;
  compare_with_parent(what, *footprint, asked);
  if (asked.is_tail) return;
  for (const Sibling& other : siblings_)
    if (other.parent == asked.parent && other.queue != asked.queue)
      compare_with(other, what, *footprint, asked);
  if (siblings_.size() == most_siblings) siblings_.pop_front();
  siblings_.push_back({asked.parent, asked.queue, what, asked.asked.line, std::move(footprint)});
}

bool RelatedLaunches::is_new(const std::string& one, unsigned line, const std::string& other,
                             unsigned other_line) {
  return reported_.emplace(one, line, other, other_line).second;
}

void RelatedLaunches::compare_with_parent(const std::string& what, const Footprint& footprint,
                                          const DeviceWork& asked) {
  if (footprint.is_too_large()) return;
  if (asked.late) compare_with_late(*asked.late, what, footprint, asked);
  if (asked.concurrent) compare_with_concurrent(*asked.concurrent, what, footprint, asked);
}

void RelatedLaunches::compare_with_late(const Footprint& late, const std::string& what,
                                        const Footprint& footprint, const DeviceWork& asked) {
  for (const Footprint::Overlap& overlap : late.overlaps(footprint)) {
    const unsigned line = late.line(overlap.mine);
    const unsigned child_line = footprint.line(overlap.theirs);
    if (!is_new(asked.by, line, what, child_line)) continue;
    tell_race(asked, line,
              fmt::format("{} {} {} after it has {} in line {}, which {} it{}. A kernel "
                          "does not wait for what it launches: do this before the launch, or in "
                          "another kernel that is launched after it, in the same stream or in "
                          "cudaStreamTailLaunch.",
                          asked.by, watch::verb(overlap.my_kind), memory_text(overlap.address),
                          asked_text(asked, what), asked.asked.line,
                          watch::verb(overlap.their_kind), line_text(child_line)));
  }
}

void RelatedLaunches::compare_with_concurrent(const Footprint& concurrent, const std::string& what,
                                              const Footprint& footprint, const DeviceWork& asked) {
  for (const Footprint::Overlap& overlap : concurrent.overlaps(footprint)) {
    const unsigned line = concurrent.line(overlap.mine);
    const unsigned child_line = footprint.line(overlap.theirs);
    if (!is_new(asked.by, line, what, child_line)) continue;
    const bool is_other_block = overlap.mine.block != asked.block;
    tell_race(
        asked, line,
        fmt::format("thread {} of block {} of {} {} {}. {} has {} in line {}, which {} it{}, and "
                    "nothing orders the two: {}.",
                    overlap.thread(), overlap.mine.block, asked.by, watch::verb(overlap.my_kind),
                    memory_text(overlap.address),
                    is_other_block ? fmt::format("Block {}", asked.block) : "Another thread",
                    asked_text(asked, what), asked.asked.line, watch::verb(overlap.their_kind),
                    line_text(child_line),
                    is_other_block
                        ? "a block that launches does not wait for other blocks. Launch this from "
                          "the host, or in cudaStreamTailLaunch, which waits for the whole grid"
                        : "what is launched comes after what its own thread did, and after what "
                          "others of the block did only where there is a barrier in between. Put a "
                          "__syncthreads() before it"));
  }
}

void RelatedLaunches::compare_with(const Sibling& other, const std::string& what,
                                   const Footprint& footprint, const DeviceWork& asked) {
  for (const Footprint::Overlap& overlap : footprint.overlaps(*other.footprint)) {
    // A copy has no lines of its own: the line of its call is reported.
    const unsigned own_line = footprint.line(overlap.mine);
    const unsigned line = own_line != 0 ? own_line : asked.asked.line;
    const unsigned other_line = other.footprint->line(overlap.theirs);
    if (!is_new(what, line, other.what, other_line)) continue;
    tell_race(asked, line,
              fmt::format("{} {} {} that another launch of {} {}{}. Both were launched by {}, in "
                          "lines {} and {}, and nothing orders the two: they are in different "
                          "streams, or different blocks launched them. Launch them in one stream "
                          "of one block, the later one in cudaStreamTailLaunch, or let each have "
                          "its own part of the memory.",
                          what, watch::verb(overlap.my_kind), memory_text(overlap.address),
                          other.what, watch::verb(overlap.their_kind), line_text(other_line),
                          asked.by, other.asked_line, asked.asked.line));
  }
}

}  // namespace warpwise::cudart
