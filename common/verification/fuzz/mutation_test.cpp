#include "verification/fuzz/mutation.h"

#include <doctest/doctest.h>

#include <set>

using namespace warpwise;
using fuzz::Bytes;

namespace mutation_test {

fuzz::Corpus corpus() {
  return fuzz::read_corpus(WARPWISE_SOURCE_DIR "/common/verification/fuzz/corpus/ptx",
                           WARPWISE_SOURCE_DIR "/common/verification/fuzz/ptx.dict");
}

TEST_CASE("an input is a function of seed and number") {
  const fuzz::Corpus from = corpus();
  REQUIRE(from.inputs.size() > 5);
  REQUIRE(from.words.size() > 10);
  std::set<Bytes> seen;
  for (std::uint64_t number = 0; number < 1000; ++number) {
    const Bytes input = fuzz::mutated(from, 7, number);
    CHECK(input == fuzz::mutated(from, 7, number));
    CHECK(input.size() <= 65536);
    seen.insert(input);
  }
  CHECK(seen.size() > 900);
  CHECK(fuzz::mutated(from, 7, 1) != fuzz::mutated(from, 8, 1));
}

TEST_CASE("inputs of no bytes are changed without a fault") {
  const fuzz::Corpus nothing{.inputs = {{}}, .words = {}};
  for (std::uint64_t number = 0; number < 1000; ++number) fuzz::mutated(nothing, 1, number);
  CHECK(nothing.inputs.front().empty());
}

TEST_CASE("words of a dictionary") {
  CHECK(fuzz::dictionary_word(R"("\x7fELF")") ==
        Bytes{std::byte{0x7f}, std::byte{'E'}, std::byte{'L'}, std::byte{'F'}});
  CHECK(fuzz::dictionary_word(R"(name="a\"b")") ==
        Bytes{std::byte{'a'}, std::byte{'"'}, std::byte{'b'}});
  CHECK(fuzz::dictionary_word("# \"comment\"").empty());
  CHECK(fuzz::dictionary_word("").empty());
}

}  // namespace mutation_test
