#include "simulator/cudart/report/exit_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulator/cudart/memory/allocation_sites.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/report/launch_sizes.h"
#include "simulator/cudart/report/report.h"
#include "simulator/cudart/report/source_place.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

/// What the program allocated itself.
bool is_to_be_freed(const memory::Allocation& allocation) {
  using memory::Kind;
  if (allocation.is_variable || allocation.is_idle) return false;
  return allocation.kind == Kind::device || allocation.kind == Kind::managed ||
         allocation.kind == Kind::pinned || allocation.kind == Kind::mapped;
}

/// What one line of the program allocated and the program never freed.
struct Leak {
  CallSite site;
  SourcePlace place;
  std::size_t count = 0;
  std::uint64_t bytes = 0;
  std::string names;
};

/// The leak that an allocation belongs to. After the first few lines, all other lines share one.
Leak& leak_of(const memory::Allocation& allocation, std::vector<Leak>& leaks) {
  constexpr std::size_t most_lines = 3;
  const CallSite site = allocation_site(allocation.base);
  const SourcePlace place = place_of(site);
  const auto same = std::find_if(leaks.begin(), leaks.end(), [&](const Leak& leak) {
    return leak.place.line == place.line && leak.place.file == place.file;
  });
  if (same != leaks.end()) return *same;
  if (leaks.size() < most_lines) {
    leaks.push_back({site, place, 0, 0, {}});
  } else if (leaks.size() == most_lines) {
    leaks.push_back({});
  }
  return leaks.back();
}

void add(Leak& leak, const memory::Allocation& allocation) {
  constexpr std::size_t most_named = 3;
  leak.bytes += allocation.bytes;
  if (++leak.count <= most_named) {
    leak.names += (leak.names.empty() ? "" : ", ") + allocation.describe();
  } else if (leak.count == most_named + 1) {
    leak.names += ", ...";
  }
}

/// What one line of device code allocated and no kernel freed.
struct HeapLeak {
  memory::CodeLine line;
  std::size_t count = 0;
  std::uint64_t bytes = 0;
};

void note_heap_leaks(const std::vector<const memory::Allocation*>& live) {
  constexpr std::size_t most_lines = 3;
  std::vector<HeapLeak> leaks;
  for (const memory::Allocation* allocation : live) {
    if (allocation->kind != memory::Kind::heap || allocation->made_at == nullptr) continue;
    if (faulted(allocation->device)) continue;
    const memory::CodeLine& line = *allocation->made_at;
    auto same = std::find_if(leaks.begin(), leaks.end(), [&](const HeapLeak& leak) {
      return leak.line.line == line.line && leak.line.file == line.file;
    });
    if (same == leaks.end()) same = leaks.insert(leaks.end(), {line, 0, 0});
    ++same->count;
    same->bytes += allocation->bytes;
  }
  leaks.resize(std::min(leaks.size(), most_lines));
  for (const HeapLeak& leak : leaks) {
    watch::Diagnosis at;
    at.file = leak.line.file;
    at.line = leak.line.line;
    at.column = leak.line.column;
    runtime().reporter.mistake(
        "leak", watch::Severity::note,
        fmt::format("{} of {} bytes in all that malloc or new gave to kernels here {} never freed; "
                    "let a kernel call free or delete. cudaFree cannot free {}",
                    leak.count == 1 ? "a piece" : fmt::format("{} pieces", leak.count), leak.bytes,
                    leak.count == 1 ? "was" : "were", leak.count == 1 ? "it" : "them"),
        at);
  }
}

}  // namespace

void note_heap_leaks() { note_heap_leaks(runtime().memory.live()); }

