#include "tutor/screening.h"

#include <doctest/doctest.h>

#include "tutor/course_fixture.h"

namespace warpwise::tutor {
namespace {

TEST_CASE("what reads files, moves locations or hides words is not accepted, with its line") {
  CHECK(forbidden_in("int a;\n#include <x>\n", 10, false) ==
        "line 11: #include is not accepted in a blank");
  for (const char* text : {"# include \"x\"",
                           "/* c */ #include X",
                           "#inc\\\nlude X",
                           "#inc\\ \nlude X",
                           "%:include X",
                           "\?\?=include X",
                           "R\"x(\n)x\";\n#include X",
                           "'\"';\n#include X",
                           "1'0;\n#include X",
                           "#line 3",
                           "# 3 \"x\"",
                           "#embed \"x\"",
                           "#import \"x\"",
                           "#if __has_include(<x>)",
                           "#pragma GCC dependency \"x\"",
                           "#pragma weak f = g",
                           "_Pragma(\"weak f\")",
                           "__FILE__",
                           "#define a b##c",
                           "#define a b%:%:c",
                           "// c \\\n x\n#include X",
                           "#include_next <x>"}) {
    CAPTURE(text);
    CHECK_FALSE(forbidden_in(text, 1, false).empty());
  }
}

TEST_CASE("what answers need is accepted") {
  for (const char* text : {"#pragma unroll\n", "#pragma unroll 4\n", "#if 1\n#else\n#endif\n",
                           "#define N 32\n#undef N", "// #include \"x\"", "/* \n#include X\n*/",
                           "\"#include\"", "R\"(\n#include X\n)\";", "int a = b % c;", "x = '#';",
                           "#\n", "asm volatile(\"mma.sync\");", ""}) {
    CAPTURE(text);
    CHECK(forbidden_in(text, 1, false) == "");
  }
  CHECK_FALSE(forbidden_in("asm(\"nop\");", 1, true).empty());
  CHECK_FALSE(forbidden_in("__asm__ volatile(\"nop\");", 1, true).empty());
}

TEST_CASE("the blank counts, in a frame of ours, with locations of theirs") {
  const test::CourseFixture fixture;
  const auto of = [&](const std::string& text) { return screen(fixture.exercise, text, "theirs"); };
  const Screened right =
      of("__global__ void f() {  // other comment\n// BEGIN SOLUTION\nint a;\n"
         "// END SOLUTION\n}\n");
  CHECK(right.problem == "");
  CHECK(right.note == "");
  CHECK_FALSE(right.unsolved);
  CHECK(right.source ==
        "#line 1 \"theirs\"\n__global__ void f() {\n// BEGIN SOLUTION\n#line 3 \"theirs\"\nint a;\n"
        "#line 5 \"theirs\"\n// END SOLUTION\n}\n");

  const Screened changed =
      of("#define int long\nvoid g() {\n// BEGIN SOLUTION\nint a;\n// END SOLUTION\n}\n");
  CHECK(changed.note != "");
  CHECK(changed.source.find("void g") == std::string::npos);
  CHECK(changed.source.find("define") == std::string::npos);

  CHECK(of("__global__ void f() {\n// BEGIN SOLUTION\n// Your code here.\n\n// END SOLUTION\n}\n")
            .unsolved);
  CHECK(of("int no_blank;\n").problem.starts_with("one blank is wanted"));
  CHECK(of("// BEGIN SOLUTION\n// END SOLUTION\n// END SOLUTION\n").problem != "");
}

}  // namespace
}  // namespace warpwise::tutor
