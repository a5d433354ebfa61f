#include "tutor/author/adversaries/program_adversaries.h"

#include <doctest/doctest.h>

#include "base/frame.h"
#include "tutor/author/adversaries/check_adversaries.h"
#include "tutor/course/course_fixture.h"
#include "tutor/system/files.h"
#include "tutor/system/has_part.h"

namespace warpwise::tutor {
namespace program_adversaries_test {

using test::has;

const std::string solution = R"(// An exercise.
#include <cstdio>
#include <vector>

void run(const float* x, float* y, int n, cudaStream_t stream, cudaEvent_t ready) {
  cudaStreamSynchronize(stream);
  // BEGIN YOUR CODE
  for (int p = 0; p * 8 < n; ++p) {
    cudaMemcpyAsync(y, x, f(n, 4), cudaMemcpyHostToDevice, stream);
    line<<<(n + 255) / 256, g(256, 1), 0, stream>>>(x, y);
  }
  for (int r = n; r < 9; r += step) one<<<1, 32>>>(x);
  cudaStreamWaitEvent(stream, ready, 0);
  if (cudaMemcpy(y, x, n, cudaMemcpyDeviceToHost)) return;
  cudaStreamSynchronize(stream);
  cudaFreeAsync(y, stream);
  // END YOUR CODE
}
)";

Adversary named(const std::string& name, const std::string& text = solution) {
  for (const Adversary& one : program_adversaries_of(text))
    if (one.name == name) return one;
  FAIL("no adversary " << name);
  return {};
}

TEST_CASE("each adversary of a program leaves out one thing of the blank, and only there") {
  const std::string no_wait = named("no_wait").text;
  CHECK(has(no_wait, ") {\n  cudaStreamSynchronize(stream);\n  // BEGIN"));
  CHECK(has(no_wait, "  adversary::left_out(stream);\n  cudaFreeAsync"));
  CHECK(has(no_wait, "#include <vector>\n\nnamespace adversary {"));
  CHECK(has(named("no_event_wait").text, "adversary::left_out(stream, ready, 0);"));
  CHECK(has(named("no_free").text, "adversary::left_out(y, stream);\n  // END"));
  const std::string back = named("no_copy_back").text;
  CHECK(has(back, "if (adversary::copy<cudaMemcpyDeviceToHost, 1>(y, x, n, cudaMemcpyDevice"));
  CHECK(has(back, "adversary::copy_async<cudaMemcpyDeviceToHost, 1>(y, x, f(n, 4), "));
  CHECK(has(named("no_copy_in").text, "adversary::copy<cudaMemcpyHostToDevice, 1>(y"));
  CHECK(has(named("elements_copied").text, "adversary::copy<cudaMemcpyDefault, 4>(y"));
  const std::string stream_0 = named("copies_in_stream_0").text;
  CHECK(has(stream_0, "adversary::copy_async<cudaMemcpyDefault, 1, true>(y"));
  CHECK(has(stream_0, "if (cudaMemcpy(y"));
}

TEST_CASE("an adversary changes the parameters of each launch, and the turns of each loop") {
  const std::string stream_0 = named("kernels_in_stream_0").text;
  CHECK(has(stream_0, "line<<<(n + 255) / 256, g(256, 1), 0, 0>>>(x, y);"));
  CHECK(has(stream_0, "one<<<1, 32>>>(x);"));
  const std::string less = named("one_block_less").text;
  CHECK(has(less, "line<<<adversary::less((n + 255) / 256), g(256, 1), 0, stream>>>(x, y);"));
  CHECK(has(less, "one<<<adversary::less(1), 32>>>(x);"));
  const std::string turns = named("no_last_turn").text;
  CHECK(has(turns, "for (int p = 0; [&](auto p) { return p * 8 < n; }(p + 1); ++p) {"));
  CHECK(has(turns,
            "for (int r = n; [&](auto r) { return r < 9; }(r + (step));"
            " r += step) one"));
}

TEST_CASE("a copy is left out where the blank has one in that direction") {
  std::string in_alone = solution;
  const std::string back = "  if (cudaMemcpy(y, x, n, cudaMemcpyDeviceToHost)) return;\n";
  in_alone.erase(in_alone.find(back), back.size());
  CHECK_FALSE(named("no_copy_in", in_alone).text.empty());
  CHECK(named("no_copy_back", in_alone).text.empty());
  CHECK(named("no_copy_back", in_alone).why_not == "the blank has no such copy");
}

TEST_CASE("an adversary that changes nothing says so") {
  const std::string plain = "void f() {\n  // BEGIN YOUR CODE\n  g();\n  // END YOUR CODE\n}\n";
  for (const Adversary& one : program_adversaries_of(plain)) {
    CAPTURE(one.name);
    CHECK(one.text.empty());
    CHECK_FALSE(one.why_not.empty());
  }
  CHECK_THROWS_AS(program_adversaries_of("int main() {}"), lesson::FrameError);
}

TEST_CASE("a check says why an adversary does the same as the solution") {
  const auto reasons =
      reasons_for_equal("int a;\n  // equal no_free: memory ends with its stream\n");
  CHECK(reasons.size() == 1);
  CHECK(reasons.at("no_free") == "memory ends with its stream");
  // The fixture's exercise is on a kernel: the line in its check holds there too.
  const test::CourseFixture fixture;
  const auto found = [&](const std::string& comment, const std::string& line) {
    fixture.write(fixture.exercise.frame, comment + test::CourseFixture::solution());
    fixture.write(fixture.exercise.check, read_file(fixture.exercise.check) + line);
    return adversary_item(fixture.context, fixture.exercise).look();
  };
  const Finding stale = found("", "// equal only_block_0: it is so\n");
  CHECK(stale.result == Finding::Result::failed);
  CHECK(has(stale.why, "only_block_0: wrong result, though the check says: equal, it is so"));
}

}  // namespace program_adversaries_test
}  // namespace warpwise::tutor
