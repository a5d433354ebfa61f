#include "tutor/author/pasting/rungs.h"

#include <doctest/doctest.h>

#include "tutor/system/files.h"
#include "tutor/system/has_part.h"

namespace warpwise::tutor {
namespace {

// A chapter of some sources.
struct Sources {
  TemporaryFolder folder;
  void write(const char* name, const std::string& text) const {
    write_atomically(folder.path() / name, text);
  }
  std::vector<Rung> rungs() const { return read_rungs(folder.path()); }
};

using test::has;

TEST_CASE("a rung brings what it needs, and nothing of the host") {
  const Sources sources;
  sources.write("rows.h",
                "#pragma once\n#include <cstddef>\nnamespace rows {\n"
                "constexpr int lanes = 32;\n__device__ int lane() { return "
                "threadIdx.x % lanes; }\nconstexpr int unused = 3;\n}\n");
  sources.write("a.cu",
                "#include <mma.h>\n#include <cub/cub.cuh>\n#include <vector>\n"
                "#include \"lesson/run.h\"\n#include \"rows.h\"\nusing namespace rows;\n"
                "namespace lesson = warpwise::lesson;\nnamespace {\n"
                "__global__ void __launch_bounds__(32 * (2 + 2)) first(float* y) "
                "{ y[lane()] = 1; }\n"
                "void rungs(lesson::Trial& run) { run.variant(\"first\", first, y); }\n}\n");
  const auto rungs = sources.rungs();
  REQUIRE(rungs.size() == 1);
  CHECK(rungs[0].name == "first");
  CHECK(rungs[0].scope == "pasted_rung");
  CHECK(rungs[0].calls == std::vector<std::string>{"first"});
  const std::string& text = rungs[0].text;
  CHECK(text.starts_with("#include <cstddef>\n#include <mma.h>\nnamespace pasted_rung {\n"));
  CHECK(has(text, "constexpr int lanes = 32;"));
  CHECK(has(text, "using namespace rows;"));
  CHECK(has(text, "__device__ __forceinline__ void  first(float* y) { y[lane()] = 1; }"));
  for (const char* absent : {"unused", "lesson", "vector", "cub", "__launch_bounds__", "pragma"}) {
    CHECK_FALSE(has(text, absent));
  }
}

TEST_CASE("code for one architecture alone is in no exercise") {
  const Sources sources;
  sources.write("a.cu", "__global__ void f(int* y) { *y = 1; }\n");
  sources.write("b.sm_90a.cu", "__global__ void g(int* y) { *y = 2; }\n");
  const auto rungs = sources.rungs();
  REQUIRE(rungs.size() == 1);
  CHECK(rungs[0].name == "f");
}

TEST_CASE("a library comes with its kernel only") {
  const Sources sources;
  sources.write("a.cu",
                "#include <cub/cub.cuh>\n__global__ void f(int* y) { cub::Sum()(y); }\n"
                "__global__ void g(int* y) {}\n");
  const auto rungs = sources.rungs();
  REQUIRE(rungs.size() == 2);
  CHECK(has(rungs[0].text, "#include <cub/cub.cuh>"));
  CHECK_FALSE(has(rungs[1].text, "cub"));
}

TEST_CASE("a kernel of a header is one rung, and its namespace is said") {
  const Sources sources;
  sources.write("k.h", "namespace rows {\nnamespace {\n__global__ void k(int* y) {}\n}\n}\n");
  sources.write("a.cu", "#include \"k.h\"\n");
  sources.write("b.cu", "#include \"k.h\"\n__global__ void own(int* y) {}\n");
  const auto rungs = sources.rungs();
  REQUIRE(rungs.size() == 2);
  CHECK(rungs[0].scope == "pasted_rung::rows");
  CHECK(rungs[1].name == "own");
}

TEST_CASE("a kernel of another chapter is a rung where this one names it") {
  const Sources sources;
  std::filesystem::create_directories(sources.folder.path() / "other");
  sources.write("other/k.h", "__global__ void named(int* y) {}\n__global__ void left(int* y) {}\n");
  sources.write("a.cu", "#include \"other/k.h\"\nvoid start(int* y) { named<<<1, 1>>>(y); }\n");
  const auto rungs = sources.rungs();
  REQUIRE(rungs.size() == 1);
  CHECK(rungs[0].name == "named");
}

TEST_CASE("no sources, no rungs") { CHECK(Sources().rungs().empty()); }

}  // namespace
}  // namespace warpwise::tutor
