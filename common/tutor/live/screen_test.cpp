#include "tutor/live/screen.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tutor/live/state_fixture.h"
#include "tutor/reading/page.h"

namespace warpwise::tutor::watch {
namespace {

std::string joined(const std::vector<Line>& lines) {
  std::string text;
  for (const Line& line : lines) text += line.text + "\n";
  return text;
}

std::string shown(State state, int columns, int rows) {
  update(state, Resized{columns, rows});
  return joined(visible(draw(state), state));
}

// All there is to see, on a terminal with as many rows as it takes.
std::string drawn(State state, int columns) {
  update(state, Resized{columns, 24});
  const Screen screen = draw(state);
  return joined(screen.head) + joined(screen.body) + joined(screen.foot);
}

constexpr const char* diagnosis =
    "ch01/02_second: diagnosed at 33\n"
    "out-of-bounds: read of 4 bytes past the end of a (132 bytes), block (1,0,0) thread (1,0,0)\n"
    "  exercises/ch01/02_second.cu:12\n"
    "    y[i] = a[i] + b[i];  // and a comment that makes this line a long one\n"
    "           ^\n";

TEST_CASE("the task, before the first save") {
  CHECK(drawn(test::begun(), 60) ==
        "[##############-----------------------------]  1 of 3 solved\n"
        "02_second: what is to be done?\n"
        "exercises/ch01/02_second.cu\n"
        "not solved yet\n"
        "\n"
        "Write a kernel that adds two arrays, element by element, and\n"
        "that works for any number of elements.\n"
        "\n"
        "    y[i] = a[i] + b[i]\n"
        "\n"
        "Now edit exercises/ch01/02_second.cu between BEGIN YOUR CODE\n"
        "and END YOUR CODE. Every save is judged.\n"
        "\n"
        "h hint  v view  l list  c compare  x reset  q quit\n");
}

TEST_CASE("a diagnosis at 60 columns") {
  CHECK(drawn(test::judged("diagnosed: out-of-bounds", diagnosis), 60) ==
        "[##############-----------------------------]  1 of 3 solved\n"
        "02_second: what is to be done?\n"
        "exercises/ch01/02_second.cu\n"
        "diagnosed: out-of-bounds\n"
        "\n"
        "ch01/02_second: diagnosed at 33\n"
        "out-of-bounds: read of 4 bytes past the end of a (132\n"
        "bytes), block (1,0,0) thread (1,0,0)\n"
        "  exercises/ch01/02_second.cu:12\n"
        "    y[i] = a[i] + b[i];  // and a comment that makes this li\n"
        "           ^\n"
        "\n"
        "h hint  v view  l list  c compare  t task  x reset  q quit\n");
}

TEST_CASE("a diagnosis at 100 columns, while the next save is judged") {
  State state = test::judged("diagnosed: out-of-bounds", diagnosis);
  update(state, Saved{1, true});
  update(state, Ticked{2});
  CHECK(drawn(state, 100) ==
        "[####################----------------------------------------]  1 of 3 solved\n"
        "02_second: what is to be done?\n"
        "exercises/ch01/02_second.cu\n"
        "compiling and judging, 2 s\n"
        "\n"
        "ch01/02_second: diagnosed at 33\n"
        "out-of-bounds: read of 4 bytes past the end of a (132 bytes), block (1,0,0) thread "
        "(1,0,0)\n"
        "  exercises/ch01/02_second.cu:12\n"
        "    y[i] = a[i] + b[i];  // and a comment that makes this line a long one\n"
        "           ^\n"
        "\n"
        "h hint  v view  l list  c compare  t task  x reset  q quit\n");
}

TEST_CASE("solved: why, and what to look at next") {
  CHECK(drawn(test::judged("solved", "ch01/02_second: pass\n"), 80) ==
        "[########################################--------------------]  2 of 3 solved\n"
        "02_second: what is to be done?\n"
        "exercises/ch01/02_second.cu\n"
        "solved\n"
        "\n"
        "ch01/02_second: pass\n"
        "\n"
        "Each thread takes one element; those past the end take none.\n"
        "\n"
        "Next:\n"
        "  n goes on to 01_third: what is to be done?\n"
        "  a new chapter: Chapter ch02\n"
        "  e explains the solution and shows it next to yours\n"
        "  ./learn run ch01 shows what its ladders cost\n"
        "\n"
        "n next  h hint  v view  l list  c compare  e explain  t task  x reset  q quit\n");
}

TEST_CASE("the list") {
  State state = test::judged("gate: sectors", "text\n");
  update(state, Pressed{'l'});
  CHECK(drawn(state, 60) ==
        "[##############-----------------------------]  1 of 3 solved\n"
        "02_second: what is to be done?\n"
        "exercises/ch01/02_second.cu\n"
        "gate: sectors\n"
        "\n"
        "Chapter ch01\n"
        "  x 01_first                 solved\n"
        "> . 02_second                gate: sectors\n"
        "\n"
        "Chapter ch02\n"
        "  . 01_third                 not solved yet\n"
        "\n"
        "h hint  v view  l list  c compare  t task  x reset  q quit\n");
}

TEST_CASE("a long list begins where the learner is") {
  State state = test::state();
  for (int i = 0; i < 40; ++i) state.items.push_back(test::item("ch03", "more", "solved"));
  state.items.push_back(test::item("ch04", "the_one", "not solved yet"));
  state.items[1].state = state.items[2].state = "solved";
  update(state, Begun{});
  update(state, Resized{80, 24});
  update(state, Pressed{'l'});
  CHECK(shown(state, 80, 24).find("> . the_one") != std::string::npos);
}

TEST_CASE("the question before a reset") {
  State state = test::begun();
  update(state, Pressed{'x'});
  CHECK(drawn(state, 60) ==
        "[##############-----------------------------]  1 of 3 solved\n"
        "02_second: what is to be done?\n"
        "exercises/ch01/02_second.cu\n"
        "not solved yet\n"
        "\n"
        "Write a kernel that adds two arrays, element by element, and\n"
        "that works for any number of elements.\n"
        "\n"
        "    y[i] = a[i] + b[i]\n"
        "\n"
        "Now edit exercises/ch01/02_second.cu between BEGIN YOUR CODE\n"
        "and END YOUR CODE. Every save is judged.\n"
        "\n"
        "Back to the stub? Your text of exercises/ch01/02_second.cu\n"
        "is kept aside. y yes  n no\n");
}

TEST_CASE("while the checks are built") {
  State state = test::state();
  update(state, Begun{});
  update(state, Progressed{state.job, "building [3/20]"});
  update(state, Ticked{7});
  CHECK(shown(state, 60, 12) ==
        "[##############-----------------------------]  1 of 3 solved\n"
        "02_second: what is to be done?\n"
        "exercises/ch01/02_second.cu\n"
        "building this exercise's check, at first a minute or two:\n"
        "building [3/20], 7 s\n"
        "\n"
        "Write a kernel that adds two arrays, element by element, and\n"
        "that works for any number of elements.\n"
        "\n"
        "-- 4 lines more: space, arrows --\n"
        "\n"
        "h hint  v view  l list  c compare  x reset  q quit\n");
}

TEST_CASE("what is too long can be scrolled, and no further than its end") {
  State state = test::begun();
  std::string text;
  for (int i = 0; i < 50; ++i) text += std::to_string(i) + "\n";
  update(state, Told{0, "Long", text});
  const std::string top = shown(state, 60, 20);
  CHECK(top.find("\n-- 40 lines more: space, arrows --\n") != std::string::npos);
  update(state, Pressed{key_end});
  update(state, Resized{60, 20});
  visible(draw(state), state);
  CHECK(state.scroll == 40);
  CHECK(shown(state, 60, 20).find("\n49\n-- the end; up arrow goes back --\n") !=
        std::string::npos);
  update(state, Pressed{key_up});
  CHECK(state.scroll == 39);
  update(state, Pressed{key_home});
  CHECK(shown(state, 60, 20) == top);
}

TEST_CASE("the keys are at the foot") {
  const std::string text = shown(test::begun(), 60, 30);
  CHECK(std::count(text.begin(), text.end(), '\n') == 30);
  CHECK(text.ends_with("\n\nh hint  v view  l list  c compare  x reset  q quit\n"));
}

TEST_CASE("nothing is wider or higher than the terminal, whatever its size") {
  const std::vector<State> states{test::begun(), test::judged("solved", "pass\n"),
                                  test::judged("diagnosed: race", diagnosis)};
  for (State state : states) {
    for (int columns = 20; columns < 130; columns += 5) {
      for (int rows = 1; rows < 40; rows += 3) {
        update(state, Resized{columns, rows});
        const std::vector<Line> lines = visible(draw(state), state);
        CHECK(lines.size() <= static_cast<std::size_t>(rows));
        CHECK(std::all_of(lines.begin(), lines.end(), [&](const Line& line) {
          return columns_of(line.text) <= static_cast<std::size_t>(columns);
        }));
      }
    }
  }
  State state = test::begun();
  for (const int size : {0, 1, -1, 5, 100'000}) {
    update(state, Resized{size, size});
    CHECK(!visible(draw(state), state).empty());
  }
}

TEST_CASE("without colour the text has none and is otherwise the same") {
  const std::vector<Line> lines{{"a", Style::good}, {"b", Style::plain}};
  CHECK(terminal_text(lines, false) == "\x1b[Ha\x1b[K\r\nb\x1b[K\x1b[J");
  CHECK(terminal_text(lines, true) == "\x1b[H\x1b[1;32ma\x1b[0m\x1b[K\r\nb\x1b[K\x1b[J");
}

TEST_CASE("what a program printed cannot move the cursor") {
  const State state = test::judged("wrong result", "\x1b[2J\x1b[Hgone\a\n\x1b]0;title\a\n");
  CHECK(drawn(state, 60).find('\x1b') == std::string::npos);
  CHECK(drawn(state, 60).find("?[2J?[Hgone?\n?]0;title?\n") != std::string::npos);
}

}  // namespace
}  // namespace warpwise::tutor::watch
