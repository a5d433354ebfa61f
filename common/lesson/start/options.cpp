#include "lesson/start/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/whole_number.h"
#include "lesson/device/error.h"
#include "lesson/start/flags.h"
#include "occupancy/gpu_table.h"

namespace warpwise::lesson {
namespace {

const std::map<std::string, DeviceChoice> device_flags{{"auto", DeviceChoice::automatic},
                                                       {"gpu", DeviceChoice::gpu},
                                                       {"sim", DeviceChoice::simulator}};

void add_device(Flags& flags, DeviceChoice& device, std::string& gpu) {
  flags.option(
      "--device", "auto|gpu|sim", "auto: the GPU if it can be used, else the simulator; gpu; sim",
      [&device](const std::string& text) {
        const auto found = device_flags.find(text);
        if (found == device_flags.end()) {
          throw Stop(bad_usage, fmt::format("--device: {} is not one of auto, gpu, sim", text));
        }
        device = found->second;
      });
  flags.option("--gpu", "NAME", "the GPU whose limits apply: the one found, else h200",
               [&gpu](const std::string& text) {
                 if (occupancy::find_gpu(text) == nullptr) {
                   throw Stop(bad_usage, fmt::format("--gpu: {} is not in the table: {}", text,
                                                     occupancy::gpu_ids()));
                 }
                 gpu = text;
               });
}

void add_gpus(Flags& flags, int& gpus) {
  flags.option("--gpus", "N", "how many devices: all that are there; the simulator has up to 8",
               [&gpus](const std::string& text) {
                 gpus = base::whole_number(text).value_or(0);
                 if (gpus < 1 || gpus > most_gpus) {
                   throw Stop(bad_usage, fmt::format("--gpus: {} is not a number from 1 to {}",
                                                     text, most_gpus));
                 }
               });
}

constexpr const char* help_footer =
    "\nExamples:\n"
    "  {0} --gpu t4 --occupancy\n"
    "  {0} --compare 01\n"
    "\nExit status:\n"
    "  0  all is right; an exercise that is not solved yet is not an error\n"
    "  1  something is wrong: a result, a diagnosed mistake, a missed gate\n"
    "  2  a flag or its value is not understood\n"
    "  3  the environment: no usable GPU, no simulator, a file that cannot be written\n";

void add_size(Flags& flags, Options& options) {
  flags.option("--size", "RxC",
               "the problem's size, such as 1536x128, for ladders with as many numbers",
               [&options](const std::string& text) {
                 std::string problem;
                 options.size = Size::parse(text, problem);
                 if (!options.size) {
                   throw Stop(bad_usage, fmt::format("--size {}: {}", text, problem));
                 }
               });
}

}  // namespace

Options parse_options(int argc, const char* const* argv, const std::string& program,
                      const std::string& about, const OwnOptions& own) {
  Options options;
  Flags flags(program, about);
  flags.footer(fmt::format(help_footer, program));
  add_device(flags, options.device, options.gpu);
  add_gpus(flags, options.gpus);
  flags.option("--only", "NAME", "rungs or ladders whose name contains this; another lists them",
               options.only);
  add_size(flags, options);
  flags.flag("--small",
             "each rung once, at its small size, not timed, on a GPU too: for a profiler",
             options.small);
  flags.optional("--compare", "[NAME]", "only the exercises, or one: yours next to the solution",
                 [&options](const std::string& name) {
                   options.compare = true;
                   options.exercise = name;
                 });
  flags.flag("--occupancy", "the derivation of every rung's occupancy, not only of the best one's",
             options.occupancy);
  flags.option("--view", "NAME", "a picture of the memory accesses of a rung", options.view);
  flags.flag("--bench", "Google Benchmark over the ladder; its --benchmark_... flags work",
             options.bench);
  flags.option("--json", "FILE", "everything printed, as data", options.json);
  for (const OwnOption& option : own) {
    flags.option(option.name, option.value_name, option.help, *option.value);
  }
  options.benchmark_flags = flags.parse(argc, argv, "--benchmark_");
  if (!options.bench && !options.benchmark_flags.empty()) {
    throw Stop(bad_usage, fmt::format("{} needs --bench", options.benchmark_flags.front()));
  }
  if (options.small && (options.size || options.bench)) {
    throw Stop(bad_usage, "--small has its own size and is not timed: omit --size and --bench");
  }
  if (options.compare && (!options.view.empty() || options.bench)) {
    throw Stop(bad_usage, "--compare shows only the exercises: leave --view, --bench away");
  }
  if (options.compare && !options.only.empty()) {
    if (!options.exercise.empty()) {
      throw Stop(bad_usage, "--compare NAME says which exercise: leave --only away");
    }
    options.exercise = std::exchange(options.only, {});
  }
  return options;
}

CheckOptions parse_check_options(int argc, const char* const* argv, const std::string& program) {
  CheckOptions options;
  Flags flags(program,
              "Checks an exercise: the image of one source file, as ./learn run builds it.");
  flags.option("--image", "FILE.image", "the image to check", options.image);
  flags.option("--say", "FILE", "only print a verdict that --json wrote", options.say);
  flags.option("--json", "FILE", "the verdict as data", options.json);
  add_device(flags, options.device, options.gpu);
  flags.flag("--view", "print a picture of the memory accesses instead of the verdict",
             options.view);
  flags.flag("--gates", "only print the line of the task that announces the gates", options.gates);
  flags.flag("--quiet", "print nothing but errors of the environment", options.quiet);
  flags.parse(argc, argv);
  if (!options.gates && options.image.empty() == options.say.empty()) {
    throw Stop(bad_usage, "wanted: --image FILE.image, or --say FILE");
  }
  return options;
}

bool benchmark_has_output(const Options& options) {
  const auto& flags = options.benchmark_flags;
  return std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
    return flag.starts_with("--benchmark_format") || flag.starts_with("--benchmark_list");
  });
}

std::string_view flag_of(DeviceChoice choice) {
  for (const auto& [flag, meaning] : device_flags) {
    if (meaning == choice) return flag;
  }
  return "auto";
}

}  // namespace warpwise::lesson
