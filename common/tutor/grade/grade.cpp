#include "tutor/grade/grade.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <set>

#include "base/parallel.h"
#include "tutor/attempt/compile.h"
#include "tutor/course/kind.h"
#include "tutor/grade/screening.h"
#include "tutor/system/clean_text.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

// A text that has to be compiled and judged, and whose marks it decides: equal texts share one.
struct Job {
  const Exercise* exercise = nullptr;
  std::string source;
  bool ours = false;  ///< the solution, judged to know that judging works here.
  std::vector<Mark*> marks;
};

Mark verdict_mark(const CheckVerdict& verdict) {
  Mark mark{.stage = stage_of(verdict),
            .verdict = verdict.verdict,
            .kind = verdict.kind,
            .message = verdict.message,
            .line = verdict.line,
            .note = {}};
  return mark;
}

// A text that cannot be preprocessed is left to the compiler, which says why.
std::string forbidden_when_preprocessed(const Context& context, const Exercise& exercise,
                                        const fs::path& source) {
  const fs::path file = context.confinement.folder / (exercise.name + ".ii");
  if (!compile_image(context, exercise, source, file, {"-E"}).ok) return {};
  return forbidden_in_preprocessed(read_file(file), fmt::format("exercises/{}.cu", exercise.id()));
}

Mark judge_in_cell(const Context& context, const Job& job) {
  const Exercise& exercise = *job.exercise;
  const fs::path folder = context.confinement.folder;
  const fs::path source = folder / (exercise.name + ".cu");
  const fs::path image = folder / (exercise.name + ".image");
  write_atomically(source, job.source);
  fs::permissions(source, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  const bool host_code = kind_of(exercise) != "exercise";
  const std::string forbidden =
      host_code ? forbidden_when_preprocessed(context, exercise, source) : "";
  if (!forbidden.empty()) {
    return {.verdict = "not accepted", .kind = {}, .message = forbidden, .note = {}};
  }
  const Compiled compiled = compile_image(context, exercise, source, image);
  if (!compiled.ok) {
    return {.verdict = "does not compile", .kind = {}, .message = compiled.error, .note = {}};
  }
  if (host_code) {
    const std::string imported = forbidden_imports(image);
    if (!imported.empty()) {
      return {.verdict = "not accepted", .kind = {}, .message = imported, .note = {}};
    }
  }
  return verdict_mark(judge(context, exercise, image, {"--device", "sim"}));
}

Mark judge_job(const Context& context, const Sandbox& sandbox, std::size_t cell,
               const GradeOptions& options, const std::string& seed, const Job& job) {
  try {
    Context confined = context;
    confined.confinement = sandbox.fresh_cell(cell);
    confined.confinement.seed = seed;
    confined.confinement.limit = options.patience;
    return judge_in_cell(confined, job);
  } catch (const Failure& failure) {
    return {.verdict = "not judged", .kind = {}, .message = failure.message, .note = {}};
  }
}

// Which jobs there are, by exercise and text.
class Jobs {
 public:
  void add(const Exercise& exercise, const std::string& source, Mark* mark, bool ours = false) {
    Job& job = jobs_[{exercise.id(), source}];
    job.exercise = &exercise;
    job.source = source;
    job.ours |= ours;
    if (mark != nullptr) job.marks.push_back(mark);
  }
  std::vector<Job*> all() {
    std::vector<Job*> result;
    for (auto& [key, job] : jobs_) result.push_back(&job);
    return result;
  }

 private:
  std::map<std::pair<std::string, std::string>, Job> jobs_;
};

// Settles what needs no compiler; the rest becomes a job.
void prepare(Jobs& jobs, const Task& task, const SubmittedText& text, Mark& mark) {
  if (!text.problem.empty()) {
    mark.verdict = text.problem == "missing" ? "missing" : "not accepted";
    if (text.problem != "missing") mark.message = text.problem;
    return;
  }
  const std::string file = fmt::format("exercises/{}.cu", task.exercise.id());
  const Screened screened = screen(task.exercise, text.text, file);
  mark.note = screened.note;
  if (!screened.problem.empty()) {
    mark.verdict = "not accepted";
    mark.message = screened.problem;
  } else if (screened.unsolved) {
    mark.verdict = "not solved yet";
  } else {
    jobs.add(task.exercise, screened.source, &mark);
  }
}

std::string new_seed() {
  std::random_device random;
  return std::to_string(random());
}

void show_progress(std::size_t done, std::size_t all) {
  if (::isatty(STDERR_FILENO) == 0) return;
  if (done == all) {
    fmt::print(stderr, "\r\033[K");
  } else {
    fmt::print(stderr, "\r{} of {} answers judged", done, all);
  }
  std::fflush(stderr);
}

// An answer to an exercise whose own solution does not pass here is not worse than the solution.
void judge_all(const Context& context, const Sandbox& sandbox, const GradeOptions& options,
               Jobs& jobs, Grading& grading) {
  const std::vector<Job*> all = jobs.all();
  std::vector<Mark> results(all.size());
  std::atomic<std::size_t> done{0};
  const auto start = std::chrono::steady_clock::now();
  base::in_parallel(all.size(), sandbox.cells(), [&](std::size_t item, std::size_t cell) {
    results[item] = judge_job(context, sandbox, cell, options, grading.seed, *all[item]);
    show_progress(++done, all.size());
  });
  grading.judged = all.size();
  grading.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::set<std::string> broken;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string id = all[i]->exercise->id();
    if (!all[i]->ours || results[i].stage == Stage::good || !broken.insert(id).second) continue;
    grading.broken.push_back(fmt::format("{}: our own solution does not pass here: {}: {}", id,
                                         results[i].verdict, results[i].message));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (broken.contains(all[i]->exercise->id())) {
      results[i] = {.verdict = "not judged", .kind = {}, .message = {}, .note = {}};
    }
    for (Mark* mark : all[i]->marks) {
      const std::string note = mark->note;
      *mark = results[i];
      mark->note = note;
    }
  }
}

