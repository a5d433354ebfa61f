#include "simulator/cudart/queue/overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

#include "simulator/cudart/memory/host_memory.h"
#include "simulator/cudart/report/report.h"
#include "simulator/cudart/report/source_place.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

using watch::Footprint;
using watch::LineAccess;
using Overlap = Footprint::Overlap;

/// A pair of lines is reported once, however often a loop reaches it.
bool is_new(const CallSite& mine, const Overlap& overlap, const CallSite& theirs) {
  static std::mutex mutex;
  static auto& reported =
      *new std::set<std::tuple<CallSite, std::uint32_t, CallSite, std::uint32_t>>;
  const std::lock_guard lock(mutex);
  return reported.emplace(mine, overlap.mine.site, theirs, overlap.theirs.site).second;
}

/// The end of a message: what the other operation did there, and the fix.
std::string rest_of(const Overlap& overlap, const Touched& other, const Touched& mine) {
  const unsigned line = other.footprint->line(overlap.theirs);
  const SourcePlace place = place_of(other.from);
  const char* advice =
      mine.waits_too_late
          ? "Nothing orders the two: a launch with programmatic stream serialization may begin "
            "before the kernel ahead of it has ended. Move cudaGridDependencySynchronize() before "
            "this access."
      : mine.may_begin_early || other.may_begin_early
          ? "Nothing orders the two: a launch with programmatic stream serialization may begin "
            "before the kernel ahead of it has ended. Call cudaGridDependencySynchronize() in "
            "the later kernel before it uses that memory."
      : overlap.my_kind == LineAccess::strong && overlap.their_kind == LineAccess::strong
          ? "Nothing orders the two: an atomic without a scope is one for its own device alone. "
            "Use "
            "atomicAdd_system(), or another _system function, in both kernels, or order the two."
      : mine.device != other.device
          ? "Nothing orders the two: they are on different devices, whose streams do not wait for "
            "each other, the default streams included. Let the later stream wait for an event of "
            "the other (cudaStreamWaitEvent), or synchronise the earlier device in between."
          : "Nothing orders the two: they are in streams that do not wait for each other. Let one "
            "stream wait for an event of the other (cudaStreamWaitEvent), use one stream for both, "
            "or synchronise in between.";
  std::string origin;
  if (place.line != 0) origin = fmt::format(", {} in line {}", other.made, place.line);
  return fmt::format("{} {}{}{}. {}", other.what,
                     other.does != nullptr ? other.does : watch::verb(overlap.their_kind),
                     line != 0 ? fmt::format(" (line {})", line) : "", origin, advice);
}

machine::Neighbours::Conflict conflict(const Overlap& overlap, const Touched& other,
                                       const Touched& mine) {
  constexpr std::uint64_t word = 4;
  return {overlap.mine.site,
          overlap.mine.block,
          overlap.thread(),
          std::max(std::uint64_t{1}, overlap.bytes / word),
          watch::verb(overlap.my_kind),
          overlap.address,
          rest_of(overlap, other, mine)};
}

/// True where the host may have learnt from the memory how far the operation is, and may have
/// ordered later work by that.
bool may_have_signalled_host(const Footprint& footprint) {
  const memory::AddressSpace& memory = runtime().memory;
  std::uint64_t known_end = 0;  // of the allocation of the piece before
  for (const LineAccess::Kind kind : {LineAccess::write, LineAccess::strong})
    for (const Footprint::Piece& piece : footprint.pieces(kind)) {
      if (piece.begin < known_end) continue;
      const memory::Allocation* found = memory.find(piece.begin);
      if (found != nullptr && is_host_memory(found->kind)) return true;
      known_end = found != nullptr ? found->end() : 0;
    }
  return false;
}

/// Calls visit(overlap, other) for all that are new.
template <class Visit>
void compare(const TouchedPtr& touched, Visit visit) {
  if (touched->footprint->is_too_large()) return;
  for (const TouchedPtr& other : runtime().queue.add_touched(touched))
    for (const Overlap& overlap : touched->footprint->overlaps(*other->footprint))
      if (is_new(touched->from, overlap, other->from)) visit(overlap, *other);
}

/// Rows of one side of a copy.
void add_rows(Footprint& to, LineAccess::Kind kind, const void* pointer, const Copy& shape,
              std::size_t pitch, std::size_t slice_bytes) {
  const std::uint64_t begin = address_of(pointer);
  const memory::Allocation* found = runtime().memory.find(begin);
  // Simultaneous uses of the host's memory are not known anyway.
  if (found == nullptr || is_host_memory(found->kind)) return;
  for (std::size_t slice = 0; slice < shape.slices; ++slice)
    for (std::size_t row = 0; row < shape.rows; ++row) {
      const std::uint64_t at = begin + slice * slice_bytes + row * pitch;
      Footprint::Piece piece;
      piece.begin = at;
      piece.end = at + shape.width;
      to.add(kind, piece);
    }
}

