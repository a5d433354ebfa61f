#include "simulator/image/lz4.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>

#include "simulator/image/image_error.h"

using warpwise::image::decompress_lz4;
using warpwise::image::ImageError;

namespace {

std::vector<std::byte> block(std::initializer_list<unsigned> values) {
  std::vector<std::byte> bytes;
  for (unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

std::string text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

TEST_CASE("an LZ4 block of literals is copied") {
  CHECK(text(decompress_lz4(block({0x30, 'a', 'b', 'c'}), 3)) == "abc");
  CHECK(decompress_lz4(block({0x00}), 0).empty());
}

TEST_CASE("an LZ4 match may overlap what it writes") {
  // "ab", then 7 bytes from 2 back, then "z".
  const auto bytes = block({0x23, 'a', 'b', 2, 0, 0x10, 'z'});
  CHECK(text(decompress_lz4(bytes, 10)) == "ababababaz");
}

TEST_CASE("LZ4 lengths go on while their bytes are 255") {
  auto literals = block({0xf0, 255, 0});
  literals.insert(literals.end(), 270, std::byte{'x'});
  CHECK(text(decompress_lz4(literals, 270)) == std::string(270, 'x'));
  // One literal, a match of 15 + 255 + 1 + 4 bytes, and an empty last sequence.
  CHECK(text(decompress_lz4(block({0x1f, 'y', 1, 0, 255, 1, 0x00}), 276)) == std::string(276, 'y'));
}

TEST_CASE("a damaged LZ4 block is an error") {
  const auto fails = [](std::initializer_list<unsigned> values, std::size_t size) {
    CHECK_THROWS_AS(decompress_lz4(block(values), size), ImageError);
  };
  fails({}, 0);
  fails({0x30, 'a', 'b'}, 3);                           // literals beyond the end
  fails({0x30, 'a', 'b', 'c'}, 2);                      // more than promised
  fails({0x30, 'a', 'b', 'c'}, 4);                      // less than promised
  fails({0xf0, 255}, 300);                              // a length that does not end
  fails({0x23, 'a', 'b', 0, 0, 0x10, 'z'}, 10);         // a distance of nothing
  fails({0x23, 'a', 'b', 3, 0, 0x10, 'z'}, 10);         // from before the start
  fails({0x23, 'a', 'b', 2}, 9);                        // half a distance
  fails({0x2f, 'a', 'b', 2, 0, 255, 255, 0, 0x00}, 9);  // a match longer than promised
}
