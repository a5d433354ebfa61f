#include "tutor/live/state.h"

#include <doctest/doctest.h>

#include "tutor/live/state_fixture.h"

namespace warpwise::tutor::watch {
namespace {

template <class Wanted>
const Wanted* only(const std::vector<Action>& actions) {
  return actions.size() == 1 ? std::get_if<Wanted>(&actions[0]) : nullptr;
}

bool starts(const std::vector<Action>& actions, Work work, std::size_t item) {
  for (const Action& action : actions) {
    const Start* start = std::get_if<Start>(&action);
    if (start != nullptr) return start->work == work && start->item == item;
  }
  return false;
}

TEST_CASE("it begins at the first unsolved exercise, builds its check, and then its chapter's") {
  State state = test::state();
  CHECK(starts(update(state, Begun{}), Work::building, 1));
  CHECK(state.at == 1);
  const std::vector<Action> actions = update(state, Built{state.job});
  REQUIRE(only<BuildAhead>(actions));
  CHECK(only<BuildAhead>(actions)->item == 1);
  CHECK(state.work == Work::none);
  CHECK(starts(update(state, Saved{1, true}), Work::judging, 1));
}

TEST_CASE("what was built ahead is not built again; other chapters are") {
  State state = test::judged("solved", "text");
  CHECK(starts(update(state, Saved{0, true}), Work::judging, 0));
  CHECK(starts(update(state, Saved{2, true}), Work::building, 2));

  state = test::state();
  update(state, Begun{});
  update(state, Built{state.job});
  CHECK(starts(update(state, Saved{0, true}), Work::building, 0));
  update(state, BuiltAhead{"ch01"});
  CHECK(state.work == Work::building);
  CHECK(starts(update(state, Built{state.job}), Work::judging, 0));
}

TEST_CASE("an edited exercise is judged as soon as its check is built") {
  State state = test::state();
  state.items[1].state = "diagnosed: race";
  update(state, Begun{});
  CHECK(starts(update(state, Built{state.job}), Work::judging, 1));
}

TEST_CASE("a save during a build is judged after it, and starts no other build") {
  State state = test::state();
  update(state, Begun{});
  CHECK(update(state, Saved{1, true}).empty());
  CHECK(starts(update(state, Built{state.job}), Work::judging, 1));
}

TEST_CASE("a save during a judgement begins it again; the old answer counts for nothing") {
  State state = test::begun();
  update(state, Saved{1, true});
  const int old = state.job;
  CHECK(starts(update(state, Saved{1, true}), Work::judging, 1));
  update(state, Judged{old, "solved", "old"});
  CHECK(state.work == Work::judging);
  CHECK(state.verdict == "");
  update(state, Judged{state.job, "gate: sectors", "new"});
  CHECK(state.item().state == "gate: sectors");
  CHECK(state.verdict == "new");
}

TEST_CASE("a save without a change is judged only when a verdict is missing") {
  State state = test::begun();
  CHECK(starts(update(state, Saved{1, false}), Work::judging, 1));
  CHECK(update(state, Saved{1, false}).empty());
  update(state, Judged{state.job, "wrong result", "text"});
  CHECK(update(state, Saved{1, false}).empty());
  CHECK(state.note == "Saved; the text is the same as before.");
  update(state, Saved{1, true});
  update(state, Pressed{key_interrupt});
  CHECK(starts(update(state, Saved{1, false}), Work::judging, 1));
}

TEST_CASE("n goes on only when solved, over all that is unsolved, and then round") {
  State state = test::judged("wrong result", "text");
  CHECK(update(state, Pressed{'n'}).empty());
  CHECK(state.note == "n goes on when this exercise is solved.");
  update(state, Saved{1, true});
  update(state, Judged{state.job, "solved", "text"});
  CHECK(starts(update(state, Pressed{'n'}), Work::building, 2));
  state.items[0].state = "edited";
  state.items[2].state = "solved";
  update(state, Built{state.job});
  CHECK(starts(update(state, Pressed{'n'}), Work::judging, 0));
  update(state, Judged{state.job, "solved", "text"});
  CHECK(update(state, Pressed{'n'}).empty());
  CHECK(state.note == "All exercises are solved.");
}

TEST_CASE("a later mistake takes neither the mark nor the explanation away") {
  State state = test::judged("solved", "text");
  update(state, Saved{1, true});
  update(state, Judged{state.job, "diagnosed: race", "text"});
  CHECK_FALSE(state.item().solved());
  CHECK(state.item().done());
  CHECK(only<Ask>(update(state, Pressed{'e'}))->what == Ask::explanation);
  CHECK(starts(update(state, Pressed{'n'}), Work::building, 2));
}

TEST_CASE("a save of another exercise goes there") {
  State state = test::begun();
  CHECK(update(state, Saved{2, false}).empty());
  CHECK(starts(update(state, Saved{2, true}), Work::building, 2));
  CHECK(state.at == 2);
  CHECK(starts(update(state, Built{state.job}), Work::judging, 2));
}

TEST_CASE("a text of the blank alone is the task again") {
  State state = test::begun();
  update(state, Saved{1, true});
  update(state, Judged{state.job, "not solved yet", "text"});
  CHECK(state.page == Page::task);
  CHECK(state.note.find("BEGIN YOUR CODE") != std::string::npos);
}

TEST_CASE("Ctrl-C ends what goes on and stays; the next one quits") {
  State state = test::begun();
  update(state, Saved{1, true});
  CHECK(only<Cancel>(update(state, Pressed{key_interrupt})));
  CHECK(state.note == "Stopped. The next save judges again.");
  CHECK(only<Quit>(update(state, Pressed{key_interrupt}))->interrupted);

  state = test::begun();
  CHECK(update(state, Pressed{key_interrupt}).empty());
  update(state, Saved{1, true});
  update(state, Judged{state.job, "solved", "text"});
  CHECK(update(state, Pressed{key_interrupt}).empty());
  CHECK(update(state, Pressed{'l'}).empty());
  CHECK(update(state, Pressed{key_interrupt}).empty());
  CHECK(only<Quit>(update(state, Pressed{key_interrupt})));
}

TEST_CASE("Ctrl-Z ends what goes on; afterwards it begins again") {
  State state = test::begun();
  update(state, Saved{1, true});
  const int old = state.job;
  const auto actions = update(state, Pressed{key_suspend});
  REQUIRE(actions.size() == 2);
  CHECK(std::holds_alternative<Cancel>(actions[0]));
  CHECK(std::holds_alternative<Suspend>(actions[1]));
  CHECK(starts(update(state, Resumed{}), Work::judging, 1));
  CHECK(state.job != old);
  update(state, Judged{state.job, "solved", ""});
  CHECK(only<Suspend>(update(state, Pressed{key_suspend})));
  CHECK(update(state, Resumed{}).empty());
}

TEST_CASE("reset asks first") {
  State state = test::begun();
  CHECK(update(state, Pressed{'x'}).empty());
  CHECK(update(state, Pressed{'q'}).empty());
  CHECK(state.note == "Nothing was changed.");
  update(state, Pressed{'x'});
  const auto actions = update(state, Pressed{'y'});
  REQUIRE(only<Ask>(actions));
  CHECK(only<Ask>(actions)->what == Ask::reset);
  update(state, Told{0, "The stub again", "where the old text is"});
  update(state, Saved{1, true});
  update(state, Judged{state.job, "not solved yet", "text"});
  CHECK(state.page == Page::text);
  CHECK(state.text == "where the old text is");
}

TEST_CASE("other keys do nothing") {
  State state = test::judged("wrong result", "text");
  for (const int key : std::vector<int>{'e', 'z', '\x01', 300, 0}) {
    CHECK(update(state, Pressed{key}).empty());
  }
}

TEST_CASE("view and compare wait for the work before; a save goes first") {
  State state = test::begun();
  CHECK(starts(update(state, Pressed{'v'}), Work::viewing, 1));
  update(state, Saved{1, true});
  CHECK(update(state, Pressed{'c'}).empty());
  CHECK(state.note == "One moment: this has to wait for the work in progress.");
  update(state, Judged{state.job, "solved", "text"});
  CHECK(starts(update(state, Pressed{'c'}), Work::comparing, 1));
  update(state, Told{state.job, "title", "both"});
  CHECK(state.text == "both");
  CHECK(state.work == Work::none);
  update(state, Pressed{key_escape});
  CHECK(state.page == Page::verdict);
}

TEST_CASE("what fails is shown, and the next save tries again") {
  State state = test::state();
  update(state, Begun{});
  update(state, Failed{state.job, "no compiler"});
  CHECK(state.text == "no compiler");
  CHECK(starts(update(state, Saved{1, true}), Work::building, 1));
  update(state, Built{state.job});
  update(state, Failed{state.job, "the check crashed"});
  CHECK(starts(update(state, Saved{1, false}), Work::judging, 1));
}

TEST_CASE("of a text without an end the beginning is kept") {
  const State state = test::judged("wrong result", std::string(1 << 20, 'x'));
  CHECK(state.verdict.size() < 100'000);
  CHECK(state.verdict.ends_with("xxx\n... and so on; the rest was left out.\n"));
}

TEST_CASE("a file that is gone is said; when it is back it is judged") {
  State state = test::begun();
  update(state, Removed{1});
  CHECK(state.item().state == "missing");
  CHECK(state.note ==
        "exercises/ch01/02_second.cu is missing: git checkout -- "
        "exercises/ch01/02_second.cu");
  CHECK(starts(update(state, Saved{1, true}), Work::judging, 1));
}

TEST_CASE("what was said of a text goes with its file") {
  State state = test::judged("wrong result", "01_first: wrong result\n");
  REQUIRE(state.page == Page::verdict);
  update(state, Removed{state.at});
  CHECK(state.verdict.empty());
  CHECK(state.page == Page::task);
}

TEST_CASE("a damaged progress is made again first of all") {
  State state = test::state();
  state.must_rebuild = true;
  CHECK(starts(update(state, Begun{}), Work::rebuilding, 0));
  const auto actions =
      update(state, Rebuilt{state.job, "was damaged", {"solved", "solved", "not solved yet"}});
  CHECK(starts(actions, Work::building, 2));
  CHECK(state.text == "was damaged");
  CHECK(state.page == Page::text);
}

}  // namespace
}  // namespace warpwise::tutor::watch
