#pragma once
#include <string>
#include <string_view>

#include "simulator/cudart/report/call_site.h"

namespace warpwise::cudart {

/// A line of the program's source.
struct SourcePlace {
  std::string file;   ///< empty where the line is not known.
  unsigned line = 0;  ///< from 1.
  /// Where the line is not known: how to see it the next time. Empty where nothing would help.
  std::string_view advice;
};

/// The innermost place of a call outside of libraries, the toolkit's headers included. The
/// program's DWARF is read by addr2line, a process that takes milliseconds: only for places that
/// are reported.
SourcePlace place_of(const CallSite& site);

/// " (line 18)" for a message about the call that this thread is in, where `site` is in the same
/// file; with the file where it does not; empty where the line is not known.
std::string other_place(const CallSite& site);

/// The same, always with the file's name: for a message about another place.
std::string full_place(const CallSite& site);

}  // namespace warpwise::cudart
