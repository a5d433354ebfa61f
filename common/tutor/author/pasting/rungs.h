#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "tutor/author/pasting/declarations.h"

namespace warpwise::tutor {

/// A kernel of a chapter, ready to be called from another one.
struct Rung {
  std::string name;  ///< "layernorm_3_warp"
  std::filesystem::path file;
  std::vector<Parameter> parameters;
  std::string scope;  ///< the namespace in which it can be called: "pasted_rung::rows".
  /// How it is called there: "layernorm_3_warp<4, 8>"; several for a template, with arguments that
  /// the chapter uses, or else with likely ones.
  std::vector<std::string> calls;
  /// The kernel as a device function, in the namespace pasted_rung, after the headers, types,
  /// constants and functions of the chapter that it needs; nothing of the host's.
  std::string text;
};

/// Reads all kernels of a chapter's sources (the *.cu in its folder, and the chapter's headers that
/// they include), in the order of the files. Those for one architecture alone are left out, and
/// those of another chapter's header that this chapter does not name.
/// @throws Failure (status 3) when a file cannot be read.
std::vector<Rung> read_rungs(const std::filesystem::path& chapter_folder);

}  // namespace warpwise::tutor
