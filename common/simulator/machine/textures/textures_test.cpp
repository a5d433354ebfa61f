// Textures and surfaces in kernels: what a place gives, what is outside, whose object it is.

#include <array>
#include <cmath>
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
extern "C" __global__ void cube(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = texCubemap<float>(t, 0.125f, threadIdx.x / 16.f - 1, 1);
}
extern "C" __global__ void layered_line(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex1DLayered<float>(t, threadIdx.x / 4.f, 1);
}
extern "C" __global__ void volume(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex3D<float>(t, 241 / 512.f, 179 / 256.f, threadIdx.x / 32.f);
}
extern "C" __global__ void gradients(cudaTextureObject_t t, const float4* from, float* out) {
  const float4 g = from[threadIdx.x];
  out[threadIdx.x] = tex2DGrad<float>(t, 0.5f, 0.5f, make_float2(g.x, g.y), make_float2(g.z, g.w));
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
extern "C" __global__ void read_or_trap(cudaSurfaceObject_t s, int x, float* out) {
  *out = surf2Dread<float>(s, x, 1);
}
extern "C" __global__ void read_or_zero(cudaSurfaceObject_t s, int x, float* out) {
  *out = surf2Dread<float>(s, x, 1, cudaBoundaryModeZero);
}
extern "C" __global__ void no_direction(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = texCubemap<float>(t, 0, 0, 0);
}
extern "C" __global__ void edge_of_texels(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = texCubemap<float>(t, 0.765625f, 0.796875f, -0.875f);
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
    "a point filter gives the texel that a place is in; outside it is clamped or the border") {
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

/// The texels of one face: those beyond it are its own, by the address mode of the sampler.
TEST_CASE("a face of a cubemap ends as its sampler says") {
  Board board;
  std::vector<float> texels(24);
  for (unsigned i = 0; i < texels.size(); ++i) texels[i] = i % 4 / 2 ? 8.f : 4.f;
  board.object.view.is_cubemap = true;
  board.object.view.levels = {{board.upload(texels), 2, 2, 6, 8, 16}};
  board.object.view.storage = nullptr;
  board.object.sampler.is_linear = true;
  // Thread 0 is at the bottom of the face, between the last row and what follows it.
  CHECK(board.run_on("cube", board.made())[0] == 8);
  for (auto& mode : board.object.sampler.address) mode = memory::AddressMode::wrap;
  CHECK(board.run_on("cube", board.made())[0] == 6);
  for (auto& mode : board.object.sampler.address) mode = memory::AddressMode::border;
  CHECK(board.run_on("cube", board.made())[0] == 4);
  CHECK(board.run_on("cube", board.made())[8] == 8);
}

/// 0.765625 / 0.875 is 7/8, the edge of the first two texels of sixteen; times what 1 / 0.875 is
/// rounded to it is more.
TEST_CASE("a direction is multiplied by the inverse of its longest part, as on an H100") {
  Board board;
  std::vector<float> texels(6 * 16 * 16);
  for (unsigned i = 0; i < texels.size(); ++i) texels[i] = static_cast<float>(i);
  board.object.view.is_cubemap = true;
  board.object.view.levels = {{board.upload(texels), 16, 16, 6, 64, 1024}};
  board.object.view.storage = nullptr;
  CHECK(board.run_on("edge_of_texels", board.made())[0] == 1280);
}

TEST_CASE("no direction at all leads to the middle of the fifth face of a cubemap") {
  Board board;
  std::vector<float> texels(24, 1);
  for (unsigned i = 16; i < 20; ++i) texels[i] = static_cast<float>(i);
  board.object.view.is_cubemap = true;
  board.object.view.levels = {{board.upload(texels), 2, 2, 6, 8, 16}};
  board.object.view.storage = nullptr;
  CHECK(board.run_on("no_direction", board.made())[0] == 19);
  board.object.sampler.is_linear = true;
  CHECK(board.run_on("no_direction", board.made())[0] == 17.5f);
}

TEST_CASE("a line among layers has no border above and below it") {
  Board board;
  board.object.view.dimensions = 1;
  board.object.view.is_layered = true;
  board.object.view.levels = {{board.object.view.levels[0].address, 8, 1, 4, 32, 32}};
  board.object.sampler.is_linear = true;
  for (auto& mode : board.object.sampler.address) mode = memory::AddressMode::border;
  const auto values = board.run_on("layered_line", board.made());
  CHECK(values[2] == 8);
  CHECK(values[0] == 4);
}

/// As an H200 rounds: the weight of z is given to two texels, though they are one.
TEST_CASE("a texel and its mirror image share their weight") {
  Board board;
  std::vector<float> texels(8);
  for (unsigned i = 0; i < texels.size(); ++i) texels[i] = i % 2 ? 256.f : 0;
  board.object.view.dimensions = 3;
  board.object.view.levels = {{board.upload(texels), 2, 2, 2, 8, 16}};
  board.object.view.storage = nullptr;
  board.object.sampler.is_linear = true;
  board.object.sampler.is_normalized = true;
  for (auto& mode : board.object.sampler.address) mode = memory::AddressMode::mirror;
  const auto mirrored = board.run_on("volume", board.made());
  for (auto& mode : board.object.sampler.address) mode = memory::AddressMode::clamp;
  const auto clamped = board.run_on("volume", board.made());
  CHECK(mirrored[16] == clamped[16]);
  CHECK(clamped[0] == 113);
  CHECK(mirrored[0] == 114);
}

/// A mipmap in which each level holds its own number.
struct Levels : Board {
  Levels() {
    object.sampler.is_linear_mipmap = object.sampler.is_normalized = true;
    object.sampler.most_level = 100;
    object.view.storage = nullptr;
    object.view.levels.clear();
    for (unsigned level = 0; level < 9; ++level) {
      const unsigned size = 256 >> level;
      object.view.levels.push_back({upload(std::vector<float>(size * size, float(level))), size,
                                    size, 1, 4 * size, 4 * size * size});
    }
  }
  std::vector<float> at(std::vector<std::array<float, 4>> gradients) {
    gradients.resize(32);
    check_clean(run("gradients", {1, 1, 1}, {32, 1, 1}, made(), upload(gradients), out));
    return download<float>(out, 32);
  }
};

TEST_CASE("gradients choose a level: about the logarithm of the longest, in texels") {
  Levels levels;
  const float texel = 1 / 256.f, inf = INFINITY;
  const auto level = levels.at({{0, 0, 0, 0},
                                {texel / 2, 0, 0, texel / 4},
                                {8 * texel, 0, 0, 0},
                                {0, 2 * texel, -8 * texel, 0},
                                {8 * texel, 8 * texel, 0, 0},
                                {8 * texel, 0, 8 * texel, 0},
                                {inf, 0, 0, 0},
                                {NAN, 0, 0, 4 * texel}});
  CHECK(level[0] == 0);
  CHECK(level[1] == 0);
  CHECK(level[2] == 3);
  CHECK(level[3] == 3);
  CHECK(level[4] == 3 + 110 / 256.f);  // The exact length would be 3.5.
  CHECK(level[5] == 3 + 118 / 256.f);  // In one line: 11/16 of their sum.
  CHECK(level[6] == 8);
  CHECK(level[7] == 2);
}

TEST_CASE("levels from gradients are those that an H200 chose, or off by 1/128") {
  Levels levels;
  const auto level = levels.at({{0.00715793576f, -0.00342508801f, -0.0850212798f, -0.11843919f},
                                {0.0061985068f, 0.00351344817f, 0.0344924964f, -0.0228349008f},
                                {-0.137735024f, -0.157812729f, -0.00146778172f, 0.00745741557f},
                                {0.00142497267f, 0.0182575248f, -0.052576296f, -0.0381621979f},
                                {-0.00593886711f, 0.00338256266f, -0.110302307f, -0.183075622f},
                                {0.0293160509f, 0.0264935195f, -0.0129967872f, 0.0115043931f},
                                {0.0651095733f, 0.0720542893f, 0.00874828082f, 0.0125770848f},
                                {0.0210474096f, 0.0842457414f, -0.0131436214f, -0.000858708285f},
                                {-0.223555744f, 0.169483528f, 0.0700610951f, -0.0475673564f},
                                {0.00292910635f, -0.00111769082f, -0.0580682419f, 0.0279721655f},
                                {-0.149104282f, 0.104871169f, 0.00176582183f, 0.00554540846f},
                                {0.0057664793f, -0.00441869954f, 0.0048728846f, -0.00457158079f}});
  const float recorded[] = {1342, 880, 1463, 1042, 1490, 844, 1176, 1164, 1580, 1054, 1424, 325};
  for (unsigned i = 0; i < std::size(recorded); ++i)
    CHECK(std::fabs(level[i] * 256 - recorded[i]) <= 2);
}

TEST_CASE("what gradients of an anisotropic texture give is not known, and said") {
  Levels levels;
  levels.object.sampler.most_anisotropy = 4;
  const auto report = levels.run("gradients", {1, 1, 1}, {32, 1, 1}, levels.made(),
                                 levels.upload(std::vector<float>(128)), levels.out);
  CHECK(kind_of(report) == "unsupported");
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
  CHECK(report.diagnoses[0].line == 32);
  CHECK(report.diagnoses[0].message.find("byte 32 of row 2") != std::string::npos);
}

TEST_CASE("what is neither aligned nor inside is what an H200 asks for first") {
  Board board;
  const std::uint64_t surface = board.surface();
  auto kind = [&](const char* kernel, int x) {
    return kind_of(board.run(kernel, {1, 1, 1}, {1, 1, 1}, surface, x, board.out));
  };
  CHECK(kind("read_or_trap", 30) == "misaligned");
  CHECK(kind("read_or_trap", -2) == "out-of-bounds");
  CHECK(kind("read_or_trap", 34) == "out-of-bounds");
  CHECK(kind("read_or_zero", -2) == "misaligned");
  CHECK(kind("read_or_zero", -4) == "none");
}

TEST_CASE("unknown and destroyed objects, and those that show freed memory, are named") {
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

TEST_CASE("a texel that was never written is reported where it decides") {
  Board board;
  board.memory().track(board.object.view.storage->base);
  const auto report = board.run("decides", {1, 1, 1}, {32, 1, 1}, board.made(), board.out);
  CHECK(kind_of(report) == "uninitialized");
}

}  // namespace textures_test
