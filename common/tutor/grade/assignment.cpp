#include "tutor/grade/assignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tutor/course/names.h"
#include "tutor/system/clean_text.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

using Json = nlohmann::json;
using Time = std::chrono::system_clock::time_point;

namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
  throw Failure(status_usage, where + ": " + why);
}

double number(const std::string& text, const std::string& where, const std::string& what) {
  double value = 0;
  std::size_t used = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != text.size() || !std::isfinite(value) || value < 0) {
    refuse(where, fmt::format("{} wants a number that is not negative, not '{}'", what, text));
  }
  return value;
}

double number(const Json& value, const std::string& where, const std::string& what) {
  if (!value.is_number()) refuse(where, fmt::format("{} wants a number", what));
  return number(fmt::format("{}", value.get<double>()), where, what);
}

// An exercise, or each of a chapter, with so many points each.
void add_tasks(Assignment& assignment, const Course& course, const std::string& name, double points,
               const std::string& where) {
  const auto add = [&](const Exercise& exercise) {
    for (const Task& task : assignment.tasks) {
      if (task.exercise.id() == exercise.id()) {
        refuse(where, exercise.id() + " is named a second time");
      }
    }
    assignment.tasks.push_back({exercise, points});
  };
  try {
    const Found found = find(course, name);
    if (found.exercise != nullptr) return add(*found.exercise);
    if (found.chapter->exercises.empty()) refuse(where, found.chapter->name + " has no exercises");
    for (const Exercise& exercise : found.chapter->exercises) add(exercise);
  } catch (const Failure& failure) {
    if (failure.message.starts_with(where)) throw;
    refuse(where, failure.message);
  }
}

void set_deadline(Assignment& assignment, const std::string& text, const std::string& where) {
  assignment.deadline = parse_time(text);
  if (!assignment.deadline) {
    refuse(where, fmt::format("deadline wants a time such as 2026-11-30 23:59 (or with a zone: "
                              "2026-11-30T23:59+01:00), not '{}'",
                              text));
  }
}

double& share(Shares& shares, const std::string& stage, const std::string& where) {
  if (stage == "compiles") return shares.compiles;
  if (stage == "clean") return shares.clean;
  if (stage == "right") return shares.right;
  if (stage == "good") return shares.good;
  refuse(where, fmt::format("'{}' is not a stage: compiles, clean, right, good", stage));
}

void finish(const Assignment& assignment, const std::string& name) {
  const Shares& shares = assignment.shares;
  const double sum = shares.compiles + shares.clean + shares.right + shares.good;
  if (std::fabs(sum - 100) > 1e-9) {
    refuse(name, fmt::format("the shares of the stages are {:g} % together, not 100 %", sum));
  }
  if (assignment.late_percent > 100) refuse(name, "late takes more than 100 % off");
  if (assignment.tasks.empty()) refuse(name, "no exercise is named");
}

void read_json_tasks(Assignment& assignment, const Json& tasks, const std::string& name,
                     const Course& course) {
  if (!tasks.is_array()) refuse(name, "\"exercises\" wants a list");
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const std::string where = fmt::format("{}: exercises[{}]", name, i);
    const Json& task = tasks[i];
    if (task.is_string()) {
      add_tasks(assignment, course, task.get<std::string>(), 1, where);
      continue;
    }
    if (!task.is_object() || !task.contains("name") || !task["name"].is_string()) {
      refuse(where, "wants a name, or {\"name\": ..., \"points\": ...}");
    }
    for (const auto& [key, value] : task.items()) {
      if (key != "name" && key != "points") refuse(where, fmt::format("unknown key \"{}\"", key));
    }
    const double points = task.contains("points") ? number(task["points"], where, "points") : 1;
    add_tasks(assignment, course, task["name"].get<std::string>(), points, where);
  }
}

Assignment parse_json(std::string_view text, const std::string& name, const Course& course) {
  Assignment assignment;
  Json object;
  try {
    object = Json::parse(text);
  } catch (const Json::exception& error) {
    refuse(name, fmt::format("is not JSON: {}", error.what()));
  }
  for (const auto& [key, value] : object.items()) {
    if (key == "title" && value.is_string()) {
      assignment.title = value.get<std::string>();
    } else if (key == "deadline" && value.is_string()) {
      set_deadline(assignment, value.get<std::string>(), name);
    } else if (key == "late_percent_per_day") {
      assignment.late_percent = number(value, name, key);
    } else if (key == "shares" && value.is_object()) {
      assignment.shares = {0, 0, 0, 0};
      for (const auto& [stage, percent] : value.items()) {
        share(assignment.shares, stage, name) = number(percent, name, stage);
      }
    } else if (key == "exercises") {
      read_json_tasks(assignment, value, name, course);
    } else {
      refuse(name, fmt::format("\"{}\" is none of title, deadline, late_percent_per_day, shares, "
                               "exercises, or has a value of another type",
                               key));
    }
  }
  return assignment;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line.substr(0, line.find('#')));
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string rest_of(const std::string& line, const std::string& word) {
  const std::size_t at = line.find_first_not_of(" \t", line.find(word) + word.size());
  std::string rest = at == std::string::npos ? "" : line.substr(at);
  while (!rest.empty() && std::isspace(static_cast<unsigned char>(rest.back())) != 0) {
    rest.pop_back();
  }
  return rest;
}

