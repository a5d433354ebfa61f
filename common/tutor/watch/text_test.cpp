#include "tutor/watch/text.h"

#include <doctest/doctest.h>

namespace warpwise::tutor::watch {
namespace {

using Lines = std::vector<std::string>;

TEST_CASE("a terminal obeys nothing of a printable text") {
  CHECK(printable("a\x1b[2Jb\x07\rc\n") == "a?[2Jb??c\n");
  CHECK(printable("a\tb\n\tc\r\n") == "a       b\n        c\n");
  CHECK(printable("\u00e4\u20ac\U0001f600") == "\u00e4\u20ac\U0001f600");
  CHECK(printable("\x80\xc3+\xff\xe2\x82") == "??+???");
  CHECK(printable("\xc2\x9b"
                  "2J") == "??2J");
}

TEST_CASE("a line's width is its characters, not its bytes") {
  CHECK(width_of("a\u00e4\u20ac") == 3);
}

TEST_CASE("long lines go on at a word, below the beginning of their text") {
  CHECK(wrapped("one two three\n\nfour\n", 8) == Lines{"one two", "three", "", "four"});
  CHECK(wrapped("  one two three four\n", 10) == Lines{"  one two", "  three", "  four"});
  CHECK(wrapped("abcdefghij", 4) == Lines{"abcd", "efgh", "ij"});
  CHECK(wrapped("12345678", 8) == Lines{"12345678"});
  CHECK(wrapped("\u00e4\u00e4\u00e4 \u00e4", 3) == Lines{"\u00e4\u00e4\u00e4", "\u00e4"});
  for (std::size_t columns = 1; columns < 30; ++columns) {
    for (const std::string& line : wrapped("        a bcd efghijkl     mnop  q  \n", columns)) {
      CAPTURE(columns);
      CHECK(width_of(line) <= columns);
    }
  }
}

TEST_CASE("a caret stays below its place") {
  CHECK(wrapped("0123456789abcdef\n            ^\n", 8) == Lines{"89abcdef", "    ^"});
  CHECK(wrapped("0123456789abcdef\n  ^\n", 8) == Lines{"01234567", "  ^"});
  CHECK(wrapped("0123\n  ^\n", 8) == Lines{"0123", "  ^"});
}

TEST_CASE("paragraphs become lines; code, tables and lists stay") {
  CHECK(joined_paragraphs("a\nb\n\n    code\n    more\n\nc\n- d\n- e\n  f\n1. g\n| h |\n| i |\n") ==
        "a b\n\n    code\n    more\n\nc\n- d\n- e\n  f\n1. g\n| h |\n| i |\n");
  CHECK(joined_paragraphs("") == "");
}

}  // namespace
}  // namespace warpwise::tutor::watch
