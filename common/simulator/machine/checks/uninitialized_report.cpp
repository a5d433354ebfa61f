// What is said of a value that nothing has written, once it matters.

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "simulator/code/flow/places.h"
#include "simulator/machine/checks/uninitialized.h"

namespace warpwise::machine {
namespace {

using code::Space;

}  // namespace

/// True where no line of the program's own led to the read.
bool Uninitialized::is_in_library_kernel(const UndefinedSource& source) const {
  const code::Place& place = here_.program_.places[here_.program_.code[source.instruction].place];
  return place.is_library && !place.is_users && source.called_at == watch::Finding::not_called;
}

/// Whether what a load reads is stored to in the same line, as by `y[i] += x`.
bool Uninitialized::is_updated_in_line(std::uint32_t instruction) const {
  const code::Access& load = here_.program_.accesses[here_.program_.code[instruction].access];
  const code::Place& here = here_.place_of(load.site);
  return here.line != 0 &&
         std::any_of(here_.program_.accesses.begin(), here_.program_.accesses.end(),
                     [&](const code::Access& each) {
                       const code::Place& other = here_.place_of(each.site);
                       return each.is_store && !each.is_atomic && each.space == load.space &&
                              each.base == load.base && each.offset == load.offset &&
                              other.line == here.line && other.file == here.file;
                     });
}

/// @param use what the value does at the current instruction.
void Uninitialized::report_uninitialized(const UndefinedLoad& load, std::uint32_t lanes,
                                         const Use& use, watch::Severity severity) {
  const UndefinedSource& source = source_of(load, static_cast<unsigned>(std::countr_zero(lanes)));
  if (source.pointer_of != UndefinedSource::no_block) {
    if (use.text == part_of_address.text) report_shared_pointer(source, lanes);
    return;
  }
  // Libraries let their kernels compare what is past the end of their data and then drop the
  // answer.
  if (source.space != Space::global && is_in_library_kernel(source)) return;
  // CUB's first warp combines a prefix that it does not have. A debug build branches on it.
  const code::Place& here = here_.program_.places[here_.program_.code[source.instruction].place];
  const code::Place& used = here_.program_.places[here_.current_->place];
  if (source.space == Space::local && used.is_library &&
      here.library_file.find("/cub/block/specializations/") != std::string::npos)
    return;
  const bool is_managed = is_of_managed(source);
  const memory::Allocation* read =
      source.space == Space::global ? here_.grid_.memory.find(source.address) : nullptr;
  const int set_on = read ? read->set_on : -1;
  if (is_managed) severity = watch::Severity::note;
  watch::Finding found = here_.finding("uninitialized", {}, 0);
  found.severity = severity;
  found.instruction = source.instruction;
  found.called_at = source.called_at;
  found.thread = source.thread;
  found.count = static_cast<std::uint64_t>(std::popcount(lanes));
  if (source.space != Space::local)
    found.memory = source.space == Space::global ? watch::Finding::Memory::global
                                                 : watch::Finding::Memory::shared;
  found.misleads = severity == watch::Severity::error && use.misleads;
  found.is_only_stored = severity == watch::Severity::error && use.waits;
  if (here_.diagnoses_.count_only(found)) return;
  std::string where;
  if (source.space == Space::shared)
    where = here_.shared_text(static_cast<std::uint32_t>(source.address));
  else if (source.space == Space::global)
    where = here_.global_text(source.address);
  else
    where = bounds_.local_text(source.address);
  const std::string line = code::line_seen_from(here, used);
  const bool is_same = here.line == used.line && here.file == used.file;
  found.message = fmt::format(
      "thread {} reads {}, which nothing has written, and the value {}{}. {}",
      here_.thread_text(source.thread), where, use.text,
      line.empty() || is_same ? std::string() : " in " + line,
      source.space == Space::shared ? std::string("Write it first, and put a __syncthreads() in "
                                                  "between where another thread writes it.")
      : is_managed
          ? "A GPU hands out managed memory as zeros; no manual promises it: set it on the "
            "host before the launch, or with cudaMemset."
      : set_on >= 0
          ? fmt::format("The host has set it on device {} only, and each device has a variable of "
                        "its own. Set it on device {} also: cudaSetDevice({}) before "
                        "cudaMemcpyToSymbol.",
                        set_on, here_.grid_.device, here_.grid_.device)
      : source.space == Space::global
          ? here_.program_.code[source.instruction].op == code::Op::load &&
                    is_updated_in_line(source.instruction)
                ? "Add up in a variable of the thread and store once, or initialise it before the "
                  "launch (cudaMemset, cudaMemcpy)."
                : "Initialise it first: cudaMemset, cudaMemcpy or a kernel that writes it."
          : "Give it a value first.");
  here_.diagnoses_.report(std::move(found));
}

/// Bytes that were never written go on from shared to global memory, as they are. Whole structures
/// and vectors may have parts without content; where one element alone is copied, its value is
/// wanted.
/// @param lanes that store such values.
void Uninitialized::note_copied(const code::Access& access, const UndefinedLoad& load,
                                std::uint32_t lanes) {
  if (lanes == 0 || access.elements > 1) return;
  const UndefinedSource& source = source_of(load, static_cast<unsigned>(std::countr_zero(lanes)));
  const code::Instruction& reads = here_.program_.code[source.instruction];
  if (source.space != Space::shared || reads.op != code::Op::load ||
      here_.program_.accesses[reads.access].elements > 1 ||
      here_.program_.places[reads.place].is_library || here_.is_of_library(access.site))
    return;
  report_uninitialized(load, lanes, "is copied to global memory", watch::Severity::note);
}

}  // namespace warpwise::machine
