#include "tutor/reading/page.h"

#include <doctest/doctest.h>

namespace warpwise::tutor {
namespace {

TEST_CASE("a text is cut at its headings, not at a # in code") {
  const auto found = sections("before\n# One\n\ntext\n\n```\n# no heading\n```\n\n## Two: race\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].heading == "One");
  CHECK(found[0].line == 2);
  CHECK(found[0].text == "text\n\n```\n# no heading\n```\n");
  CHECK(found[1].heading == "Two: race");
  CHECK(found[1].text.empty());
  CHECK(sections("").empty());
}

TEST_CASE("what folds a section on a page is not part of its text") {
  const auto found =
      sections("# A\n\n<details><summary>Show</summary>\n\ntext\n\n</details>\n\n# B\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].text == "text\n");
}

TEST_CASE("paragraphs are wrapped, code and tables are not") {
  const std::string code = "    a very long line of code that stays as it is, whatever happens";
  CHECK(wrapped("one two\nthree four\n\n" + code + "\n\nfive\n", 12, "  ") ==
        "  one two\n  three four\n\n  " + code + "\n\n  five\n");
  CHECK(wrapped("| a table | that is long |\n", 10) == "| a table | that is long |\n");
}

TEST_CASE("items of a list hang, and a word that is too long has its own line") {
  CHECK(wrapped("- one two three\n- four\n", 10) == "- one two\n  three\n- four\n");
  CHECK(wrapped("10. one two\n", 8) == "10. one\n    two\n");
  CHECK(wrapped("a incomprehensibilities b\n", 8) == "a\nincomprehensibilities\nb\n");
}

TEST_CASE("a character counts once, however many bytes it has") {
  CHECK(columns_of("µs ≤ 3") == 6);
  CHECK(wrapped("µµµ µµµ\n", 7) == "µµµ µµµ\n");
}

}  // namespace
}  // namespace warpwise::tutor
