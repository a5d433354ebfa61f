// Textures and surfaces in kernels: what a place gives, what lies outside, whose object it is.

#include <cstring>
#include <vector>

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace textures_test {

constexpr unsigned width = 8, height = 4;

const char* const source = R"(
extern "C" __global__ void point(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex2D<float>(t, int(threadIdx.x) - 1, 1.5f);
}
extern "C" __global__ void mixed(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex2D<float>(t, threadIdx.x / 4.f, 0.75f);
}
extern "C" __global__ void recorded(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex2D<float>(t, 0.5f + 51 / 256.f, 0.5f + 133 / 256.f);
}
extern "C" __global__ void bytes(cudaTextureObject_t t, float* out) {
  const float4 v = tex2D<float4>(t, threadIdx.x + 0.5f, 0.5f);
  out[threadIdx.x] = v.x + v.y * 1000;
}
extern "C" __global__ void buffer(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(t, int(threadIdx.x) * 4 - 16);
}
extern "C" __global__ void write(cudaSurfaceObject_t s, int first) {
  surf2Dwrite(float(threadIdx.x), s, (int(threadIdx.x) + first) * 4, 2);
}
extern "C" __global__ void edge(cudaSurfaceObject_t s, float* out) {
  const int x = (int(threadIdx.x) - 12) * 4;
  out[threadIdx.x] = surf2Dread<float>(s, x, 1, cudaBoundaryModeZero) +
                     1000 * surf2Dread<float>(s, x, 9, cudaBoundaryModeClamp);
}
extern "C" __global__ void decides(cudaTextureObject_t t, float* out) {
  if (tex2D<float>(t, threadIdx.x, 0) > 1) out[threadIdx.x] = 2;
}
)";

/// A texture of 8 x 4 floats that are counted, and 32 results.
struct Board : Device {
  Board() : Device(source) {
    std::vector<float> texels(width * height);
    for (unsigned i = 0; i < texels.size(); ++i) texels[i] = static_cast<float>(i);
    object.view.format = {memory::TexelKind::floating, 32, 1};
    object.view.dimensions = 2;
    object.view.levels = {{upload(texels), width, height, 1, width * 4, width * height * 4}};
    object.view.storage = memory().find(object.view.levels[0].address);
    for (auto& mode : object.sampler.address) mode = memory::AddressMode::clamp;
    out = upload(std::vector<float>(32));
  }
  std::uint64_t made() { return memory().texel_objects().create(object); }
  std::uint64_t surface() {
    object.is_surface = true;
    return made();
  }
  std::vector<float> run_on(const std::string& kernel, std::uint64_t handle) {
    check_clean(run(kernel, {1, 1, 1}, {32, 1, 1}, handle, out));
    return download<float>(out, 32);
  }
  memory::TexelObject object;
  std::uint64_t out = 0;
};

std::string kind_of(const watch::LaunchReport& report) {
  return report.diagnoses.empty() ? "none" : report.diagnoses.front().kind;
}

TEST_CASE(
    "a point filter gives the texel that a place lies in; outside it is clamped or the border") {
  Board board;
  auto values = board.run_on("point", board.made());
  CHECK(values[0] == 8);
  CHECK(values[1] == 8);
  CHECK(values[4] == 11);
  CHECK(values[31] == 15);
  for (auto& mode : board.object.sampler.address) mode = memory::AddressMode::border;
  board.object.sampler.border[0] = -5;
  values = board.run_on("point", board.made());
  CHECK(values[0] == -5);
  CHECK(values[8] == 15);
  CHECK(values[9] == -5);
}

TEST_CASE("a linear filter mixes the texels around a place by its distance from their middles") {
  Board board;
  board.object.sampler.is_linear = true;
  const auto values = board.run_on("mixed", board.made());
  // A quarter of row 1 and three of row 0; texel x has its middle at x + 0.5.
  CHECK(values[2] == 2);
  CHECK(values[3] == 2.25f);
  CHECK(values[4] == 2.5f);
  CHECK(values[0] == 2);
}

