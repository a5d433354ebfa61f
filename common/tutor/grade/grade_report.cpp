#include "tutor/grade/grade_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>

#include "tutor/reading/page.h"
#include "tutor/system/clean_text.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {

using OrderedJson = nlohmann::ordered_json;

namespace {

struct Sign {
  Stage stage;
  const char* word;
  const char* sign;
};

constexpr Sign signs[]{{Stage::good, "good", "G"},
                       {Stage::right, "right, but a gate is missed", "R"},
                       {Stage::clean, "runs clean, wrong result", "C"},
                       {Stage::compiles, "compiles, an error is diagnosed", "k"}};

// Nothing reached has several reasons.
const char* sign_of(const Mark& mark) {
  for (const Sign& sign : signs) {
    if (mark.stage == sign.stage) return sign.sign;
  }
  if (mark.verdict == "not accepted") return "!";
  if (mark.verdict == "not judged") return "?";
  if (mark.verdict == "missing" || mark.verdict == "not solved yet") return "-";
  return ".";
}

const char* stage_word(Stage stage) {
  switch (stage) {
    case Stage::good:
      return "good";
    case Stage::right:
      return "right";
    case Stage::clean:
      return "clean";
    case Stage::compiles:
      return "compiles";
    case Stage::nothing:
      break;
  }
  return "nothing";
}

std::string time_text(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm local{};
  ::localtime_r(&seconds, &local);
  return fmt::format("{:%Y-%m-%d %H:%M}", local);
}

// A message, which may have lines.
std::string clean(const std::string& text) { return clean_text(text, true); }

// The text of a line: a name must not look like another row.
std::string clean_line(const std::string& text) { return clean_text(text, false); }

std::vector<std::string> clean(const std::vector<std::string>& texts) {
  std::vector<std::string> result;
  for (const std::string& text : texts) result.push_back(clean_line(text));
  return result;
}

std::string what_happened(const Mark& mark) {
  std::string text = mark.verdict;
  if (!mark.kind.empty()) text += " (" + mark.kind + ")";
  if (mark.line > 0) text += fmt::format(" at line {}", mark.line);
  if (!mark.message.empty()) text += ": " + clean(mark.message);
  if (!mark.note.empty()) text += (text.ends_with('\n') ? "" : "\n") + mark.note;
  return text;
}

// The signs of a row, a gap between chapters.
std::string signs_of(const Assignment& assignment, const Graded& row) {
  std::string text;
  for (std::size_t i = 0; i < row.marks.size(); ++i) {
    const auto& tasks = assignment.tasks;
    if (i > 0 && tasks[i].exercise.chapter != tasks[i - 1].exercise.chapter) text += ' ';
    text += sign_of(row.marks[i]);
  }
  return text;
}

std::string lateness(const Grading& grading, const Graded& row) {
  if (!row.late()) return {};
  const auto by = *row.submission.handed_in - *grading.assignment.deadline;
  const double hours = std::chrono::duration<double, std::ratio<3600>>(by).count();
  const std::string how = hours < 48 ? fmt::format("late by {:.1f} h", hours)
                                     : fmt::format("late by {:.1f} days", hours / 24);
  return row.percent < 100 ? fmt::format("{}, {:g} % count", how, row.percent) : how;
}

std::string legend() {
  std::string text = "signs:";
  for (const Sign& sign : signs) text += fmt::format(" {} {};", sign.sign, sign.word);
  return text +
         "\n       . does not compile or is another function; - not handed in or not solved;\n"
         "       ! not accepted, see below; ? could not be judged, see below\n";
}

std::string head(const Grading& grading) {
  const Assignment& assignment = grading.assignment;
  std::string text =
      fmt::format("{}{} exercises, {:g} points",
                  assignment.title.empty() ? "" : clean_line(assignment.title) + ": ",
                  assignment.tasks.size(), assignment.points());
  if (assignment.deadline) text += ", deadline " + time_text(*assignment.deadline);
  text += fmt::format("\nisolated by {}\n", grading.isolation);
  for (const std::string& gap : grading.gaps) text += fmt::format("  but: {}\n", clean_line(gap));
  text += fmt::format("{} different answers judged in {:.1f} s; --seed {} repeats it\n\n",
                      grading.judged, grading.seconds, clean_line(grading.seed));
  return text;
}

long percent(double part, double whole) { return whole > 0 ? std::lround(100 * part / whole) : 0; }

// Each exercise's number of marks for which something holds, as a share of the class.
long percent(std::size_t part, std::size_t whole) {
  return percent(static_cast<double>(part), static_cast<double>(whole));
}

std::string failure_of(const Mark& mark) {
  if (mark.verdict == "gate") return "gate " + mark.kind;
  return mark.verdict == "diagnosed" ? mark.kind : mark.verdict;
}

// "38 % race, 12 % not solved yet", the most frequent first.
std::string failures(const std::map<std::string, std::size_t>& counts, std::size_t whole) {
  std::vector<std::pair<std::size_t, std::string>> sorted;
  for (const auto& [what, count] : counts) sorted.emplace_back(count, what);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> texts;
  for (const auto& [count, what] : sorted) {
    texts.push_back(fmt::format("{} % {}", percent(count, whole), what));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string xml(const std::string& text) {
  std::string escaped;
  for (const char c : clean(text)) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\n':
        escaped += "&#10;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string csv_field(const std::string& text) {
  std::string field = clean(text);
  // A spreadsheet would compute what begins so.
  if (!field.empty() && std::string("=+-@").find(field[0]) != std::string::npos)
    field = "'" + field;
  if (field.find_first_of(",\"\n") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

OrderedJson mark_json(const Task& task, const Mark& mark) {
  OrderedJson object{{"exercise", task.exercise.id()},
                     {"stage", stage_word(mark.stage)},
                     {"verdict", mark.verdict},
                     {"points", mark.points},
                     {"of", task.points}};
  if (!mark.kind.empty()) object["kind"] = clean(mark.kind);
  if (!mark.message.empty()) object["message"] = clean(mark.message);
  if (mark.line > 0) object["line"] = mark.line;
  if (!mark.note.empty()) object["note"] = mark.note;
  return object;
}

}  // namespace

std::string grading_table(const Grading& grading) {
  const double all = grading.assignment.points();
  std::size_t longest = std::string("submission").size();
  for (const Graded& row : grading.rows) {
    longest = std::max(longest, columns_of(clean_line(row.submission.name)));
  }
  std::string text = head(grading);
  text += fmt::format("{}  points    %  exercises\n", padded("submission", longest));
  std::string below;
  for (const Graded& row : grading.rows) {
    const std::string name = clean_line(row.submission.name);
    const std::string start = fmt::format("{}  {:6.2f}  {:3}  ", padded(name, longest), row.points,
                                          percent(row.points, all));
    if (!row.submission.problem.empty()) {
      text += start + clean(first_line(row.submission.problem)) + "\n";
      continue;
    }
    const std::string late = lateness(grading, row);
    text += start + signs_of(grading.assignment, row) + (late.empty() ? "" : "  " + late) + "\n";
    for (std::size_t i = 0; i < row.marks.size(); ++i) {
      const Mark& mark = row.marks[i];
      const bool odd = mark.verdict == "not accepted" || mark.verdict == "not judged";
      if ((!odd || mark.message.empty()) && mark.note.empty()) continue;
      below +=
          fmt::format("{}, {}: {}\n", name, grading.assignment.tasks[i].exercise.id(),
                      odd && !mark.message.empty() ? first_line(what_happened(mark)) : mark.note);
    }
  }
  for (const std::string& twins : grading.twins) below += clean_line(twins) + "\n";
  for (const std::string& broken : grading.broken) below += clean(broken) + "\n";
  return text + "\n" + legend() + (below.empty() ? "" : "\n" + below);
}

std::string grading_summary(const Grading& grading) {
  std::size_t width_of_names = 8;
  for (const Task& task : grading.assignment.tasks) {
    width_of_names = std::max(width_of_names, task.exercise.id().size());
  }
  std::size_t read = 0;
  for (const Graded& row : grading.rows) read += row.submission.problem.empty() ? 1 : 0;
  std::string text =
      fmt::format("{} submissions, {} of them could be read\n\n{}  good  right  the others\n",
                  grading.rows.size(), read, padded("exercise", width_of_names));
  for (std::size_t i = 0; i < grading.assignment.tasks.size(); ++i) {
    std::size_t good = 0, right = 0;
    std::map<std::string, std::size_t> others;
    for (const Graded& row : grading.rows) {
      if (row.marks.empty()) continue;
      const Mark& mark = row.marks[i];
      good += mark.stage == Stage::good ? 1 : 0;
      right += mark.stage >= Stage::right ? 1 : 0;
      if (mark.stage != Stage::good) ++others[failure_of(mark)];
    }
    text += fmt::format("{}  {:2} %   {:2} %  {}\n",
                        padded(grading.assignment.tasks[i].exercise.id(), width_of_names),
                        percent(good, read), percent(right, read), failures(others, read));
  }
  return text;
}

std::string grading_json(const Grading& grading) {
  OrderedJson rows = OrderedJson::array();
  for (const Graded& row : grading.rows) {
    OrderedJson exercises = OrderedJson::array();
    for (std::size_t i = 0; i < row.marks.size(); ++i) {
      exercises.push_back(mark_json(grading.assignment.tasks[i], row.marks[i]));
    }
    OrderedJson object{{"name", clean_line(row.submission.name)}, {"points", row.points}};
    if (!row.submission.problem.empty()) object["problem"] = clean(row.submission.problem);
    if (row.submission.handed_in) object["handed_in"] = time_text(*row.submission.handed_in);
    object["late"] = row.late();
    object["percent_that_counts"] = row.percent;
    object["exercises"] = exercises;
    rows.push_back(object);
  }
  OrderedJson object{{"title", clean_line(grading.assignment.title)},
                     {"of", grading.assignment.points()},
                     {"seed", clean_line(grading.seed)},
                     {"isolation", grading.isolation},
                     {"gaps", clean(grading.gaps)},
                     {"not_judged", clean(grading.broken)},
                     {"same_names", clean(grading.twins)},
                     {"judged", grading.judged},
                     {"seconds", grading.seconds},
                     {"submissions", rows}};
  if (grading.assignment.deadline) object["deadline"] = time_text(*grading.assignment.deadline);
  return object.dump(2) + "\n";
}

std::string grading_junit(const Grading& grading) {
  std::string suites;
  for (const Graded& row : grading.rows) {
    std::string cases;
    std::size_t failed = 0, skipped = 0;
    for (std::size_t i = 0; i < row.marks.size(); ++i) {
      const Mark& mark = row.marks[i];
      const Exercise& exercise = grading.assignment.tasks[i].exercise;
      cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", exercise.chapter,
                           exercise.name);
      if (mark.stage == Stage::good) {
        cases += "/>\n";
      } else if (mark.verdict == "missing" || mark.verdict == "not solved yet") {
        ++skipped;
        cases += fmt::format("><skipped message=\"{}\"/></testcase>\n", mark.verdict);
      } else {
        ++failed;
        cases += fmt::format("><failure type=\"{}\" message=\"{}\"/></testcase>\n",
                             xml(failure_of(mark)), xml(what_happened(mark)));
      }
    }
    std::size_t tests = row.marks.size();
    if (!row.submission.problem.empty()) {
      tests = failed = 1;
      cases =
          fmt::format("    <testcase name=\"submission\"><failure message=\"{}\"/></testcase>\n",
                      xml(row.submission.problem));
    }
    suites += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n{}  </testsuite>\n",
        xml(clean_line(row.submission.name)), tests, failed, skipped, cases);
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + suites + "</testsuites>\n";
}

std::string grading_csv(const Grading& grading) {
  std::string text = "submission,points,of,percent that counts,handed in,problem";
  for (const Task& task : grading.assignment.tasks) text += "," + task.exercise.id();
  text += "\n";
  for (const Graded& row : grading.rows) {
    text += fmt::format("{},{:g},{:g},{:g},{},{}", csv_field(clean_line(row.submission.name)),
                        row.points, grading.assignment.points(), row.percent,
                        row.submission.handed_in ? time_text(*row.submission.handed_in) : "",
                        csv_field(first_line(row.submission.problem)));
    for (std::size_t i = 0; i < grading.assignment.tasks.size(); ++i) {
      text += row.marks.empty() ? ",0" : fmt::format(",{:g}", row.marks[i].points);
    }
    text += "\n";
  }
  return text;
}

std::string grading_gradescope(const Grading& grading) {
  if (grading.rows.size() != 1) {
    throw Failure(status_usage, fmt::format("--gradescope is for one submission, here are {}",
                                            grading.rows.size()));
  }
  const Graded& row = grading.rows[0];
  OrderedJson tests = OrderedJson::array();
  for (std::size_t i = 0; i < row.marks.size(); ++i) {
    const Mark& mark = row.marks[i];
    const Task& task = grading.assignment.tasks[i];
    tests.push_back({{"name", task.exercise.id()},
                     {"score", mark.points * row.percent / 100},
                     {"max_score", task.points},
                     {"status", mark.stage == Stage::good ? "passed" : "failed"},
                     {"output", what_happened(mark)},
                     {"visibility", "visible"}});
  }
  std::string output = clean(row.submission.problem);
  if (output.empty()) output = lateness(grading, row);
  return OrderedJson{{"score", row.points}, {"output", output}, {"tests", tests}}.dump(2) + "\n";
}

}  // namespace warpwise::tutor
