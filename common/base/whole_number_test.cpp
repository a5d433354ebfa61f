#include "base/whole_number.h"

#include <doctest/doctest.h>

TEST_CASE("a whole number is all of a text") {
  using warpwise::base::whole_number;
  CHECK(whole_number("12") == 12);
  CHECK(whole_number("-3") == -3);
  for (const char* other : {"", " 1", "1 ", "3x", "0x10", "1.5", "99999999999"})
    CHECK_FALSE(whole_number(other));
}
