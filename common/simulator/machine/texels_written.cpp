// Reads through textures and surfaces of what the same block has written. They go by caches that
// see no stores of their own launch: the manual leaves open what a texture then gives, whoever
// wrote. Of surfaces it says the same; here their reads are compared as those of plain memory.

#include <fmt/format.h>

#include <bit>

#include "simulator/code/places.h"
#include "simulator/machine/lanes.h"
#include "simulator/machine/worker.h"

namespace warpwise::machine {
namespace {

constexpr unsigned word = 4;
constexpr std::size_t most_words = 1 << 20;  ///< of a block; those behind are not followed

}  // namespace

/// To be called for each store of a program that reads textures or surfaces.
void Worker::note_texels_written(std::uint32_t mask, const std::uint64_t* addresses,
                                 unsigned bytes) {
  if (!block_->order) return;
  auto& written = block_->texels_written;
  TexelWriter writer;
  writer.instruction = static_cast<std::uint32_t>(current_ - program_.code.data());
  if (program_.places[current_->place].is_library)
    if (const auto call =
            user_call(writer.instruction, static_cast<unsigned>(std::countr_zero(mask)));
        call != watch::Finding::not_called)
      writer.instruction = call;
  writer.clock = block_->order->clock(warp_index_);
  for_lanes(mask, [&](unsigned lane) {
    writer.thread = warp_index_ * 32 + lane;
    for (std::uint64_t at = addresses[lane] / word; at * word < addresses[lane] + bytes; ++at)
      if (written.size() < most_words || written.count(at)) written[at] = writer;
  });
}

void Worker::check_texel_read(bool is_of_surface, unsigned lane, std::uint64_t address) {
  if (block_->texels_written.empty()) return;
  const auto found_at = block_->texels_written.find(address / word);
  if (found_at == block_->texels_written.end()) return;
  const TexelWriter& writer = found_at->second;
  const bool is_ordered = block_->order->unordered(warp_index_, 1u << lane, writer.thread / 32,
                                                   writer.thread % 32, writer.clock) == 0 ||
                          writer.thread == warp_index_ * 32 + lane;
  if (is_of_surface && is_ordered) return;
  watch::Finding found = finding("race", {}, lane);
  if (diagnoses_.count_only(found)) return;
  const code::Instruction& shown = program_.code[found.shown()];
  const std::string line = code::line_seen_from(
      program_.places[shown.place], program_.places[program_.code[writer.instruction].place]);
  found.message = fmt::format(
      "thread {} reads {} through a {}, which thread {} has written in the same launch{}{}. {}",
      thread_text(found.thread), global_text(address), is_of_surface ? "surface" : "texture",
      thread_text(writer.thread), line.empty() ? line : fmt::format(" ({})", line),
      is_ordered ? "" : " with nothing in between to order them",
      is_of_surface
          ? "Is a __syncthreads() missing?"
          : "What textures give comes from a cache that sees no stores of its own launch: read it "
            "in the next launch, or as plain memory.");
  diagnoses_.report(std::move(found));
}

}  // namespace warpwise::machine
