#include "tutor/author/pasting/check_pasted.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>

#include "base/parallel.h"
#include "tutor/attempt/compile.h"
#include "tutor/attempt/verdict.h"
#include "tutor/course/kind.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/interrupt.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

Fate fate_of(const CheckVerdict& verdict) {
  static const std::map<std::string, Fate> fates{{"pass", Fate::passes},
                                                 {"signature", Fate::signature},
                                                 {"diagnosed", Fate::diagnosed},
                                                 {"wrong result", Fate::wrong_result},
                                                 {"gate", Fate::gate}};
  const auto fate = fates.find(verdict.verdict);
  return fate == fates.end() ? Fate::not_judged : fate->second;
}

struct Death {
  Fate fate = Fate::not_judged;
  std::string why;
};

// An error in a work is its result; a request to stop is not.
template <class Work>
Death ended(const Work& work) {
  try {
    return work();
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    return {Fate::not_judged, error.what()};
  }
}

// How each exercise ends with a file; all alike where it does not compile.
std::vector<Death> paste(const Context& context, const std::vector<const Exercise*>& exercises,
                         const fs::path& source, const std::string& text) {
  fs::path image = source;
  image.replace_extension(".image");
  const Death made = ended([&]() -> Death {
    write_if_changed(source, text);
    const Compiled compiled = refresh_image(context, *exercises[0], source, image);
    return {compiled.ok ? Fate::passes : Fate::does_not_compile, compiled.error};
  });
  std::vector<Death> deaths(exercises.size(), made);
  if (made.fate != Fate::passes) return deaths;
  for (std::size_t i = 0; i < exercises.size(); ++i) {
    deaths[i] = ended([&]() -> Death {
      return {fate_of(judge(context, *exercises[i], image, {"--device", "sim"})), shown(source)};
    });
  }
  return deaths;
}

struct Letter {
  char letter;
  const char* words;
};
// In the order of Fate.
constexpr std::array<Letter, 8> letters{{{'-', "does not fit"},
                                         {'c', "does not compile"},
                                         {'s', "other signature"},
                                         {'d', "diagnosed"},
                                         {'w', "wrong result"},
                                         {'g', "misses a gate"},
                                         {'?', "not judged"},
                                         {'P', "PASSES"}}};

const Letter& letter_of(Fate fate) { return letters[static_cast<std::size_t>(fate)]; }

}  // namespace

void PastedRungs::add(const Chapter& chapter, const std::vector<Exercise>& exercises) {
  Table table{.chapter = chapter, .rungs = {}, .rows = {}, .files = {}, .problem = {}};
  try {
    table.rungs = read_rungs(chapter.readme.parent_path());
  } catch (const Failure& failure) {
    table.problem = failure.message;
  }
  std::vector<AskedKernel> asked;
  for (const Exercise& exercise : exercises) {
    Row row{.exercise = exercise, .cells = {}, .problem = {}};
    row.cells.resize(table.rungs.size());
    asked.emplace_back();
    try {
      if (kind_of(exercise) == "exercise") {
        asked.back() = asked_kernel(read_file(exercise.frame));
        if (asked.back().head.empty()) row.problem = "its frame has no kernel";
      }
    } catch (const Failure& failure) {
      row.problem = failure.message;
    }
    table.rows.push_back(std::move(row));
  }
  for (const Rung& rung : table.rungs) table.files.push_back(pasted_files(rung, asked));
  tables_.push_back(std::move(table));
}

