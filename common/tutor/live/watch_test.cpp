// The watcher as a whole, at a terminal, with editors that save.
#include "tutor/live/watch.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>

#include "tutor/course/course_fixture.h"
#include "tutor/course/progress.h"
#include "tutor/live/pseudo_terminal.h"
#include "tutor/system/failure.h"
#include "tutor/system/interrupt.h"

namespace warpwise::tutor::watch {
namespace {

namespace fs = std::filesystem;
using test::PseudoTerminal;
using tutor::test::CourseFixture;

constexpr const char* pass = "int a;\n//verdict {\"verdict\":\"pass\"}";
constexpr const char* wrong = "int a;\n//verdict {\"verdict\":\"wrong result\"}";

// Two exercises; the text after "//run " in a file is run by their checks.
struct Desk {
  Desk() {
    const Exercise& first = fixture.exercise;
    write(fixture.context.check_program(first.id()), R"(#!/bin/sh
sed -n 's,^//run ,,p' "$2" > "$2.run"; . "$2.run"
sed -n 's,^//verdict ,,p' "$2" > "$4"; cat "$4"
grep -q '"pass"' "$4"
)");
    fs::permissions(fixture.context.check_program(first.id()), fs::perms::owner_all);
    for (const auto& [from, to] : {std::pair{first.check, second.check},
                                   {first.task, second.task},
                                   {first.frame, second.frame},
                                   {first.learner, second.learner},
                                   {fixture.context.check_program(first.id()),
                                    fixture.context.check_program(second.id())}}) {
      fs::copy(from, to);
    }
  }
  static void write(const fs::path& path, const std::string& text) {
    CourseFixture::write(path, text);
  }
  static std::string text_with(const std::string& blank) {
    return "__global__ void f() {\n// BEGIN YOUR CODE\n" + blank + "\n// END YOUR CODE\n}\n";
  }
  void save_in_place(const std::string& blank) const {
    std::ofstream(fixture.exercise.learner) << text_with(blank);
  }
  // To another name, then to the right one.
  void save_by_renaming(const std::string& blank) const {
    write(fixture.exercise.learner, text_with(blank));
  }
  std::function<int()> program() const {
    return [this] {
      catch_stop_requests();
      setenv("TERM", "xterm-256color", 1);
      try {
        const int status = watch_command(fixture.context);
        std::fflush(stdout);
        return status;
      } catch (const Interrupted& stop) {
        return 128 + stop.signal;
      }
    };
  }

