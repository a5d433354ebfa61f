#include "tutor/live/text.h"

#include <doctest/doctest.h>

#include "tutor/reading/page.h"

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

TEST_CASE("long lines go on at a word, below the beginning of their text") {
  CHECK(fitted("one two three\n\nfour\n", 8) == Lines{"one two", "three", "", "four"});
  CHECK(fitted("  one two three four\n", 10) == Lines{"  one two", "  three", "  four"});
  CHECK(fitted("abcdefghij", 4) == Lines{"abcd", "efgh", "ij"});
  CHECK(fitted("12345678", 8) == Lines{"12345678"});
  CHECK(fitted("\u00e4\u00e4\u00e4 \u00e4", 3) == Lines{"\u00e4\u00e4\u00e4", "\u00e4"});
  for (std::size_t columns = 1; columns < 30; ++columns) {
    for (const std::string& line : fitted("        a bcd efghijkl     mnop  q  \n", columns)) {
      CAPTURE(columns);
      CHECK(columns_of(line) <= columns);
    }
  }
}

TEST_CASE("a line without an end takes no time without an end") {
  CHECK(fitted(std::string(1 << 20, 'x'), 64).size() == (1 << 20) / 64);
}

TEST_CASE("a caret stays below its place") {
  CHECK(fitted("0123456789abcdef\n            ^\n", 8) == Lines{"89abcdef", "    ^"});
  CHECK(fitted("0123456789abcdef\n  ^\n", 8) == Lines{"01234567", "  ^"});
  CHECK(fitted("0123\n  ^\n", 8) == Lines{"0123", "  ^"});
}

}  // namespace
}  // namespace warpwise::tutor::watch
