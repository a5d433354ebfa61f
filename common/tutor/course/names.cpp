#include "tutor/course/names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "tutor/system/clean_text.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace {

enum Rank : int { no_match, inside, beginning, exact };

Rank rank(std::string_view part, std::string_view name) {
  if (part == name) return exact;
  if (name.starts_with(part)) return beginning;
  return name.find(part) != std::string_view::npos ? inside : no_match;
}

// "exercises/ch05_warp_reduce/01_lane_sum.cu" and the like, as a shell completes them -> an id.
std::string without_folders(std::string_view name) {
  std::string text(name);
  for (const std::string_view top : {"chapters/", "exercises/", "solutions/"}) {
    const auto at = text.rfind(top);
    if (at != std::string::npos && (at == 0 || text[at - 1] == '/')) text.erase(0, at + top.size());
  }
  while (text.starts_with("./")) text.erase(0, 2);
  if (text.starts_with('/')) text.erase(0, 1);
  if (const auto at = text.find("/checks/"); at != std::string::npos) text.erase(at, 7);
  if (const auto at = text.find("/mistakes/"); at != std::string::npos) text.erase(at, 9);
  for (const char* end : {".cu", ".md", "/"}) {
    if (text.ends_with(end)) text.erase(text.size() - std::string_view(end).size());
  }
  return text;
}

Rank rank_exercise(std::string_view wanted, const Exercise& exercise) {
  const auto slash = wanted.find('/');
  if (slash == std::string_view::npos) return rank(wanted, exercise.name);
  return std::min(rank(wanted.substr(0, slash), exercise.chapter),
                  rank(wanted.substr(slash + 1), exercise.name));
}

std::string id(const Found& found) {
  return found.exercise != nullptr ? found.exercise->id() : found.chapter->name;
}

std::vector<Found> best_matches(const Course& course, std::string_view wanted) {
  std::vector<Found> best;
  Rank highest = inside;
  const auto consider = [&](Rank found, Found what) {
    if (found > highest) best.clear();
    highest = std::max(highest, found);
    if (found == highest) best.push_back(what);
  };
  for (const Chapter& chapter : course.chapters) {
    consider(rank(wanted, chapter.name), {&chapter, nullptr});
    for (const Exercise& exercise : chapter.exercises) {
      consider(rank_exercise(wanted, exercise), {&chapter, &exercise});
    }
  }
  return best;
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0U : 1U);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// How far the wanted name is from the nearest part of an id that people use alone.
std::size_t distance_to_parts(std::string_view wanted, std::string_view name) {
  std::size_t best = distance(wanted, name);
  for (std::size_t from = 0; from < name.size();) {
    const std::size_t to = std::min(name.find_first_of("/_", from), name.size());
    best = std::min({best, distance(wanted, name.substr(from, to - from)),
                     distance(wanted, name.substr(from)), distance(wanted, name.substr(0, to))});
    from = to + 1;
  }
  return best;
}

// The ids of all chapters; where the wanted name begins with one of them, "ch10/99", of that alone.
std::vector<std::string> ids(const Course& course, std::string_view wanted) {
  const std::string_view of = wanted.substr(0, wanted.find('/'));
  std::vector<std::string> all, of_chapter;
  for (const Chapter& chapter : course.chapters) {
    auto& result = !of.empty() && chapter.name.starts_with(of) ? of_chapter : all;
    result.push_back(chapter.name);
    for (const Exercise& exercise : chapter.exercises) result.push_back(exercise.id());
  }
  return of_chapter.empty() ? all : of_chapter;
}

}  // namespace

std::string printable(std::string_view name) {
  constexpr std::size_t longest = 80;
  const std::string text = clean_text(name.substr(0, longest), false);
  return name.size() > longest ? text + "..." : text;
}

std::vector<std::string> nearest(std::string_view wanted, const std::vector<std::string>& names,
                                 std::size_t most) {
  wanted = wanted.substr(0, 200);
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& name : names) ranked.emplace_back(distance_to_parts(wanted, name), name);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  ranked.resize(std::min(ranked.size(), most));
  std::vector<std::string> result;
  for (const auto& [how_far, name] : ranked) result.push_back(name);
  return result;
}

Found find(const Course& course, std::string_view name) {
  const std::string wanted = without_folders(name);
  const std::vector<Found> matches =
      wanted.empty() ? std::vector<Found>() : best_matches(course, wanted);
  if (matches.size() == 1) return matches[0];
  if (matches.empty()) {
    throw Failure(status_usage, fmt::format("unknown name '{}'; the nearest: {}", printable(name),
                                            fmt::join(nearest(wanted, ids(course, wanted)), ", ")));
  }
  std::vector<std::string> candidates;
  for (const Found& match : matches) candidates.push_back(id(match));
  throw Failure(status_usage, fmt::format("'{}' may mean {}: give more of the name",
                                          printable(name), fmt::join(candidates, ", ")));
}

const Exercise& find_exercise(const Course& course, std::string_view name) {
  const Found found = find(course, name);
  if (found.exercise != nullptr) return *found.exercise;
  std::vector<std::string> exercises;
  for (const Exercise& exercise : found.chapter->exercises) exercises.push_back(exercise.id());
  throw Failure(status_usage, fmt::format("{} is a chapter; which exercise of it: {}?",
                                          found.chapter->name, fmt::join(exercises, ", ")));
}

}  // namespace warpwise::tutor
