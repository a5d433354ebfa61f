#include "tutor/live/watch.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>

#include "tutor/attempt/attempt.h"
#include "tutor/commands/compare.h"
#include "tutor/commands/reset.h"
#include "tutor/commands/view.h"
#include "tutor/course/course.h"
#include "tutor/course/progress.h"
#include "tutor/course/state.h"
#include "tutor/live/items.h"
#include "tutor/live/saved_files.h"
#include "tutor/live/screen.h"
#include "tutor/live/signals.h"
#include "tutor/live/state.h"
#include "tutor/live/terminal.h"
#include "tutor/live/worker.h"
#include "tutor/reading/explain.h"
#include "tutor/reading/hint.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/interrupt.h"
#include "tutor/update/rebuild.h"

namespace warpwise::tutor {
namespace watch {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<Exercise> exercises_of(const Course& course) {
  std::vector<Exercise> exercises;
  for (const Chapter& chapter : course.chapters) {
    exercises.insert(exercises.end(), chapter.exercises.begin(), chapter.exercises.end());
  }
  return exercises;
}

std::vector<std::filesystem::path> learner_files(const std::vector<Exercise>& exercises) {
  std::vector<std::filesystem::path> files;
  for (const Exercise& exercise : exercises) files.push_back(exercise.learner);
  return files;
}

// While the screen is ours no other thread or process may write on it.
Context silent(Context context) {
  context.on_progress = [](const std::string&) {};
  return context;
}

// Connects the state with the terminal, the files and the work.
class Watcher {
 public:
  Watcher(const Context& context, const Course& course, std::vector<Item> items)
      : context_(silent(context)),
        course_(course),
        exercises_(exercises_of(course)),
        files_(learner_files(exercises_)),
        ahead_(context),
        worker_(context) {
    state_.items = std::move(items);
    state_.must_rebuild = !read_progress(context).damaged.empty();
    const char* no_colour = std::getenv("NO_COLOR");
    colour_ = no_colour == nullptr || *no_colour == '\0';
  }

  int run() {
    resize();
    happened(Begun{});
    while (!quits_) {
      show();
      wait();
    }
    return interrupted_ ? 128 + SIGINT : status_ok;
  }

  const std::vector<Item>& items() const { return state_.items; }

 private:
  void happened(const Event& event) {
    for (const Action& action : update(state_, event)) {
      std::visit([this](const auto& what) { act(what); }, action);
    }
  }

  void show() {
    const std::string picture = terminal_text(visible(draw(state_), state_), colour_);
    if (picture == shown_) return;
    Terminal::write(picture);
    shown_ = picture;
  }

  // Until something happens, or it is time to look at the files.
  void wait() {
    std::array<pollfd, 6> events{{{STDIN_FILENO, POLLIN, 0},
                                  {stop_event(), POLLIN, 0},
                                  {signals_.event(), POLLIN, 0},
                                  {files_.event(), POLLIN, 0},
                                  {worker_.event(), POLLIN, 0},
                                  {ahead_.event(), POLLIN, 0}}};
    poll(events.data(), events.size(), SavedFiles::look_again_ms);
    throw_if_interrupted();
    const auto ready = [&](std::size_t i) { return events[i].revents != 0; };
    if (ready(2)) take_signals();
    if (ready(4)) {
      for (const Event& event : worker_.take()) happened(event);
    }
    if (ready(5)) take_what_was_built_ahead();
    if (ready(3) || Clock::now() >= next_look_) look_at_files();
    if (state_.work != Work::none) tick();
    if (ready(0)) take_keys();
  }

  // A user who waits for this build sees how far it is; why it failed, the next build will say.
  void take_what_was_built_ahead() {
    for (const Event& event : ahead_.take()) {
      const auto* progressed = std::get_if<Progressed>(&event);
      if (progressed != nullptr && state_.work == Work::building) {
        happened(Progressed{state_.job, progressed->line});
      }
      if (std::holds_alternative<BuiltAhead>(event)) happened(event);
    }
  }

  void take_keys() {
    std::vector<int> keys;
    if (!Terminal::read_keys(keys)) throw Interrupted(SIGHUP);
    for (const int key : keys) {
      if (key == key_redraw) shown_.clear();
      if (!quits_) happened(Pressed{key});
    }
  }

  void take_signals() {
    const auto [resized, stop_asked, continued] = signals_.take();
    if (resized) resize();
    if (stop_asked) happened(Pressed{key_suspend});
    if (!continued) return;
    // The program that stopped us may have changed the terminal.
    terminal_.take();
    resize();
    shown_.clear();
  }

  void resize() {
    const auto [columns, rows] = Terminal::size();
    happened(Resized{columns, rows});
    shown_.clear();
  }

  void look_at_files() {
    next_look_ = Clock::now() + std::chrono::milliseconds(SavedFiles::look_again_ms);
    for (const auto& [file, what] : files_.look()) {
      if (what == FileChange::What::removed) {
        happened(Removed{file});
      } else {
        happened(Saved{file, what == FileChange::What::changed});
      }
    }
  }

  void tick() {
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begun_).count();
    happened(Ticked{static_cast<int>(seconds)});
  }

