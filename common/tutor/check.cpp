#include "tutor/check.h"

#include <fmt/format.h>

#include <exception>

#include "tutor/check_adversaries.h"
#include "tutor/check_pasted.h"
#include "tutor/command.h"
#include "tutor/failure.h"
#include "tutor/files.h"
#include "tutor/names.h"
#include "tutor/parallel.h"
#include "tutor/tally.h"

namespace warpwise::tutor {
namespace {

using Result = Finding::Result;

// What went wrong while looking is a finding too; a request to stop is not.
Finding look(const CheckItem& item) {
  try {
    return item.look();
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    return {Result::failed, error.what()};
  }
}

// Looks at all items on as many threads as there are cores; the findings come in their order.
std::vector<Finding> look_at_all(const std::vector<CheckItem>& items) {
  std::vector<Finding> findings(items.size());
  in_parallel(items.size(), cores(),
              [&](std::size_t item, std::size_t) { findings[item] = look(items[item]); });
  return findings;
}

void print(const CheckItem& item, const Finding& finding) {
  constexpr const char* words[] = {"ok", "FAILED", "skipped"};
  std::string why = finding.why.empty() ? "" : ": " + finding.why;
  while (why.ends_with('\n')) why.pop_back();
  fmt::print("{:8}{}  {}{}\n", words[static_cast<int>(finding.result)], item.subject, item.what,
             why);
}

Tally report(const std::vector<CheckItem>& items, const std::vector<Finding>& findings) {
  Tally tally;
  for (std::size_t i = 0; i < items.size(); ++i) {
    print(items[i], findings[i]);
    tally.passed += findings[i].result == Result::passed ? 1 : 0;
    tally.failed += findings[i].result == Result::failed ? 1 : 0;
    tally.skipped += findings[i].result == Result::skipped ? 1 : 0;
  }
  return tally;
}

// A check of nothing says nothing.
CheckItem something_item(const char* what, std::size_t count, const char* otherwise) {
  return {"lessons", what, [=] {
            return count > 0 ? Finding{} : Finding{Result::failed, otherwise};
          }};
}

bool wanted(const Found& only, const Chapter& chapter, const Exercise& exercise) {
  if (only.chapter == nullptr) return true;
  return only.exercise != nullptr ? only.exercise->id() == exercise.id()
                                  : only.chapter->name == chapter.name;
}

}  // namespace

int check_command(const Context& context, const std::string& only) {
  const Course course = read_course(context.root);
  const Found chosen = only.empty() ? Found{} : find(course, only);
  std::vector<CheckItem> items;
  if (only.empty()) items.push_back(stray_item(course));
  std::vector<std::string> targets;
  PastedRungs pasted;
  std::size_t exercises = 0;
  for (const Chapter& chapter : course.chapters) {
    std::vector<Exercise> some;
    for (const Exercise& exercise : chapter.exercises) {
      if (!wanted(chosen, chapter, exercise)) continue;
      some.push_back(exercise);
      std::error_code ignored;
      if (std::filesystem::exists(exercise.check, ignored)) {
        targets.push_back("checks/" + exercise.id());
      }
      for (auto& item : paper_items(chapter, exercise)) items.push_back(std::move(item));
      for (auto& item : judged_items(context, exercise)) items.push_back(std::move(item));
      items.push_back(adversary_item(context, exercise));
    }
    if (!some.empty()) pasted.add(chapter, some);
    exercises += some.size();
  }
  items.push_back(something_item("there are exercises", exercises, "no exercise was found"));
  if (only.empty()) {
    items.push_back(something_item("there are rungs", pasted.pairs(), "no rung was found"));
  }
  if (!targets.empty()) context.make(context, targets);
  Tally tally = report(items, look_at_all(items));
  pasted.look(context);
  const std::vector<CheckItem> pastes = pasted.items();
  tally += report(pastes, look_at_all(pastes));
  fmt::print("{}{}\n", pasted.matrix(), tally.text());
  return tally.failed == 0 ? status_ok : status_wrong;
}

}  // namespace warpwise::tutor
