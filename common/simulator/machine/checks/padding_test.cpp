// Rows with a gap between them: what is written there.

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace padding_test {

const std::string source = R"(
extern "C" __global__ void one_more(char* rows, int pitch, int width) {
  float* row = reinterpret_cast<float*>(rows + blockIdx.x * pitch);
  if (threadIdx.x <= width) row[threadIdx.x] = 1;  // expect: out-of-bounds
}
extern "C" __global__ void by_vectors(char* rows, int pitch, int width) {
  float4* row = reinterpret_cast<float4*>(rows + blockIdx.x * pitch);
  if (4 * threadIdx.x < width) row[threadIdx.x] = make_float4(1, 2, 3, 4);
}
extern "C" __global__ void reads_padding(char* rows, int pitch, int width) {
  float* row = reinterpret_cast<float*>(rows + blockIdx.x * pitch);
  float v = row[threadIdx.x];
  if (threadIdx.x < width) row[threadIdx.x] = v + 1;
}
)";

TEST_CASE("a write between rows is reported, and the thread goes on") {
  Device device(source);
  const std::uint64_t rows = device.upload(std::vector<int>(4 * 64));
  const auto run = [&](const char* kernel) {
    return device.run(kernel, {4, 1, 1}, {32, 1, 1}, rows, 256, 25);
  };
  CHECK(run("one_more").diagnoses.empty());
  device.memory().divide(rows, 100, 256);
  const auto report = run("one_more");
  REQUIRE(Device::found(report) == device.expected("one_more"));
  const watch::Diagnosis& found = report.diagnoses[0];
  CHECK_FALSE(report.faulted);
  CHECK(found.severity == watch::Severity::note);
  CHECK(found.thread == watch::Index3{25, 0, 0});
  CHECK(found.count == 4);
  CHECK(found.message.find("at offset 100 of row 0") != found.message.npos);
  CHECK(run("by_vectors").diagnoses.empty());
  CHECK(run("reads_padding").diagnoses.empty());
}

}  // namespace padding_test
