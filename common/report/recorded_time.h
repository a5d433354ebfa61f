#pragma once
#include <optional>
#include <string>

/// \file
/// The time of our solution in the record of a chapter.
/// \ingroup report
namespace warpwise::report {

/// @param record a chapter's record, docs/results/CHAPTER.json.
/// @param name of the exercise, "01_lane_sum". @param device "NVIDIA H200". @param size of the
/// problem that is timed. @return microseconds; none where the record is of another GPU or of
/// another size, or the text is no record.
std::optional<double> solution_us_in(const std::string& record, const std::string& name,
                                     const std::string& device, const std::string& size);

}  // namespace warpwise::report