  CourseFixture fixture;
  Exercise second = exercise_files(fixture.root, "ch09_try", "02_more");
};

struct Watching : Desk {
  Watching() { REQUIRE(terminal.shows("q quit")); }
  PseudoTerminal terminal{80, 24, program()};
};

TEST_CASE("from the stub over a wrong text to solved, next, and quit") {
  Watching at;
  CHECK(at.terminal.shows("0 of 2 solved"));
  CHECK(at.terminal.shows("not solved yet"));
  at.save_in_place(wrong);
  CHECK(at.terminal.shows("\nwrong result\n"));
  at.terminal.type("n");
  CHECK(at.terminal.shows("n goes on when this exercise is solved."));
  at.save_by_renaming(pass);
  CHECK(at.terminal.shows("1 of 2 solved"));
  CHECK(at.terminal.shows("n next"));
  at.terminal.type("n");
  CHECK(at.terminal.shows("exercises/ch09_try/02_more.cu"));
  at.terminal.type("q");
  CHECK(at.terminal.says("\x1b[?25h\x1b[?1049l"));
  CHECK(at.terminal.says("1 of 2 exercises are solved"));
  CHECK(at.terminal.says("[exit 0, cooked]"));
  const Progress progress = read_progress(at.fixture.context);
  CHECK(progress.exercises.at("ch09_try/01_try").verdict == "pass");
  CHECK(progress.current == "ch09_try/02_more");
}

TEST_CASE("a compile error is shown, and the task again on demand") {
  Watching at;
  at.save_in_place("int SYNTAX;");
  CHECK(at.terminal.shows("does not compile"));
  CHECK(at.terminal.shows("error: SYNTAX"));
  CHECK(at.terminal.shows("01_try.cu:7"));
  at.terminal.type("t");
  CHECK(at.terminal.shows("t verdict"));
}

TEST_CASE("hints, the explanation and a reset answer at their keys") {
  Watching at;
  at.terminal.type("h");
  CHECK(at.terminal.shows("Hint 1 of 3"));
  at.save_in_place(std::string("int mine;\n") + pass);
  CHECK(at.terminal.shows("1 of 2 solved"));
  at.terminal.type("e");
  CHECK(at.terminal.shows("\nExplanation\n"));
  at.terminal.type("x");
  CHECK(at.terminal.shows("Back to the stub?"));
  at.terminal.type("y");
  CHECK(at.terminal.shows("Your text is now "));
  // An exercise that was solved once stays solved.
  CHECK(at.terminal.shows("1 of 2 solved"));
  CHECK(read_file(at.fixture.exercise.learner).find("mine") == std::string::npos);
}

TEST_CASE("a save during a judgement starts it again with the new text") {
  Watching at;
  at.save_in_place(std::string("//run sleep 1000\n") + wrong);
  CHECK(at.terminal.shows("compiling and judging, 1 s"));
  at.save_in_place(pass);
  CHECK(at.terminal.shows("1 of 2 solved"));
}

TEST_CASE("a save of another exercise goes there") {
  Watching at;
  Desk::write(at.second.learner, Desk::text_with(pass));
  CHECK(at.terminal.shows("exercises/ch09_try/02_more.cu"));
  CHECK(at.terminal.shows("1 of 2 solved"));
}

TEST_CASE("a save is judged while the checks of the other exercises are built") {
  Desk desk;
  desk.fixture.context.make = [](const Context& context, const std::vector<std::string>& targets) {
    while (targets.size() > 1) {
      usleep(10'000);
      throw_if_stopped(context.cancel);
    }
  };
  PseudoTerminal terminal{80, 24, desk.program()};
  CHECK(terminal.shows("q quit"));
  desk.save_in_place(wrong);
  CHECK(terminal.shows("\nwrong result\n"));
  desk.save_in_place(pass);
  CHECK(terminal.shows("1 of 2 solved"));
  terminal.type("n");
  CHECK(terminal.shows("exercises/ch09_try/02_more.cu"));
  terminal.type("q");
  CHECK(terminal.says("[exit 0, cooked]"));
}

TEST_CASE("another size of the terminal is another picture") {
  Watching at;
  at.terminal.resize(40, 12);
  CHECK(at.terminal.shows("--]  0 of 2 solved"));
  CHECK(at.terminal.shows("space, arrows"));
  at.terminal.resize(100, 30);
  CHECK(at.terminal.shows(std::string(60, '-') + "]  0 of 2 solved"));
}

TEST_CASE("Ctrl-C ends a program without an end; the watcher stays") {
  Watching at;
  at.save_in_place(std::string("//run trap '' TERM; while :; do :; done\n") + wrong);
  CHECK(at.terminal.shows("compiling and judging"));
  at.terminal.type("\x03");
  CHECK(at.terminal.shows("Stopped. The next save judges again."));
  at.save_in_place(pass);
  CHECK(at.terminal.shows("1 of 2 solved"));
  at.terminal.type("\x03");
  CHECK(at.terminal.shows("Ctrl-C once more quits."));
  at.terminal.type("\x03");
  CHECK(at.terminal.says("[exit 130, cooked]"));
}

TEST_CASE("Ctrl-Z gives the terminal back, fg takes it again, and what went on goes on") {
  Watching at;
  at.save_in_place(std::string("//run sleep 1\n") + pass);
  CHECK(at.terminal.shows("compiling and judging"));
  at.terminal.type("\x1a");
  CHECK(at.terminal.says("\x1b[?1049l"));
  CHECK(at.terminal.says("[stopped, cooked]"));
  at.terminal.type("fg\n");
  CHECK(at.terminal.says("\x1b[?1049h"));
  CHECK(at.terminal.shows("1 of 2 solved"));
  at.terminal.signal(SIGTSTP);
  CHECK(at.terminal.says("[stopped, cooked]"));
  at.terminal.type("fg\nl");
  CHECK(at.terminal.shows("x 01_try"));
  at.terminal.type("q");
  CHECK(at.terminal.says("[exit 0, cooked]"));
}

TEST_CASE("a program that prints without end, crashes or writes to the terminal does no harm") {
  Watching at;
  at.save_in_place(std::string("//run head -c 20000000 /dev/zero\n") + wrong);
  CHECK(at.terminal.shows("\nwrong result\n"));
  at.save_in_place("int a;\n//run kill -SEGV $$");
  CHECK(at.terminal.shows("could not judge (status 139)"));
  at.save_in_place(
      std::string("//run printf '\\033[2Jgone' ; (echo lost > /dev/tty) 2>/dev/null\n") + pass);
  CHECK(at.terminal.shows("?[2Jgone"));
  CHECK(at.terminal.shows("1 of 2 solved"));
  CHECK_FALSE(at.terminal.picture().find("lost") != std::string::npos);
  at.save_in_place(std::string("//run exec 0<&- 1>&- 2>&-\n") + wrong);
  CHECK(at.terminal.shows("\nwrong result\n"));
}

TEST_CASE("however it ends, the terminal is as it was") {
  for (const int number : {SIGTERM, SIGHUP, SIGINT, SIGSEGV, SIGABRT, SIGQUIT}) {
    CAPTURE(number);
    Watching at;
    at.terminal.signal(number);
    CHECK(at.terminal.says("\x1b[?25h\x1b[?1049l"));
    CHECK(at.terminal.says("[exit " + std::to_string(128 + number) + ", cooked]"));
  }
}

TEST_CASE("without a terminal any more it ends") {
  Watching at;
  const pid_t program = at.terminal.program();
  at.terminal.hang_up();
  bool gone = false;
  for (int i = 0; i < 500 && !gone; ++i) {
    gone = kill(program, 0) != 0;
    usleep(10'000);
  }
  CHECK(gone);
}

TEST_CASE("a damaged progress is set aside and made again from what passes, and it says so") {
  Desk desk;
  desk.save_in_place(pass);
  Desk::write(progress_file(desk.fixture.context), "damaged");
  PseudoTerminal terminal{80, 24, desk.program()};
  CHECK(terminal.shows("It is kept as .progress.damaged_1"));
  CHECK(terminal.shows("ch09_try/01_try: pass"));
  CHECK(terminal.shows("1 of 2 solved"));
  CHECK(read_file(desk.fixture.root / ".progress.damaged_1") == "damaged");
  CHECK(read_progress(desk.fixture.context).damaged.empty());
}

}  // namespace
}  // namespace warpwise::tutor::watch
