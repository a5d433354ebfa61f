#include "tutor/live/bench.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <array>
#include <chrono>
#include <optional>

#include "tutor/attempt/attempt.h"
#include "tutor/commands/latency.h"
#include "tutor/course/course.h"
#include "tutor/course/kind.h"
#include "tutor/course/names.h"
#include "tutor/course/state.h"
#include "tutor/live/saved_files.h"
#include "tutor/live/worker.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/interrupt.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// A course whose exercises and build folder are its own; all that is only read is the real one.
class CopiedCourse {
 public:
  explicit CopiedCourse(const Context& real) : context_(real) {
    context_.root = folder_.path() / "course";
    context_.build = folder_.path() / "build";
    make_folder(context_.root);
    make_folder(context_.build);
    for (const char* name : {"chapters", "solutions"}) link(real.root, context_.root, name);
    for (const char* name : {"checks", "simulator", "image_flags"}) {
      link(real.build, context_.build, name);
    }
  }
  const Context& context() const { return context_; }
  Exercise exercise(const Exercise& real) const {
    return exercise_files(context_.root, real.chapter, real.name);
  }

 private:
  static void link(const fs::path& from, const fs::path& to, const char* name) {
    fs::create_symlink(from / name, to / name);
  }

  TemporaryFolder folder_;
  Context context_;
};

// Waits at the descriptors the watcher waits at.
void wait_for(int descriptor) {
  std::array<pollfd, 2> events{{{descriptor, POLLIN, 0}, {stop_event(), POLLIN, 0}}};
  poll(events.data(), events.size(), watch::SavedFiles::look_again_ms);
  throw_if_interrupted();
}

// Seconds of all programs that were started and have ended.
double processor_seconds() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// One exercise, saved again and again.
class Desk {
 public:
  Desk(const Context& context, const Exercise& exercise)
      : context_(context), exercise_(exercise), solution_(read_file(exercise.frame)) {
    make_folder(exercise.learner.parent_path());
    write_atomically(exercise.learner, stub_of(exercise));
    files_.emplace(std::vector{exercise.learner});
    latency_.id = exercise.id();
    latency_.kind = kind_of(exercise);
    latency_.verdict = "pass";
  }

  void save() {
    const std::string text = fmt::format("{}// Save {}.\n", solution_, ++saves_);
    const double before = processor_seconds();
    const Clock::time_point begin = Clock::now();
    write_atomically(exercise_.learner, text);
    while (files_->look().empty()) wait_for(files_->event());
    const Attempt attempt = judged();
    latency_.total.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    latency_.processor.push_back(processor_seconds() - before);
    latency_.compile_s = attempt.compile_s;
    latency_.judge_s = attempt.judge_s;
    if (!attempt.passed()) latency_.verdict = attempt.verdict;
  }
  const Latency& latency() const { return latency_; }

 private:
  Attempt judged() {
    Attempt result;
    worker_.start(saves_, [&](const Context& context) -> watch::Event {
      result = attempt(context, exercise_);
      return watch::Built{0};
    });
    for (;;) {
      wait_for(worker_.event());
      for (const watch::Event& event : worker_.take()) {
        const auto* failed = std::get_if<watch::Failed>(&event);
        if (failed != nullptr) throw Failure(status_environment, failed->text);
        if (std::holds_alternative<watch::Built>(event)) return result;
      }
    }
  }

  const Context& context_;
  Exercise exercise_;
  std::string solution_;
  std::optional<watch::SavedFiles> files_;
  Latency latency_;
  int saves_ = 0;
  watch::Worker worker_{context_};
};

std::vector<Exercise> wanted(const Course& course, const std::string& only) {
  const Found found = only.empty() ? Found{} : find(course, only);
  std::vector<Exercise> exercises;
  for (const Chapter& chapter : course.chapters) {
    if (found.chapter != nullptr && found.chapter != &chapter) continue;
    for (const Exercise& exercise : chapter.exercises) {
      if (found.exercise == nullptr || found.exercise == &exercise) exercises.push_back(exercise);
    }
  }
  return exercises;
}

}  // namespace

int bench_command(const Context& context, const BenchOptions& options) {
  const Course course = read_course(context.root);
  const std::vector<Exercise> exercises = wanted(course, options.only);
  std::vector<std::string> targets;
  for (const Exercise& exercise : exercises) {
    if (exercise.exported) {
      throw Failure(status_environment,
                    "this course was handed out without solutions: there is "
                    "nothing to measure with");
    }
    for (std::string& target : targets_of(exercise)) targets.push_back(std::move(target));
  }
  context.make(context, targets);
  const CopiedCourse copy(context);
  std::vector<Latency> latencies;
  for (const Exercise& exercise : exercises) {
    context.say(fmt::format("measuring {} ({} of {})", exercise.id(), latencies.size() + 1,
                            exercises.size()));
    Desk desk(copy.context(), copy.exercise(exercise));
    for (std::size_t round = 0; round < options.rounds; ++round) desk.save();
    latencies.push_back(desk.latency());
  }
  bool missed = false;
  const std::string text = latency_text(latencies, missed);
  fmt::print("{}", options.json ? latency_json(latencies) : text);
  return missed ? status_wrong : status_ok;
}

int simulator_bench_command(const Context& context, const std::vector<std::string>& words) {
  context.make(context, {"simulator_bench", "program_bench"});
  if (words.empty()) {
    const Outcome programs = run_captured({.words = {(context.build / "program_bench").string()},
                                           .limit = {},
                                           .cancel = context.cancel});
    fmt::print("{}{}", programs.out, programs.err);
    std::fflush(stdout);
  }
  std::vector<std::string> command{(context.build / "simulator_bench").string()};
  command.insert(command.end(), words.begin(), words.end());
  become(command);
}

void record_command(const Context& context) {
  const std::string script = (context.root / "docs" / "results" / "record_all").string();
  const Outcome checked =
      run_captured({.words = {script, "--check"}, .limit = {}, .cancel = context.cancel});
  if (checked.status != 0) {
    throw Failure(status_environment, checked.err.substr(0, checked.err.find('\n')));
  }
  context.make(context, {});
  // The programs whose outputs and counts are recorded are in no other target.
  context.make(context, {"corpus_programs"});
  become({script, context.build.string()});
}

}  // namespace warpwise::tutor
