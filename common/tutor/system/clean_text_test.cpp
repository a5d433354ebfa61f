#include "tutor/system/clean_text.h"

#include <doctest/doctest.h>

namespace warpwise::tutor {

TEST_CASE("nothing of a stranger's text moves a cursor, turns the writing or breaks a reader") {
  CHECK(clean_text("a\nb\tc\x1b[2J\x7f", false) == "a?b?c?[2J?");
  CHECK(clean_text("a\nb\r\n", true) == "a\nb?\n");
  CHECK(clean_text("\xc2\x9b[2J \u202e\u2066\u200f \ufffe\uffff\U0001ffff\u2028", true) ==
        "?[2J ??? ????");
  CHECK(clean_text("\u00fcbung \u20ac \U0001f600", false) == "\u00fcbung \u20ac \U0001f600");
  for (const char* broken :
       {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\x80"}) {
    CAPTURE(broken);
    CHECK(clean_text(broken, true).starts_with("\ufffd"));
    CHECK_FALSE(is_utf8(broken));
  }
  CHECK(is_utf8("\u00fcbung \U0001f600"));
}

}  // namespace warpwise::tutor
