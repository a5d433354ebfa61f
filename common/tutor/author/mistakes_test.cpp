#include "tutor/author/mistakes.h"

#include <doctest/doctest.h>

#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {
namespace {

struct Fixture {
  TemporaryFolder folder;
  Exercise exercise = exercise_files(folder.path(), "ch", "01_try");
  lesson::Mistake mistake;

  explicit Fixture(const std::string& text) {
    make_folder(exercise.mistakes.parent_path());
    write_atomically(exercise.mistakes, text);
  }
  lesson::Mistake only() const { return read_mistakes(exercise).at(0); }
  CheckVerdict diagnosed(const std::string& kind, unsigned line) const {
    return {.verdict = "diagnosed",
            .kind = kind,
            .message = "so",
            .file = exercise.mistakes.string(),
            .line = line};
  }
};

constexpr const char* out_of_bounds =
    "// about\n//= no_guard: reads too far\n    int a;\n    x[9] = a;  // expect: out-of-bounds\n";

TEST_CASE("a declared death is kind and line") {
  const Fixture fixture(out_of_bounds);
  const lesson::Mistake mistake = fixture.only();
  CHECK(mistake.name == "no_guard");
  CHECK(mistake.expected_line == 4);
  CHECK(difference(fixture.exercise, mistake, fixture.diagnosed("out-of-bounds", 4)) == "");
}

TEST_CASE("any other death is a difference") {
  const Fixture fixture(out_of_bounds);
  const lesson::Mistake mistake = fixture.only();
  const auto why = [&](const CheckVerdict& verdict) {
    return difference(fixture.exercise, mistake, verdict);
  };
  CHECK(why({.verdict = "pass"}) == "passes, should die of out-of-bounds");
  CHECK(why(fixture.diagnosed("out-of-bounds", 3)).starts_with("dies at "));
  CHECK(why(fixture.diagnosed("race", 4)).starts_with("dies of race"));
  CHECK(why({.verdict = "wrong result"}).starts_with("dies of wrong result"));
  CHECK(why({.verdict = "signature"}).starts_with("dies of signature"));
  CheckVerdict elsewhere = fixture.diagnosed("out-of-bounds", 4);
  elsewhere.file = "/elsewhere/mistakes/01_try.cu";
  CHECK(why(elsewhere).starts_with("dies at "));
}

TEST_CASE("an answer that is right and unusual is declared as such, and must pass") {
  const Fixture fixture("//= both: two padded tiles\n    int a;  // expect: pass\n");
  const auto why = [&](const CheckVerdict& verdict) {
    return difference(fixture.exercise, fixture.only(), verdict);
  };
  CHECK(why({.verdict = "pass"}) == "");
  CHECK(why({.verdict = "wrong result"}).starts_with("is right, and dies of wrong result"));
  CHECK(why({.verdict = "gate"}).starts_with("is right, and dies of gate"));
  CHECK(why(fixture.diagnosed("race", 2)).starts_with("is right, and dies of race"));
}

TEST_CASE("a death in a function of the frame is declared as such") {
  const Fixture fixture(
      "//= far: row 40\n  y = load(40);  // expect: out-of-bounds in the frame\n");
  const lesson::Mistake mistake = fixture.only();
  CHECK(mistake.expectation == "out-of-bounds");
  CheckVerdict verdict = fixture.diagnosed("out-of-bounds", 7);
  CHECK(difference(fixture.exercise, mistake, verdict).starts_with("dies at "));
  verdict.file = fixture.exercise.frame.string();
  CHECK(difference(fixture.exercise, mistake, verdict) == "");
}

TEST_CASE("a host mistake has a line, unless it is known only by how the process ended") {
  const Fixture fixture("//= bad: is bad\nint a;  // expect: leak\n");
  CheckVerdict verdict{.verdict = "diagnosed", .kind = "leak"};
  const auto why = [&] { return difference(fixture.exercise, fixture.only(), verdict); };
  CHECK(why().starts_with("dies at no line, not at "));
  verdict.file = fixture.exercise.mistakes.string();
  verdict.line = 7;
  CHECK(why() != "");
  verdict.line = 2;
  CHECK(why() == "");
  const Fixture ending("//= bad: is bad\nint a;  // expect: crash\n");
  CHECK(difference(ending.exercise, ending.only(), {.verdict = "diagnosed", .kind = "crash"}) ==
        "");
}

TEST_CASE("a wrong result has no line") {
  const Fixture fixture("//= half: forgets half\n  y = 0;  // expect: wrong result\n");
  CHECK(difference(fixture.exercise, fixture.only(), {.verdict = "wrong result"}) == "");
  CHECK(difference(fixture.exercise, fixture.only(), {.verdict = "gate"}) != "");
}

TEST_CASE("a gate is declared by its name, its line counts where it has one") {
  const Fixture fixture("//= far: strided\n  y = x[32 * i];  // expect: gate sectors\n");
  const lesson::Mistake mistake = fixture.only();
  CheckVerdict verdict{.verdict = "gate"};
  const auto why = [&] { return difference(fixture.exercise, mistake, verdict); };
  verdict.gates = {{.gate = {.name = "conflicts", .what = ""}, .saw = 3}};
  CHECK(why() == "the check has no gate 'sectors'");
  verdict.gates.push_back({.gate = {.name = "sectors", .what = ""}, .saw = 4, .met = true});
  CHECK(why() == "meets the gate 'sectors' with 4");
  verdict.gates.back().met = false;
  CHECK(why() == "");
  verdict.gates.back().file = fixture.exercise.mistakes.string();
  verdict.gates.back().line = 2;
  CHECK(why() == "");
  verdict.gates.back().line = 1;
  CHECK(why().starts_with("dies at "));
}

TEST_CASE("a malformed file is named with its line, status 1") {
  for (const char* text : {"int a;\n", "//= a\n", "//= a: b\nno expectation\n",
                           "//= a: b\n// expect: race\n// expect: race\n"}) {
    const Fixture fixture(text);
    try {
      read_mistakes(fixture.exercise);
      FAIL_CHECK("was accepted: ", text);
    } catch (const Failure& failure) {
      CHECK(failure.status == status_wrong);
      CHECK(failure.message.find("01_try.cu:") != std::string::npos);
    }
  }
}

}  // namespace
}  // namespace warpwise::tutor
