#pragma once
#include <string>

#include "lesson/device/device.h"
#include "lesson/results/results.h"

/// \file
/// Results as text, in the order in which a chapter's program prints them. Lines have at most 100
/// columns.
/// \ingroup lesson
namespace warpwise::lesson {

/// The rung with the shortest time shown, of those that are one kernel; without times the last.
/// Null where none is right.
const Rung* best_rung(const LadderResult& ladder);

/// The derivation of the best rung's occupancy, or of every rung's.
std::string residency_text(const LadderResult& ladder, bool every_rung);

/// The head, the table, and what is wrong or skipped. A sweep has a row for each value.
std::string ladder_text(const LadderResult& ladder, const Device& device);

/// The title, the table, the note.
std::string demonstration_text(const Demonstration& table);

/// A picture of memory accesses, line by line of the source.
/// @param name of what made them. @param size of its problem; may be empty.
std::string view_text(const std::string& name, const std::string& size, const Counts& counts);

/// One row per exercise, the learner's next to the solution; what is wrong below.
std::string exercises_text(const RunResult& result);

/// The text of a source line without its indentation; nothing where it cannot be read.
std::string source_line(const std::string& file, unsigned line);

/// The text in lines of at most 100 columns, each after the first indented.
/// @param head what the first line begins with.
std::string paragraph(const std::string& head, const std::string& text, std::size_t indentation);

}  // namespace warpwise::lesson
