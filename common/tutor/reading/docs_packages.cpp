#include "tutor/reading/docs_packages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "tutor/system/ask.h"
#include "tutor/system/failure.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {

namespace {

/// A package and the file by which it is known to be there.
struct Package {
  const char* name;
  const char* file;
  bool is_for_widgets = false;
};
constexpr Package packages[] = {
    {"doxygen", "/usr/bin/doxygen"},
    {"doxygen-awesome-css", "/usr/share/doxygen-awesome-css/doxygen-awesome.css"},
    {"python3", "/usr/bin/pydoc3"},  // python3-minimal, which has no pydoc3, lacks modules
    // For the occupancy calculator, which is C++ in the browser.
    {"clang-19", "/usr/bin/clang++-19", true},
    {"lld-19", "/usr/bin/wasm-ld-19", true},
    {"wasi-libc", "/usr/lib/wasm32-wasi/libc.a", true},
    {"libc++-19-dev-wasm32", "/usr/lib/llvm-19/lib/wasm32-wasi/libc++.a", true},
    {"libc++abi-19-dev-wasm32", "/usr/lib/wasm32-wasi/libc++abi.a", true},
    {"libclang-rt-19-dev-wasm32",
     "/usr/lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a", true},
};

}  // namespace

Permission permission(bool is_root, bool is_allowed, bool has_terminal) {
  if (!is_root) return Permission::name;
  if (is_allowed) return Permission::install;
  return has_terminal ? Permission::ask : Permission::name;
}

std::vector<std::string> missing_packages(bool api) {
  std::vector<std::string> missing;
  std::error_code ignored;
  for (const Package& package : packages) {
    const bool is_needed = !api || !package.is_for_widgets;
    if (is_needed && !std::filesystem::exists(package.file, ignored)) {
      missing.emplace_back(package.name);
    }
  }
  return missing;
}

void require_packages(bool api) {
  const std::vector<std::string> missing = missing_packages(api);
  if (missing.empty()) return;
  const std::string names = fmt::format("{}", fmt::join(missing, " "));
  const std::string command = "apt-get install --no-install-recommends " + names;
  const bool is_root = geteuid() == 0;
  const Permission allowed = permission(is_root, std::getenv("WARPWISE_YES") != nullptr, can_ask());
  if (allowed == Permission::name) {
    throw Failure(status_environment,
                  fmt::format("packages are missing for the pages: {}{}{}", is_root ? "" : "sudo ",
                              command, is_root ? " (./learn --yes docs installs them)" : ""));
  }
  fmt::print(stderr, "learn: the pages need packages that are missing: {}\n", names);
  if (allowed == Permission::ask && !ask("Install them now?")) {
    throw Failure(status_environment, "the pages were not made; the packages: " + command);
  }
  fmt::print(stderr, "learn: installing them: {}\n", command);
  Command install{.words = {"apt-get", "install", "-q", "-y", "-o", "DPkg::Lock::Timeout=60",
                            "--no-install-recommends"},
                  .environment = {{"DEBIAN_FRONTEND", "noninteractive"}},
                  .limit = std::chrono::minutes(10)};
  install.words.insert(install.words.end(), missing.begin(), missing.end());
  run_captured({.words = {"apt-get", "update", "-q"}, .limit = std::chrono::minutes(3)});
  if (run_captured(install).status != 0 || !missing_packages(api).empty()) {
    throw Failure(status_environment, "installing failed; with a network, try " + command);
  }
}

}  // namespace warpwise::tutor