/// @param does null: it reads or writes.
void compare_call(const char* what, const std::shared_ptr<Footprint>& footprint,
                  const CallSite& from, const char* does = nullptr) {
  footprint->complete();
  const auto touched =
      std::make_shared<const Touched>(Touched{what, "called", from, footprint, does});
  compare(touched, [&](const Overlap& overlap, const Touched& other) {
    // An allocation or a free says less than the use in between.
    if (does != nullptr && other.does != nullptr) return;
    runtime().reporter.mistake(
        "race", watch::Severity::error,
        fmt::format("{} {} {} that {}", what, does != nullptr ? does : watch::verb(overlap.my_kind),
                    memory_text(overlap.address), rest_of(overlap, other, *touched)),
        {from});
  });
}

/// By a call that concerns an allocation as a whole.
void compare_whole(std::uint64_t base, std::uint64_t bytes, const CallSite& from, const char* what,
                   const char* does) {
  if (!runtime().queue.has_unordered()) return;
  const auto footprint = std::make_shared<Footprint>();
  Footprint::Piece piece;
  piece.begin = base;
  piece.end = base + bytes;
  footprint->add(LineAccess::write, piece);
  compare_call(what, footprint, from, does);
}

/// Once for each call.
void tell_own_overlap(const Copy& copy, const CallSite& from) {
  static auto& calls = *new OncePerCall;
  const std::uint64_t to = address_of(copy.to), source = address_of(copy.from);
  const std::uint64_t apart = to > source ? to - source : source - to;
  if (copy.rows > 1 || copy.slices > 1 || apart == 0 || apart >= copy.width) return;
  if (!calls.is_first(from)) return;
  runtime().reporter.mistake(
      "invalid-copy", watch::Severity::error,
      fmt::format("source and destination of this copy of {} bytes overlap by {}, and it is not "
                  "defined which bytes are copied first; copy through a third array, or in a "
                  "kernel",
                  copy.width, copy.width - apart),
      {from, "cudaMemcpy"});
}

}  // namespace

std::string memory_text(std::uint64_t address) {
  const memory::Allocation* found = runtime().memory.find(address);
  return found == nullptr
             ? std::string("freed memory")
             : fmt::format("offset {} of {}", address - found->base, found->describe());
}

std::vector<machine::Neighbours::Conflict> compare_launch(
    const Launched& launch, std::shared_ptr<const watch::Footprint> footprint) {
  const bool signalled_host = may_have_signalled_host(*footprint);
  std::vector<machine::Neighbours::Conflict> conflicts;
  const auto touched = std::make_shared<const Touched>(
      Touched{"kernel " + launch.kernel, "launched", launch.from, std::move(footprint), nullptr,
              launch.may_begin_early && launch.never_waits});
  if (launch.beside->has_dependent) launch.beside->touched = touched;
  if (signalled_host) return {};
  compare(touched, [&](const Overlap& overlap, const Touched& other) {
    conflicts.push_back(conflict(overlap, other, *touched));
  });
  return conflicts;
}

std::vector<machine::Neighbours::Conflict> compare_with_launches_in_front(
    const Launched& launch, const std::shared_ptr<const watch::Footprint>& footprint) {
  BesideLast& last = *launch.beside->in_front;
  std::vector<TouchedPtr> others = {last.touched};
  if (last.in_front != nullptr && last.lets_begin_before_waiting)
    others.push_back(last.in_front->touched);
  last.in_front.reset();
  if (last.is_of_graph) last.touched.reset();
  Touched mine{"kernel " + launch.kernel, "launched", launch.from, footprint};
  mine.waits_too_late = true;
  std::vector<machine::Neighbours::Conflict> conflicts;
  for (const TouchedPtr& other : others) {
    if (other == nullptr || other->footprint->is_too_large() || footprint->is_too_large()) continue;
    for (const Overlap& overlap : footprint->overlaps(*other->footprint))
      if (is_new(mine.from, overlap, other->from))
        conflicts.push_back(conflict(overlap, *other, mine));
  }
  return conflicts;
}

void compare_copy(const Copy& copy, const CallSite& from) {
  tell_own_overlap(copy, from);
  if (!runtime().queue.has_unordered()) return;
  const auto footprint = std::make_shared<Footprint>();
  add_rows(*footprint, LineAccess::write, copy.to, copy, copy.to_pitch, copy.to_slice);
  add_rows(*footprint, LineAccess::read, copy.from, copy, copy.from_pitch, copy.from_slice);
  compare_call("a copy", footprint, from);
}

void compare_fill(const Fill& fill, const CallSite& from) {
  if (!runtime().queue.has_unordered()) return;
  const auto footprint = std::make_shared<Footprint>();
  Copy shape;
  shape.width = fill.width * fill.element_bytes;
  shape.rows = fill.rows;
  shape.slices = fill.slices;
  add_rows(*footprint, LineAccess::write, fill.to, shape, fill.pitch, fill.slice);
  compare_call("a fill", footprint, from);
}

void compare_allocation(std::uint64_t base, std::uint64_t bytes, const CallSite& from) {
  compare_whole(base, bytes, from, "cudaMallocAsync", "gives out");
}

void compare_release(std::uint64_t base, std::uint64_t bytes, const CallSite& from,
                     const char* by) {
  compare_whole(base, bytes, from, by, "frees");
}

}  // namespace warpwise::cudart
