#pragma once
#include <string>
#include <vector>

#include "tutor/author/pasting/declarations.h"

namespace warpwise::tutor {

/// With which arguments to use a template kernel: "<4, 8>". First those with which `all` uses it,
/// also through templates around it; what cannot be read from the text (a local name, a decltype)
/// becomes a likely value. At most two, spread over what was found.
/// @param all the declarations of its source, with those of the host.
/// @return {""} for what is not a template.
std::vector<std::string> template_arguments(const Declaration& kernel,
                                            const std::vector<Declaration>& all);

}  // namespace warpwise::tutor
