#include "tutor/author/pasting/pasting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>

#include "base/frame.h"

namespace warpwise::tutor {
namespace {

using Way = std::vector<std::string>;

// A learner who tries more than so many would sooner solve the exercise.
constexpr std::size_t most_ways = 2;
constexpr std::size_t most_considered = 6000;

// Parameters of the same class can replace each other.
std::string class_of(const Parameter& parameter) {
  static const std::set<std::string> integers{"int",      "unsigned",  "unsigned int",
                                              "size_t",   "int64_t",   "uint32_t",
                                              "uint64_t", "long long", "ptrdiff_t"};
  if (parameter.type.ends_with('*')) {
    return parameter.type.starts_with("const ") ? "const pointer" : "pointer";
  }
  if (integers.contains(parameter.type)) return "integer";
  if (parameter.type == "float" || parameter.type == "double") return "float";
  return parameter.type;
}

bool is_number(const Parameter& parameter) {
  return class_of(parameter) == "integer" || class_of(parameter) == "float";
}

// But for capitals.
bool same_name(const std::string& one, const std::string& other) {
  return std::equal(
      one.begin(), one.end(), other.begin(), other.end(),
      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

// Searches what one parameter can be, and all of them together.
class Search {
 public:
  Search(const std::vector<Parameter>& wanted, const std::vector<Parameter>& given)
      : wanted_(wanted), given_(given) {
    for (const Parameter& parameter : wanted) kinds_.push_back(class_of(parameter));
  }

  struct Found {
    std::vector<int> choice;  // index into given_; -1: the number 1.
    int score = 0;
  };

  // Whether the names, or the lack of others, tell every place.
  bool is_obvious(const Found& found) const {
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (is_settled(i) || candidates_[i].size() == 1) continue;
      if (!same_name(wanted_[i].name, given_[static_cast<std::size_t>(found.choice[i])].name)) {
        return false;
      }
    }
    return true;
  }
  // The choices that make it another way.
  std::vector<int> key(const Found& found) const {
    std::vector<int> key;
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (!is_settled(i)) key.push_back(found.choice[i]);
    }
    return key;
  }

  std::vector<Found> all() {
    for (const Parameter& parameter : wanted_) {
      candidates_.push_back(candidates(parameter));
      if (candidates_.back().empty()) return {};
    }
    std::vector<int> choice;
    extend(choice);
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Found& a, const Found& b) { return a.score > b.score; });
    return std::move(found_);
  }

 private:
  std::size_t count(const std::vector<Parameter>& list, const std::string& kind) const {
    return std::count_if(list.begin(), list.end(),
                         [&](const Parameter& one) { return class_of(one) == kind; });
  }
  // Numbers that are short or left over stay in their likeliest places.
  bool is_settled(std::size_t i) const {
    return is_number(wanted_[i]) && count(given_, kinds_[i]) != count(wanted_, kinds_[i]);
  }
  bool is_short_of(const std::string& kind) const {
    return count(given_, kind) < count(wanted_, kind);
  }

  std::vector<int> candidates(const Parameter& parameter) const {
    const std::string kind = class_of(parameter);
    std::vector<int> same, similar;
    for (std::size_t i = 0; i < given_.size(); ++i) {
      if (class_of(given_[i]) != kind) continue;
      similar.push_back(static_cast<int>(i));
      if (given_[i].type == parameter.type) same.push_back(static_cast<int>(i));
    }
    if (is_number(parameter)) {
      if (is_short_of(kind)) similar.push_back(-1);
      return similar;
    }
    return same.empty() ? similar : same;
  }

  bool is_taken(const std::vector<int>& choice, int one) const {
    return one >= 0 && std::find(choice.begin(), choice.end(), one) != choice.end();
  }

  void extend(std::vector<int>& choice) {
    if (found_.size() >= most_considered) return;
    if (choice.size() == wanted_.size()) {
      found_.push_back({choice, score(choice)});
      return;
    }
    const auto& candidates = candidates_[choice.size()];
    // Twice only where there are too few, of that type or of that class.
    const bool free = std::any_of(candidates.begin(), candidates.end(),
                                  [&](int one) { return one >= 0 && !is_taken(choice, one); });
    for (const int one : candidates) {
      if (is_taken(choice, one) && (free && !is_short_of(kinds_[choice.size()]))) continue;
      choice.push_back(one);
      extend(choice);
      choice.pop_back();
    }
  }

