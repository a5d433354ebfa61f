#include "tutor/course/progress.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "tutor/system/clean_text.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/lock.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view progress_heading = "warpwise progress 1";
// So that a text which was cut short is recognised.
constexpr std::string_view last_line = "end";
constexpr std::string_view none = "-";

// The next field up to a tab, taken off the front.
std::string_view take_field(std::string_view& line) {
  const auto end = std::min(line.find('\t'), line.size());
  const std::string_view field = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return field;
}

// A field that may be empty.
std::string written(const std::string& value) { return value.empty() ? std::string(none) : value; }
std::string value_of(std::string_view field) {
  return field == none ? std::string() : std::string(field);
}

bool parse_hints(std::string_view field, std::vector<int>& hints) {
  if (field == none) return true;
  for (const char *at = field.data(), *end = at + field.size(); at < end; ++at) {
    const auto [stop, error] = std::from_chars(at, end, hints.emplace_back());
    if (error != std::errc() || hints.back() < 1 || (stop != end && *stop != ',')) return false;
    at = stop;
  }
  return true;
}

bool is_hash(std::string_view text) {
  return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Its id, the text's hash, the kind, the hints, the verdict.
bool parse_exercise(std::string_view line, Progress& progress) {
  const std::string_view id = take_field(line);
  ExerciseProgress row;
  row.text = value_of(take_field(line));
  row.kind = value_of(take_field(line));
  const bool hints = parse_hints(take_field(line), row.hints);
  row.verdict = value_of(line);
  row.solved = row.verdict == "pass";
  const bool whole = id.find('/') != std::string_view::npos && !line.empty() &&
                     line.find('\t') == std::string_view::npos &&
                     (row.text.empty() ? row.verdict.empty() : is_hash(row.text));
  return hints && whole && progress.exercises.emplace(id, row).second;
}

// "CHAPTER/QUESTION" and the guess.
bool parse_guess(std::string_view line, Progress& progress) {
  const std::string_view key = take_field(line);
  return key.find('/') != std::string_view::npos && !line.empty() &&
         line.find('\t') == std::string_view::npos && progress.guesses.emplace(key, line).second;
}

bool parse_line(std::string_view line, Progress& progress) {
  std::string_view rest = line;
  const std::string_view word = take_field(rest);
  if (word == "current") progress.current = value_of(rest);
  if (word == "damaged") progress.damaged = value_of(rest);
  if (word == "solved") {
    const auto row = progress.exercises.find(std::string(rest));
    if (row == progress.exercises.end()) return false;
    row->second.solved = true;
    return true;
  }
  if (word == "guess") return parse_guess(rest, progress);
  return word == "current" || word == "damaged" || parse_exercise(line, progress);
}

// A name that is not taken.
fs::path set_aside(const fs::path& file) {
  fs::path aside;
  for (int number = 1; number == 1 || fs::exists(fs::symlink_status(aside)); ++number) {
    aside = file;
    aside += fmt::format(".damaged_{}", number);
  }
  std::error_code error;
  fs::rename(file, aside, error);
  if (error) {
    throw Failure(status_environment,
                  fmt::format("{} is damaged and cannot be renamed ({}): remove it", shown(file),
                              error.message()));
  }
  return aside;
}

// The file as it is; nothing when it is damaged.
std::optional<Progress> read_undamaged(const Context& context) {
  const fs::path file = progress_file(context);
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return Progress{};
  return parse_progress(read_text(file));
}

FileLock lock(const Context& context) {
  return FileLock(context, "progress.lock", "another command writes the progress");
}

// With the lock held: no two processes set the same file aside.
Progress read_or_set_aside(const Context& context) {
  if (auto progress = read_undamaged(context)) return *std::move(progress);
  Progress fresh;
  fresh.damaged = set_aside(progress_file(context)).filename().string();
  write_atomically(progress_file(context), to_text(fresh));
  return fresh;
}

}  // namespace

fs::path progress_file(const Context& context) { return context.root / ".progress"; }

std::string text_hash(std::string_view text) {
  // FNV-1a.
  std::uint64_t value = 0xcbf29ce484222325;
  for (const unsigned char c : text) value = (value ^ c) * 0x100000001b3;
  return fmt::format("{:016x}", value);
}

std::string to_text(const Progress& progress) {
  std::string text = fmt::format("{}\ncurrent\t{}\ndamaged\t{}\n", progress_heading,
                                 written(progress.current), written(progress.damaged));
  for (const auto& [id, row] : progress.exercises) {
    text +=
        fmt::format("{}\t{}\t{}\t{}\t{}\n", id, written(row.text), written(row.kind),
                    written(fmt::format("{}", fmt::join(row.hints, ","))), written(row.verdict));
  }
  // Facts that the last verdict does not show.
  for (const auto& [id, row] : progress.exercises) {
    if (row.solved && row.verdict != "pass") text += fmt::format("solved\t{}\n", id);
  }
  for (const auto& [key, guess] : progress.guesses) {
    text += fmt::format("guess\t{}\t{}\n", key, guess);
  }
  return text + std::string(last_line) + "\n";
}

std::optional<Progress> parse_progress(std::string_view text) {
  Progress progress;
  // Its fields are shown: what could steer a terminal was not written by us.
  std::string fields(text);
  std::replace_if(
      fields.begin(), fields.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
  if (clean_text(fields, false) != fields) return std::nullopt;
  for (std::size_t number = 0; !text.empty(); ++number) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (number == 0) {
      if (line != progress_heading) return std::nullopt;
    } else if (line == last_line) {
      return text.empty() ? std::optional(progress) : std::nullopt;
    } else if (!parse_line(line, progress)) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

Progress read_progress(const Context& context) {
  // A file that is written at once can be read without a lock, also where nothing can be written.
  if (auto progress = read_undamaged(context)) return *std::move(progress);
  const FileLock held = lock(context);
  return read_or_set_aside(context);
}

void update_progress(const Context& context, const std::function<void(Progress&)>& change) {
  const FileLock held = lock(context);
  Progress progress = read_or_set_aside(context);
  const Progress before = progress;
  change(progress);
  if (!(progress == before)) write_atomically(progress_file(context), to_text(progress));
}

bool is_current(const Progress& progress, const Exercise& exercise) {
  return without_number(exercise.id()) == without_number(progress.current);
}

bool was_solved(const Progress& progress, const Exercise& exercise) {
  const auto row = progress.exercises.find(exercise.id());
  return row != progress.exercises.end() && (row->second.solved || row->second.verdict == "pass");
}

const ExerciseProgress* verdict_on(const Progress& progress, const Exercise& exercise,
                                   std::string_view text) {
  const auto found = progress.exercises.find(exercise.id());
  if (found == progress.exercises.end() || found->second.text != text_hash(text)) return nullptr;
  return &found->second;
}

}  // namespace warpwise::tutor
