#include "lesson/device/error.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "lesson/start/paths.h"

namespace warpwise::lesson {

void exit_with(const Stop& stop) {
  std::fflush(stdout);
  if (stop.status == all_right) {
    fmt::print(stdout, "{}", stop.message);
  } else {
    fmt::print(stderr, "{}: {}\n", program_name(), stop.message);
  }
  std::exit(stop.status);
}

void check(cudaError_t status, std::source_location where) {
  if (status == cudaSuccess) return;
  const std::string place = fmt::format("{}:{}", shown_path(where.file_name()), where.line());
  if (status == cudaErrorMemoryAllocation) {
    throw Stop(bad_environment, fmt::format("{}: the device has not enough memory for this; try a "
                                            "smaller --size",
                                            place));
  }
  throw Stop(something_wrong, fmt::format("{}: {} ({})", place, cudaGetErrorString(status),
                                          cudaGetErrorName(status)));
}

}  // namespace warpwise::lesson
