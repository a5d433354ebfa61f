#pragma once
#include <string>

#include "verification/conformance/records.h"

namespace warpwise::conformance {

/// Finds the variants that ptxas refuses for sm_90, and chooses the opcodes of random programs from
/// the others: records.rejected and records.palette.
/// @param ptxas the toolkit's program.
/// @throws std::runtime_error if it does not run.
void prepare(Records& records, const std::string& ptxas);

}  // namespace warpwise::conformance