void PastedRungs::look(const Context& context,
                       const std::function<void(std::size_t done, std::size_t all)>& tell) {
  struct Job {
    const PastedFile* file;
    fs::path source;
    std::vector<const Exercise*> exercises;
    std::vector<Cell*> cells;
  };
  std::vector<Job> jobs;
  for (Table& table : tables_) {
    const fs::path folder = context.build / "pasted" / table.chapter.name;
    make_folder(folder);
    for (std::size_t rung = 0; rung < table.rungs.size(); ++rung) {
      std::size_t number = 0;
      for (const PastedFile& file : table.files[rung]) {
        const std::string name = fmt::format("{}_{}.cu", table.rungs[rung].name, ++number);
        jobs.push_back({&file, folder / name, {}, {}});
        for (const std::size_t row : file.exercises) {
          jobs.back().exercises.push_back(&table.rows[row].exercise);
          jobs.back().cells.push_back(&table.rows[row].cells[rung]);
        }
      }
    }
  }
  std::vector<std::vector<Death>> deaths(jobs.size());
  std::mutex telling;
  std::size_t done = 0;
  base::in_parallel(jobs.size(), base::cores(), [&](std::size_t i, std::size_t) {
    deaths[i] = paste(context, jobs[i].exercises, jobs[i].source, jobs[i].file->text);
    const std::lock_guard lock(telling);
    tell(++done, jobs.size());
  });
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    for (std::size_t j = 0; j < deaths[i].size(); ++j) {
      Cell& cell = *jobs[i].cells[j];
      if (deaths[i][j].fate <= cell.fate) continue;
      cell.fate = deaths[i][j].fate;
      cell.why = deaths[i][j].why;
    }
  }
}

Finding PastedRungs::finding(const Table& table, const Row& row) {
  std::vector<std::string> wrong;
  if (!row.problem.empty()) wrong.push_back(row.problem);
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const Cell& cell = row.cells[i];
    if (cell.fate == Fate::passes) {
      wrong.push_back(fmt::format("{} passes: {}", table.rungs[i].name, cell.why));
    }
    if (cell.fate == Fate::not_judged) {
      wrong.push_back(fmt::format("{} was not judged: {}", table.rungs[i].name, cell.why));
    }
  }
  if (wrong.empty()) return {};
  return failed(fmt::format("{}", fmt::join(wrong, "\n")));
}

Finding PastedRungs::finding(const Table& table) {
  if (!table.problem.empty()) return failed(table.problem);
  if (table.rungs.empty() && table.chapter.has_program) {
    return failed("no rung was found in the chapter's sources");
  }
  // A kernel of the chapter compiles. Where its paste never does, the paste is wrong.
  for (std::size_t i = 0; i < table.rungs.size(); ++i) {
    const Cell* broken = nullptr;
    bool compiled = false;
    for (const Row& row : table.rows) {
      if (row.cells[i].fate == Fate::does_not_compile) broken = &row.cells[i];
      compiled |= row.cells[i].fate > Fate::does_not_compile;
    }
    if (broken != nullptr && !compiled) {
      return failed(
          fmt::format("{} compiles in no exercise\n{}", table.rungs[i].name, broken->why));
    }
  }
  return {};
}

std::vector<CheckItem> PastedRungs::items() const {
  std::vector<CheckItem> items;
  for (const Table& table : tables_) {
    items.push_back(
        {table.chapter.name, "rungs to paste", [found = finding(table)] { return found; }});
    for (const Row& row : table.rows) {
      items.push_back(
          {row.exercise.id(), "no rung passes", [found = finding(table, row)] { return found; }});
    }
  }
  return items;
}

std::string PastedRungs::matrix() const {
  std::string text;
  std::array<std::size_t, letters.size()> sums{};
  for (const Table& table : tables_) {
    if (table.rungs.empty() || table.rows.empty()) continue;
    text += fmt::format("{:40}", "rungs of " + table.chapter.name);
    for (const Row& row : table.rows) text += " " + row.exercise.name.substr(0, 2);
    text += "\n";
    for (std::size_t i = 0; i < table.rungs.size(); ++i) {
      text += fmt::format("  {:38}", table.rungs[i].name);
      for (const Row& row : table.rows) {
        text += fmt::format("  {}", letter_of(row.cells[i].fate).letter);
        ++sums[static_cast<std::size_t>(row.cells[i].fate)];
      }
      text += "\n";
    }
  }
  if (text.empty()) return text;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i] > 0) {
      parts.push_back(fmt::format("{} {} {}", letters[i].letter, sums[i], letters[i].words));
    }
  }
  const std::size_t apart = sums[static_cast<std::size_t>(Fate::does_not_fit)];
  return text + fmt::format("{} pastes: {} fit, {} do not; {}\n", pairs(), pairs() - apart, apart,
                            fmt::join(parts, ", "));
}

std::size_t PastedRungs::pairs() const {
  std::size_t pairs = 0;
  for (const Table& table : tables_) pairs += table.rungs.size() * table.rows.size();
  return pairs;
}

}  // namespace warpwise::tutor
