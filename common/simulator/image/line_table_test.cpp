#include "simulator/image/line_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "simulator/image/compile_fixture.h"
#include "simulator/image/cubin.h"

using namespace warpwise::image;
using Space = MemoryInstruction::Space;
using Access = MemoryInstruction::Access;
using Lines = std::set<std::pair<std::string, unsigned>>;

namespace {

/// The comment `// load` marks each line that loads from global memory.
const std::string kHeader = R"(#pragma once
__device__ inline float deepest(const float* p) {
  return p[2];  // load
}
__device__ inline float shallow(const float* p) {
  return deepest(p + 1) * 2;
}
)";
const std::string kOther = R"(
__device__ inline float other(const float* p) {

  return p[77];  // load
}
)";
const std::string kMain = R"(#include "../include/header.h"
#include "other.h"
__global__ void first(float* p, float* q) {
  int t = threadIdx.x;
  float sum = p[t];  // load
  sum += shallow(q + t);
  sum += other(q - t);
  p[t] = sum;
}
__global__ void second(float* p) {
  __shared__ float s[32];

  s[threadIdx.x] = p[threadIdx.x];  // load
  __syncthreads();
  p[threadIdx.x] = s[31 - threadIdx.x];
}
)";

void write_program(test::Workbench& bench) {
  bench.write("include/header.h", kHeader);
  bench.write("more/other.h", kOther);
  bench.write("source/main.cu", kMain);
}

void add_marked(Lines& lines, const std::string& path, const std::string& text) {
  std::istringstream in(text);
  unsigned number = 1;
  for (std::string line; std::getline(in, line); ++number) {
    if (line.find("// load") != std::string::npos) lines.insert({path, number});
  }
}

Lines lines_of(const std::map<std::string, KernelFacts>& facts, Space space, Access access) {
  Lines lines;
  for (const auto& [name, kernel] : facts) {
    for (const MemoryInstruction& one : kernel.memory) {
      if (one.space == space && one.access == access) lines.insert({one.file, one.line});
    }
  }
  return lines;
}

std::set<std::string> files_of(const std::map<std::string, KernelFacts>& facts) {
  std::set<std::string> files;
  for (const auto& [name, kernel] : facts) {
    for (const MemoryInstruction& one : kernel.memory) files.insert(one.file);
  }
  return files;
}

std::set<std::string> files_of_ptx(const std::string& ptx) {
  std::set<std::string> files;
  const std::regex directive("\\.file\\s+[0-9]+ \"([^\"]+)\"");
  for (std::sregex_iterator at(ptx.begin(), ptx.end(), directive), end; at != end; ++at) {
    files.insert((*at)[1]);
  }
  return files;
}

}  // namespace

TEST_CASE("each load is on its own line, inlined ones on the library's") {
  test::Workbench bench;
  write_program(bench);
  Lines expected;
  add_marked(expected, bench.path("source/main.cu").string(), kMain);
  add_marked(expected, bench.path("source").string() + "/../include/header.h", kHeader);
  add_marked(expected, bench.path("more/other.h").string(), kOther);
  REQUIRE(expected.size() == 4);
  for (const char* architecture : {"sm_75", "sm_90", "sm_100"}) {
    CAPTURE(architecture);
    const auto facts = read_cubin(bench.compile(
        std::string("-cubin -lineinfo -I more -arch=") + architecture, "source/main.cu"));
    CHECK(lines_of(facts, Space::global, Access::load) == expected);
    CHECK(lines_of({{"second", facts.at("_Z6secondPf")}}, Space::shared, Access::load) ==
          Lines{{bench.path("source/main.cu").string(), 15}});
  }
}

TEST_CASE("paths are those of the PTX") {
  test::Workbench bench;
  write_program(bench);
  const auto facts =
      read_cubin(bench.compile("-cubin -arch=sm_90 -lineinfo -I more", "source/main.cu"));
  bench.compile("-ptx -arch=sm_90 -lineinfo -I more", "source/main.cu");
  CHECK(files_of(facts) == files_of_ptx(test::read_text(bench.path("out"))));
}

TEST_CASE("#line moves a location, also to a file at the root or one that does not exist") {
  test::Workbench bench;
  bench.write("kernel.cu", R"(
__global__ void moved(float* p) {
#line 40 "exercises/task.cu"
  p[1] = p[threadIdx.x];
#line 7 "/root_only.cu"
  p[2] = p[threadIdx.x * 2];
}
)");
  const auto facts = read_cubin(bench.compile("-cubin -arch=sm_90 -lineinfo", "kernel.cu"));
  CHECK(lines_of(facts, Space::global, Access::store) ==
        Lines{{bench.path("exercises/task.cu").string(), 40}, {"/root_only.cu", 7}});
}

TEST_CASE("code compiled with -G has lines, code without line numbers has none") {
  test::Workbench bench;
  write_program(bench);
  const std::string path = bench.path("source/main.cu").string();
  const auto debug = read_cubin(bench.compile("-cubin -arch=sm_90 -G -I more", "source/main.cu"));
  const Lines loads = lines_of(debug, Space::generic, Access::load);
  CHECK(loads.contains({path, 5}));
  CHECK(loads.contains({path, 13}));
  const auto plain = read_cubin(bench.compile("-cubin -arch=sm_90 -I more", "source/main.cu"));
  CHECK(lines_of(plain, Space::global, Access::load) == Lines{{"", 0}});
}

TEST_CASE("a table of lines: the last row of an offset counts, and a sequence ends") {
  LineTable table;
  const std::size_t file = table.add_file("a.cu");
  const std::size_t inner = table.add_file("inner.h");
  table.add(3, {32, file, 9});
  table.add(3, {64, 0, 0});
  table.add(3, {0, file, 5});
  table.add(3, {16, file, 6});
  table.add(3, {16, inner, 2});
  table.add(3, {32, 0, 0});
  for (unsigned line = 1; line <= 50; ++line) table.add(3, {128, file, line});
  table.sort();
  CHECK(table.find(3, 128).line == 50);
  CHECK(table.find(3, 0).line == 5);
  CHECK(table.find(3, 16).file == "inner.h");
  CHECK(table.find(3, 31).line == 2);
  CHECK(table.find(3, 32).line == 9);
  CHECK(table.find(3, 48).line == 9);
  CHECK(table.find(3, 64).line == 0);
  CHECK(table.find(3, 64).file.empty());
  CHECK(table.find(4, 0).line == 0);
}
