#include "tutor/live/terminal.h"

#include <doctest/doctest.h>

#include "tutor/live/state.h"

namespace warpwise::tutor::watch {
namespace {

using Keys = std::vector<int>;

TEST_CASE("bytes of a terminal become keys") {
  CHECK(keys_of("hq") == Keys{'h', 'q'});
  CHECK(keys_of("\x1b[A\x1bOB\x1b[5~\x1b[6~n") ==
        Keys{key_up, key_down, key_page_up, key_page_down, 'n'});
  CHECK(keys_of("\x1b[H\x1b[F\x1b[1~\x1b[4~") == Keys{key_home, key_end, key_home, key_end});
  CHECK(keys_of("\x1b") == Keys{key_escape});
  CHECK(keys_of("\x03\x1a") == Keys{key_interrupt, key_suspend});
}

TEST_CASE("sequences that mean nothing here are dropped, whole") {
  CHECK(keys_of("\x1b[1;5Cq") == Keys{'q'});
  CHECK(keys_of("\x1b[200~") == Keys{});
  CHECK(keys_of("\x1b[") == Keys{});
  CHECK(keys_of("\x1b[12;") == Keys{});
}

}  // namespace
}  // namespace warpwise::tutor::watch
