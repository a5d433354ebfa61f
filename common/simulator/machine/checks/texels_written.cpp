// Reads through textures and surfaces of what the same block has written. They go by caches that do
// not see stores of their own launch: the manual leaves open what a texture then gives, whichever
// thread wrote. It says the same of surfaces; here their reads are compared as those of plain
// memory.

#include <fmt/format.h>

#include <bit>

#include "simulator/code/flow/places.h"
#include "simulator/machine/textures/textures.h"
#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

constexpr unsigned word = 4;
constexpr std::size_t most_words = 1 << 20;  ///< of a block; later ones are not followed

}  // namespace

void Textures::note_written(std::uint32_t mask, const std::uint64_t* addresses, unsigned bytes) {
  if (!here_.block_->order) return;
  auto& written = here_.block_->texels_written;
  TexelWriter writer;
  writer.instruction = static_cast<std::uint32_t>(here_.current_ - here_.program_.code.data());
  if (here_.program_.places[here_.current_->place].is_library)
    if (const auto call =
            here_.user_call(writer.instruction, static_cast<unsigned>(std::countr_zero(mask)));
        call != watch::Finding::not_called)
      writer.instruction = call;
  writer.clock = here_.block_->order->clock(here_.warp_index_);
  for_lanes(mask, [&](unsigned lane) {
    writer.thread = here_.warp_index_ * 32 + lane;
    for (std::uint64_t at = addresses[lane] / word; at * word < addresses[lane] + bytes; ++at)
      if (written.size() < most_words || written.count(at)) written[at] = writer;
  });
}

void Textures::check_read(bool is_of_surface, unsigned lane, std::uint64_t address) {
  if (here_.block_->texels_written.empty()) return;
  const auto found_at = here_.block_->texels_written.find(address / word);
  if (found_at == here_.block_->texels_written.end()) return;
  const TexelWriter& writer = found_at->second;
  const bool is_ordered =
      here_.block_->order->unordered(here_.warp_index_, 1u << lane, writer.thread / 32,
                                     writer.thread % 32, writer.clock) == 0 ||
      writer.thread == here_.warp_index_ * 32 + lane;
  if (is_of_surface && is_ordered) return;
  watch::Finding found = here_.finding("race", {}, lane);
  if (here_.diagnoses_.count_only(found)) return;
  const code::Instruction& shown = here_.program_.code[found.shown()];
  const std::string line =
      code::line_seen_from(here_.program_.places[shown.place],
                           here_.program_.places[here_.program_.code[writer.instruction].place]);
  found.message = fmt::format(
      "thread {} reads {} through a {}, which thread {} has written in the same launch{}{}. {}",
      here_.thread_text(found.thread), here_.global_text(address),
      is_of_surface ? "surface" : "texture", here_.thread_text(writer.thread),
      line.empty() ? line : fmt::format(" ({})", line),
      is_ordered ? "" : " with nothing in between to order them",
      is_of_surface
          ? "Is a __syncthreads() missing?"
          : "Textures read through a cache that does not see the stores of its own launch: read it "
            "in the next launch, or as plain memory.");
  here_.diagnoses_.report(std::move(found));
}

}  // namespace warpwise::machine