void add_solutions(Jobs& jobs, const Assignment& assignment) {
  for (const Task& task : assignment.tasks) {
    if (task.exercise.exported) continue;
    const std::string file = fmt::format("exercises/{}.cu", task.exercise.id());
    jobs.add(task.exercise, screen(task.exercise, read_text(task.exercise.frame), file).source,
             nullptr, true);
  }
}

// Two rows of one name could be taken for each other: they get their endings.
void tell_twins_apart(Grading& grading) {
  std::map<std::string, std::vector<Submission*>> by_name;
  for (Graded& row : grading.rows) {
    by_name[clean_text(row.submission.name, false)].push_back(&row.submission);
  }
  for (const auto& [name, twins] : by_name) {
    if (twins.size() == 1) continue;
    std::vector<std::string> files;
    for (Submission* twin : twins) files.push_back(twin->name = twin->file);
    grading.twins.push_back(fmt::format("{}: {} submissions have this name: {}; which one counts?",
                                        name, twins.size(), fmt::join(files, ", ")));
  }
}

void count_points(Grading& grading) {
  const Assignment& assignment = grading.assignment;
  for (Graded& row : grading.rows) {
    row.percent = percent_when(assignment, row.submission.handed_in);
    row.late_without_loss = assignment.deadline && row.submission.handed_in &&
                            *row.submission.handed_in > *assignment.deadline;
    for (std::size_t i = 0; i < row.marks.size(); ++i) {
      Mark& mark = row.marks[i];
      mark.points = points_of(mark.stage, assignment.tasks[i].points, assignment.shares);
      row.points += mark.points * row.percent / 100;
    }
  }
}

std::vector<std::string> targets(const Assignment& assignment) {
  std::vector<std::string> names{"simulator/libcudart.so.13", "lesson/host_runner"};
  for (const Task& task : assignment.tasks) names.push_back("checks/" + task.exercise.id());
  return names;
}

}  // namespace

Stage stage_of(const CheckVerdict& verdict) {
  if (verdict.verdict == "pass") return Stage::good;
  if (verdict.verdict == "wrong result") return Stage::clean;
  if (verdict.verdict == "diagnosed") return Stage::compiles;
  if (verdict.verdict != "gate") return Stage::nothing;
  // A program that launches nothing has computed on the host: its results are not the kernel's.
  return verdict.kind == "launches" ? Stage::clean : Stage::right;
}

double points_of(Stage stage, double points, const Shares& shares) {
  double percent = 0;
  if (stage >= Stage::compiles) percent += shares.compiles;
  if (stage >= Stage::clean) percent += shares.clean;
  if (stage >= Stage::right) percent += shares.right;
  if (stage >= Stage::good) percent += shares.good;
  return points * percent / 100;
}

Grading grade(const Context& context, const GradeOptions& options) {
  const Course course = read_course(context.root);
  Grading grading;
  grading.assignment = options.assignment.empty() ? whole_course(course)
                                                  : read_assignment(options.assignment, course);
  grading.seed = options.seed.empty() ? new_seed() : options.seed;
  std::vector<Exercise> wanted;
  for (const Task& task : grading.assignment.tasks) wanted.push_back(task.exercise);
  // Gradescope has unpacked the one submission into the place.
  const auto paths =
      options.gradescope.empty() ? find_submissions(options.places, course) : options.places;
  for (const fs::path& path : paths) {
    grading.rows.push_back({.submission = read_submission(path, course, wanted), .marks = {}});
  }
  tell_twins_apart(grading);
  context.make(context, targets(grading.assignment));
  const Sandbox sandbox(context, options.isolation,
                        options.jobs > 0 ? options.jobs : base::cores());
  grading.isolation = sandbox.description();
  grading.gaps = sandbox.gaps();
  Jobs jobs;
  add_solutions(jobs, grading.assignment);
  for (Graded& row : grading.rows) {
    if (!row.submission.problem.empty()) continue;
    row.marks.resize(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      prepare(jobs, grading.assignment.tasks[i], row.submission.texts.at(wanted[i].id()),
              row.marks[i]);
    }
  }
  judge_all(context, sandbox, options, jobs, grading);
  count_points(grading);
  return grading;
}

}  // namespace warpwise::tutor
