#include "lesson/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "lesson/error.h"
#include "occupancy/gpu_table.h"

namespace warpwise::lesson {
namespace {

const std::map<std::string, DeviceChoice> device_flags{{"auto", DeviceChoice::automatic},
                                                       {"gpu", DeviceChoice::gpu},
                                                       {"sim", DeviceChoice::simulator}};

void add_device(CLI::App& app, std::string& device, std::string& gpu) {
  app.add_option("--device", device,
                 "auto: the GPU if it can be used, else the simulator; gpu; sim")
      ->type_name("auto|gpu|sim")
      ->check([](const std::string& text) {
        return device_flags.count(text) != 0 ? std::string()
                                             : fmt::format("{} is not one of auto, gpu, sim", text);
      });
  app.add_option("--gpu", gpu, "the GPU that the limits stand for: the one found, else h200")
      ->type_name("NAME")
      ->check([](const std::string& text) {
        return occupancy::find_gpu(text) != nullptr
                   ? std::string()
                   : fmt::format("{} is not in the table: {}", text, occupancy::gpu_ids());
      });
}

void add_size(CLI::App& app, Options& options) {
  app.add_option_function<std::string>(
         "--size",
         [&options](const std::string& text) {
           std::string problem;
           options.size = Size::parse(text, problem);
           if (!options.size) {
             throw Stop(bad_usage, fmt::format("--size {}: {}", text, problem));
           }
         },
         "the problem's size, as in 1536x128, for ladders of as many numbers")
      ->type_name("RxC");
}

/// Parses, and turns CLI11's exceptions into ours.
void parse(CLI::App& app, int argc, const char* const* argv, const std::string& program) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    throw Stop(all_right, app.help());
  } catch (const CLI::ParseError& error) {
    std::string reason = error.what();
    for (std::size_t at; (at = reason.find('\n')) != std::string::npos;) reason[at] = ' ';
    throw Stop(bad_usage, fmt::format("{} ({} --help lists the flags)", reason, program));
  }
}

/// What CLI11 left over: Google Benchmark's flags, or a mistake.
std::vector<std::string> benchmark_flags(const CLI::App& app, bool bench,
                                         const std::string& program) {
  std::vector<std::string> flags = app.remaining();
  for (const std::string& flag : flags) {
    if (flag.rfind("--benchmark_", 0) != 0) {
      throw Stop(bad_usage, fmt::format("{} is no flag of this program ({} --help lists them)",
                                        flag, program));
    }
    if (!bench) throw Stop(bad_usage, fmt::format("{} needs --bench", flag));
  }
  return flags;
}

}  // namespace

Options parse_options(int argc, const char* const* argv, const std::string& program,
                      const std::string& about) {
  Options options;
  std::string device = "auto";
  CLI::App app(about, program);
  app.allow_extras();
  add_device(app, device, options.gpu);
  app.add_option("--only", options.only, "rungs or ladders whose name contains this")
      ->type_name("NAME");
  add_size(app, options);
  app.add_flag("--small", options.small,
               "each rung once, at its small size, not timed, on a GPU too: for a profiler");
  app.add_flag("--compare", options.compare, "only the exercises: yours beside the solution");
  app.add_option("--view", options.view, "a picture of the memory accesses of a rung")
      ->type_name("NAME");
  app.add_flag("--bench", options.bench,
               "Google Benchmark over the ladder; its --benchmark_... flags work");
  app.add_option("--json", options.json, "everything printed, as data")->type_name("FILE");
  parse(app, argc, argv, program);
  options.device = device_flags.at(device);
  options.benchmark_flags = benchmark_flags(app, options.bench, program);
  if (options.small && (options.size || options.bench)) {
    throw Stop(bad_usage,
               "--small is a size of its own, and not timed: leave --size, --bench away");
  }
  if (options.compare && (!options.only.empty() || !options.view.empty() || options.bench)) {
    throw Stop(bad_usage, "--compare shows only the exercises: leave --only, --view, --bench away");
  }
  return options;
}

CheckOptions parse_check_options(int argc, const char* const* argv, const std::string& program) {
  CheckOptions options;
  std::string device = "auto";
  CLI::App app("Checks an exercise: the image of one source file, as ./learn run builds it.",
               program);
  app.add_option("--image", options.image, "the image to check")->type_name("FILE.image");
  app.add_option("--say", options.say, "only print a verdict that --json wrote")->type_name("FILE");
  app.add_option("--json", options.json, "the verdict as data")->type_name("FILE");
  add_device(app, device, options.gpu);
  app.add_flag("--view", options.view,
               "print a picture of the memory accesses in place of the verdict");
  app.add_flag("--quiet", options.quiet, "print nothing but errors of the environment");
  parse(app, argc, argv, program);
  if (options.image.empty() == options.say.empty()) {
    throw Stop(bad_usage, "wanted: --image FILE.image, or --say FILE");
  }
  options.device = device_flags.at(device);
  return options;
}

std::string_view flag_of(DeviceChoice choice) {
  for (const auto& [flag, meaning] : device_flags) {
    if (meaning == choice) return flag;
  }
  return "auto";
}

}  // namespace warpwise::lesson
