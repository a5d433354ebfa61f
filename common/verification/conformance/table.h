#pragma once
#include <string>

#include "verification/conformance/records.h"

namespace warpwise::conformance {

/// The rows of isa/ as a text for people: each with its syntax, the number of variants that
/// fixtures try, how many of them are recorded on hardware, how many of those are known to differ,
/// how many more need a newer GPU than the recorded one, and in how many random programs the row
/// occurs.
std::string table_of_rows(const Records& records);

}  // namespace warpwise::conformance
