#include "simulator/cudart/exit_notes.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "simulator/cudart/allocation_sites.h"
#include "simulator/cudart/error.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

/// What the program allocated itself.
bool is_to_be_freed(const memory::Allocation& allocation) {
  using memory::Kind;
  if (allocation.is_variable) return false;
  return allocation.kind == Kind::device || allocation.kind == Kind::managed ||
         allocation.kind == Kind::pinned || allocation.kind == Kind::mapped;
}

}  // namespace

void note_leaks() {
  // After a fault nothing can be freed any more.
  if (faulted()) return;
  constexpr std::size_t most_named = 3;
  std::size_t count = 0;
  std::uint64_t bytes = 0;
  std::string names;
  CallSite first;
  for (const memory::Allocation* allocation : runtime().memory.live()) {
    if (!is_to_be_freed(*allocation)) continue;
    bytes += allocation->bytes;
    if (++count > most_named) continue;
    if (count == 1) first = allocation_site(allocation->base);
    names += (names.empty() ? "" : ", ") + allocation->describe();
  }
  if (count == 0) return;
  runtime().reporter.mistake(
      "leak", watch::Severity::note,
      fmt::format("{} allocation{} of {} bytes in all {} never freed: {}{}; call cudaFree or "
                  "cudaFreeHost",
                  count, count == 1 ? "" : "s", bytes, count == 1 ? "was" : "were", names,
                  count > most_named ? ", ..." : ""),
      {first, "cudaMalloc"});
}

namespace {

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

}  // namespace

void note_what_was_left() {
  if (in_forked_child()) return;
  note_unread_error();
  note_leaks();
}

}  // namespace warpwise::cudart
