#include "lesson/exercise_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.h"
#include "lesson/device/error.h"
#include "lesson/device/stand_in.h"
#include "lesson/start/paths.h"
#include "lesson/start/process.h"

namespace warpwise::lesson {
namespace {

namespace fs = std::filesystem;

/// Runs the check on an image; what the environment lacks becomes the row's message.
ExerciseRow checked(const ExerciseFiles& files, const fs::path& image, DeviceChoice device,
                    const std::string& gpu) {
  ExerciseRow row;
  row.verdict = "not checked";
  try {
    const TemporaryFile outcome;
    std::vector<std::string> command{files.check.string(),
                                     "--image",
                                     image.string(),
                                     "--json",
                                     outcome.path(),
                                     "--device",
                                     std::string(flag_of(device)),
                                     "--quiet"};
    if (!gpu.empty()) command.insert(command.end(), {"--gpu", gpu});
    const ChildResult child = run_child(command);
    if (child.status == all_right || child.status == something_wrong) {
      row = parse_outcome(outcome.text());
    } else {
      row.message = child.errors.substr(0, child.errors.find('\n'));
      if (row.message.empty()) row.message = fmt::format("its check ended with {}", child.status);
      row.solved_or_open = false;
    }
  } catch (const Stop& stop) {
    row.message = stop.message;
    row.solved_or_open = false;
  }
  return row;
}

/// It contains build/checks/CHAPTER/NAME.
fs::path build_folder(const ExerciseFiles& files) {
  return files.check.parent_path().parent_path().parent_path();
}

ExerciseRow learner_row(const ExerciseFiles& files, DeviceChoice device, const std::string& gpu) {
  ExerciseRow row;
  const std::string build = fmt::format("`cmake --build {} --target {}` builds it",
                                        shown_path(build_folder(files).string()), files.chapter);
  switch (progress_of(files)) {
    case Progress::missing:
      row.verdict = "missing";
      row.message =
          fmt::format("`git checkout {}` brings it back", shown_path(files.source.string()));
      return row;
    case Progress::open:
      row.verdict = "not solved yet";
      row.message = fmt::format("edit {}, then ./learn run {}", shown_path(files.source.string()),
                                short_id(files));
      return row;
    case Progress::not_built:
      row.verdict = "not built";
      row.message = build;
      return row;
    case Progress::outdated:
      row.verdict = "not built";
      row.message = "changed since it was built; " + build;
      return row;
    case Progress::broken:
      row.verdict = "does not compile";
      row.message = read_file(files.errors) +
                    fmt::format("`./learn run {}` says what to do about it", short_id(files));
      row.solved_or_open = false;
      return row;
    case Progress::built:
      break;
  }
  return checked(files, files.image, device, gpu);
}

/// Says what is wrong and where: each missed gate with both numbers, a diagnosis with file and
/// line.
std::string message_of(const CheckVerdict& judged) {
  std::string text = judged.message;
  if (judged.verdict == "diagnosed") text = judged.kind + ": " + text;
  if (judged.verdict == "gate") {
    text.clear();
    for (const GateResult& gate : judged.gates) {
      if (gate.met) continue;
      text += fmt::format("{}{}: yours {}, wanted {}", text.empty() ? "" : "\n", gate.gate.what,
                          gate.saw_text(), gate.wanted());
    }
  }
  if (judged.line == 0 || judged.file.empty()) return text;
  return text + fmt::format("\n{}:{}", judged.file, judged.line);
}

}  // namespace

std::vector<ExerciseFiles> find_exercises(const fs::path& repository, const fs::path& build,
                                          const std::string& chapter) {
  std::vector<ExerciseFiles> exercises;
  std::error_code none;
  for (const auto& entry :
       fs::directory_iterator(repository / "chapters" / chapter / "checks", none)) {
    if (entry.path().extension() != ".cu") continue;
    const std::string name = entry.path().stem().string();
    const std::string source = name + ".cu";
    const std::string image = name + ".image";
    exercises.push_back({chapter, name, repository / "exercises" / chapter / source,
                         answer_files(repository, chapter, name),
                         build / "exercises" / chapter / image,
                         build / "solutions" / chapter / image, build / "checks" / chapter / name,
                         build / "exercises" / chapter / (name + ".errors")});
  }
  std::sort(exercises.begin(), exercises.end(),
            [](const auto& one, const auto& other) { return one.name < other.name; });
  return exercises;
}

std::string short_id(const ExerciseFiles& files) {
  return files.chapter.substr(0, files.chapter.find('_')) + "/" +
         files.name.substr(0, files.name.find('_'));
}

Progress progress_of(const ExerciseFiles& files) {
  std::error_code none;
  if (!fs::exists(files.source, none)) return Progress::missing;
  try {
    const std::string frame = read_file(files.answer.frame);
    const bool has_mistakes = fs::exists(files.answer.mistakes, none);
    const std::string stub =
        files.answer.exported
            ? frame
            : make_stub(frame, has_mistakes ? read_file(files.answer.mistakes) : "");
    if (same_code(read_file(files.source), stub)) return Progress::open;
  } catch (const FrameError& error) {
    throw Stop(something_wrong,
               fmt::format("{}: {}", shown_path(files.answer.frame.string()), error.what()));
  }
  const auto is_current = [&](const fs::path& made) {
    return fs::last_write_time(made, none) >= fs::last_write_time(files.source, none);
  };
  if (fs::exists(files.image, none)) {
    return is_current(files.image) ? Progress::built : Progress::outdated;
  }
  const bool broken = fs::exists(files.errors, none) && is_current(files.errors);
  return broken ? Progress::broken : Progress::not_built;
}

bool is_named(const ExerciseFiles& files, const std::string& part) {
  return files.name.find(part) != std::string::npos ||
         short_id(files).find(part) != std::string::npos ||
         part == files.chapter + "/" + files.name;
}

ExerciseRow parse_outcome(const std::string& text) {
  try {
    CheckVerdict judged = parse_verdict(text);
    // A result may become a record: it names files as the repository does.
    judged.file = repository_path(judged.file);
    for (GateResult& gate : judged.gates) gate.file = repository_path(gate.file);
    for (Diagnosis& diagnosis : judged.diagnoses) diagnosis.file = repository_path(diagnosis.file);
    for (LineCounts& line : judged.counts.lines) line.file = repository_path(line.file);
    ExerciseRow row;
    row.verdict = judged.verdict;
    row.solved_or_open = row.verdict == "pass";
    if (!row.solved_or_open) row.message = message_of(judged);
    row.time = judged.time;
    row.counts = judged.counts;
    row.judged = std::move(judged);
    return row;
  } catch (const NoVerdict& problem) {
    throw Stop(bad_environment, fmt::format("its check: {}", problem.what()));
  }
}

std::vector<ExerciseRow> exercise_rows(const std::vector<ExerciseFiles>& exercises,
                                       DeviceChoice device, const std::string& gpu) {
  std::vector<ExerciseRow> rows(2 * exercises.size());
  // A GPU times them, and two at once would disturb each other.
  const std::size_t at_once = simulator_present() ? base::cores() : 1;
  base::in_parallel(rows.size(), at_once, [&](std::size_t i, std::size_t) {
    const ExerciseFiles& files = exercises[i / 2];
    const bool is_solution = i % 2 == 1;
    if (!is_solution)
      rows[i] = learner_row(files, device, gpu);
    else if (files.answer.exported)
      rows[i] = parse_outcome(read_file(files.answer.recorded));
    else
      rows[i] = checked(files, files.solution_image, device, gpu);
    rows[i].whose = is_solution ? "solution" : "yours";
    rows[i].exercise = files.name;
  });
  return rows;
}

}  // namespace warpwise::lesson
