#include "tutor/docs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tutor/ask.h"
#include "tutor/course.h"
#include "tutor/docs_facts.h"
#include "tutor/failure.h"
#include "tutor/process.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

/// A package and the file by which it is known to be there.
struct Package {
  const char* name;
  const char* file;
};
constexpr Package packages[] = {
    {"doxygen", "/usr/bin/doxygen"},
    {"doxygen-awesome-css", "/usr/share/doxygen-awesome-css/doxygen-awesome.css"},
    {"python3", "/usr/bin/pydoc3"},  // python3-minimal, which has no pydoc3, lacks modules
    // For the occupancy calculator, which is C++ in the browser.
    {"clang-19", "/usr/bin/clang++-19"},
    {"lld-19", "/usr/bin/wasm-ld-19"},
    {"wasi-libc", "/usr/lib/wasm32-wasi/libc.a"},
    {"libc++-19-dev-wasm32", "/usr/lib/llvm-19/lib/wasm32-wasi/libc++.a"},
    {"libc++abi-19-dev-wasm32", "/usr/lib/wasm32-wasi/libc++abi.a"},
    {"libclang-rt-19-dev-wasm32",
     "/usr/lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a"},
};

std::vector<std::string> missing_packages() {
  std::vector<std::string> missing;
  std::error_code ignored;
  for (const Package& package : packages) {
    if (!fs::exists(package.file, ignored)) missing.emplace_back(package.name);
  }
  return missing;
}

// As ./learn does for what the build needs: installs as root, on a terminal after asking; else
// names the one command.
void require_packages() {
  const std::vector<std::string> missing = missing_packages();
  if (missing.empty()) return;
  const std::string command =
      fmt::format("apt-get install --no-install-recommends {}", fmt::join(missing, " "));
  if (geteuid() != 0) {
    throw Failure(status_environment, "packages are missing for the pages: sudo " + command);
  }
  fmt::print(stderr, "learn: the pages need packages that are missing: {}\n",
             fmt::join(missing, " "));
  if (can_ask() && !ask("Install them now?")) {
    throw Failure(status_environment, "the pages were not made; the packages: " + command);
  }
  fmt::print(stderr, "learn: installing them: {}\n", command);
  Command install{.words = {"apt-get", "install", "-q", "-y", "-o", "DPkg::Lock::Timeout=60",
                            "--no-install-recommends"},
                  .environment = {{"DEBIAN_FRONTEND", "noninteractive"}},
                  .limit = std::chrono::minutes(10)};
  install.words.insert(install.words.end(), missing.begin(), missing.end());
  run_captured({.words = {"apt-get", "update", "-q"}, .limit = std::chrono::minutes(3)});
  if (run_captured(install).status != 0 || !missing_packages().empty()) {
    throw Failure(status_environment, "installing failed; with a network, try " + command);
  }
}

void open_in_browser(const fs::path& page) {
  try {
    if (run_captured({.words = {"xdg-open", page.string()}}).status == 0) return;
  } catch (const Failure&) {
    // There is no xdg-open: a machine without a desktop.
  }
  fmt::print("No browser could be started here; open this file in one.\n");
}

bool has_solutions(const Course& course) {
  for (const Chapter& chapter : course.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      if (exercise.exported) return false;
    }
  }
  return true;
}

// What the interactive pages show: the calculator's code, and traces of the chapters' programs.
void make_assets(const Context& context) {
  std::vector<std::string> programs{"simulator/libcudart.so.13"};
  for (const Chapter& chapter : read_public_course(context.root).chapters) {
    programs.push_back(chapter.name);
  }
  context.make(context, programs);
  const Outcome outcome =
      run_captured({.words = {"python3", (context.root / "docs/widgets/make_assets.py").string(),
                              "--build", context.build.string()},
                    .limit = std::chrono::minutes(5)});
  if (outcome.timed_out) throw Failure(status_wrong, "the traces took more than five minutes");
  if (outcome.status != 0) throw Failure(status_wrong, outcome.err);
}

}  // namespace

int docs_command(const Context& context, const DocsOptions& options) {
  if (options.instructor && !has_solutions(read_course(context.root))) {
    throw Failure(status_usage,
                  "this course was exported without solutions: there are no pages for instructors");
  }
  require_packages();
  const fs::path work = context.build / "docs";
  write_docs_facts(context, work / "facts");
  make_assets(context);
  Command generate{.words = {"python3", (context.root / "docs/pages/build.py").string(), "--facts",
                             (work / "facts").string(), "--work", (work / "pages").string(),
                             "--assets", (context.build / "site_assets").string()},
                   .limit = std::chrono::minutes(5)};
  if (options.instructor) generate.words.emplace_back("--instructor");
  const Outcome outcome = run_captured(generate);
  if (outcome.timed_out) throw Failure(status_wrong, "the pages took more than five minutes");
  if (outcome.status != 0) throw Failure(status_wrong, outcome.err);
  const fs::path index = context.root / "docs/site/index.html";
  fmt::print("{}: {}", index.string(), outcome.out);
  if (options.open) open_in_browser(index);
  return status_ok;
}

}  // namespace warpwise::tutor
