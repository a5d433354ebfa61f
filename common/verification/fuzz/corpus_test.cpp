// Every input that the fuzzers learned from, or once stumbled over, is read again by the ordinary
// build.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "verification/fuzz/targets.h"

using namespace warpwise;

TEST_CASE("the corpus is read without a crash") {
  struct Set {
    const char* folder;
    fuzz::Target target;
  };
  for (const Set& set :
       {Set{"fatbin", fuzz::fatbin}, Set{"cubin", fuzz::cubin}, Set{"ptx", fuzz::ptx}}) {
    CAPTURE(set.folder);
    std::size_t inputs = 0;
    for (const auto& file : std::filesystem::directory_iterator(
             std::filesystem::path(WARPWISE_SOURCE_DIR "/common/verification/fuzz/corpus") /
             set.folder)) {
      CAPTURE(file.path().string());
      std::ifstream stream(file.path(), std::ios::binary);
      std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
      CHECK_NOTHROW(set.target(std::as_bytes(std::span(bytes))));
      ++inputs;
    }
    CHECK(inputs > 0);
  }
}
