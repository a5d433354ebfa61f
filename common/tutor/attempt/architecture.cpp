#include "tutor/attempt/architecture.h"

#include <fmt/format.h>

#include <sstream>

#include "occupancy/gpu_table.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/lock.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {
namespace {

constexpr std::string_view flag = "--gpu";
constexpr std::string_view variable = "CMAKE_CUDA_ARCHITECTURES:STRING=";

// The list that the build folder is configured for.
std::string configured(const Context& context) {
  std::istringstream cache(read_file(context.build / "CMakeCache.txt"));
  for (std::string line; std::getline(cache, line);) {
    if (line.starts_with(variable)) return line.substr(variable.size());
  }
  throw Failure(status_environment,
                fmt::format("{} is not a build of this project", shown(context.build)));
}

}  // namespace

std::optional<std::string> gpu_flag(const std::vector<std::string>& flags) {
  std::optional<std::string> name;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] == flag && i + 1 < flags.size()) name = flags[i + 1];
    if (flags[i].starts_with("--gpu=")) name = flags[i].substr(flag.size() + 1);
  }
  return name;
}

std::string with_architecture(std::string_view list, int compute_capability) {
  constexpr int oldest = 75;  // of CUDA 13.
  constexpr int counted_on = 90;
  const std::string number = std::to_string(compute_capability);
  std::istringstream entries{std::string(list)};
  bool present = compute_capability < oldest;
  for (std::string entry; std::getline(entries, entry, ';');) {
    const bool ptx_too = entry == number;
    present |= ptx_too || (compute_capability >= counted_on && entry == number + "-real");
  }
  if (present) return std::string(list);
  return fmt::format("{};{}{}", list, number, compute_capability < counted_on ? "" : "-real");
}

void build_for_gpu(const Context& context, const std::string& name) {
  const occupancy::Gpu* gpu = occupancy::find_gpu(name);
  if (gpu == nullptr) return;
  const BuildLock lock(context);
  const std::string before = configured(context);
  const std::string wanted = with_architecture(before, gpu->compute_capability);
  if (wanted == before) return;
  fmt::print(stderr, "learn: building for the {} (sm_{}) as well\n", gpu->name,
             gpu->compute_capability);
  const Outcome outcome = run_captured(
      {.words = {"cmake", fmt::format("-D{}{}", variable, wanted), context.build.string()},
       .limit = std::chrono::minutes(10)});
  if (outcome.status != 0) {
    throw Failure(status_environment,
                  fmt::format("the build cannot be configured:\n{}", outcome.err));
  }
}

}  // namespace warpwise::tutor
