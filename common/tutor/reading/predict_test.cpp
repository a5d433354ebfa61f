#include "tutor/reading/predict.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include "tutor/course/course_fixture.h"
#include "tutor/course/progress.h"
#include "tutor/system/ask.h"

namespace warpwise::tutor {
namespace predict_test {

using Lines = std::vector<std::string>;

// A chapter with three questions, two of which have one answer.
struct Reader : test::CourseFixture {
  Chapter chapter{
      .name = "ch09_try", .readme = root / "chapters/ch09_try/README.md", .exercises = {}};
  Predictions predictions = parse_predictions(
      "1. How many? <!-- question: many -->\n2. How long? <!-- question: long -->\n\n"
      "Why? <!-- question: why -->\n\n**Answer:**<!-- answer: why --> because of it.\n\n"
      "**Answer:**<!-- answer: many long --> 4, and twice as long.\n",
      "README.md");

  // @return what was written.
  std::string types(Lines lines) {
    std::string written;
    std::size_t next = 0;
    ask_predictions(
        context, chapter, predictions,
        [&]() { return next < lines.size() ? std::optional(lines[next++]) : std::nullopt; },
        [&](const std::string& text) { written += text; });
    return written;
  }
  std::string compared() { return compared_predictions(context, chapter, predictions, 80); }
  std::string guess(const std::string& question) {
    return read_progress(context).guesses["ch09_try/" + question];
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("each question is asked, and what is typed is kept") {
  Reader reader;
  const std::string asked = reader.types({"  four\t4 \r", "a\x1b[2J", "so"});
  CHECK(has(asked, "3 questions"));
  CHECK(has(asked, "1 of 3\n  How many?\n  your guess: "));
  CHECK(has(asked, "3 of 3\n  Why?\n"));
  CHECK(reader.guess("many") == "four 4");
  CHECK(reader.guess("long") == "a?[2J");
  CHECK(reader.guess("why") == "so");
  CHECK(has(reader.types({}), "your guess [four 4]: \n"));
}

TEST_CASE("an empty line skips a question or keeps its guess, and the input may end early") {
  Reader reader;
  reader.types({"", "2"});
  CHECK(reader.guess("many") == "");
  reader.types({"5", " "});
  CHECK(reader.guess("many") == "5");
  CHECK(reader.guess("long") == "2");
  CHECK(reader.guess("why") == "");
  reader.types({std::string(399, 'x') + "\u00e4\u00e4"});
  CHECK(reader.guess("many") == std::string(399, 'x'));
}

TEST_CASE("guess and answer are side by side, and what was skipped stays hidden") {
  Reader reader;
  CHECK(reader.compared() == "");
  reader.types({"five"});
  CHECK(reader.compared() ==
        "\n1. How many?\n2. How long?\n\n"
        "    your guess   | answer\n"
        "    1. five      | 4, and twice as long.\n"
        "    2. (skipped) |\n");
  reader.types({"", "", "no idea"});
  // In the order of the questions, though the README answers the last one first.
  CHECK(has(reader.compared(),
            "\n3. Why?\n\n    your guess | answer\n    3. no idea | because of it.\n"));
}

TEST_CASE("a line is read from a pipe, and what follows stays for the next") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const int before = dup(STDIN_FILENO);
  REQUIRE(write(ends[1], "one\n\nlast", 9) == 9);
  close(ends[1]);
  dup2(ends[0], STDIN_FILENO);
  CHECK(read_line() == "one");
  CHECK(read_line() == "");
  CHECK(read_line() == "last");
  CHECK(read_line() == std::nullopt);
  dup2(before, STDIN_FILENO);
  close(before);
  close(ends[0]);
}

}  // namespace predict_test
}  // namespace warpwise::tutor
