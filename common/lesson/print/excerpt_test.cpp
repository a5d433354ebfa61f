#include "lesson/print/excerpt.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdio>
#include <fstream>

#include "lesson/start/paths.h"
#include "lesson/start/process.h"

using namespace warpwise::lesson;

namespace {

/// The text below the line with the place.
std::string picture(const std::string& source, unsigned line, unsigned column,
                    std::size_t width = 60) {
  const TemporaryFile file;
  std::ofstream(file.path()) << source;
  const std::string text = excerpt(file.path(), line, column, width);
  return text.substr(text.find('\n') + 1);
}

}  // namespace

TEST_CASE("the line without its indentation, and a caret below the column") {
  CHECK(picture("a;\n    y = x;\n", 2, 9) == "    y = x;\n        ^\n");
  CHECK(picture("a;\n", 1, 0) == "    a;\n");
  CHECK(picture("a;\n", 1, 99) == "    a;\n");
  CHECK(picture("\tif\t(a)\n", 1, 5) == "    if\t(a)\n      \t^\n");
}

TEST_CASE("what cannot be read has a place and no line") {
  CHECK(excerpt("", 3, 1, 60).empty());
  CHECK(excerpt("/no/file.cu", 3, 1, 60) == "  /no/file.cu:3\n");
  CHECK(excerpt("/no/file.cu", 0, 1, 60).empty());
  CHECK(picture("a;\n", 9, 1).empty());
  CHECK(picture("\n", 1, 1).empty());
}

TEST_CASE("a pipe, a device and a file without an end are not read for their line") {
  CHECK(raw_source_line("/dev/zero", 1).empty());
  const TemporaryFile pipe;
  std::remove(pipe.path().c_str());
  REQUIRE(::mkfifo(pipe.path().c_str(), 0600) == 0);
  CHECK(raw_source_line(pipe.path(), 1).empty());
  const TemporaryFile large;
  std::ofstream(large.path()) << "a;\n" << std::string(longest_source, ' ');
  CHECK(raw_source_line(large.path(), 1).empty());
}

TEST_CASE("a long line is cut so that the column stays in sight") {
  const std::string source = std::string(200, 'a') + "X" + std::string(100, 'b');
  for (const unsigned column : {1U, 56U, 57U, 201U, 301U}) {
    const std::string text = picture(source, 1, column);
    const std::size_t end = text.find('\n');
    CHECK(end <= 60);
    const std::size_t caret = text.find('^', end) - end - 1;
    CHECK(caret < end);
    if (column == 201) CHECK(text[caret] == 'X');
  }
}
