#include "lesson/learner_images.h"

#include <fmt/format.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include "base/exercise_kind.h"
#include "base/lean_headers.h"
#include "lesson/device/error.h"
#include "lesson/start/paths.h"
#include "lesson/start/process.h"

namespace warpwise::lesson {
namespace {

namespace fs = std::filesystem;

/// Seconds: a template that unrolls without an end stops here.
constexpr int most_seconds = 120;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Which of the flags' files: by the header that the check includes.
fs::path flags_file(const ExerciseFiles& files, const ImageMaker& maker) {
  const std::string source = std::string(files.name) + ".cu";
  const std::string check =
      read_file(repository() / "chapters" / files.chapter / "checks" / source);
  return maker.build / "image_flags" / (base::exercise_kind(check) + ".txt");
}

bool is_fresh(const fs::path& made, const std::vector<fs::path>& sources) {
  std::error_code error;
  const auto time = fs::last_write_time(made, error);
  for (const fs::path& source : sources) {
    if (error || fs::last_write_time(source, error) >= time) return false;
  }
  return !error;
}

/// "x.cu(12): error: m" and "x.cu:12:5: error: m" as "x.cu:12: m"; nothing for other lines.
std::optional<std::string> error_in(const std::string& line) {
  const std::size_t word = line.find("error");
  if (word == std::string::npos) return std::nullopt;
  const std::size_t colon = line.find(": ", word);
  if (colon == std::string::npos) return std::nullopt;
  std::string place = line.substr(0, line.rfind(": ", word));
  const std::size_t bracket = place.rfind('(');
  if (bracket != std::string::npos && place.ends_with(")")) {
    place = place.substr(0, bracket) + ":" + place.substr(bracket + 1, place.size() - bracket - 2);
  } else if (const std::size_t column = place.rfind(':');
             column != std::string::npos && place.find(':') != column) {
    place.resize(column);
  }
  return fmt::format("{}: {}", shown_path(place), line.substr(colon + 2));
}

}  // namespace

std::string first_error(const std::string& output, const fs::path& source) {
  std::string first;
  for (const std::string& line : lines_of(output)) {
    const std::optional<std::string> error = error_in(line);
    if (!error) continue;
    if (line.starts_with(source.string())) return *error;
    if (first.empty()) first = *error;
  }
  return first.empty() ? output.substr(0, output.find('\n')) : first;
}

std::string refresh_learner_image(const ExerciseFiles& files, const ImageMaker& maker) {
  const Progress progress = progress_of(files);
  if (progress == Progress::missing || progress == Progress::open) return {};
  const fs::path flags = flags_file(files, maker);
  const std::vector<fs::path> sources{files.source, maker.nvcc, flags};
  if (is_fresh(files.image, sources) || is_fresh(files.errors, sources)) return {};
  fs::create_directories(files.image.parent_path());
  const fs::path pending = files.image.string() + ".making";
  std::vector<std::string> command{"timeout", std::to_string(most_seconds), maker.nvcc.string()};
  for (const std::string& flag : lines_of(read_file(flags))) command.push_back(flag);
  base::leave_headers_out(command, read_file(files.source));
  command.insert(command.end(), {"-o", pending.string(), files.source.string()});
  const auto started = fs::file_time_type::clock::now();
  const ChildResult nvcc = run_child(command, {"GLIBC_TUNABLES=glibc.malloc.hugetlb=1"});
  std::error_code ignored;
  if (nvcc.status == all_right) {
    fs::remove(files.errors, ignored);
    // A text saved while nvcc ran is then newer than its image.
    fs::last_write_time(pending, started);
    fs::rename(pending, files.image);
    return fmt::format("{}: built", short_id(files));
  }
  fs::remove(pending, ignored);
  fs::remove(files.image, ignored);
  constexpr int timed_out = 124;
  const std::string error = nvcc.status == timed_out
                                ? fmt::format("nvcc took longer than {} s", most_seconds)
                                : first_error(nvcc.output + nvcc.errors, files.source);
  write_file(files.errors, error + "\n");
  fs::last_write_time(files.errors, started);
  return fmt::format("{}: does not compile: {}", short_id(files), error);
}

}  // namespace warpwise::lesson