void read_shares(Assignment& assignment, const std::vector<std::string>& words,
                 const std::string& where) {
  if (words.size() % 2 == 0) refuse(where, "shares wants pairs: shares clean 20 right 50 good 30");
  assignment.shares = {0, 0, 0, 0};
  for (std::size_t i = 1; i < words.size(); i += 2) {
    share(assignment.shares, words[i], where) = number(words[i + 1], where, words[i]);
  }
}

Assignment parse_lines(std::string_view text, const std::string& name, const Course& course) {
  Assignment assignment;
  std::istringstream lines{std::string(text)};
  unsigned at = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string where = fmt::format("{}:{}", name, ++at);
    const auto words = words_of(line);
    if (words.empty()) continue;
    if (words[0] == "title") {
      assignment.title = rest_of(line, words[0]);
    } else if (words[0] == "deadline") {
      set_deadline(assignment, rest_of(line.substr(0, line.find('#')), words[0]), where);
    } else if (words[0] == "late") {
      if (words.size() != 2) refuse(where, "late wants the percentage for each day: late 10");
      assignment.late_percent = number(words[1], where, "late");
    } else if (words[0] == "shares") {
      read_shares(assignment, words, where);
    } else if (words.size() > 2) {
      refuse(where, fmt::format("'{}' is too much: an exercise and its points, or title, deadline, "
                                "late, shares",
                                words[2]));
    } else {
      const double points = words.size() == 2 ? number(words[1], where, "points") : 1;
      add_tasks(assignment, course, words[0], points, where);
    }
  }
  return assignment;
}

}  // namespace

double Assignment::points() const {
  double sum = 0;
  for (const Task& task : tasks) sum += task.points;
  return sum;
}

std::optional<Time> parse_time(std::string_view text) {
  std::tm at{};
  int used = 0;
  char between = 0;
  const std::string copy(text);
  if (std::sscanf(copy.c_str(), "%4d-%2d-%2d%c%2d:%2d%n", &at.tm_year, &at.tm_mon, &at.tm_mday,
                  &between, &at.tm_hour, &at.tm_min, &used) != 6 ||
      (between != ' ' && between != 'T')) {
    return std::nullopt;
  }
  std::string rest = copy.substr(static_cast<std::size_t>(used));
  int more = 0;
  if (std::sscanf(rest.c_str(), ":%2d%n", &at.tm_sec, &more) == 1) rest.erase(0, more);
  namespace chrono = std::chrono;
  const chrono::year_month_day day{chrono::year(at.tm_year),
                                   chrono::month(static_cast<unsigned>(at.tm_mon)),
                                   chrono::day(static_cast<unsigned>(at.tm_mday))};
  if (!day.ok() || at.tm_hour > 23 || at.tm_min > 59 || at.tm_sec > 60) return std::nullopt;
  const auto utc = chrono::sys_days(day) + chrono::hours(at.tm_hour) + chrono::minutes(at.tm_min) +
                   chrono::seconds(at.tm_sec);
  if (rest == "Z") return utc;
  char sign = 0;
  int hours = 0, minutes = 0;
  if (std::sscanf(rest.c_str(), "%c%2d:%2d%n", &sign, &hours, &minutes, &more) == 3 &&
      rest.size() == static_cast<std::size_t>(more) && (sign == '+' || sign == '-') &&
      hours <= 14 && minutes <= 59) {
    const auto ahead = chrono::hours(hours) + chrono::minutes(minutes);
    return sign == '+' ? utc - ahead : utc + ahead;
  }
  if (!rest.empty()) return std::nullopt;
  at.tm_year -= 1900;
  at.tm_mon -= 1;
  at.tm_isdst = -1;
  return chrono::system_clock::from_time_t(std::mktime(&at));
}

Assignment parse_assignment(std::string_view text, const std::string& name, const Course& course) {
  if (!is_utf8(text)) refuse(name, "is not UTF-8: save it as UTF-8");
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && text[first] == '{';
  Assignment assignment = json ? parse_json(text, name, course) : parse_lines(text, name, course);
  finish(assignment, name);
  return assignment;
}

Assignment read_assignment(const std::filesystem::path& file, const Course& course) {
  return parse_assignment(read_text(file), shown(file), course);
}

Assignment whole_course(const Course& course) {
  Assignment assignment;
  for (const Chapter& chapter : course.chapters) {
    for (const Exercise& exercise : chapter.exercises) assignment.tasks.push_back({exercise, 1});
  }
  return assignment;
}

double percent_when(const Assignment& assignment, std::optional<Time> handed_in) {
  if (!assignment.deadline || !handed_in || *handed_in <= *assignment.deadline) return 100;
  const auto days = std::chrono::ceil<std::chrono::days>(*handed_in - *assignment.deadline);
  return std::max(0.0, 100 - assignment.late_percent * static_cast<double>(days.count()));
}

}  // namespace warpwise::tutor
