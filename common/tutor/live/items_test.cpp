#include "tutor/live/items.h"

#include <doctest/doctest.h>

#include "tutor/live/state_fixture.h"

namespace warpwise::tutor::watch {
namespace {

TEST_CASE("a task is shown without its heading and without its hints") {
  CHECK(task_text("# 01_x: a title\n\nDo it.\n\n    code\n\n## Hint 1\n\nlike this\n") ==
        "Do it.\n\n    code\n");
  CHECK(task_text("# 01_x\n\nDo it.\n\n## Sizes\n\nAll.\n\n## Hint 1\n\nso\n") ==
        "Do it.\n\nSizes\n\nAll.\n");
  CHECK(task_text("") == "");
}

TEST_CASE("of an explanation the first paragraph, with what its colon announces") {
  CHECK(first_paragraph("# 01_x\n\nBecause.\nSo.\n\nAnd more.\n") == "Because.\nSo.");
  CHECK(first_paragraph("# 01_x\n\nLike this:\n\n    code\n\nAnd more.\n") ==
        "Like this:\n\n    code");
  CHECK(first_paragraph("# 01_x\n\n    picture\n\nBecause.\n\nAnd more.\n") ==
        "    picture\n\nBecause.");
  CHECK(first_paragraph("# 01_x\n\n    picture\n") == "    picture\n");
  CHECK(first_paragraph("# 01_x\n\nThis:\n") == "This:\n");
  CHECK(first_paragraph("# 01_x\n\n## For the instructor\n\nAsk.\n") == "");
  CHECK(first_paragraph("") == "");
}

TEST_CASE("without a terminal the state and the next step are printed") {
  std::vector<Item> items = test::state().items;
  CHECK(state_and_next_step(items) ==
        "1 of 3 exercises are solved\n"
        "ch01/02_second: not solved yet\n"
        "  your file  exercises/ch01/02_second.cu\n"
        "  next       write your code between BEGIN YOUR CODE and END YOUR CODE, save,\n"
        "             and run ./learn run ch01/02_second\n");
  for (Item& item : items) item.state = "solved";
  CHECK(state_and_next_step(items) ==
        "3 of 3 exercises are solved\n  next       ./learn list shows them\n");
}

}  // namespace
}  // namespace warpwise::tutor::watch
