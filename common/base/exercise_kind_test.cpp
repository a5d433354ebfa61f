#include "base/exercise_kind.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace warpwise::base {
namespace {

TEST_CASE("the kind is the header that the check includes") {
  CHECK(exercise_kind("") == "exercise");
  CHECK(exercise_kind("#include <vector>\n#include \"check/program.h\"\n") == "program");
  CHECK(exercise_kind("#include \"base/numbers.h\"\n#include \"check/parent.h\"\n") == "parent");
  CHECK(exercise_kind("#include \"check/arithmetic.h\"  // plain C++\n") == "arithmetic");
  CHECK(exercise_kind("// #include \"check/arithmetic.h\"\n") == "exercise");
}

TEST_CASE("every check of the course includes one header that is a kind") {
  const std::filesystem::path chapters = std::filesystem::path(WARPWISE_SOURCE_DIR) / "chapters";
  int checks = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(chapters)) {
    if (file.path().parent_path().filename() != "checks" || file.path().extension() != ".cu") {
      continue;
    }
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    const std::string kind = exercise_kind(text.str());
    CAPTURE(file.path());
    CHECK(text.str().find("#include \"check/" + kind + ".h\"") != std::string::npos);
    const std::filesystem::path flags =
        std::filesystem::path(WARPWISE_BUILD_DIR) / "image_flags" / (kind + ".txt");
    CHECK(std::filesystem::exists(flags));
    ++checks;
  }
  CHECK(checks >= 70);
}

}  // namespace
}  // namespace warpwise::base
