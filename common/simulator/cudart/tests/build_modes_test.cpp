#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "simulator/cudart/tests/child.h"

// One program, build_modes/, built in every way that nvcc offers (common/cmake/stand_in.cmake),
// runs and gives the same.
namespace warpwise::cudart {
namespace {

TEST_CASE("a program gives the same however it was built") {
  std::istringstream names(WARPWISE_BUILD_MODES);
  int modes = 0;
  for (std::string mode; names >> mode; ++modes) {
    INFO(mode);
    const Ending ending = run_simulated(WARPWISE_BUILD_DIR "/build_modes/" + mode);
    CHECK(ending.status == 0);
    CHECK(ending.says("from the device: "));
    CHECK(ending.says("0 wrong, cudaSuccess\n"));
    CHECK(ending.says("PTX for compute_100") == (mode == "newer"));
  }
  CHECK(modes >= 7);
}

}  // namespace
}  // namespace warpwise::cudart