void note_leaks(std::optional<int> device) {
  std::vector<Leak> leaks;
  const std::vector<const memory::Allocation*> live = runtime().memory.live();
  for (const memory::Allocation* allocation : live) {
    if (device && allocation->device != *device) continue;
    // After a fault nothing of the device can be freed any more.
    if (faulted(allocation->device)) continue;
    if (is_to_be_freed(*allocation)) add(leak_of(*allocation, leaks), *allocation);
  }
  for (const Leak& leak : leaks) {
    runtime().reporter.mistake(
        "leak", watch::Severity::note,
        fmt::format("{} allocation{} of {} bytes in all {} never freed: {}; call cudaFree or "
                    "cudaFreeHost",
                    leak.count, leak.count == 1 ? "" : "s", leak.bytes,
                    leak.count == 1 ? "was" : "were", leak.names),
        {leak.site, "cudaMalloc"});
  }
  note_heap_leaks(live);
}

namespace {

/// The program's status, from exit() or main(); 0 as long as it runs.
std::atomic<int> exit_status = 0;

struct KeptCopies {
  std::mutex mutex;
  std::vector<std::pair<CallSite, std::string>> copies;
  std::vector<std::pair<CallSite, std::string>> tails;  ///< of a grid that was rounded down
};
KeptCopies& half_written = *new KeptCopies;

void note_tails() {
  const std::lock_guard lock(half_written.mutex);
  for (const auto& [from, message] : half_written.tails)
    runtime().reporter.mistake("uninitialized", watch::Severity::note, message,
                               {from, "cudaMemcpy"});
}

void note_half_written() {
  const std::lock_guard lock(half_written.mutex);
  for (const auto& [from, message] : half_written.copies)
    runtime().reporter.mistake(
        "uninitialized", watch::Severity::note,
        fmt::format("{}. Does a thread reach each element, and write it where the host reads "
                    "it? (Reported because the program ended with status {}.)",
                    message, exit_status.load()),
        {from, "cudaMemcpy"});
}

void note_unread_error() {
  const auto [error, launch] = unread_error();
  if (error == cudaSuccess) return;
  runtime().reporter.mistake(
      "unchecked-error", watch::Severity::note,
      fmt::format("{} ({}): a launch failed and the program never noticed; call cudaGetLastError() "
                  "after a launch and look at what cudaDeviceSynchronize() returns",
                  error_name(error), error_text(error)),
      {launch, "<<<"});
}

/// A program that returns from main() and never asked for an error's name hardly looked at the
/// error.
void note_unheeded_call() {
  const FailedCall failed = unheeded_call();
  if (failed.error == cudaSuccess || unread_error().error != cudaSuccess || any_faulted()) return;
  runtime().reporter.mistake(
      "unchecked-error", watch::Severity::note,
      fmt::format("{} returned {} ({}), and the program went on without asking for the error; look "
                  "at what each call returns",
                  failed.function, error_name(failed.error), error_text(failed.error)),
      {failed.site, failed.function});
}

}  // namespace

void keep_half_written(const CallSite& from, const std::string& message, const HalfWritten& part) {
  constexpr std::size_t most_kept = 3;
  const std::lock_guard lock(half_written.mutex);
  // Registered this late it runs before the library's destructor.
  static const int heard = on_exit([](int status, void*) { exit_status = status; }, nullptr);
  (void)heard;
  if (const auto [threads, of_block] =
          part.is_tail ? launch_that_left(part.written_in_front, part.unwritten) : LaunchSize{};
      threads != 0) {
    if (half_written.tails.size() < most_kept)
      half_written.tails.emplace_back(
          from, fmt::format("{}, and all after it. A launch had {} threads, a multiple of its "
                            "block's {}: was the number of blocks rounded down? Round it up, "
                            "(n + {}) / {}, and guard the index",
                            message, threads, of_block, of_block - 1, of_block));
    return;
  }
  if (half_written.copies.size() < most_kept) half_written.copies.emplace_back(from, message);
}

void note_what_was_left() {
  if (in_forked_child()) return;
  runtime().reporter.settle_unread_results();
  runtime().reporter.tell_repeats();
  if (!any_faulted() && !runtime().reporter.has_reported_errors()) note_tails();
  if (exit_status != 0 && !any_faulted() && !runtime().reporter.has_reported_errors())
    note_half_written();
  note_unread_error();
  note_unheeded_call();
  note_leaks();
}

}  // namespace warpwise::cudart