  // Same names first, then nothing used twice or left over, then the same order.
  int score(const std::vector<int>& choice) const {
    int points = 0;
    std::set<int> used;
    for (std::size_t i = 0; i < choice.size(); ++i) {
      if (choice[i] < 0) continue;
      const auto& taken = given_[static_cast<std::size_t>(choice[i])];
      if (same_name(taken.name, wanted_[i].name)) points += 8;
      if (used.insert(choice[i]).second) points += 4;
      for (std::size_t j = 0; j < i; ++j) {
        if (kinds_[j] == kinds_[i] && choice[j] < choice[i]) ++points;
      }
    }
    return points;
  }

  const std::vector<Parameter>& wanted_;
  const std::vector<Parameter>& given_;
  std::vector<std::string> kinds_;            // of wanted_
  std::vector<std::vector<int>> candidates_;  // for wanted_
  std::vector<Found> found_;
};

std::string expression(const Parameter& wanted, const std::vector<Parameter>& given, int choice) {
  if (choice < 0) return "1";
  const Parameter& taken = given[static_cast<std::size_t>(choice)];
  return taken.type == wanted.type || is_number(wanted)
             ? taken.name
             : fmt::format("AsPointer{{{}}}", taken.name);
}

// Does what a cast would do, without the type's name.
constexpr const char* pointer_helper =
    "struct AsPointer {\n"
    "  const void* pointer;\n"
    "  template <class T>\n"
    "  __device__ operator T*() const { return (T*)pointer; }\n"
    "};\n";

}  // namespace

std::vector<Way> ways_to_call(const std::vector<Parameter>& wanted,
                              const std::vector<Parameter>& given, std::size_t most) {
  std::vector<Way> ways;
  std::set<std::vector<int>> seen;
  Search search(wanted, given);
  for (const Search::Found& found : search.all()) {
    if (ways.size() == most) break;
    if (!seen.insert(search.key(found)).second) continue;
    Way way;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      way.push_back(expression(wanted[i], given, found.choice[i]));
    }
    ways.push_back(std::move(way));
    if (search.is_obvious(found)) break;
  }
  return ways;
}

AskedKernel asked_kernel(const std::string& frame) {
  AskedKernel asked;
  bool blank = false;
  for (const Declaration& one : declarations_of(frame)) {
    if (one.kind == Declaration::Kind::directive && one.words.contains("include")) {
      asked.includes += one.text + "\n";
    }
    if (one.kind != Declaration::Kind::kernel || blank) continue;
    asked.head = one.head;
    asked.parameters = one.parameters;
    blank = one.text.find(lesson::begin_mark) != std::string::npos;
  }
  return asked;
}

std::vector<PastedFile> pasted_files(const Rung& rung, const std::vector<AskedKernel>& asked) {
  std::vector<std::vector<Way>> ways;
  std::size_t most = 0;
  for (const AskedKernel& one : asked) {
    ways.push_back(one.head.empty() ? std::vector<Way>{}
                                    : ways_to_call(rung.parameters, one.parameters, most_ways));
    most = std::max(most, ways.back().size());
  }
  std::vector<PastedFile> files;
  for (const std::string& call : rung.calls) {
    for (std::size_t way = 0; way < most; ++way) {
      PastedFile file;
      std::string includes, kernels;
      for (std::size_t i = 0; i < asked.size(); ++i) {
        if (way >= ways[i].size()) continue;
        file.exercises.push_back(i);
        includes += asked[i].includes;
        kernels += fmt::format("{} {{\n  using namespace {};\n  {}::{}({});\n}}\n", asked[i].head,
                               rung.scope, rung.scope, call, fmt::join(ways[i][way], ", "));
      }
      file.text = fmt::format("// {} in the place of the exercises' kernels.\n{}{}{}{}", rung.name,
                              includes, rung.text, pointer_helper, kernels);
      files.push_back(std::move(file));
    }
  }
  return files;
}

}  // namespace warpwise::tutor
