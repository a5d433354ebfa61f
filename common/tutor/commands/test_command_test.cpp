#include "tutor/commands/test.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace warpwise::tutor {
namespace {

bool has(const std::vector<std::string>& words, const char* word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST_CASE("what takes long is built and run where all is asked for") {
  const Context context{"/r", "/r/build", {}, {}, {}};
  CHECK(has(test_words(context, false), "--label-exclude"));
  CHECK_FALSE(has(test_words(context, true), "--label-exclude"));
  CHECK(test_targets(false).empty());
  CHECK(has(test_targets(true), "all"));
  CHECK(has(test_targets(true), "test_programs"));
  CHECK(has(test_targets(true), "fuzz_seeded"));
}

TEST_CASE("tests do not inherit --yes") {
  const Context context{"/r", "/r/build", {}, {}, {}};
  CHECK(has(test_words(context, false), "--unset=WARPWISE_YES"));
}

TEST_CASE("how many tests have ended is known from ctest's last line of one") {
  CHECK(test_progress("") == "");
  CHECK(test_progress("3: a Test case\n") == "");
  CHECK(test_progress(" 1/80 Test  #3: image ...   Passed    0.05 sec\n") == "testing [1/80]");
  CHECK(test_progress(" 1/80 Test  #3: image ...\n12/80 Test #30: memory ...***Failed\n") ==
        "testing [12/80]");
  CHECK(test_progress("12/80 Test #30: memory ...***Failed\n4: a Test #1\n") == "testing [12/80]");
}

}  // namespace
}  // namespace warpwise::tutor
