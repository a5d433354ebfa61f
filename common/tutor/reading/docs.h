#pragma once
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// The options of `learn docs`.
struct DocsOptions {
  bool open = false;        ///< show the pages when they are built.
  bool api = false;         ///< docs/api instead: the reference of common/.
  bool instructor = false;  ///< with solutions, explanations and teaching notes.
};

/// `learn docs`: builds docs/site with Doxygen, offline, every warning an error, and says how far
/// it is. See require_packages() for what is missing.
/// @return the exit status: 1 when a page or a comment is wrong.
int docs_command(const Context& context, const DocsOptions& options);

}  // namespace warpwise::tutor
