#include "simulator/machine/checks/races/race_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "simulator/machine/access/addresses.h"

namespace warpwise::machine {
namespace {

/// A thread that only looks at marks gets the same result in each order, but not the same counts.
void tell_as_mark(watch::Finding& found) {
  found.severity = watch::Severity::note;
  found.leaves_open = true;
}

}  // namespace

bool RaceReports::is_atomic_site(std::uint32_t site) const {
  return std::any_of(
      here_.program_.accesses.begin(), here_.program_.accesses.end(),
      [&](const code::Access& access) { return access.is_atomic && access.site == site; });
}

bool RaceReports::is_start_of_mbarrier(std::uint32_t site) const {
  return std::any_of(here_.program_.accesses.begin(), here_.program_.accesses.end(),
                     [&](const code::Access& access) {
                       return access.is_atomic && access.site == site &&
                              access.atomic == code::AtomicOp::mbarrier_init;
                     });
}

/// Says what may be missing between two threads of a block.
std::string RaceReports::missing_between(const code::Access& access, std::uint32_t other_site,
                                         bool other_is_store, bool is_same_warp) const {
  if (is_start_of_mbarrier(access.site) && is_start_of_mbarrier(other_site))
    return "One thread must initialise a barrier in shared memory, and the others must wait for it "
           "at a __syncthreads(). In a block with rows threadIdx.x == 0 is true in each of them.";
  if (is_start_of_mbarrier(access.site) || is_start_of_mbarrier(other_site))
    return "A barrier in shared memory (mbarrier, cuda::barrier, cuda::pipeline) must be there "
           "before other threads use it: put a __syncthreads() after its initialisation.";
  if (here_.is_of_library(access.site) && here_.is_of_library(other_site))
    return "Do two operations of a library share their temporary storage? Put a __syncthreads() "
           "between them.";
  const RaceSides sides = {access.site, other_site, access.is_store, other_is_store};
  if (const std::string advice = advice_on_looks(here_.program_, sides); !advice.empty())
    return advice;
  if (access.is_store && other_is_store && access.site == other_site)
    return "Should both write there, or is an index or a guard wrong? If it is another round of a "
           "loop, a __syncthreads() is missing.";
  const code::Place &here = here_.place_of(access.site), &other = here_.place_of(other_site);
  const bool is_update = here.line != 0 && here.line == other.line && here.file == other.file &&
                         access.is_store != other_is_store;
  using enum code::AtomicOp;
  const bool has_lock = std::any_of(
      here_.program_.accesses.begin(), here_.program_.accesses.end(), [](const code::Access& each) {
        return each.is_atomic && (each.atomic == compare_and_swap || each.atomic == exchange);
      });
  std::string text = is_update ? "Is a __syncthreads() missing between the reads and the writes?"
                               : "Is a __syncthreads() missing?";
  if (has_lock)
    text +=
        " If a lock or a flag orders them: put a __threadfence() before it is released or set, "
        "and one after it is taken or seen.";
  else if (is_same_warp && here_.block_->warps.size() == 1)
    text += " The block is one warp: a __syncwarp() is enough.";
  return text;
}

/// True where a library reads a word for the sake of some of its bytes, to make an atomic of them,
/// and the other access is to less than the word.
bool RaceReports::is_look_at_neighbours(std::uint32_t site, std::uint32_t other) const {
  return here_.is_of_library(site) &&
         here_.program_.sites[other].bytes < here_.program_.sites[site].bytes &&
         std::any_of(here_.program_.accesses.begin(), here_.program_.accesses.end(),
                     [&](const code::Access& each) {
                       return each.site == site && each.is_strong() && !each.is_store;
                     });
}

/// The kind of instruction for which both lanes, of one warp, have read before either of them
/// writes.
code::Gathering RaceReports::gathering(const code::Access& access, unsigned lane,
                                       const OtherSide& other) {
  if (other.thread / 32 != here_.warp_index_ || !access.is_store || other.is_store)
    return code::Gathering::none;
  const auto [known, is_new] = gatherings_.try_emplace({access.site, other.site}, code::Gathered{});
  if (is_new)
    known->second = gathering_between(here_.program_, {access.site, other.site, true, false});
  const std::uint32_t both = 1u << lane | 1u << other.thread % 32;
  const code::Gathered& gathered = known->second;
  if ((gathered.lanes & both) != both) return code::Gathering::none;
  // After a product nothing is left to report. With more warps such a race may come before one with
  // another warp.
  return gathered.by == code::Gathering::product && here_.block_->warps.size() > 1
             ? code::Gathering::none
             : gathered.by;
}

void RaceReports::report(const code::Access& access, const watch::SharedRaces::Race& race) {
  if (is_look_at_neighbours(access.site, race.other_site) ||
      is_look_at_neighbours(race.other_site, access.site))
    return;
  // Libraries let lanes store what they drop into one place, which is never read.
  if (access.is_store && race.other_is_store && race.other_thread / 32 == here_.warp_index_ &&
      here_.is_of_library(access.site) && here_.is_of_library(race.other_site))
    return;
  if (here_.is_of_group(access.site) && here_.is_of_group(race.other_site)) return;
  const code::Gathering gathered =
      gathering(access, race.lane, {race.other_thread, race.other_is_store, race.other_site});
  if (gathered == code::Gathering::product) return;
  watch::Finding found = here_.finding("race", {}, race.lane);
  found.memory = watch::Finding::Memory::shared;
  if (gathered == code::Gathering::exchange) found.severity = watch::Severity::note;
  // A program may race at every access: sentences are made for the findings that are kept.
  if (here_.diagnoses_.count_only(found)) return;
  found.other_line = here_.line_of(race.other_site);
  found.message =
      fmt::format("thread {} {} {} that thread {} {}{} with nothing in between to order them. {}",
                  here_.thread_text(here_.warp_index_ * 32 + race.lane), verb(access),
                  here_.shared_text(static_cast<std::uint32_t>(race.address)),
                  here_.thread_text(race.other_thread), race.other_is_store ? "writes" : "reads",
                  here_.site_text(access.site, race.other_site),
                  gathered == code::Gathering::exchange
                      ? on_exchange
                      : missing_between(access, race.other_site, race.other_is_store,
                                        race.other_thread / 32 == here_.warp_index_));
  here_.diagnoses_.report(std::move(found));
}

/// For two writes, one of which is an atomic.
std::string RaceReports::advice_on_half_atomic(const RaceSides& sides, bool is_same_block) const {
  const auto is_exchange = [&](std::uint32_t site) {
    return std::any_of(here_.program_.accesses.begin(), here_.program_.accesses.end(),
                       [&](const code::Access& each) {
                         using enum code::AtomicOp;
                         return each.is_atomic && each.site == site &&
                                (each.atomic == compare_and_swap || each.atomic == exchange);
                       });
  };
  if (is_exchange(sides.here) || is_exchange(sides.other))
    return "One of the two accesses is atomic, the other is not: make both atomic, such as with "
           "atomicExch to release a lock or set a flag.";
  return is_same_block
             ? "One sets the value that the other adds to: put a __syncthreads() in between."
             : "One sets the value that the other adds to, and blocks have no order: set it before "
               "the launch, such as by cudaMemset.";
}

void RaceReports::report(const code::Access& access, const watch::GlobalRaces::Race& race) {
  if (is_look_at_neighbours(access.site, race.other_site) ||
      is_look_at_neighbours(race.other_site, access.site))
    return;
  const std::uint64_t warps = here_.block_->warps.size(), other_block = race.other_warp / warps;
  const auto other = static_cast<std::uint32_t>(race.other_warp % warps * 32 + race.other_lane);
  const bool is_own = other_block == here_.block_->index;
  // Libraries let blocks wait for each other by relaxed accesses, after they have used what they
  // read: no order that the model knows, and still one that the hardware keeps.
  if (!is_own && !race.by_scope && !race.by_cache && here_.is_of_library(access.site) &&
      here_.is_of_library(race.other_site))
    return;
  const code::Gathering gathered =
      is_own ? gathering(access, race.lane, {other, race.other_is_store, race.other_site})
             : code::Gathering::none;
  if (gathered == code::Gathering::product) return;
  watch::Finding found = here_.finding("race", {}, race.lane);
  found.memory = watch::Finding::Memory::global;
  if (gathered == code::Gathering::exchange) found.severity = watch::Severity::note;
  const RaceSides sides = {access.site, race.other_site, access.is_store, race.other_is_store};
  const bool is_mark = !race.by_scope && !race.by_cache && benign_marks_.are_such(sides);
  if (is_mark) tell_as_mark(found);
  if (here_.diagnoses_.count_only(found)) return;
  found.other_line = here_.line_of(race.other_site);
  // One of several lanes at one place is remembered, and it may be this one.
  const bool is_same = is_own && other == here_.warp_index_ * 32 + race.lane;
  const std::string who = is_same  ? std::string("another lane of its warp")
                          : is_own ? "thread " + here_.thread_text(other)
                                   : fmt::format("thread {} of block {}", here_.thread_text(other),
                                                 here_.block_text(other_block));
  const std::string looks = is_own ? "" : advice_on_looks(here_.program_, sides, false);
  const std::string why =
      is_mark ? std::string(" with nothing in between to order them. ") + on_marks
      : gathered == code::Gathering::exchange
          ? std::string(" with nothing in between to order them. ") + on_exchange
      : race.by_scope
          ? ". Both do so atomically, but an operation whose scope is the block (atomicAdd_block, "
            "thread_scope_block) is atomic among the threads of its block alone. Use atomicAdd, or "
            "thread_scope_device."
      : race.by_cache
          ? " before, in this launch. __ldg() and const __restrict__ pointers read through a cache "
            "that need not see it, even if the two are ordered. Omit them where the memory is "
            "written in the same kernel."
      : access.is_store && race.other_is_store &&
              access.is_atomic != is_atomic_site(race.other_site)
          ? " with nothing in between to order them. " + advice_on_half_atomic(sides, is_own)
      : is_own && access.is_store && !access.is_atomic && race.other_is_store
          ? " with nothing in between to order them. " + advice_on_two_writes(here_.program_, sides)
      : is_own ? std::string(" with nothing in between to order them. ") +
                     missing_between(access, race.other_site, race.other_is_store,
                                     other / 32 == here_.warp_index_)
      : !looks.empty() ? " with nothing in between to order them. " + looks
      : access.is_store && race.other_is_store && access.site == race.other_site
          ? " with nothing in between to order them. Should both write there, or is an index or a "
            "guard "
            "wrong? Give each block its own place, or use an atomic."
      : here_.grid_.launch.cooperative
          ? " with nothing in between to order them. Blocks meet at grid.sync() alone, not at "
            "__syncthreads(): is one missing, or a __threadfence() where a flag is set or seen?"
          : " with nothing in between to order them. Is a __threadfence() missing, before the "
            "flag is set or after it is seen?";
  found.message = fmt::format(
      "thread {} {} {} that {} {}{}{}", here_.thread_text(here_.warp_index_ * 32 + race.lane),
      verb(access), here_.global_text(race.address), who, race.other_is_store ? "writes" : "reads",
      here_.site_text(access.site, race.other_site), why);
  here_.diagnoses_.report(std::move(found));
}

void RaceReports::report_inter_block_races(watch::Diagnoses& diagnoses) const {
  here_.grid_.inter_block_races->for_races([&](const watch::InterBlockRaces::Race& race) {
    watch::Finding found;
    found.kind = "race";
    found.memory = watch::Finding::Memory::global;
    found.instruction = here_.instruction_of(race.higher.site);
    found.block = race.higher.block;
    found.thread = race.higher.thread;
    found.count = race.cells;
    const RaceSides sides = {race.higher.site, race.lower.site,
                             race.higher.kind != watch::LineAccess::read,
                             race.lower.kind != watch::LineAccess::read};
    const bool is_mark = benign_marks_.are_such(sides);
    if (is_mark) tell_as_mark(found);
    if (diagnoses.count_only(found)) return;
    found.other_line = here_.line_of(race.lower.site);
    auto does = [](const watch::InterBlockRaces::Race::Side& side) {
      return side.kind == watch::LineAccess::read    ? "reads"
             : side.kind == watch::LineAccess::write ? "writes"
                                                     : "updates";
    };
    found.message = fmt::format(
        "thread {} {} {} that thread {} of block {} {}{}, and nothing orders blocks within a "
        "launch. {}",
        here_.thread_text(race.higher.thread), does(race.higher), here_.global_text(race.address),
        here_.thread_text(race.lower.thread), here_.block_text(race.lower.block), does(race.lower),
        here_.site_text(race.higher.site, race.lower.site),
        is_mark ? on_marks : advice_between_blocks(here_.program_, race));
    diagnoses.report(std::move(found));
  });
}

/// By site: whether it has an atomic that is one for its own device alone.
static std::vector<bool> sites_of_device_atomics(const code::Program& program) {
  std::vector<bool> result(program.sites.size());
  for (const code::Access& access : program.accesses)
    if (access.is_atomic && access.space != code::Space::frame && access.site < result.size() &&
        access.scope != code::Scope::system)
      result[access.site] = true;
  return result;
}

void RaceReports::report_conflicts(watch::Diagnoses& diagnoses) const {
  const Grid& grid = here_.grid_;
  auto footprint = std::make_shared<watch::Footprint>(grid.inter_block_races->footprint());
  footprint->complete(here_.lines_of_sites());
  if (grid.memory.devices() > 1)
    footprint->set_device(grid.device, sites_of_device_atomics(here_.program_));
  for (const Neighbours::Conflict& each : grid.options.neighbours->compare(footprint))
    report(each, "that", diagnoses);
}

void RaceReports::report(const Neighbours::Conflict& conflict, const char* how,
                         watch::Diagnoses& diagnoses) const {
  watch::Finding found;
  found.kind = "race";
  found.memory = watch::Finding::Memory::global;
  found.instruction = here_.instruction_of(conflict.site);
  found.block = conflict.block;
  found.thread = conflict.thread;
  found.count = conflict.count;
  found.message =
      fmt::format("thread {} {} {} {} {}", here_.thread_text(conflict.thread), conflict.does,
                  here_.global_text(conflict.address), how, conflict.other);
  diagnoses.report(std::move(found));
}

}  // namespace warpwise::machine
