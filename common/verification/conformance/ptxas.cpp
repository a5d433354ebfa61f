#include "verification/conformance/ptxas.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace warpwise::conformance {
namespace {

namespace fs = std::filesystem;

std::string content(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

Ptxas::Ptxas(std::string path)
    : path_(std::move(path)), folder_((fs::temp_directory_path() / "conformance_XXXXXX").string()) {
  if (!mkdtemp(folder_.data()))
    throw std::runtime_error("cannot make a folder in " + fs::temp_directory_path().string());
}

Ptxas::~Ptxas() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Ptxas::Result Ptxas::assemble(const std::string& ptx, const std::string& options) const {
  std::string text = folder_ + "/k.ptx", code = folder_ + "/k.cubin", log = folder_ + "/log";
  fs::remove(code);
  std::ofstream(text) << ptx;
  std::string command =
      fmt::format("'{}' -arch=sm_90 {} -o '{}' '{}' > '{}' 2>&1", path_, options, code, text, log);
  Result result{std::system(command.c_str()), content(log), {}};
  if (result.status != 0) return result;
  std::string cubin = content(code);
  result.cubin.resize(cubin.size());
  std::memcpy(result.cubin.data(), cubin.data(), cubin.size());
  return result;
}

}  // namespace warpwise::conformance