  void act(const Start& start) {
    begun_ = Clock::now();
    worker_.start(start.job, task_of(start));
  }
  void act(const Cancel&) { worker_.cancel(); }
  void act(const BuildAhead& build) {
    ahead_.start(0, [this, build](const Context& context) { return build_ahead(context, build); });
  }
  void act(const Enter& enter) {
    update_progress(context_,
                    [&](Progress& progress) { progress.current = exercises_[enter.item].id(); });
  }
  void act(const Ask& ask) {
    try {
      happened(answer(ask));
    } catch (const Failure& failure) {
      happened(Failed{0, failure.message});
    }
  }
  void act(const Suspend&) {
    terminal_.give_back();
    signals_.stop_here();
    terminal_.take();
    resize();
    happened(Resumed{});
  }
  void act(const Quit& quit) {
    quits_ = true;
    interrupted_ = quit.interrupted;
  }

  Event answer(const Ask& ask) const;

  Worker::Task task_of(const Start& start);
  Event build(const Context& context, int job, std::size_t item) const;
  Event build_ahead(const Context& context, const BuildAhead& build) const;
  Event judge(const Context& context, int job, std::size_t item) const;
  Event rebuild(const Context& context, int job) const;

  const Context context_;  ///< of what is done at once.
  const Course& course_;
  std::vector<Exercise> exercises_;
  State state_;
  bool colour_ = true, quits_ = false, interrupted_ = false;
  std::string shown_;  ///< what the terminal shows.
  Clock::time_point next_look_ = Clock::now(), begun_ = Clock::now();
  SavedFiles files_;
  TerminalSignals signals_;
  Terminal terminal_;
  Worker ahead_;
  Worker worker_;  ///< last: its work ends first.
};

std::string hint_title(const Hint& hint) {
  return fmt::format("Hint {} of {}{}", hint.number, hint.of,
                     hint.kind.empty() ? "" : ", about " + hint.kind);
}

// Answers what takes no time: files are read, nothing is compiled.
Event Watcher::answer(const Ask& ask) const {
  const Exercise& exercise = exercises_[ask.item];
  switch (ask.what) {
    case Ask::hint: {
      const std::optional<Hint> hint = next_hint(context_, exercise);
      if (!hint) return Told{0, "No more hints", after_the_hints(exercise)};
      return Told{0, hint_title(*hint), hint->text, true};
    }
    case Ask::explanation:
      return Told{0, "Explanation", explanation_text(context_, exercise)};
    case Ask::reset:
      break;
  }
  const std::filesystem::path kept = reset_to_stub(context_, exercise);
  return Told{0, "The stub again",
              kept.empty() ? "There was nothing to keep." : "Your text is now " + shown(kept)};
}

Worker::Task Watcher::task_of(const Start& start) {
  return [this, start](const Context& context) -> Event {
    switch (start.work) {
      case Work::rebuilding:
        return rebuild(context, start.job);
      case Work::building:
        return build(context, start.job, start.item);
      case Work::viewing:
        return Told{start.job, "Your accesses", view_text(context, exercises_[start.item])};
      case Work::comparing:
        return Told{start.job, "Yours and the solution",
                    compare_text(context, exercises_[start.item])};
      default:
        return judge(context, start.job, start.item);
    }
  };
}

Event Watcher::build(const Context& context, int job, std::size_t item) const {
  context.make(context, targets_of(exercises_[item]));
  return Built{job};
}

Event Watcher::build_ahead(const Context& context, const BuildAhead& build) const {
  // This thread and what it starts: a save is judged first. A request stops this build and makes
  // what it needs with the priority of the watcher.
  (void)setpriority(PRIO_PROCESS, 0, 10);
  Context later = context;
  later.urgency = Urgency::ahead;
  const std::string& chapter = exercises_[build.item].chapter;
  std::vector<std::string> targets;
  for (const Exercise& exercise : exercises_) {
    if (exercise.chapter != chapter) continue;
    for (std::string& target : targets_of(exercise)) targets.push_back(std::move(target));
  }
  // The targets of the next exercise come first.
  if (const std::size_t next = build.item + 1;
      next < exercises_.size() && exercises_[next].chapter == chapter) {
    later.make(later, targets_of(exercises_[next]));
  }
  later.make(later, targets);
  later.make(later, {"learn_commands"});
  return BuiltAhead{chapter};
}

Event Watcher::judge(const Context& context, int job, std::size_t item) const {
  const Attempt result = attempt(context, exercises_[item]);
  const std::string word = result.passed() ? "solved" : result.verdict;
  return Judged{job, state_text(word, result.judged ? result.judged->kind : ""), result.text};
}

Event Watcher::rebuild(const Context& context, int job) const {
  Rebuilt rebuilt{job, rebuild_progress(context, course_), {}};
  for (const Item& item : items_of(context, course_)) rebuilt.states.push_back(item.state);
  return rebuilt;
}

}  // namespace
}  // namespace watch

int watch_command(const Context& context) {
  const Course course = read_course(context.root);
  std::vector<watch::Item> items = watch::items_of(context, course);
  if (items.empty()) {
    throw Failure(status_environment, "found no exercise here: run ./learn of a whole checkout");
  }
  int status = status_ok;
  if (watch::Terminal::present()) {
    watch::Watcher watcher(context, course, std::move(items));
    status = watcher.run();
    items = watcher.items();
  }
  fmt::print("{}", watch::state_and_next_step(items));
  return status;
}

}  // namespace warpwise::tutor
