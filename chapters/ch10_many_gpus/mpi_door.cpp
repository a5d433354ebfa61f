/// \file
/// --mpi: opens the part of this chapter that needs MPI, if it was built.
#include "mpi_door.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace {

constexpr const char* flag = "--mpi";
constexpr int bad_usage = 2, environment = 3;

int refuse(const std::string& why, int status) {
  std::fprintf(stderr, "ch10_many_gpus: %s: %s\n", flag, why.c_str());
  return status;
}

/// "auto", "gpu" or "sim"; empty for a line that says something else. @param[out] wrong which word.
std::string device_of(int argc, const char* const* argv, std::string& wrong) {
  std::string device = "auto";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == flag) continue;
    if (word == "--device" && i + 1 < argc) {
      device = argv[++i];
    } else if (word.starts_with("--device=")) {
      device = word.substr(std::string_view("--device=").size());
    } else {
      wrong = word;
      return "";
    }
  }
  if (device == "auto" || device == "gpu" || device == "sim") return device;
  wrong = device;
  return "";
}

}  // namespace

bool asks_for_mpi(int argc, const char* const* argv) {
  return std::find(argv, argv + argc, std::string_view(flag)) != argv + argc;
}

int over_mpi(int argc, const char* const* argv) {
  std::string wrong;
  const std::string device = device_of(argc, argv, wrong);
  if (device.empty()) {
    return refuse(wrong + " is not understood here: only --device auto, gpu or sim goes with it",
                  bad_usage);
  }
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  const auto part = program.parent_path() / "lesson" / "ch10_many_gpus_mpi.so";
  if (!std::filesystem::exists(part)) {
    return refuse(
        "this build has no MPI: apt-get install libopenmpi-dev openmpi-bin, then build again",
        environment);
  }
  // Open MPI's own parts look for its symbols among all.
  void* library = ::dlopen(part.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) return refuse(::dlerror(), environment);
  using Run = int(const char*);
  auto* run = reinterpret_cast<Run*>(::dlsym(library, "warpwise_over_mpi"));
  if (run == nullptr) return refuse(::dlerror(), environment);
  return run(device.c_str());
}
