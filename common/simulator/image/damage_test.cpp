// Damaged images: whatever the bytes are, reading them returns or throws ImageError, and is soon
// done.

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "simulator/image/compile_fixture.h"
#include "simulator/image/cubin.h"
#include "simulator/image/fatbin.h"

using namespace warpwise::image;
using test::Bytes;

namespace damage_test {

const std::string kSource = R"(
__device__ inline float helper(const float* p) { return p[3]; }
__global__ void __launch_bounds__(64) reverse(float* x) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x] + helper(x);
  __syncthreads();
  x[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void scale(float* x, float f) { x[threadIdx.x] *= f; }
)";

Bytes compile(const std::string& options) { return test::compile("-lineinfo " + options, kSource); }

Bytes cubin() {
  static const Bytes bytes = compile("-cubin -arch=sm_90");
  return bytes;
}

/// @return whether the bytes were read; any error but ImageError fails the test.
bool read_everything(const Bytes& bytes) {
  try {
    for (const Entry& entry : read_container(bytes)) {
      if (entry.kind == Entry::Kind::cubin) read_cubin(entry.payload);
    }
    return true;
  } catch (const ImageError&) {
    return false;
  }
}

bool read_one_cubin(const Bytes& bytes) {
  try {
    read_cubin(bytes);
    return true;
  } catch (const ImageError&) {
    return false;
  }
}

/// Changes up to eight bytes, some of them to values that make large or negative numbers.
Bytes corrupt(Bytes bytes, std::mt19937& random) {
  const unsigned char favourites[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
  const unsigned count = 1 + random() % 8;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned value = random() % 2 ? random() % 256 : favourites[random() % 5];
    bytes[random() % bytes.size()] = static_cast<std::byte>(value);
  }
  return bytes;
}

/// Corrupts only [first, last), where a format has many numbers in few bytes.
Bytes corrupt_part(Bytes bytes, std::size_t first, std::size_t last, std::mt19937& random) {
  Bytes part(bytes.begin() + first, bytes.begin() + last);
  part = corrupt(std::move(part), random);
  std::copy(part.begin(), part.end(), bytes.begin() + first);
  return bytes;
}

TEST_CASE("a truncated fat binary is an error at every length") {
  for (const char* mode : {"none", "size", "speed"}) {
    CAPTURE(mode);
    const Bytes whole =
        compile(std::string("-fatbin -gencode arch=compute_90,code=[sm_90,compute_90] ") +
                "-compress-mode=" + mode);
    REQUIRE(read_everything(whole));
    for (std::size_t size = 0; size < whole.size(); size += 7) {
      CAPTURE(size);
      CHECK_FALSE(read_everything(Bytes(whole.begin(), whole.begin() + size)));
    }
  }
}

TEST_CASE("a truncated cubin is an error at every length") {
  const Bytes whole = cubin();
  REQUIRE(read_one_cubin(whole));
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    CAPTURE(size);
    CHECK_FALSE(read_one_cubin(Bytes(whole.begin(), whole.begin() + size)));
  }
}

TEST_CASE("random damage to a fat binary") {
  std::mt19937 random(1);
  for (const char* mode : {"none", "size", "speed"}) {
    const Bytes whole =
        compile(std::string("-fatbin -gencode arch=compute_90,code=[sm_90,compute_90] ") +
                "-Xfatbin -compress-all -compress-mode=" + mode);
    unsigned refused = 0;
    for (int variant = 0; variant < 500; ++variant) {
      if (!read_everything(corrupt(whole, random))) ++refused;
      if (!read_everything(corrupt_part(whole, 0, 80, random))) ++refused;
    }
    CHECK(refused > 100);
  }
}

TEST_CASE("random damage to a cubin") {
  std::mt19937 random(2);
  const Bytes whole = cubin();
  unsigned refused = 0;
  for (int variant = 0; variant < 500; ++variant) {
    if (!read_one_cubin(corrupt(whole, random))) ++refused;
    if (!read_one_cubin(corrupt_part(whole, 0, 64, random))) ++refused;
  }
  CHECK(refused > 100);
}

TEST_CASE("random damage to the line table") {
  const Bytes whole = cubin();
  // The names of the fixture's files are in its table of lines, and nowhere before it.
  const std::string name = "kernel.cu";
  const auto found = std::search(
      whole.begin(), whole.end(), name.begin(), name.end(),
      [](std::byte byte, char letter) { return std::to_integer<char>(byte) == letter; });
  REQUIRE(found != whole.end());
  const auto at = static_cast<std::size_t>(found - whole.begin());
  std::mt19937 random(3);
  unsigned refused = 0;
  for (int variant = 0; variant < 500; ++variant) {
    if (!read_one_cubin(corrupt_part(whole, at - 64, at + 160, random))) ++refused;
  }
  CHECK(refused > 10);
}

}  // namespace damage_test
