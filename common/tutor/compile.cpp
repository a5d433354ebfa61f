#include "tutor/compile.h"

#include <fmt/format.h>

#include <sstream>
#include <string_view>

#include "tutor/failure.h"
#include "tutor/files.h"
#include "tutor/kind.h"
#include "tutor/process.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

// "file.cu(14): error: ..." by the CUDA front end, "file.cu:14:3: error: ..." by the host compiler,
// "ptxas ... error   : ..." by the assembler.
bool is_error(std::string_view line) {
  for (const char* mark : {"): error", "): catastrophic error", ": error:", ": fatal error:",
                           "error   :", "nvcc fatal", "undefined reference"}) {
    if (line.find(mark) != std::string_view::npos) return true;
  }
  return false;
}

// "file.cu(14): error: ..." -> "file.cu:14: error: ...", which editors and terminals understand.
std::string with_plain_location(const std::string& line) {
  const auto close = line.find("): ");
  const auto open = line.rfind('(', close);
  if (close == std::string::npos || open == std::string::npos) return line;
  const std::string number = line.substr(open + 1, close - open - 1);
  if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) return line;
  return line.substr(0, open) + ":" + number + line.substr(close + 1);
}

}  // namespace

std::string first_compiler_error(const std::string& output, const fs::path& root) {
  std::istringstream lines(output);
  std::string text, line;
  constexpr int most_lines = 8;
  for (int shown_lines = 0; shown_lines < most_lines && std::getline(lines, line);) {
    if (shown_lines == 0 && !is_error(line)) continue;
    // An empty line ends the picture of the error; the next error ends it too.
    if (shown_lines > 0 && (line.empty() || is_error(line))) break;
    text += with_plain_location(line) + '\n';
    ++shown_lines;
  }
  if (text.empty()) text = output.substr(0, 2000);
  const std::string prefix = root.string() + "/";
  for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
    text.erase(at, prefix.size());
  }
  return text;
}

Compiled compile_image(const Context& context, const Exercise& exercise, const fs::path& source,
                       const fs::path& image, const std::vector<std::string>& more) {
  make_folder(image.parent_path());
  PendingFile pending(image);
  Command command{.words = context.confinement.compiling,
                  .limit = context.confinement.limit,
                  .memory_bytes = std::size_t{4} << 30,
                  .cancel = context.cancel};
  command.words.push_back(context.nvcc.string());
  const auto add = [&command](const std::vector<std::string>& flags) {
    command.words.insert(command.words.end(), flags.begin(), flags.end());
  };
  add(image_flags(context, kind_of(exercise)));
  add(more);
  add({"-o", pending.path().string(), source.string()});
  const auto started = fs::file_time_type::clock::now();
  const Outcome outcome = run_captured(command);
  if (outcome.status == 0) {
    // A text saved while nvcc ran is then newer than its image.
    fs::last_write_time(pending.path(), started);
    pending.commit();
    return {.ok = true, .error = {}};
  }
  std::error_code ignored;
  fs::remove(image, ignored);
  if (outcome.timed_out) {
    return {.ok = false,
            .error = fmt::format("nvcc took longer than {} s\n", command.limit.count() / 1000)};
  }
  return {.ok = false, .error = first_compiler_error(outcome.out + outcome.err, context.root)};
}

Compiled refresh_image(const Context& context, const Exercise& exercise, const fs::path& source,
                       const fs::path& image) {
  std::error_code error;
  const auto made = fs::last_write_time(image, error);
  const auto is_older = [&](const fs::path& file) {
    return !error && fs::last_write_time(file, error) < made && !error;
  };
  if (is_older(source) && is_older(context.nvcc) &&
      is_older(image_flags_file(context, kind_of(exercise)))) {
    return {.ok = true, .error = {}};
  }
  return compile_image(context, exercise, source, image);
}

}  // namespace warpwise::tutor
