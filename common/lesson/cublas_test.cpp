#include "lesson/cublas.h"

#include <doctest/doctest.h>

#include "lesson/device/device.h"

using namespace warpwise::lesson;

TEST_CASE("without a GPU the library is absent and says so") {
  if (probe_gpu().usable) return;
  const LibraryCall call =
      cublas_product(CublasPrecision::fp32, 2, 2, 2, nullptr, nullptr, nullptr);
  CHECK_FALSE(call.launch);
  CHECK_FALSE(call.absent.empty());
}
