#include "base/octal_name.h"

#include <doctest/doctest.h>

TEST_CASE("octal numbers in a name of a file are the bytes of its letters") {
  using warpwise::base::from_octal_name;
  CHECK(from_octal_name("Kurs \\303\\274/a.cu") == "Kurs ü/a.cu");
  CHECK(from_octal_name("\\303\\274") == "ü");
  for (const char* plain : {"", "a.cu", "b\\9.cu", "b\\30", "b\\389.cu", "\\"})
    CHECK(from_octal_name(plain) == plain);
}
