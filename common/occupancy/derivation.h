#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "occupancy/cliffs.h"
#include "occupancy/occupancy.h"
#include "occupancy/waves.h"

/// \file
/// The occupancy of a kernel as a chain of short sentences, each with its arithmetic.
/// \ingroup occupancy
namespace warpwise::occupancy {

/// One sentence of a derivation.
struct Step {
  std::string topic;  ///< "block", a resource's name, "limiter", "next cliff" or "waves".
  std::string text;   ///< one line of any length, without the topic.
};

/// A derivation with the numbers it states, so that its user need not read them out of the text.
struct Derivation {
  std::string title;  ///< the GPU and what the kernel asks for.
  std::vector<Step> steps;
  Occupancy occupancy;
  Cliffs cliffs;
  std::optional<Waves> waves;  ///< when a grid was given.

  /// Title and steps, indented and broken so that no line has 100 columns or more. No newlines.
  std::vector<std::string> lines() const;
  /// The lines, each ended by a newline.
  std::string text() const;
};

/// @param grid_blocks blocks of the launch, for the step about waves.
/// Any kernel has a derivation; one that does not fit says why, and what would make it fit.
Derivation derive(const Gpu& gpu, const Kernel& kernel,
                  std::optional<std::int64_t> grid_blocks = std::nullopt);

/// A sentence of a derivation as lines() writes it: its topic, which may be empty, and the text.
std::vector<std::string> step_lines(std::string_view topic, std::string_view text);

/// The text of the step about waves, for a grid that is known only later.
std::string waves_sentence(const Gpu& gpu, int resident_blocks, std::int64_t grid_blocks);

}  // namespace warpwise::occupancy
