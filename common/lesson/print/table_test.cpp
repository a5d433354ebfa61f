#include "lesson/print/table.h"

#include <doctest/doctest.h>

#include <sstream>
#include <stdexcept>

using namespace warpwise::lesson;

TEST_CASE("columns are as wide as their widest cell, numbers to the right") {
  Table table({{"kernel", "", false}, {"time", "us"}});
  table.add({{"naive"}, {"123.4"}});
  table.add({{"good"}, {"5.6", Colour::green}});
  CHECK(table.text() ==
        "kernel   time\n"
        "           us\n"
        "naive   123.4\n"
        "good      5.6\n");
  CHECK_THROWS_AS(table.add({{"short"}}), std::logic_error);
}

TEST_CASE("lines fit, by cutting the first column") {
  Table table({{"kernel", "", false}, {"time", ""}, {"more", ""}});
  table.add({{std::string(200, 'k')}, {"1"}, {""}});
  std::istringstream lines(table.text());
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= text_width);
  CHECK(table.text().find("..") != std::string::npos);
}
