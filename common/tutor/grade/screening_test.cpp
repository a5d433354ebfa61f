#include "tutor/grade/screening.h"

#include <doctest/doctest.h>

#include "tutor/course/course_fixture.h"

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
                           "#define XR\nXR\"(\"\n#include X\n// )\"",
                           "$R\"(\"\n#include X\n// )\"",
                           "/* *\\\n/\n#include X\n/* */",
                           "/* *\\ \n/\n#include X\n/* */",
                           "case'\"':\n#include X\n// \"",
                           "0xe'\"';\n#include X\n// \"",
                           "1'\"';\n#include X\n// \"",
                           "1e+'\"';\n#include X\n// \"",
                           "\"abc\\ \n\";\n#include X\n// \"",
                           "\"\\\\\";\n#include X\n// \"",
                           "/* *\?\?/\n/\n#include X\n/* */",
                           "#define H #\nH include X",
                           "R\"(x)\"",
                           "u8R\"(x)\"",
                           "int \\u0061;",
                           "/* no end",
                           "\"no end\n",
                           "#include_next <x>"}) {
    CAPTURE(text);
    CHECK_FALSE(forbidden_in(text, 1, false).empty());
  }
}

TEST_CASE("what answers need is accepted") {
  for (const char* text : {"#pragma unroll\n", "#pragma unroll 4\n", "#if 1\n#else\n#endif\n",
                           "#define N 32\n#undef N", "// #include \"x\"", "/* \n#include X\n*/",
                           "\"#include\"", "int a = 1'000'000 + 0xe'f;", "case 'a': R = 'b';",
                           "XR\"a\"", "u8\"a\"", "\"\\\"#include\"", "int a = b % c;", "x = '#';",
                           "#\n", "asm volatile(\"mma.sync\");", ""}) {
    CAPTURE(text);
    CHECK(forbidden_in(text, 1, false) == "");
  }
  CHECK_FALSE(forbidden_in("asm(\"nop\");", 1, true).empty());
  CHECK_FALSE(forbidden_in("__asm__ volatile(\"nop\");", 1, true).empty());
}

TEST_CASE("assembler and what reaches it are seen where macros are gone") {
  const auto in = [](const std::string& text) {
    return forbidden_in_preprocessed("# 1 \"theirs\"\n" + text, "theirs");
  };
  CHECK(in("\n\nint f() __asm__(\"x\");\n") ==
        "line 3: assembler (__asm__) is not accepted in a blank");
  CHECK(in("__attribute__((section(\".text#\"))) int a;") ==
        "line 1: the attribute section is not accepted in a blank");
  for (const char* text : {"[[gnu::section(\"x\")]] int a;", "__attribute__((__alias__ (\"x\")))",
                           "[[gnu::ifunc\n(\"x\")]] int f();", "__attribute__((symver(\"x\")))",
                           "__attribute__((constructor(101))) void f();"}) {
    CAPTURE(text);
    CHECK_FALSE(in(text).empty());
  }
  CHECK(in("int section = 1, alias[2]; f(section); // section(\n\"section(\";") == "");
  CHECK(in("# 7 \"header.h\" 3 4\nint f() __asm__(\"x\");\n# 9 \"theirs\" 2\nint a;\n") == "");
}

TEST_CASE("the blank counts, in a frame of ours, with locations of theirs") {
  const test::CourseFixture fixture;
  const auto of = [&](const std::string& text) { return screen(fixture.exercise, text, "theirs"); };
  const Screened right =
      of("__global__ void f() {  // other comment\n// BEGIN YOUR CODE\nint a;\n"
         "// END YOUR CODE\n}\n");
  CHECK(right.problem == "");
  CHECK(right.note == "");
  CHECK_FALSE(right.unsolved);
  CHECK(
      right.source ==
      "#line 1 \"theirs\"\n__global__ void f() {\n// BEGIN YOUR CODE\n#line 3 \"theirs\"\nint a;\n"
      "#line 5 \"theirs\"\n// END YOUR CODE\n}\n");

  const Screened changed =
      of("#define int long\nvoid g() {\n// BEGIN YOUR CODE\nint a;\n// END YOUR CODE\n}\n");
  CHECK(changed.note != "");
  CHECK(changed.source.find("void g") == std::string::npos);
  CHECK(changed.source.find("define") == std::string::npos);

  CHECK(of("__global__ void f() {\n// BEGIN YOUR CODE\n// Your code here.\n\n// END YOUR CODE\n}\n")
            .unsolved);
  const std::string given = "int wrong;\nint b;\n";
  CHECK_FALSE(
      of("__global__ void f() {\n// BEGIN YOUR CODE\n" + given + "// END YOUR CODE\n}\n").unsolved);
  fixture.write(fixture.exercise.mistakes,
                "//= as_given: bad\nint wrong;  // expect: race\nint b;\n");
  CHECK(
      of("__global__ void f() {\n// BEGIN YOUR CODE\n" + given + "// END YOUR CODE\n}\n").unsolved);
  CHECK(of("int no_blank;\n").problem.starts_with("one blank is wanted"));
  CHECK(of("// BEGIN YOUR CODE\n// END YOUR CODE\n// END YOUR CODE\n").problem != "");
}

}  // namespace
}  // namespace warpwise::tutor
