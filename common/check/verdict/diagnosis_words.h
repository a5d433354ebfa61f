#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "lesson/results/report_names.h"
#include "report/verdict.h"

/// \file
/// A diagnosis of the simulator as a verdict tells it.
/// \ingroup lesson
namespace warpwise::lesson {

/// Words for what is wrong, and for what to do about it.
struct DiagnosisWords {
  std::string says;  ///< "in block (4, 0, 0), thread (99, 0, 0) writes 4 bytes at ...: ...".
  std::string next;  ///< "Guard the index, or launch fewer threads."
};

/// @param on_device whether a thread did it; else a call of the host.
DiagnosisWords words_of(const Diagnosis& diagnosis, bool on_device);

/// The words for a kernel whose launch a check makes: nothing about the launch, and an index that
/// is wrong by whole rows is described so.
/// @param extents of the problem: "3x5000" is 3 and 5000.
DiagnosisWords words_in_exercise(const Diagnosis& diagnosis,
                                 const std::vector<std::int64_t>& extents);

/// The line that called the function in which it happened, where the compiler has put that into
/// its caller; the outermost.
std::vector<RelatedPlace> callers_of(const Diagnosis& diagnosis);

/// The column of the array that a diagnosis names in its source line, where it occurs there once;
/// else the diagnosis's own column, which is that of the statement.
/// @return from 1; 0: not known.
unsigned column_of_array(const Diagnosis& diagnosis, const std::string& source);

/// A sentence as such: its first letter large, unless its first word is a name of code, and a full
/// stop, question mark or colon at its end.
std::string as_sentence(const std::string& text);

}  // namespace warpwise::lesson
