// Texts for learners, kept as text files in verdict_texts/. Real checks judge real wrong answers,
// so that the texts cannot drift from what is printed. WARPWISE_REMAKE_TEXTS=1 writes them anew:
// look at the difference before it is committed.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "base/frame.h"
#include "occupancy/text.h"
#include "tutor/attempt/compiler_error.h"
#include "tutor/attempt/missed_gate.h"
#include "tutor/author/mistakes.h"
#include "tutor/author/recorded_solution.h"
#include "tutor/course/course.h"
#include "tutor/course/kind.h"
#include "tutor/course/names.h"
#include "tutor/system/context.h"
#include "tutor/system/files.h"
#include "tutor/system/process.h"
#include "tutor/system/this_context.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t width = 60;
constexpr std::size_t screen_lines = 24;

// The text of a file of verdict_texts/ is this one.
void same_as_kept(const std::string& name, const std::string& text) {
  const fs::path file =
      fs::path(WARPWISE_SOURCE_DIR) / "common/verification/verdict_texts" / (name + ".txt");
  if (std::getenv("WARPWISE_REMAKE_TEXTS") != nullptr) write_atomically(file, text);
  REQUIRE_MESSAGE(fs::exists(file), file.string());
  CHECK(text == read_file(file));
}

// One screen, and narrow but for paths and lines of a source, which nothing can break.
void fits(const std::string& text) {
  std::istringstream stream(text);
  std::size_t lines = 0;
  for (std::string line; std::getline(stream, line); ++lines) {
    const bool one_word = line.find(' ', line.find_first_not_of(' ')) == std::string::npos;
    if (!one_word) CHECK_MESSAGE(line.size() <= width, line);
  }
  CHECK(lines <= screen_lines);
}

Exercise exercise(const std::string& name) {
  static const Course course = read_course(WARPWISE_SOURCE_DIR);
  return *find(course, name).exercise;
}

// The text of the check about an image, in 60 columns.
std::string judged(const Context& context, const Exercise& exercise, const fs::path& image,
                   const std::vector<std::string>& flags = {}) {
  Command command{.words = {context.check_program(exercise.id()).string(), "--image",
                            image.string(), "--device", "sim"},
                  .environment = {{"COLUMNS", std::to_string(width)}}};
  command.words.insert(command.words.end(), flags.begin(), flags.end());
  const Outcome outcome = run_captured(command);
  CHECK_MESSAGE(outcome.status == 1, outcome.err);
  return outcome.out;
}

// A stored mistake of an exercise.
std::string mistake_text(const std::string& name, const std::string& mistake,
                         const std::vector<std::string>& flags = {}) {
  const Context context = this_context();
  const Exercise found = exercise(name);
  for (const lesson::Mistake& stored : read_mistakes(found)) {
    if (stored.name != mistake) continue;
    const MistakeImage image = compile_mistake(context, found, stored);
    REQUIRE_MESSAGE(image.compiled.ok, image.compiled.error);
    return judged(context, found, image.path, flags);
  }
  FAIL("no such mistake: ", mistake);
  return {};
}

// An answer that a test writes, in a file of its own, whose name and folder are left out.
struct Answer {
  Answer(const std::string& name, const std::string& blank)
      : of(exercise(name)), source(folder.path() / "answer.cu") {
    const lesson::Frame frame = lesson::parse_frame(read_file(of.frame));
    write_atomically(source, lesson::fill_frame(frame, "", {.text = blank, .file = {}}));
  }
  void replace(const std::string& old, const std::string& with) const {
    std::string text = read_file(source);
    const auto at = text.find(old);
    REQUIRE(at != std::string::npos);
    write_atomically(source, text.replace(at, old.size(), with));
  }
  std::string without_folder(std::string text) const {
    for (const std::string& path : {shown(source), source.string()}) {
      for (auto at = text.find(path); at != std::string::npos; at = text.find(path)) {
        text.replace(at, path.size(), "answer.cu");
      }
    }
    return text;
  }
  // nvcc's output on it.
  Outcome compiled() const {
    Command command{.words = {context.nvcc.string()}};
    for (const std::string& flag : image_flags(context, kind_of(of))) {
      command.words.push_back(flag);
    }
    for (const std::string& word : {std::string("-o"), image.string(), source.string()}) {
      command.words.push_back(word);
    }
    return run_captured(command);
  }
  std::string error_text() const {
    const Outcome outcome = compiled();
    CHECK(outcome.status != 0);
    const CompilerError error =
        first_compiler_error(outcome.out + outcome.err, folder.path(), source);
    const std::string brace = may_be_a_brace(error) ? unbalanced_brace(read_file(source)) : "";
    std::string text = without_folder(to_text(error, width));
    const std::string next = brace.empty() ? error.next : brace;
    if (next.empty()) return text;
    for (const std::string& line : occupancy::wrap("  next  ", next, width)) text += line + "\n";
    return text;
  }
  std::string verdict_text() const {
    const Outcome outcome = compiled();
    REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
    return without_folder(judged(context, of, image));
  }

