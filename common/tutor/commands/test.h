#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tutor/system/context.h"

namespace warpwise::tutor {

/// @return ctest and its arguments. Tests of the label "long" are run for `all` only.
std::vector<std::string> test_words(const Context& context, bool all);

/// @return what has to be built for them.
std::vector<std::string> test_targets(bool all);

/// @return "testing [12/80]", by the last test in ctest's output that has ended; empty for none.
std::string test_progress(std::string_view output);

}  // namespace warpwise::tutor
