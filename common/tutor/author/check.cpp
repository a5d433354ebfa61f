#include "tutor/author/check.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "tutor/author/adversaries/check_adversaries.h"
#include "tutor/author/pasting/check_pasted.h"
#include "tutor/command.h"
#include "tutor/course/names.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {
namespace {

using Result = Finding::Result;

// An error while looking is also a finding; a request to stop is not.
Finding look(const CheckItem& item) {
  try {
    return item.look();
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    return {Result::failed, error.what()};
  }
}

std::string line_of(const CheckItem& item, const Finding& finding) {
  constexpr const char* words[] = {"ok", "FAILED", "skipped"};
  std::string why = finding.why.empty() ? "" : ": " + finding.why;
  while (why.ends_with('\n')) why.pop_back();
  return fmt::format("{:8}{}  {}{}\n", words[static_cast<int>(finding.result)], item.subject,
                     item.what, why);
}

// At once, in a pipe as well.
void print(const std::string& line) {
  std::fputs(line.c_str(), stdout);
  std::fflush(stdout);
}

// Says at each tenth how many of the files with pasted rungs are judged.
void tell_pasted(std::size_t done, std::size_t all) {
  if (done * 10 / all == (done - 1) * 10 / all) return;
  print(fmt::format("        rungs pasted into exercises: {} of {} files judged\n", done, all));
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

Tally look_at_all(const std::vector<CheckItem>& items,
                  const std::function<void(const std::string& line)>& tell) {
  std::vector<std::optional<Finding>> findings(items.size());
  std::mutex mutex;
  std::size_t told = 0;
  Tally tally;
  base::in_parallel(items.size(), base::cores(), [&](std::size_t item, std::size_t) {
    Finding finding = look(items[item]);
    const std::lock_guard lock(mutex);
    tally.passed += finding.result == Result::passed ? 1 : 0;
    tally.failed += finding.result == Result::failed ? 1 : 0;
    tally.skipped += finding.result == Result::skipped ? 1 : 0;
    findings[item] = std::move(finding);
    for (; told < items.size() && findings[told]; ++told)
      tell(line_of(items[told], *findings[told]));
  });
  return tally;
}

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
  Tally tally = look_at_all(items, print);
  pasted.look(context, tell_pasted);
  const std::vector<CheckItem> pastes = pasted.items();
  tally += look_at_all(pastes, print);
  fmt::print("{}{}\n", pasted.matrix(), tally.text());
  return tally.failed == 0 ? status_ok : status_wrong;
}

}  // namespace warpwise::tutor
