#include "check/trace_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace warpwise::lesson {
namespace {

constexpr const char* trace_variable = "WARPWISE_TRACE";

}  // namespace

void ask_for_trace() {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("warpwise_trace_{}.json", ::getpid());
  ::setenv(trace_variable, file.c_str(), 0);
  ::setenv("WARPWISE_TRACE_STEPS", "4000", 0);
}

std::string take_trace() {
  const char* file = std::getenv(trace_variable);
  if (file == nullptr) return {};
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  return text;
}

}  // namespace warpwise::lesson
