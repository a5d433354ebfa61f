#include "base/frame.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>

using namespace warpwise::lesson;

namespace frame_test {
const std::string solution =
    "// One warp a row.\n"
    "__global__ void k(float* x) {\n"
    "  // BEGIN YOUR CODE\n"
    "  x[0] = 1;\n"
    "  x[1] = 2;\n"
    "  // END YOUR CODE\n"
    "}\n";

TEST_CASE("a frame is cut at its marks and knows its lines") {
  const Frame frame = parse_frame(solution);
  CHECK(frame.blank == "  x[0] = 1;\n  x[1] = 2;\n");
  CHECK(frame.blank_line == 4);
  CHECK(frame.after_line == 6);
  CHECK(frame.before + frame.blank + frame.after == solution);
}

TEST_CASE("the stub is the solution with an empty blank") {
  const std::string stub = make_stub(solution);
  CHECK(stub.find("x[0]") == std::string::npos);
  CHECK(stub.find("  // BEGIN YOUR CODE\n  // Your code here.\n  // END YOUR CODE\n") !=
        std::string::npos);
  CHECK(make_stub(stub) == stub);
}

TEST_CASE("the stub of an exercise with a given bug holds it, without how it dies") {
  const std::string mistakes =
      "//= other: is wrong\n  x();  // expect: race\n"
      "//= as_given: forgets one\n  x[0] = 1;  // expect: wrong result\n  x[1] = 3;\n\n"
      "//= last: is wrong\n  y();  // expect: race\n";
  const std::string stub = make_stub(solution, mistakes);
  CHECK(parse_frame(stub).blank == "  x[0] = 1;\n  x[1] = 3;\n");
  CHECK(is_find_the_bug(stub));
  CHECK_FALSE(is_find_the_bug(make_stub(solution)));
  const std::string others = "//= other: is wrong\n  x();  // expect: race\n";
  CHECK(make_stub(solution, others) == make_stub(solution));
  CHECK(make_stub(solution, "//= broken\n") == make_stub(solution));
  CHECK_THROWS_AS(make_stub(solution, "//= as_given: b\n  no_expectation();\n"), FrameError);
}

TEST_CASE("a filling from another file keeps every line true") {
  const Filling filling{.text = "  wrong();", .file = "mistakes/k.cu", .line = 20};
  CHECK(fill_frame(parse_frame(solution), "k.cu", filling) ==
        "#line 1 \"k.cu\"\n"
        "// One warp a row.\n"
        "__global__ void k(float* x) {\n"
        "  // BEGIN YOUR CODE\n"
        "#line 20 \"mistakes/k.cu\"\n"
        "  wrong();\n"
        "#line 6 \"k.cu\"\n"
        "  // END YOUR CODE\n"
        "}\n");
}

TEST_CASE("the marks of an earlier course are read, and both kinds are one blank") {
  const std::string older = "a\n // BEGIN SOLUTION\nx();\n // END SOLUTION\nb\n";
  CHECK(parse_frame(older).blank == "x();\n");
  CHECK(parse_frame(older).before == "a\n // BEGIN SOLUTION\n");
  CHECK_THROWS_AS(parse_frame(older + solution), FrameError);
}

TEST_CASE("a text without exactly one blank is refused") {
  CHECK_THROWS_AS(parse_frame(""), FrameError);
  CHECK_THROWS_AS(parse_frame("int x;\n"), FrameError);
  CHECK_THROWS_AS(parse_frame("// BEGIN YOUR CODE\n"), FrameError);
  CHECK_THROWS_AS(parse_frame("// END YOUR CODE\n// BEGIN YOUR CODE\n"), FrameError);
  CHECK_THROWS_AS(parse_frame(solution + solution), FrameError);
}

TEST_CASE("comments and white space do not make a difference, code does") {
  CHECK(same_code("int x ; // one\n", "/* two */ int\n\tx;"));
  CHECK_FALSE(same_code("int x;", "int y;"));
  CHECK_FALSE(same_code("int x;", "intx;"));
  CHECK_FALSE(same_code("f(\"a b\");", "f(\"ab\");"));
  CHECK(same_code("f(\"//\"); // no", "f(\"//\");"));
  CHECK_FALSE(same_code("f(\"//\"); g();", "f(\"//\");"));
  CHECK_FALSE(same_code("f('\"'); g();", "f('\"'); h();"));
  CHECK_FALSE(same_code("R\"(a // b)\"", "R\"(a // c)\""));
  CHECK(same_code("int x; /* never closed", "int x;"));
  CHECK(same_code("", "  // nothing\n"));
  CHECK_FALSE(same_code("\"never closed", "\"never"));
}

TEST_CASE("a mistakes file is read with names, lines and expectations") {
  const std::string text =
      "// wrong answers\n"
      "\n"
      "//= no_guard: reads past the end\n"
      "  int a;\n"
      "  a = x[9];  // expect: out-of-bounds\n"
      "//= slow: takes one row a lane\n"
      "  b();  // expect: gate sectors\n";
  const std::vector<Mistake> mistakes = parse_mistakes(text, "m.cu");
  REQUIRE(mistakes.size() == 2);
  CHECK(mistakes[0].name == "no_guard");
  CHECK(mistakes[0].description == "reads past the end");
  CHECK(mistakes[0].expectation == "out-of-bounds");
  CHECK(mistakes[0].expected_line == 5);
  CHECK(mistakes[0].filling.line == 4);
  CHECK(mistakes[0].filling.text.substr(0, 8) == "  int a;");
  CHECK(mistakes[1].expectation == "gate sectors");
  CHECK(mistakes[1].filling.file == "m.cu");
}

TEST_CASE("a broken mistakes file says where") {
  const auto message = [](const char* text) -> std::string {
    try {
      parse_mistakes(text, "m.cu");
      return "";
    } catch (const FrameError& error) {
      return error.what();
    }
  };
  CHECK(message("int x;\n").find("m.cu:1:") == 0);
  CHECK(message("//= a: b\n  x();\n").find("no line with") != std::string::npos);
  CHECK(message("//= a b: c\n").find("//= name: description") != std::string::npos);
  CHECK(message("//= a\n").find("no description") != std::string::npos);
  CHECK(message("//= a: b\n// expect: x\n// expect: y\n").find("m.cu:3:") == 0);
  CHECK(message("//= a: b\n// expect:\n").find("nothing after") != std::string::npos);
  CHECK(message("//= a: b\n// expect: x\n//= a: b\n// expect: x\n").find("m.cu:3:") == 0);
  CHECK(parse_mistakes("", "m.cu").empty());
}

TEST_CASE("a pristine stub replaces a solution that is not there, and only then") {
  namespace fs = std::filesystem;
  const fs::path root = fs::temp_directory_path() / ("warpwise_frame_" + std::to_string(getpid()));
  fs::create_directories(root / "chapters/ch00_x/pristine");
  fs::create_directories(root / "solutions/ch00_x");
  const auto files = [&root] { return answer_files(root, "ch00_x", "01_y"); };
  CHECK_FALSE(files().exported);
  CHECK(files().frame == root / "solutions/ch00_x/01_y.cu");
  std::ofstream(root / "chapters/ch00_x/pristine/01_y.cu") << make_stub(solution);
  CHECK(files().exported);
  CHECK(files().frame == root / "chapters/ch00_x/pristine/01_y.cu");
  CHECK(files().mistakes == root / "solutions/ch00_x/mistakes/01_y.cu");
  CHECK(files().recorded == root / "chapters/ch00_x/pristine/01_y.json");
  std::ofstream(root / "solutions/ch00_x/01_y.cu") << solution;
  CHECK_FALSE(files().exported);
  CHECK(files().frame == root / "solutions/ch00_x/01_y.cu");
  fs::remove_all(root);
}

}  // namespace frame_test
