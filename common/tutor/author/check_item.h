#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace warpwise::tutor {

/// Why an author's check of an exported exercise is a skip.
inline constexpr std::string_view without_solutions = "this course was exported without solutions";

/// How one thing that an author must get right turned out.
struct Finding {
  enum class Result { passed, failed, skipped };
  Result result = Result::passed;
  std::string why;  ///< of a failure or a skip.
};

inline Finding failed(std::string why) { return {Finding::Result::failed, std::move(why)}; }

/// One thing to look at. Thunks of different items may run at the same time.
struct CheckItem {
  std::string subject;  ///< "ch05_warp_reduce/01_lane_sum", or a folder.
  std::string what;     ///< "mistake no_guard"
  std::function<Finding()> look;
};

}  // namespace warpwise::tutor
