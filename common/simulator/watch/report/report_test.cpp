#include "simulator/watch/report/report.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

using namespace warpwise::watch;

namespace {

/// A source file that is gone with its owner.
struct SourceFile {
  explicit SourceFile(const std::string& text) {
    std::string folder = (std::filesystem::temp_directory_path() / "report_test_XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()));
    path = folder + "/kernel.cu";
    std::ofstream(path) << text;
  }
  ~SourceFile() { std::filesystem::remove_all(std::filesystem::path(path).parent_path()); }
  std::string path;
};

}  // namespace

TEST_CASE("a diagnosis for a terminal: sentence, source line with a caret, block and thread") {
  SourceFile file("int a;\n    x[i] = y[i + 1];\n\tif (a)\tx[i] = 0;\n");
  Diagnosis d;
  d.kind = "out-of-bounds";
  d.message = "thread (3, 0, 0) reads too far.";
  d.file = file.path;
  d.line = 2;
  d.column = 12;
  d.block = {1, 2, 0};
  d.thread = {3, 0, 0};
  d.count = 30;
  CHECK(to_text(d) ==
        "error: out-of-bounds: thread (3, 0, 0) reads too far.\n"
        "  at " +
            file.path +
            ":2\n"
            "      2 | x[i] = y[i + 1];\n"
            "        |        ^\n"
            "  block (1, 2, 0), thread (3, 0, 0) and 29 more\n");
  d.column = 0;  // unknown: the start of the line
  CHECK(to_text(d).find("| x[i] = y[i + 1];\n        | ^\n") != std::string::npos);
  d.line = 3;
  d.column = 9;
  CHECK(to_text(d).find("| if (a)\tx[i] = 0;\n        |       \t^\n") != std::string::npos);
  d.column = 900;  // of another version of the file
  CHECK(to_text(d).find("      3 | if (a)") != std::string::npos);
}

TEST_CASE(
    "a diagnosis without a place says how to get one; library code says where it was inlined") {
  Diagnosis d;
  d.kind = "race";
  d.severity = Severity::note;
  d.message = "two threads.";
  CHECK(to_text(d) ==
        "note: race: two threads.\n"
        "  at an unknown line: compile with -lineinfo to see the line\n"
        "  block (0, 0, 0), thread (0, 0, 0)\n");
  d.instruction = "f(int*), at ld.global.u32 %r1, [%rd4]";
  CHECK(to_text(d).find("\n  in f(int*), at ld.global.u32 %r1, [%rd4]: compile with -lineinfo") !=
        std::string::npos);
  d.file = "no/such/file.cu";
  d.line = 7;
  d.library_file = "cub/block.cuh";
  d.library_line = 40;
  d.called_from = {"a.cu:9", "a.cu:12"};
  CHECK(to_text(d) ==
        "note: race: two threads.\n"
        "  at no/such/file.cu:7\n"
        "  inlined from cub/block.cuh:40\n"
        "  called from a.cu:9\n"
        "  called from a.cu:12\n"
        "  block (0, 0, 0), thread (0, 0, 0)\n");
}
