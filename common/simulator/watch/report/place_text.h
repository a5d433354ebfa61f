#pragma once
#include <string>

#include "report/report.h"

namespace warpwise::watch {

/// The text of one line of a file; empty where it cannot be read.
std::string source_line(const std::string& file, unsigned line);

/// Where a diagnosis is, for a terminal: file:line, and the source line with a caret where the file
/// can be read. Each line with its newline; nothing where the line is not known.
std::string place_text(const report::Diagnosis& diagnosis);

}  // namespace warpwise::watch
