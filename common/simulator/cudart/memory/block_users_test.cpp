#include "simulator/cudart/memory/block_users.h"

#include <doctest/doctest.h>

#include <memory>

namespace block_users_test {

using namespace warpwise::cudart;

const void* at(std::uint64_t address) { return reinterpret_cast<const void*>(address); }

TEST_CASE("only the users of a block learn that it is given back") {
  const BlockUser first(1000), inside(1099), behind(1100), before(999);
  note_given_back(at(1000), 100);
  CHECK(first.is_given_back());
  CHECK(inside.is_given_back());
  CHECK_FALSE(behind.is_given_back());
  CHECK_FALSE(before.is_given_back());
}

TEST_CASE("users come and go in any order") {
  auto one = std::make_unique<BlockUser>(16), two = std::make_unique<BlockUser>(32),
       three = std::make_unique<BlockUser>(48);
  two.reset();
  note_given_back(at(0), 40);
  CHECK(one->is_given_back());
  CHECK_FALSE(three->is_given_back());
  three.reset();
  const BlockUser four(64);
  one.reset();
  note_given_back(at(64), 1);
  CHECK(four.is_given_back());
}

}  // namespace block_users_test
