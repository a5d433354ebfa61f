#pragma once
#include <optional>
#include <string>

/// \file
/// The time of our solution, from the records of the chapters.
/// \ingroup lesson
namespace warpwise::lesson {

/// @param exercise "ch05_warp_reduce/01_lane_sum". @param device "NVIDIA H200". @param size of the
/// problem that is timed. @return microseconds; none where the chapter's record is absent, of
/// another GPU or of another size.
std::optional<double> recorded_solution_us(const std::string& exercise, const std::string& device,
                                           const std::string& size);

}  // namespace warpwise::lesson
