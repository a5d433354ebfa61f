#pragma once
// For tests only: runs nvcc on a source text and gives back what it wrote.

#include <doctest/doctest.h>
#include <stdlib.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "simulator/image/fatbin.h"

namespace warpwise::image::test {

using Bytes = std::vector<std::byte>;

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline Bytes to_bytes(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// A folder of its own that disappears with the object.
class Workbench {
 public:
  Workbench() {
    std::string name = (std::filesystem::temp_directory_path() / "image_test_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = std::filesystem::canonical(name);
  }
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;
  ~Workbench() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(path(name).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
  }

  /// Runs `nvcc OPTIONS -o out NAME` in the folder; nvcc has to succeed.
  /// @return what it wrote to `out`; what it printed is kept for log().
  Bytes compile(const std::string& options, const std::string& name) {
    const std::string command = "cd '" + folder_.string() + "' && '" WARPWISE_NVCC "' " + options +
                                " -o out '" + name + "' > log 2>&1";
    const int status = std::system(command.c_str());
    log_ = read_text(path("log"));
    INFO(command);
    INFO(log_);
    REQUIRE(status == 0);
    return to_bytes(read_text(path("out")));
  }

  const std::string& log() const { return log_; }

 private:
  std::filesystem::path folder_;
  std::string log_;
};

/// Compiles one source text in a folder that is gone afterwards.
inline Bytes compile(const std::string& options, const std::string& source,
                     const std::string& name = "kernel.cu") {
  Workbench bench;
  bench.write(name, source);
  return bench.compile(options, name);
}

}  // namespace warpwise::image::test
