#include "tutor/author/adversaries/adversaries.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/frame.h"
#include "tutor/author/adversaries/check_adversaries.h"
#include "tutor/author/adversaries/scalar_products.h"
#include "tutor/course/course_fixture.h"
#include "tutor/system/has_part.h"

namespace warpwise::tutor {
namespace adversaries_test {

using test::has;

// A kernel of one statement, with a helper and a constant before it.
std::string solution(const std::string& comment = "blockDim = (32, 4)") {
  return "// " + comment + R"(
#include <cuda_fp16.h>

constexpr int width = 32;
__device__ int place() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void fill(float* y, int n, float value) {
  // BEGIN YOUR CODE
  const int i = place();
  if (i < n) y[static_cast<size_t>(i)] = value;
  // END YOUR CODE
}
)";
}

Adversary named(const std::string& name, const std::string& text = solution(),
                std::string_view check = "") {
  for (const Adversary& one : adversaries_of(text, check, 512)) {
    if (one.name == name) return one;
  }
  FAIL("no adversary " << name);
  return {};
}

TEST_CASE("an exercise on a kernel has them all, one cap for each whole number") {
  std::string names;
  for (const Adversary& one : adversaries_of(solution(), "", 512)) names += one.name + " ";
  CHECK(names == "only_block_0 half_warps narrowed capped_n scalar ");
  CHECK(adversaries_of("int f() {\n// BEGIN YOUR CODE\n// END YOUR CODE\n}\n", "", 512).empty());
  CHECK_THROWS_AS(adversaries_of("__global__ void k() {}", "", 512), lesson::FrameError);
}

TEST_CASE("a block that does the work of all sees each block's index in every function") {
  const std::string text = named("only_block_0").text;
  CHECK(has(text, "#include <cuda_fp16.h>\n\nstruct Adversary {\n  uint3 blockIdx;\n"));
  CHECK(has(text, "static constexpr int width"));
  CHECK(has(text, "__device__ void fill(float* y, int n, float value) {"));
  CHECK(has(text, "};\n\n__global__ void fill("));
  CHECK(has(text, "Adversary{make_uint3(at_x, at_y, at_z)}.fill(y, n, value);"));
  CHECK(has(text, "if (blockIdx.x + blockIdx.y + blockIdx.z > 0) return;"));
}

TEST_CASE("half of the warps is less than one where a block is one warp") {
  CHECK(has(named("half_warps").text, "Adversary{at_thread}.fill(y, n, value);"));
  CHECK(named("half_warps", solution("blockDim = 32")).text.empty());
  CHECK(named("half_warps", solution("blockDim = 32")).why_not == "a block is one warp");
}

TEST_CASE("only the blank is narrowed") {
  const std::string text = named("narrowed").text;
  CHECK(has(text, "const short i = place();"));
  CHECK(has(text, "static_cast<Narrow>(i)"));
  CHECK(has(text, "#include <cuda_fp16.h>\n\nstruct Narrow {"));
  CHECK(has(text, "__device__ int place()"));
  CHECK(has(text, "float* y, int n"));
}

TEST_CASE("a parameter is capped unless the task bounds it as low") {
  CHECK(has(named("capped_n").text, "  // BEGIN YOUR CODE\n  n = n < 512 ? n : 512;\n"));
  CHECK(named("capped_n", solution(), "/// @pre n <= 512; x").why_not == "the task has n <= 512");
  CHECK_FALSE(named("capped_n", solution(), "/// @pre n <= 513").text.empty());
  CHECK_FALSE(named("capped_n", solution(), "/// @pre in <= 5").text.empty());
  const std::string unused =
      "__global__ void k(int n) {\n// BEGIN YOUR CODE\nint m;\n"
      "// END YOUR CODE\n}\n";
  CHECK(named("capped_n", unused).why_not == "the blank does not use n");
}

TEST_CASE("a blank that holds the kernel's first line is narrowed and capped below it") {
  const std::string whole = R"(// blockDim = 256
// BEGIN YOUR CODE
__global__ void __launch_bounds__(256)
    fill(float* y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = 1;
}
// END YOUR CODE
)";
  CHECK(has(named("capped_n", whole).text, "int n) {\nn = n < 512 ? n : 512;\n  const int i"));
  const std::string narrowed = named("narrowed", whole).text;
  CHECK(has(narrowed, "fill(float* y, int n) {\n  const short i"));
}

TEST_CASE("a product on tensor cores becomes a call with the same operands") {
  const std::string text = scalar_products(R"(#include <x.h>
void f() {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0}, {%1};" : "+f"(sum[0]), "+f"(sum[1]) : "r"(at(a, (1))), "r"(b));
  asm("bar.sync 0;");
}
)");
  CHECK(has(text, "  scalar_m16n8k16(sum[0], sum[1], at(a, (1)), b);\n"));
  CHECK(has(text, "asm(\"bar.sync 0;\");"));
  CHECK(text.find("#include <x.h>") < text.find("inline void scalar_m16n8k16"));
  CHECK(has(scalar_products("wmma::mma_sync(c, a, b, c);"), "scalar_wmma::mma_sync(c, a, b, c);"));
  CHECK(scalar_products("asm(\"bar.sync 0;\");").empty());
}

// The finding of the check about an exercise whose check answers each file with the text in it.
Finding found(const std::string& comment) {
  const test::CourseFixture fixture;
  fixture.write(fixture.exercise.frame, comment + test::CourseFixture::solution());
  return adversary_item(fixture.context, fixture.exercise).look();
}

TEST_CASE("an adversary that passes is a failure of the exercise, with its file") {
  const Finding passes = found("// WEAK\n");
  CHECK(passes.result == Finding::Result::failed);
  CHECK(has(passes.why, "only_block_0: PASSES, though block 0 does the work of all blocks: "));
  CHECK(has(passes.why, "only_block_0.cu"));
  const Finding dies = found("");
  CHECK(dies.result == Finding::Result::passed);
  CHECK(has(dies.why, "only_block_0: wrong result; "));
  CHECK(has(dies.why, "scalar: not applicable, no product of a tensor core in the file"));
}

}  // namespace adversaries_test
}  // namespace warpwise::tutor
