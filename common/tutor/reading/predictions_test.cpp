#include "tutor/reading/predictions.h"

#include <doctest/doctest.h>

#include <regex>

#include "tutor/course/course.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {
namespace {

std::string refusal(std::string_view readme) {
  try {
    parse_predictions(readme, "README.md");
  } catch (const Failure& failure) {
    CHECK(failure.status == status_wrong);
    return failure.message;
  }
  return "";
}

TEST_CASE("a question is its paragraph or its item, an answer begins with its word") {
  const Predictions found = parse_predictions(
      "# T\n\nWrite them down.\n1. One `a * b`\n   line? <!-- question: one -->\n"
      "2. **Two**? <!-- question: two -->\nAn item goes on. <!-- question: three -->\n\n"
      "| a | b |\n"
      "Text. **Answer** to\nboth:<!-- answer: one two --> "
      "<!-- value: times c/l \"a\" -->4.0<!-- end --> times,\n"
      "<!-- value: x -->2<!-- end --> of *them*.\n<!-- results: c/l -->\nnot this\n\n"
      "**Answer:**<!-- answer: three --> yes.\n\nNor this.\n",
      "README.md");
  REQUIRE(found.questions.size() == 3);
  CHECK(found.questions[0].name == "one");
  CHECK(found.questions[0].text == "One `a * b` line?");
  CHECK(found.questions[2].text == "Two? An item goes on.");
  REQUIRE(found.answers.size() == 2);
  CHECK(found.answers[0].names == std::vector<std::string>{"one", "two"});
  CHECK(found.answers[0].text == "Answer to both: 4.0 times, 2 of them.");
  CHECK(found.answers[1].text == "yes.");
}

TEST_CASE("what is in a block of code is not a mark") {
  CHECK(parse_predictions("```\nx <!-- question: one -->\n```\n", "f").questions.empty());
}

TEST_CASE("a mark without its other half, or there twice, is named") {
  CHECK(refusal("A? <!-- question: a -->\n").find("\"a\" has no answer") != std::string::npos);
  CHECK(refusal("**Answer:**<!-- answer: b --> c\n").find("<!-- question: b -->") !=
        std::string::npos);
  CHECK(refusal("A? <!-- question: a -->\n\nA? <!-- question: a -->\n\n"
                "**Answer:**<!-- answer: a --> c\n")
            .find("\"a\" is there twice") != std::string::npos);
}

// Each item of a section whose heading begins with "Your prediction" can be typed.
TEST_CASE("every prediction of every chapter is marked and answered") {
  const std::regex section("(^|\n)## Your prediction[^\n]*\n([^]*?)\n## "),
      item("(^|\n)[0-9]+\\. ");
  std::size_t asked = 0;
  for (const Chapter& chapter : read_public_course(WARPWISE_SOURCE_DIR).chapters) {
    CAPTURE(chapter.name);
    const std::string readme = read_file(chapter.readme);
    const Predictions found = parse_predictions(readme, chapter.name);
    asked += found.questions.size();
    std::smatch match;
    if (!std::regex_search(readme, match, section)) continue;
    const std::string inside = match[2];
    const auto items = std::distance(std::sregex_iterator(inside.begin(), inside.end(), item), {});
    std::size_t marks = 0;
    for (std::size_t at = 0; (at = inside.find("<!-- question: ", at)) != std::string::npos; ++at) {
      ++marks;
    }
    CHECK(marks >= static_cast<std::size_t>(items));
    for (const Answer& answer : found.answers) CHECK(answer.text.size() > 10);
  }
  CHECK(asked > 30);
}

}  // namespace
}  // namespace warpwise::tutor
