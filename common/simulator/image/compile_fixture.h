#pragma once
// For tests only: runs nvcc on a source text and returns its output.

#include <doctest/doctest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "base/lean_headers.h"
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
  /// @return the bytes it wrote to `out`; its printed messages are kept for log().
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

/// What nvcc wrote and printed.
struct Compiled {
  Bytes out;
  std::string log;
};

/// Compiles one source text once. The build folder keeps the result as long as text, options and
/// nvcc are the same, because nvcc takes longer than most tests of its output. For texts that
/// include only the toolkit, and tests that do not look for the folder's name.
inline Compiled compile_once(std::string options, const std::string& source,
                             const std::string& name = "kernel.cu") {
  namespace fs = std::filesystem;
  std::vector<std::string> fewer_headers;
  base::leave_headers_out(fewer_headers, source);
  for (const std::string& flag : fewer_headers) options += " " + flag;
  const auto nvcc_written = fs::last_write_time(WARPWISE_NVCC).time_since_epoch().count();
  const std::string key = WARPWISE_NVCC "\n" + std::to_string(nvcc_written) + "\n" + options +
                          "\n" + name + "\n" + source;
  const fs::path kept =
      fs::path(WARPWISE_BUILD_DIR) / "test_images" / std::to_string(std::hash<std::string>{}(key));
  if (read_text(kept / "key") == key)
    return {to_bytes(read_text(kept / "out")), read_text(kept / "log")};
  Workbench bench;
  bench.write(name, source);
  const Compiled compiled = {bench.compile(options, name), bench.log()};
  // Other tests may need the same at the same time: a folder appears as a whole.
  const fs::path whole = kept.string() + "." + std::to_string(getpid());
  fs::create_directories(whole);
  std::ofstream(whole / "key", std::ios::binary) << key;
  for (const char* part : {"out", "log"}) fs::copy_file(bench.path(part), whole / part);
  std::error_code failed;
  fs::remove_all(kept, failed);
  fs::rename(whole, kept, failed);
  fs::remove_all(whole, failed);
  return compiled;
}

inline Bytes compile(const std::string& options, const std::string& source,
                     const std::string& name = "kernel.cu") {
  return compile_once(options, source, name).out;
}

}  // namespace warpwise::image::test
