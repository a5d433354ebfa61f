#include "tutor/attempt/compiler_error.h"

#include <doctest/doctest.h>

#include "tutor/system/files.h"
#include "tutor/system/has_part.h"

namespace warpwise::tutor {
namespace {

/// A folder with one source of a few lines.
struct Source {
  explicit Source(const std::string& text) { write_atomically(file, text); }
  CompilerError error(const std::string& output) const {
    std::string named = output;
    for (auto at = named.find("FILE"); at != std::string::npos; at = named.find("FILE")) {
      named.replace(at, 4, file.string());
    }
    return first_compiler_error(named, folder.path());
  }
  TemporaryFolder folder;
  std::filesystem::path file = folder.path() / "a.cu";
};

using test::has;

TEST_CASE("the first error, with its line and the caret in the file's own column") {
  const Source source("\n    y[i] = colum;\n");
  const CompilerError error = source.error(
      "FILE(1): warning #177-D: unused\n      y[i] = colum;\n      ^\n\n"
      "FILE(2): error: identifier \"colum\" is undefined\n      y[i] = colum;\n             ^\n\n"
      "FILE(3): error: more\n\n2 errors detected\n");
  CHECK(error.message == "identifier \"colum\" is undefined");
  CHECK(error.line == 2);
  CHECK(error.column == 12);
  CHECK(error.more == 1);
  CHECK(has(error.next, "Nothing in this file declares colum"));
  const std::string text = to_text(error, 60);
  CHECK(has(text, "    y[i] = colum;\n           ^\n"));
  CHECK(has(text, "1 more error;"));
}

TEST_CASE("an error inside a template is shown where the learner asked for it") {
  const Source source("\nf(x);\n");
  const CompilerError front = source.error(
      "/usr/include/t.h(9): error: no operator \"+\" matches\n          detected during "
      "instantiation of \"void f(T) [with T=X]\" at line 2 of FILE\n\n");
  CHECK(front.line == 2);
  CHECK(front.message == "no operator \"+\" matches");
  const CompilerError host = source.error(
      "/usr/include/t.h: In instantiation of 'f':\nFILE:2:3:   required from here\n"
      "/usr/include/t.h:9:1: error: no match\nFILE:2:3:   required from here\n");
  CHECK(host.line == 2);
  CHECK(host.column == 3);
  // Our own file wins over a header's error that has no place in it.
  CHECK(source.error("/usr/t.h(1): error: a\n\nFILE(2): error: b\n").message == "b");
}

TEST_CASE("candidates of an overload are left out, the arguments' types stay") {
  const Source source("y = max(1, x);\n");
  const std::string text = to_text(
      source.error("FILE(1): error: no instance of overloaded function \"max\" matches the "
                   "argument list\n            argument types are: (int, const float *)\n"
                   "  y = max(1, x);\n      ^\n/usr/m.h(3): note #3326-D: function \"max(double)\" "
                   "does not match\n  static\n  ^\n"),
      60);
  CHECK(has(text, "argument types are: (int, const float *)"));
  CHECK_FALSE(has(text, "note"));
  CHECK(has(text, "    y = max(1, x);\n        ^\n"));
}

TEST_CASE("where a macro is used, the file's line and what became of it") {
  const Source source("y = TWICE(x);\n");
  const CompilerError error =
      source.error("FILE(1): error: expected an expression\n  y = (x) * 2 +;\n               ^\n");
  CHECK(error.column == 0);
  const std::string text = to_text(error, 60);
  CHECK(has(text, "y = TWICE(x);"));
  CHECK(has(text, "with its macros: y = (x) * 2 +;"));
}

TEST_CASE("errors without a place: the end of the source, assembler, linker, driver, none") {
  const Source source("x\n");
  CHECK(source.error("At end of source: error: expected a \"}\"\n").message == "expected a \"}\"");
  const CompilerError shared = source.error(
      "ptxas error   : Entry function 'k' uses too much shared data (0x61a80 bytes, 0xc000 max)\n");
  CHECK(has(shared.next, "have 400000 bytes; 49152 are allowed"));
  CHECK(has(source.error("ptxas fatal   : Unresolved extern function '_Z1f'\n").next, "no body"));
  CHECK(has(source
                .error("/usr/bin/ld: a.o: in function `g': a.cpp:(.text+0x5): undefined "
                       "reference to `f()'\n")
                .message,
            "undefined reference to `f()'"));
  CHECK(source.error("nvcc fatal   : no\n").message == "no");
  CHECK(source.error("Killed\n").message == "Killed\n");
  CHECK(source.error("").message.empty());
}

TEST_CASE("a brace without its partner is named by its line, in the blank only") {
  const auto of = [](const std::string& blank) {
    return unbalanced_brace("void f() {\n// BEGIN YOUR CODE\n" + blank + "// END YOUR CODE\n}\n");
  };
  CHECK(of("if (a) {\n}\n") == "");
  CHECK(of("if (a) {\nb;\n") == "the { of line 3 is never closed");
  CHECK(of("{\n{\n}\n") == "the { of line 3 is never closed");
  CHECK(of("a;\n}\n") == "the } of line 4 closes nothing of yours");
  CHECK(of("// {\nc = '{'; s = \"{\"; /* {\n{ */ n = 1'000;\n") == "");
  CHECK(unbalanced_brace("{{{") == "");
}

}  // namespace
}  // namespace warpwise::tutor
