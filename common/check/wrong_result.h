#pragma once
#include <cstddef>
#include <string>

#include "lesson/compare/compare.h"

/// \file
/// The way on from a wrong result, where the launch explains it.
/// \ingroup lesson
namespace warpwise::lesson {

/// What to do next. @param threads of the launch that left this output.
/// @return Comparison::next(), but for outputs of which as many elements were written as there were
/// threads: the places of the others say nothing then.
std::string next_after(const Comparison& comparison, std::size_t threads);

}  // namespace warpwise::lesson
