#include "simulator/cudart/queue/progress.h"

#include <doctest/doctest.h>

namespace warpwise::cudart {
namespace {

using std::chrono::milliseconds;

TEST_CASE("a launch that takes long tells how far it is, and leaves no trace") {
  std::mutex mutex;
  std::string shown;
  const auto write = [&](std::string_view text) {
    const std::lock_guard lock(mutex);
    shown += text;
  };
  const auto says = [&](const char* text) {
    const std::lock_guard lock(mutex);
    return shown.find(text) != std::string::npos;
  };
  {
    Progress progress("scale(int*)", 200, {milliseconds(20), milliseconds(5), write});
    progress.finished_blocks = 80;
    for (int i = 0; i < 1000 && !says("40 %"); ++i) std::this_thread::sleep_for(milliseconds(5));
  }
  const std::string_view so_far = "scale(int*): 40 % of the blocks, ";
  REQUIRE(says(so_far.data()));
  // Mostly 0, but not on a machine that is busy.
  const std::size_t seconds = shown.find(so_far) + so_far.size();
  CHECK(shown.compare(shown.find_first_not_of("0123456789", seconds), 2, " s") == 0);
  CHECK(shown.ends_with("\r\033[K"));
}

TEST_CASE("a short launch says nothing") {
  std::string shown;
  {
    Progress("x", 1, {milliseconds(10000), milliseconds(1), [&](auto text) { shown += text; }});
  }
  CHECK(shown.empty());
}

}  // namespace
}  // namespace warpwise::cudart
