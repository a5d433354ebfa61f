/// \file
/// The program learn_commands: all commands of `learn`, each with its options; see tutor/command.h.
/// `learn` itself (first.cpp) becomes it for whatever a first verdict does not need.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <regex>
#include <string>
#include <vector>

#include "tutor/author/export.h"
#include "tutor/command.h"
#include "tutor/commands/compare.h"
#include "tutor/commands/reset.h"
#include "tutor/commands/view.h"
#include "tutor/course/names.h"
#include "tutor/doctor.h"
#include "tutor/grade/grade.h"
#include "tutor/grade/submit.h"
#include "tutor/live/bench.h"
#include "tutor/live/watch.h"
#include "tutor/reading/docs.h"
#include "tutor/reading/explain.h"
#include "tutor/reading/hint.h"
#include "tutor/reading/predict.h"
#include "tutor/system/failure.h"
#include "tutor/system/guarded.h"
#include "tutor/system/interrupt.h"
#include "tutor/system/this_context.h"
#include "tutor/update/update.h"

namespace warpwise::tutor {
namespace {

using Words = std::vector<std::string>;

/// A command: how it is written, what it does, and the function that reads its words and does it.
struct Entry {
  std::string name, usage, summary;
  std::function<int(const Entry&, const Words&)> run;
};

/// Thrown for `COMMAND --help`, with the text.
struct Help {
  std::string text;
};

// Lets CLI11 read options; its complaints become one line of ours.
void parse(CLI::App& app, const Entry& entry, Words words) {
  std::reverse(words.begin(), words.end());
  try {
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    throw Help{fmt::format("usage: ./learn {}\n\n{}\n{}", entry.usage, entry.summary,
                           CLI::Formatter().make_groups(&app, CLI::AppFormatMode::Normal))};
  } catch (const CLI::ParseError& error) {
    throw Failure(status_usage, fmt::format("{}; see ./learn {} --help", error.what(), entry.name));
  }
}

// Options come before the first word that is not one; what follows belongs to another program, with
// whatever options that has. One "--" in between is taken away.
struct Split {
  Words ours, theirs;
};

Split split(const CLI::App& app, const Words& words) {
  auto at = words.begin();
  while (at != words.end() && at->starts_with('-') && *at != "--") {
    const CLI::Option* option = app.get_option_no_throw(*at);
    const bool takes_next = option != nullptr && option->get_items_expected_min() > 0;
    at += takes_next && words.end() - at > 1 ? 2 : 1;
  }
  Split result{{words.begin(), at}, {}};
  if (at != words.end() && *at == "--") ++at;
  result.theirs.assign(at, words.end());
  return result;
}

int run(const Entry& entry, const Words& words) {
  CLI::App app;
  const Split parts = split(app, words);
  parse(app, entry, parts.ours);
  if (parts.theirs.empty()) {
    throw Failure(status_usage, "which chapter or exercise? ./learn list shows them");
  }
  return run_command(this_context(), parts.theirs[0],
                     {parts.theirs.begin() + 1, parts.theirs.end()});
}

int predict(const Entry& entry, const Words& words) {
  CLI::App app;
  bool recorded = false;
  app.add_flag("--recorded", recorded, "Do not run the chapter: the answers alone");
  Split parts = split(app, words);
  parse(app, entry, parts.ours);
  if (parts.theirs.empty()) {
    throw Failure(status_usage, "which chapter? ./learn list shows them");
  }
  // Ours also after the chapter's name.
  recorded = std::erase(parts.theirs, "--recorded") > 0 || recorded;
  return predict_command(this_context(), parts.theirs[0], recorded,
                         {parts.theirs.begin() + 1, parts.theirs.end()});
}

int test(const Entry& entry, const Words& words) {
  CLI::App app;
  bool all = false;
  app.add_flag("--all", all, "Also some 500 CUDA programs, which take longest to compile");
  parse(app, entry, words);
  return test_command(this_context(), all);
}

int check(const Entry& entry, const Words& words) {
  CLI::App app;
  std::string name;
  app.add_option("NAME", name, "Only this chapter or exercise");
  parse(app, entry, words);
  return check_command(this_context(), name);
}

int hint(const Entry& entry, const Words& words) {
  CLI::App app;
  std::string name;
  app.add_option("NAME", name, "The exercise; without it the one you are at");
  parse(app, entry, words);
  return hint_command(this_context(), name);
}

int explain(const Entry& entry, const Words& words) {
  CLI::App app;
  std::string name;
  app.add_option("NAME", name, "The exercise; without it the one you are at");
  parse(app, entry, words);
  return explain_command(this_context(), name);
}

int reset(const Entry& entry, const Words& words) {
  CLI::App app;
  std::string name;
  bool yes = false;
  app.add_option("NAME", name, "The exercise")->required();
  app.add_flag("--yes,-y", yes, "Do not ask");
  parse(app, entry, words);
  return reset_command(this_context(), name, yes);
}

int submit(const Entry& entry, const Words& words) {
  CLI::App app;
  std::string output;
  app.add_option("--output,-o", output, "Where to; submission.zip at the top of the checkout")
      ->type_name("FILE");
  parse(app, entry, words);
  return submit_command(this_context(), output);
}

int doctor(const Entry& entry, const Words& words) {
  CLI::App app;
  bool json = false;
  app.add_flag("--json", json, "As JSON");
  parse(app, entry, words);
  doctor_command(this_context(), json);
}

int export_(const Entry& entry, const Words& words) {
  CLI::App app;
  std::string folder;
  ExportOptions options;
  app.add_option("DIR", folder, "A new folder outside of the checkout")->required();
  auto* explanations =
      app.add_flag("--explanations", options.explanations,
                   "With what ./learn explain shows, but for the solution and the notes");
  app.add_flag("--solutions", options.solutions,
               "For an instructor: with solutions, stored mistakes and notes")
      ->excludes(explanations);
  parse(app, entry, words);
  return export_command(this_context(), folder, options);
}

int update(const Entry& entry, const Words& words) {
  CLI::App app;
  std::string from;
  app.add_option("--from", from, "A zip, tar or folder of the newer course; without it: git")
      ->type_name("FILE");
  parse(app, entry, words);
  return update_command(this_context(), from);
}

int sim(const Entry& entry, const Words& words) {
  CLI::App app;
  SimOptions options;
  double limit_s = 0;
  unsigned threads = 0, gpus = 0;
  app.add_option("--json", options.json_file, "Write each launch's counters and diagnoses here")
      ->type_name("FILE");
  app.add_option("--gpu", options.gpu, "Whose limits count: t4, a100, h200, ...")
      ->type_name("NAME");
  const auto* devices = app.add_option("--gpus", gpus, "So many devices, else 1")
                            ->type_name("N")
                            ->check(CLI::Range(1, 8));
  app.add_option("--peers", options.peers, "Which can be peers: all, none, or 0-1,2-3")
      ->type_name("PAIRS")
      ->check([](const std::string& text) {
        static const std::regex known("all|none|[0-7]-[0-7](,[0-7]-[0-7])*");
        return std::regex_match(text, known)
                   ? std::string()
                   : "--peers: " + text + " is not all, none, or pairs as in 0-1,2-3";
      })
      ->needs("--gpus");
  app.add_flag("--view", options.view, "Afterwards, the lines that touched memory and their cost");
  app.add_option("--trace", options.trace_file, "Write what one warp does, step by step, here")
      ->type_name("FILE");
  app.add_option("--kernel", options.kernel, "For --trace: part of the kernel's name")
      ->type_name("NAME");
  app.add_option("--block", options.block, "For --trace: the block's linear index, else 0")
      ->type_name("N");
  app.add_option("--warp", options.warp, "For --trace: the warp in the block, else 0")
      ->type_name("N");
  app.add_option("--steps", options.steps, "For --trace: at most this many instructions, else 400")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  bool isa = false;
  app.add_flag("--isa", isa, "Print the instructions: supported, tested, recorded on hardware");
  const auto* limit = app.add_option("--limit", limit_s, "Stop the program after so long")
                          ->type_name("SECONDS")
                          ->check(CLI::Range(0.001, 1e6));
  const auto* host_threads = app.add_option("--threads", threads, "Host threads that simulate")
                                 ->type_name("N")
                                 ->check(CLI::Range(1, 1024));
  const Split parts = split(app, words);
  parse(app, entry, parts.ours);
  if (isa) return isa_command(this_context());
  if (limit->count() > 0) options.limit_s = limit_s;
  if (host_threads->count() > 0) options.threads = threads;
  if (devices->count() > 0) options.gpus = gpus;
  return sim_command(this_context(), options, parts.theirs);
}

int list(const Entry& entry, const Words& words) {
  CLI::App app;
  bool json = false;
  app.add_flag("--json", json, "As JSON");
  parse(app, entry, words);
  return json ? list_json_command(this_context()) : list_command(this_context());
}

int docs(const Entry& entry, const Words& words) {
  CLI::App app;
  DocsOptions options;
  app.add_flag("--open", options.open, "Show the pages in a browser");
  app.add_flag("--api", options.api, "Build docs/api instead: the reference of common/");
  app.add_flag("--instructor", options.instructor, "With solutions, explanations, teaching notes");
  parse(app, entry, words);
  return docs_command(this_context(), options);
}

int compare(const Entry& entry, const Words& words) {
  CLI::App app;
  std::string name;
  bool json = false;
  app.add_option("NAME", name, "An exercise")->required();
  app.add_flag("--json", json, "As JSON");
  parse(app, entry, words);
  return compare_command(this_context(), name, json);
}

int view(const Entry& entry, const Words& words) {
  CLI::App app;
  std::string name;
  app.add_option("NAME", name, "An exercise")->required();
  parse(app, entry, words);
  return view_command(this_context(), name);
}

int grade(const Entry& entry, const Words& words) {
  CLI::App app;
  GradeOptions options;
  app.add_option("DIR", options.places,
                 "Folders of submissions (folders, zip or tar), or single ones")
      ->required();
  app.add_option("--assignment", options.assignment,
                 "Exercises, points, deadline: docs/GRADING.md; else all, one point each")
      ->type_name("FILE");
  app.add_option("--json", options.json, "Everything, as data")->type_name("FILE");
  app.add_option("--junit", options.junit, "A test case for each exercise")->type_name("FILE");
  app.add_option("--csv", options.csv, "A line for each submission")->type_name("FILE");
  app.add_option("--gradescope", options.gradescope, "Gradescope's results.json, of one submission")
      ->type_name("FILE");
  app.add_flag("--summary", options.summary, "Afterwards, the class by exercise and diagnosis");
  app.add_option("--isolation", options.isolation, "auto, namespaces, user, none")
      ->type_name("WAY");
  app.add_option("--seed", options.seed, "Of the hidden inputs; a new one if not given")
      ->type_name("NUMBER")
      ->check(CLI::Range(0U, 4294967295U));
  app.add_option("--jobs", options.jobs, "How many answers are judged at the same time")
      ->type_name("N")
      ->check(CLI::Range(1, 256));
  parse(app, entry, words);
  return grade_command(this_context(), options);
}

int bench(const Entry& entry, const Words& words) {
  if (!words.empty() && words[0] == "simulator") {
    return simulator_bench_command(this_context(), {words.begin() + 1, words.end()});
  }
  if (words == Words{"record"}) record_command(this_context());
  CLI::App app;
  BenchOptions options;
  app.add_option("NAME", options.only, "Only this chapter or exercise");
  app.add_option("--rounds", options.rounds, "Saves of each exercise")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  app.add_flag("--json", options.json, "As JSON");
  parse(app, entry, words);
  return bench_command(this_context(), options);
}

/// Commands that one kind of reader wants, in the order in which they come to mind.
struct Group {
  std::string title;
  std::vector<Entry> entries;
};

const std::vector<Group>& commands() {
  static const std::vector<Group> table{
      {"Learning",
       {{"list", "list [--json]", "Chapters and exercises with their state", list},
        {"run", "run NAME [FLAGS]", "Run a chapter, or judge an exercise once", run},
        {"predict", "predict CHAPTER [--recorded]",
         "Your guesses first; then the answers next to them", predict},
        {"hint", "hint [NAME]", "The next of three hints; about your mistake first", hint},
        {"view", "view NAME", "A picture of what your kernel reads and writes", view},
        {"explain", "explain [NAME]", "Once solved: why, and the solution next to yours", explain},
        {"compare", "compare NAME [--json]", "Yours and the solution: counts, occupancy, time",
         compare},
        {"reset", "reset NAME [--yes]", "Back to the stub; your text is kept", reset}}},
      {"Your course",
       {{"doctor", "doctor [--json]", "List what is here, what is missing, what to do", doctor},
        {"docs", "docs [--open] [--instructor] [--api]", "Build the pages to read: docs/site",
         docs},
        {"update", "update [--from FILE]", "Take a newer course; all that is yours stays", update},
        {"submit", "submit [--output FILE]", "Pack your exercises for who grades them", submit}}},
      {"Any CUDA program",
       {{"sim", "sim [OPTIONS] -- PROGRAM ARGS | FILE.cu ARGS",
         "Run it on the simulator: counts and diagnoses", sim}}},
      {"For instructors",
       {{"grade", "grade DIR... [OPTIONS]", "Judge submissions, isolated from this machine", grade},
        {"export", "export DIR [--solutions]", "The course without solutions, to hand out",
         export_}}},
      {"For authors",
       {{"check", "check [NAME]", "Check stubs, solutions and mistakes", check},
        {"test", "test [--all]", "Build and run the tests", test},
        {"bench", "bench [NAME] [--json] | simulator | record",
         "Measure how long a verdict takes; the simulator; the chapters", bench}}}};
  return table;
}

std::string help() {
  std::string text =
      "usage: ./learn            in a terminal: the next exercise; every save is judged\n"
      "       ./learn COMMAND\n";
  constexpr std::size_t column = 27;
  for (const Group& group : commands()) {
    text += fmt::format("\n{}:\n", group.title);
    for (const Entry& entry : group.entries) {
      const bool fits = entry.usage.size() < column;
      text += fmt::format("  {:{}}{}{}\n", entry.usage, column,
                          fits ? "" : fmt::format("\n{:{}}", "", column + 2), entry.summary);
    }
  }
  return text +
         "\nNAME is a chapter or an exercise, or any part of it that is unambiguous: ch05/01.\n"
         "./learn COMMAND --help says more; ./learn --version names the version.\n";
}

int dispatch(const Words& words) {
  require_own_checkout(this_context(), "learn_commands");
  if (words.empty()) return watch_command(this_context());
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    fmt::print("{}", help());
    return status_ok;
  }
  if (words[0] == "--version") {
    fmt::print("warpwise {}\n", WARPWISE_VERSION);
    return status_ok;
  }
  Words names;
  for (const Group& group : commands()) {
    for (const Entry& entry : group.entries) {
      if (entry.name == words[0]) return entry.run(entry, {words.begin() + 1, words.end()});
      names.push_back(entry.name);
    }
  }
  // No command has a digit or a slash in its name.
  const bool is_exercise = words[0].find_first_of("0123456789/") != std::string::npos;
  throw Failure(
      status_usage,
      fmt::format("unknown command '{}'; did you mean './learn {}'? "
                  "./learn --help lists them",
                  words[0], is_exercise ? "run " + words[0] : nearest(words[0], names, 1).front()));
}

int dispatch_or_help(const Words& words) {
  try {
    return dispatch(words);
  } catch (const Help& asked) {
    fmt::print("{}", asked.text);
    return status_ok;
  }
}

}  // namespace
}  // namespace warpwise::tutor

int main(int argc, char** argv) {
  warpwise::tutor::catch_stop_requests();
  const std::vector<std::string> words(argv + 1, argv + argc);
  return warpwise::tutor::guarded([&] { return warpwise::tutor::dispatch_or_help(words); });
}
