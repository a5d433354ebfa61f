#include "simulator/cudart/device/settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "simulator/memory/current_device.h"

namespace warpwise::cudart {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

template <typename Number>
Number number(const char* name, Number otherwise) {
  const std::string_view text = variable(name);
  if (text.empty()) return otherwise;
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0)) {
    throw std::runtime_error(fmt::format("{}={} is not a number of 0 or more", name, text));
  }
  return value;
}

}  // namespace

Settings read_settings() {
  Settings result;
  if (!variable("WARPWISE_GPU").empty()) result.gpu = variable("WARPWISE_GPU");
  result.threads = number("WARPWISE_THREADS", result.threads);
  result.budget = number("WARPWISE_BUDGET", result.budget);
  constexpr double most_seconds = 1e6;  // more than clocks can add is not a limit either
  result.limit_seconds = std::min(number("WARPWISE_LIMIT", result.limit_seconds), most_seconds);
  result.report_file = variable("WARPWISE_REPORT");
  result.attributes_of = number("WARPWISE_ATTRIBUTES_OF", result.attributes_of);
  result.trace_file = variable("WARPWISE_TRACE");
  result.trace.kernel = variable("WARPWISE_TRACE_KERNEL");
  result.trace.block = number("WARPWISE_TRACE_BLOCK", result.trace.block);
  result.trace.warp = number("WARPWISE_TRACE_WARP", result.trace.warp);
  result.trace.steps = number("WARPWISE_TRACE_STEPS", result.trace.steps);
  result.grace_period = number("WARPWISE_PATIENCE", result.grace_period);
  result.gpus = number("WARPWISE_GPUS", result.gpus);
  if (result.gpus < 1 || result.gpus > memory::most_devices)
    throw std::runtime_error(fmt::format("WARPWISE_GPUS={}: 1 to {} devices can be simulated",
                                         result.gpus, memory::most_devices));
  result.has_gpus = !variable("WARPWISE_GPUS").empty();
  if (!variable("WARPWISE_PEERS").empty()) result.peers = variable("WARPWISE_PEERS");
  // Without a number of devices there is one, whatever the variable says about real ones.
  result.has_visible = result.has_gpus && std::getenv("CUDA_VISIBLE_DEVICES") != nullptr;
  result.visible = variable("CUDA_VISIBLE_DEVICES");
  result.quiet = variable("WARPWISE_QUIET") == "1";
  result.launch_blocking = variable("CUDA_LAUNCH_BLOCKING") == "1";
  return result;
}

const Settings& settings() {
  // Never destroyed: programs call the runtime from destructors that run after main.
  static const Settings* const current = [] {
    try {
      return new Settings(read_settings());
    } catch (const std::runtime_error& error) {
      // Not stop(), which asks for the settings.
      const std::string line = fmt::format("simulator: {}\n", error.what());
      [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), line.size());
      _exit(3);
    }
  }();
  return *current;
}

}  // namespace warpwise::cudart
