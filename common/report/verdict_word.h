#pragma once
#include <string>

#include "report/verdict.h"

/// \file
/// How a verdict ended, in a word or two.
/// \ingroup report
namespace warpwise::report {

/// "pass", "wrong result", "missed gate", "signature", or the kind of the diagnosis.
std::string word_of(const CheckVerdict& verdict);

}  // namespace warpwise::report
