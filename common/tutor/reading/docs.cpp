#include "tutor/reading/docs.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tutor/course/course.h"
#include "tutor/reading/docs_facts.h"
#include "tutor/reading/docs_packages.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/process.h"
#include "tutor/system/step.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

void open_in_browser(const fs::path& page) {
  try {
    if (run_captured({.words = {"xdg-open", page.string()}}).status == 0) return;
  } catch (const Failure&) {
    // xdg-open is missing: a machine without a desktop.
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

// Runs a script of the pages, which is named by its path below the checkout.
std::string run_script(const Context& context, std::vector<std::string> words) {
  words[0] = (context.root / words[0]).string();
  words.insert(words.begin(), "python3");
  return run_with_progress(context, {.words = words, .limit = std::chrono::minutes(5)});
}

// Makes what the interactive pages show: the calculator's code, and traces of the chapters'
// programs.
void make_assets(const Context& context) {
  std::vector<std::string> programs{"simulator/libcudart.so.13"};
  // A page steps through a program of these chapters; to build the others takes as long again.
  const auto traced = nlohmann::json::parse(read_file(context.root / "docs/widgets/traces.json"));
  for (const Chapter& chapter : read_public_course(context.root).chapters) {
    if (traced.contains(chapter.name)) programs.push_back(chapter.name);
  }
  context.say("building the programs that the interactive pages show");
  context.make(context, programs);
  run_script(context, {"docs/widgets/make_assets.py", "--build", context.build.string()});
}

// The pages of the course; what the script says of them.
std::string make_course(const Context& context, const DocsOptions& options) {
  const fs::path work = context.build / "docs";
  context.say("writing down what only programs know");
  write_docs_facts(context, work / "facts");
  make_assets(context);
  std::vector<std::string> words{"docs/pages/build.py",
                                 "--facts",
                                 (work / "facts").string(),
                                 "--work",
                                 (work / "pages").string(),
                                 "--assets",
                                 (context.build / "site_assets").string()};
  if (options.instructor) words.emplace_back("--instructor");
  return run_script(context, words);
}

}  // namespace

int docs_command(const Context& context, const DocsOptions& options) {
  if (options.instructor && options.api) {
    throw Failure(status_usage,
                  "--api is the reference of common/: it has no pages for instructors");
  }
  if (options.instructor && !has_solutions(read_course(context.root))) {
    throw Failure(status_usage,
                  "this course was exported without solutions, so it has no pages for instructors");
  }
  require_packages(options.api);
  const std::string said = options.api
                               ? run_script(context, {"docs/pages/build.py", "--api", "--work",
                                                      (context.build / "docs/api_pages").string()})
                               : make_course(context, options);
  const fs::path index = context.root / "docs" / (options.api ? "api" : "site") / "index.html";
  fmt::print("{}: {}", index.string(), said);
  if (options.open) open_in_browser(index);
  return status_ok;
}

}  // namespace warpwise::tutor
