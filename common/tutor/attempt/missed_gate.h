#pragma once
#include <cstddef>
#include <string>

#include "tutor/attempt/verdict.h"
#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// The text of a verdict "gate" with the figure of the mistake that each missed gate names. The
/// figure is counted by the same check, on the stored mistake; in a course without solutions it
/// comes from the record.
/// @param width that lines should not exceed, in columns.
/// @return the text, each line with its newline; the verdict's own where no figure can be had.
/// @throws Interrupted.
std::string missed_gate_text(const Context& context, const Exercise& exercise,
                             const Verdict& verdict, std::size_t width);

}  // namespace warpwise::tutor
