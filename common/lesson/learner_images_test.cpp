#include "lesson/learner_images.h"

#include <doctest/doctest.h>

using namespace warpwise::lesson;

TEST_CASE("the first error of the learner's text is picked out of what a compiler says") {
  CHECK(first_error("x.cu(12): error: expected a \";\"\n  int y\n1 error detected\n", "x.cu") ==
        "x.cu:12: expected a \";\"");
  CHECK(first_error("x.cu: In function 'f':\nx.cu:3:7: error: 'a' was not declared\n", "x.cu") ==
        "x.cu:3: 'a' was not declared");
  CHECK(first_error("h.h(2): error #20: no\nx.cu(4): error: the call\n", "x.cu") ==
        "x.cu:4: the call");
  CHECK(first_error("h.h(2): error: no\n", "x.cu") == "h.h:2: no");
  CHECK(first_error("nvcc fatal   : died\nmore\n", "x.cu") == "nvcc fatal   : died");
  CHECK(first_error("", "x.cu").empty());
}
