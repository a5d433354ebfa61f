#include <doctest/doctest.h>

#include <string>

#include "simulator/cudart/tests/child.h"

// careful_threads.cu is right, and nothing is reported for it, with and without optimisation:
// without it, atomics are functions that call others, and no computed value is recognised again.
namespace careful_threads_test {

using namespace warpwise::cudart;

const std::string printed =
    "bytes 199920\nhalves 83572\nlevels 6545, 171 nodes\ndistances 7370\nmarks 154618822620\n"
    "sum 256\nlargest 500\nown variables 92076\ncopies right\ncudaSuccess\n";

TEST_CASE("threads that come near to each other, and are right, are left alone") {
  for (const std::string program : {WARPWISE_CAREFUL_THREADS, WARPWISE_CAREFUL_THREADS_DEBUG}) {
    const Ending ending = run_simulated(program);
    INFO(program << ending.text);
    CHECK(ending.status == 0);
    CHECK(ending.says(printed));
    CHECK_FALSE(ending.says("error: "));
  }
}

}  // namespace careful_threads_test
