#include <doctest/doctest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "tutor/attempt/attempt.h"
#include "tutor/attempt/compile.h"
#include "tutor/command.h"
#include "tutor/course/course_fixture.h"
#include "tutor/course/state.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace {

using test::CourseFixture;

// Runs the exercise with this text in its blank; gives the exit status.
int run_with(const CourseFixture& fixture, const std::string& blank) {
  fixture.write(fixture.exercise.learner,
                "__global__ void f() {\n// BEGIN YOUR CODE\n" + blank + "\n// END YOUR CODE\n}\n");
  return run_command(fixture.context, "try/01", {});
}

// The compiler goes on when that is done.
void save_while_it_compiles(const CourseFixture& fixture, const std::string& text) {
  const std::string nvcc = fixture.context.nvcc.string();
  for (int i = 0; i < 6000 && !std::filesystem::exists(nvcc + ".begun"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  fixture.write(fixture.exercise.learner, text);
  fixture.write(nvcc + ".go", "");
}

TEST_CASE("an exercise goes from its stub to solved, and its state follows") {
  const CourseFixture fixture;
  const auto now = [&] { return state(read_progress(fixture.context), fixture.exercise); };
  CHECK(now() == "not solved yet");
  CHECK(run_command(fixture.context, "01", {}) == status_wrong);
  CHECK(run_with(fixture, "  // Still thinking.\n\n") == status_wrong);
  CHECK(now() == "not solved yet");

  CHECK(run_with(fixture, "int SYNTAX;") == status_wrong);
  CHECK(now() == "does not compile");
  CHECK_FALSE(std::filesystem::exists(learner_image(fixture.context, fixture.exercise)));

  CHECK(run_with(fixture, "int a;\n//verdict {\"verdict\":\"wrong result\"}") == status_wrong);
  CHECK(now() == "wrong result");
  CHECK(run_with(fixture, "int a;\n//verdict {\"verdict\":\"pass\"}") == status_ok);
  CHECK(now() == "solved");

  fixture.write(fixture.exercise.learner, "int changed;\n");
  CHECK(now() == "edited");
  std::filesystem::remove(fixture.exercise.learner);
  CHECK(now() == "missing");
  CHECK_THROWS_AS(run_command(fixture.context, "01", {}), Failure);
}

TEST_CASE("a bug that was given is not solved yet until something changes") {
  const CourseFixture fixture;
  fixture.write(fixture.exercise.mistakes, "//= as_given: bad\nint wrong;  // expect: race\n");
  const std::string answer = "\n//verdict {\"verdict\":\"pass\"}";
  fixture.write(fixture.exercise.learner, stub_of(fixture.exercise));
  const Attempt given = attempt(fixture.context, fixture.exercise, {});
  CHECK(given.verdict == "not solved yet");
  CHECK(given.text.find("repair the bug between BEGIN") != std::string::npos);
  CHECK(run_with(fixture, "int wrong;  // Is it this one?" + answer) == status_wrong);
  CHECK(run_with(fixture, "int repaired;" + answer) == status_ok);
}

TEST_CASE("a text that no longer compiles leaves no older image to be judged") {
  const CourseFixture fixture;
  CHECK(run_with(fixture, "int a;\n//verdict {\"verdict\":\"pass\"}") == status_ok);
  CHECK(std::filesystem::exists(learner_image(fixture.context, fixture.exercise)));
  CHECK(run_with(fixture, "int SYNTAX;") == status_wrong);
  CHECK_FALSE(std::filesystem::exists(learner_image(fixture.context, fixture.exercise)));
}

TEST_CASE("a text saved while it is compiled is newer than its image") {
  const CourseFixture fixture;
  fixture.write(fixture.exercise.learner, "int SLOW;\n");
  std::jthread saving([&] { save_while_it_compiles(fixture, "int changed;\n"); });
  const auto image = learner_image(fixture.context, fixture.exercise);
  CHECK(compile_image(fixture.context, fixture.exercise, fixture.exercise.learner, image).ok);
  saving.join();
  CHECK(std::filesystem::last_write_time(image) <
        std::filesystem::last_write_time(fixture.exercise.learner));
  CHECK(refresh_image(fixture.context, fixture.exercise, fixture.exercise.learner, image).ok);
  CHECK(read_file(image) == "int changed;\n");
}

TEST_CASE("a text saved while another is judged has no verdict yet") {
  const CourseFixture fixture;
  std::jthread saving([&] { save_while_it_compiles(fixture, "int changed;\n"); });
  CHECK(run_with(fixture, "int SLOW;\n//verdict {\"verdict\":\"pass\"}") == status_ok);
  saving.join();
  CHECK(read_progress(fixture.context).exercises.empty());
  CHECK(state(read_progress(fixture.context), fixture.exercise) == "edited");
}

TEST_CASE("a missed gate that names no stored mistake is still a verdict") {
  const CourseFixture fixture;
  CHECK(run_with(fixture,
                 "int a;\n//verdict {\"verdict\":\"gate\",\"gates\":[{\"name\":\"s\",\"saw\":9,"
                 "\"wanted\":\"1\",\"met\":false,\"mistake\":\"unknown\"}]}") == status_wrong);
  CHECK(state(read_progress(fixture.context), fixture.exercise) == "gate");
}

TEST_CASE("unknown names and chapters without a program are bad usage") {
  const CourseFixture fixture;
  for (const char* name : {"ch05", "", "ch09"}) {
    try {
      run_command(fixture.context, name, {});
      FAIL_CHECK("ran: ", name);
    } catch (const Failure& failure) {
      CHECK(failure.status == status_usage);
    }
  }
}

// What the command says as it ends with status_usage.
std::string refused(const CourseFixture& fixture, const std::vector<std::string>& flags) {
  try {
    run_command(fixture.context, "try/01", flags);
  } catch (const Failure& failure) {
    CHECK(failure.status == status_usage);
    return failure.message;
  }
  return "not refused";
}

TEST_CASE("a flag that an exercise does not have is bad usage, whatever its text") {
  const CourseFixture fixture;
  const std::string answer = "int a;\n//verdict {\"verdict\":\"pass\"}";
  const std::vector<std::vector<std::string>> wrong = {
      {"--size", "0x5"}, {"--view", "--json=a"}, {"--gpu", "l4", "more"}, {"--image", "a"}};
  for (const auto& flags : wrong) {
    CHECK(refused(fixture, flags).find(" is not a flag of an exercise") != std::string::npos);
  }
  CHECK(run_with(fixture, answer) == status_ok);
  CHECK(refused(fixture, wrong[0]).starts_with("--size is not a flag of an exercise"));
  CHECK(refused(fixture, {"--gpu", "none"}) == "no GPU is called none\n");
  CHECK(run_command(fixture.context, "try/01", {"--gpu=l4", "--view"}) == status_ok);
  for (const auto& flags :
       std::vector<std::vector<std::string>>{{"--help"}, {"--gpu", "l4", "-h"}}) {
    CHECK(run_command(fixture.context, "try/01", flags) == status_ok);
  }
}

TEST_CASE("the list shows the state, as a table and as JSON") {
  const CourseFixture fixture;
  CHECK(list_text(fixture.context) ==
        "ch09_try  Chapter 9\n"
        "  01_try                 not solved yet               exercises/ch09_try/01_try.cu\n"
        "0 of 1 exercises are solved\n");
  const auto json = nlohmann::json::parse(list_json(fixture.context));
  REQUIRE(json["chapters"].size() == 1);
  CHECK(json["chapters"][0]["id"] == "ch09_try");
  CHECK(json["chapters"][0]["exercises"][0]["id"] == "ch09_try/01_try");
  CHECK(json["chapters"][0]["exercises"][0]["state"] == "not solved yet");
}

TEST_CASE("the list shows the kind of a diagnosis, the hints and where the learner is") {
  const CourseFixture fixture;
  run_with(fixture, "int a;\n//verdict {\"verdict\":\"diagnosed\",\"kind\":\"race\"}");
  update_progress(fixture.context,
                  [](Progress& progress) { progress.exercises["ch09_try/01_try"].hints = {2}; });
  CHECK(list_text(fixture.context).find("> 01_try                 diagnosed: race") !=
        std::string::npos);
  const auto json = nlohmann::json::parse(list_json(fixture.context));
  CHECK(json["current"] == "ch09_try/01_try");
  const auto& exercise = json["chapters"][0]["exercises"][0];
  CHECK(exercise["state"] == "diagnosed");
  CHECK(exercise["kind"] == "race");
  CHECK(exercise["hints_shown"] == 1);
}

TEST_CASE("once solved stays solved in the list, next to what the file is now") {
  const CourseFixture fixture;
  CHECK(run_with(fixture, "int a;\n//verdict {\"verdict\":\"pass\"}") == status_ok);
  run_with(fixture, "int a;\n//verdict {\"verdict\":\"diagnosed\",\"kind\":\"race\"}");
  const std::string text = list_text(fixture.context);
  CHECK(text.find(" solved, now diagnosed: race ") != std::string::npos);
  CHECK(text.ends_with("1 of 1 exercises are solved\n"));
  const auto json = nlohmann::json::parse(list_json(fixture.context));
  CHECK(json["chapters"][0]["exercises"][0]["state"] == "diagnosed");
  CHECK(json["chapters"][0]["exercises"][0]["solved"] == true);
}

TEST_CASE("the list makes a damaged progress again from what passes") {
  const CourseFixture fixture;
  CHECK(run_with(fixture, "int a;\n//verdict {\"verdict\":\"pass\"}") == status_ok);
  fixture.write(progress_file(fixture.context), "warpwise progress 1\ncut sho");
  CHECK(list_command(fixture.context) == status_ok);
  CHECK(state(read_progress(fixture.context), fixture.exercise) == "solved");
  CHECK(read_progress(fixture.context).damaged.empty());
  CHECK(read_file(fixture.root / ".progress.damaged_1") == "warpwise progress 1\ncut sho");
}

}  // namespace
}  // namespace warpwise::tutor
