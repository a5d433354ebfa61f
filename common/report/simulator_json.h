#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "report/operations.h"
#include "report/report.h"

/// \file
/// What the simulator says, as JSON text in both directions. json.hpp takes more than a second to
/// compile, so its users are in this room as far as possible.
/// \ingroup report
namespace warpwise::report {

/// The object of one launch, the schema of `sim --json`, on one line.
std::string to_json(const LaunchReport& launch);

/// A string of JSON in its quotes; what is not UTF-8 is replaced.
std::string quoted(std::string_view text);

/// A text is not what the simulator writes.
struct NoReport : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The launches of {"launches": [...]}. A field that is absent keeps its default.
/// @throws NoReport for anything else.
std::vector<LaunchReport> parse_launches(std::string_view json);

/// @throws NoReport for a text that is none.
OperationCounts parse_operations(std::string_view json);

/// From a trace: the largest distance of one load of an array from the load before it, in bytes, by
/// the lowest lane. A walk goes in small steps, whatever order a compiler gives the loads of some
/// iterations; a second walk begins with a jump from the end to the start.
/// @param array its name.
/// @return 0 for fewer than two loads, and for a text that is no trace.
double largest_jump(std::string_view trace, std::string_view array);

}  // namespace warpwise::report
