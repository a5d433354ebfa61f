// The messages of nvcc about learners' mistakes, kept in compile_errors/: the text, what nvcc 13.0
// printed about it, and what a learner reads. WARPWISE_REMAKE_TEXTS=1 writes the last part anew.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>

#include "occupancy/text.h"
#include "tutor/attempt/compiler_advice.h"
#include "tutor/attempt/compiler_error.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t told_width = 80;
const std::string nvcc_mark = "==== nvcc\n", shown_mark = "==== shown\n";

std::string exchanged(std::string text, const std::string& old, const std::string& with) {
  for (auto at = text.find(old); at != std::string::npos; at = text.find(old, at + with.size())) {
    text.replace(at, old.size(), with);
  }
  return text;
}

// A case of the folder.
struct Kept {
  explicit Kept(const fs::path& file) : file(file) {
    const std::string all = read_file(file);
    const auto nvcc = all.find(nvcc_mark), told_at = all.find(shown_mark);
    REQUIRE_MESSAGE(nvcc < told_at, file.string());
    source = all.substr(0, nvcc);
    output = all.substr(nvcc + nvcc_mark.size(), told_at - nvcc - nvcc_mark.size());
    told = all.substr(told_at + shown_mark.size());
  }
  fs::path file;
  std::string source, output, told;
};

TEST_CASE("each error has a line of the learner's text and a next step, shown as kept") {
  const TemporaryFolder folder;
  const fs::path answer = folder.path() / "answer.cu";
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(WARPWISE_SOURCE_DIR) /
                                                            "common/verification/compile_errors")) {
    if (!entry.is_regular_file()) continue;
    const Kept kept(entry.path());
    CAPTURE(kept.file.filename().string());
    write_atomically(answer, kept.source);
    const CompilerError error = first_compiler_error(
        exchanged(kept.output, "FILE", answer.string()), folder.path(), answer);
    CHECK(error.file == answer.string());
    CHECK(error.line > 0);
    CHECK_FALSE(error.next.empty());
    CHECK(error.message.find("--expt") == std::string::npos);
    std::string told = exchanged(to_text(error, told_width), shown(answer), "answer.cu");
    told = exchanged(told, answer.string(), "answer.cu");
    for (const std::string& line : occupancy::wrap("  next  ", error.next, told_width)) {
      told += line + "\n";
    }
    if (std::getenv("WARPWISE_REMAKE_TEXTS") != nullptr) {
      write_atomically(kept.file, kept.source + nvcc_mark + kept.output + shown_mark + told);
    } else {
      CHECK(told == kept.told);
    }
    ++count;
  }
  CHECK(count > 80);
}

TEST_CASE("a name of std is of the device's or of the host's library, by where it is used") {
  const std::string text =
      "void h() {\n  std::vector<int> v;\n}\n__global__ void k() {\n  int i;\n}\n";
  const std::string message = "namespace \"std\" has no member \"vector\"";
  CHECK(compiler_advice(message, text, 2) == "Add #include <vector> at the top of the file.");
  CHECK(compiler_advice(message, text, 5).find("does not exist on the device") !=
        std::string::npos);
}

TEST_CASE("an unknown error has no advice rather than a wrong one") {
  CHECK(compiler_advice("something else went wrong", "int i;\n", 1).empty());
}

}  // namespace
}  // namespace warpwise::tutor