TEST_CASE("weights and sums are rounded as an H200 rounds them") {
  Board board;
  const std::vector<float> texels = {-0.5384014844894409f, -0.43272244930267334f,
                                     0.7995573282241821f, -0.4429898262023926f};
  board.object.view.levels = {{board.upload(texels), 2, 2, 1, 8, 16}};
  board.object.view.storage = nullptr;
  board.object.sampler.is_linear = true;
  // The exact mean by these weights would be 0.03822127.
  CHECK(board.run_on("recorded", board.made())[0] == 0.040833954f);
}

TEST_CASE("normalized coordinates count whole textures, and repeat") {
  Board board;
  board.object.sampler.is_normalized = true;
  board.object.sampler.address[0] = memory::AddressMode::wrap;
  board.object.sampler.address[1] = memory::AddressMode::mirror;
  // x = 0, 1/4, 1/2, ... of the texture; y = 3/4.
  auto values = board.run_on("mixed", board.made());
  CHECK(values[0] == 24);
  CHECK(values[1] == 26);
  CHECK(values[5] == 26);
}

TEST_CASE("bytes become fractions") {
  Board board;
  std::vector<unsigned char> texels(16);
  for (unsigned i = 0; i < 16; ++i) texels[i] = static_cast<unsigned char>(17 * i);
  board.object.view.format = {memory::TexelKind::unsigned_integer, 8, 2};
  board.object.view.levels = {{board.upload(texels), 8, 1, 1, 16, 16}};
  board.object.view.storage = nullptr;
  board.object.sampler.gives_fraction = true;
  const auto values = board.run_on("bytes", board.made());
  CHECK(values[0] == 0 + 1000 * (17.f / 255));
  CHECK(values[7] == 238.f / 255 + 1000);
}

TEST_CASE("beyond linear memory is zero") {
  Board board;
  board.object.view.is_buffer = true;
  board.object.view.dimensions = 1;
  board.object.view.levels[0].width = width * height;
  const auto values = board.run_on("buffer", board.made());
  CHECK(values[0] == 0);
  CHECK(values[5] == 4);
  CHECK(values[11] == 28);
  CHECK(values[12] == 0);
}

TEST_CASE("surfaces are written and read by bytes; outside is zero or the edge") {
  Board board;
  const std::uint64_t surface = board.surface();
  Board::check_clean(board.run("write", {1, 1, 1}, {8, 1, 1}, surface, 0));
  const auto texels = board.download<float>(board.object.view.levels[0].address, 32);
  CHECK(texels[16] == 0);
  CHECK(texels[23] == 7);
  const auto values = board.run_on("edge", surface);
  CHECK(values[11] == 24000);
  CHECK(values[12] == 8 + 24000);
  CHECK(values[19] == 15 + 31000);
  CHECK(values[20] == 31000);
}

TEST_CASE("a surface write outside stops the launch at its line") {
  Board board;
  const auto report = board.run("write", {1, 1, 1}, {8, 1, 1}, board.surface(), 3);
  REQUIRE(kind_of(report) == "out-of-bounds");
  CHECK(report.faulted);
  CHECK(report.diagnoses[0].thread[0] == 5);
  CHECK(report.diagnoses[0].line == 19);
  CHECK(report.diagnoses[0].message.find("byte 32 of row 2") != std::string::npos);
}

TEST_CASE("objects are named that are none, are destroyed, or show freed memory") {
  Board board;
  const std::uint64_t texture = board.made();
  CHECK(kind_of(board.run("point", {1, 1, 1}, {32, 1, 1}, std::uint64_t{0}, board.out)) ==
        "invalid-object");
  CHECK(kind_of(board.run("write", {1, 1, 1}, {8, 1, 1}, texture, 0)) == "invalid-object");
  const std::uint64_t second = board.made();
  CHECK(board.memory().texel_objects().destroy(second, false));
  CHECK_FALSE(board.memory().texel_objects().destroy(second, false));
  CHECK(kind_of(board.run("point", {1, 1, 1}, {32, 1, 1}, second, board.out)) == "use-after-free");
  board.memory().release(board.object.view.storage->base);
  CHECK(kind_of(board.run("point", {1, 1, 1}, {32, 1, 1}, texture, board.out)) == "use-after-free");
}

TEST_CASE("a texel that nobody has written is told where it decides") {
  Board board;
  board.memory().track(board.object.view.storage->base);
  const auto report = board.run("decides", {1, 1, 1}, {32, 1, 1}, board.made(), board.out);
  CHECK(kind_of(report) == "uninitialized");
}

}  // namespace textures_test