  Context context = this_context();
  Exercise of;
  TemporaryFolder folder;
  fs::path source, image = folder.path() / "answer.image";
};

TEST_CASE("stored wrong answers are reported as kept") {
  constexpr struct {
    const char *name, *exercise, *mistake;
  } cases[] = {{"out_of_bounds", "ch02/01", "no_guard"},
               {"race", "ch02/07", "no_barrier"},
               {"tail_never_written", "ch02/01", "grid_for_block"},
               {"rows_never_written", "ch02/01", "guard_on_rows"},
               {"diagonal", "ch02/01", "factor_of_the_row"},
               {"value_elsewhere", "ch02/07", "wrong_row"},
               {"calls", "ch01/01", "rounded_down"},
               {"undefined_behaviour", "ch01/01", "one_more"},
               {"invalid_copy", "ch01/06", "too_far"},
               {"leak", "ch01/06", "never_freed"},
               {"no_launch", "ch01/06", "on_the_host"}};
  for (const auto& one : cases) {
    CAPTURE(one.name);
    const std::string text = mistake_text(one.exercise, one.mistake);
    fits(text);
    same_as_kept(one.name, text);
  }
}

TEST_CASE("the picture of a run that was stopped is what stopped it") {
  const std::string text = mistake_text("ch02/01", "no_guard", {"--view"});
  CHECK(text ==
        "No accesses were counted, because the run stopped before that. First correct this:\n\n" +
            mistake_text("ch02/01", "no_guard"));
}

TEST_CASE("a missed gate shows the figure of the mistake that it names, also from a record") {
  const Context context = this_context();
  Exercise found = exercise("ch02/01");
  for (const lesson::Mistake& stored : read_mistakes(found)) {
    if (stored.name != "row_per_thread") continue;
    const Verdict verdict = judge_mistake(context, found, stored);
    const std::string text = missed_gate_text(context, found, verdict, width);
    fits(text);
    same_as_kept("gate", text);
    // Without the solution and its mistakes.
    const TemporaryFolder folder;
    found.recorded = folder.path() / "recorded.json";
    write_atomically(found.recorded, record_solution(context, found));
    found.exported = true;
    found.mistakes.clear();
    CHECK(missed_gate_text(context, found, verdict, width) == text);
    // No record, no figure, but a verdict.
    fs::remove(found.recorded);
    CHECK(missed_gate_text(context, found, verdict, width) == verdict.text);
  }
}

TEST_CASE("another signature: both side by side") {
  const Answer answer("ch02/01", "  y[0] = x[0];\n");
  answer.replace("float* y, int rows", "float* y, long rows");
  const std::string text = answer.verdict_text();
  fits(text);
  same_as_kept("signature", text);
}

TEST_CASE("what the code printed: its first 20 lines") {
  const Answer answer("ch02/01",
                      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                      "  if (i < 30) printf(\"thread %d\\n\", i);\n"
                      "  if (i < rows * columns) y[i] = x[i];\n");
  same_as_kept("printed", answer.verdict_text());
}

TEST_CASE("compile errors at the learner's line") {
  constexpr struct {
    const char *name, *blank;
  } cases[] = {{"undefined_name", "  y[0] = x[colum];\n"},
               {"semicolon", "  int i = threadIdx.x\n  y[i] = x[i];\n"},
               {"missing_brace", "  if (threadIdx.x > 3) {\n    y[0] = x[0];\n"},
               {"brace_too_many", "  y[0] = x[0];\n  }\n"},
               {"macro", "#define TWICE(a) (a) * 2 +\n  y[0] = TWICE(x[0]);\n"},
               {"template",
                "  auto add = [](auto a, auto b) { return a + b; };\n"
                "  struct Pair {} pair;\n  y[0] = add(pair, x[0]);\n"},
               {"overload", "  y[0] = __shfl_down_sync(0xffffffff, x[0]);\n"},
               {"host_function", "  y[0] = rand();\n"},
               {"shared_too_large",
                "  __shared__ float big[100000];\n  big[threadIdx.x] = 1;\n"
                "  __syncthreads();\n  y[0] = big[threadIdx.x + 1];\n"}};
  for (const auto& one : cases) {
    CAPTURE(one.name);
    const std::string text = Answer("ch02/01", one.blank).error_text();
    fits(text);
    same_as_kept(std::string("compile_") + one.name, text);
  }
}

TEST_CASE("a mark of the blank that is gone does not hide the error") {
  const Answer answer("ch02/01", "  y[0] = x[colum];\n");
  answer.replace("  // END YOUR CODE\n", "");
  same_as_kept("compile_undefined_name", answer.error_text());
}

}  // namespace
}  // namespace warpwise::tutor
