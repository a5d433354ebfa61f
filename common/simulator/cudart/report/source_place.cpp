#include "simulator/cudart/report/source_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>

#include "simulator/code/values/library_files.h"
#include "simulator/cudart/queue/queue.h"
#include "simulator/cudart/report/line_files.h"
#include "simulator/cudart/report/loaded_file.h"
#include "simulator/cudart/report/tool_output.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

constexpr std::string_view without_lines = "compile with nvcc -g to see the line of host code";
constexpr std::string_view without_tool =
    "install addr2line (binutils) to see the line of host code";

/// Parses "FILE:LINE", perhaps followed by " (discriminator 2)"; line 0 where it is not known.
SourcePlace parse_place(const std::string& text) {
  SourcePlace place;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return place;
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), place.line);
  if (place.line != 0) place.file = std::filesystem::path(text.substr(0, colon)).lexically_normal();
  return place;
}

/// The known facts about addresses: the functions inlined there, from the innermost outwards.
class Places {
 public:
  SourcePlace innermost(const CallSite& site) {
    const std::lock_guard lock(mutex_);
    for (const std::uintptr_t address : site) {
      if (!known_.contains(address)) look_up(address, site);
      for (const SourcePlace& place : known_[address]) {
        if (!library_.holds(place.file)) return place;
      }
    }
    SourcePlace none;
    if (tool_missing_) none.advice = without_tool;
    if (!tool_missing_ && !tool_failed_ && !anything_found_) none.advice = without_lines;
    return none;
  }

 private:
  /// Looks up all of the site's addresses in the same module with one process.
  void look_up(std::uintptr_t address, const CallSite& site) {
    known_[address];
    const std::optional<LoadedFile> module = loaded_file_at(address);
    if (!module || tool_failed_) return;
    std::vector<std::string> words = {"addr2line", "-a", "-i", "-e", module->path};
    std::vector<std::uintptr_t> asked;
    for (const std::uintptr_t one : site) {
      const auto other = loaded_file_at(one);
      if (!other || other->path != module->path) continue;
      words.push_back(fmt::format("{:#x}", one - module->bias));
      asked.push_back(one);
    }
    // Meanwhile no work may start that would otherwise have started later.
    std::optional<Queue::Pause> pause;
    if (runtime_exists()) pause.emplace(runtime().queue);
    constexpr std::chrono::seconds limit{5};
    const ToolOutput output = output_of(words, limit);
    tool_missing_ = output.missing;
    tool_failed_ = output.failed;
    keep(asked, output.text, module->path);
  }

  /// An answer is its address, followed by a line for each place.
  /// @param path of the file that holds the addresses.
  void keep(const std::vector<std::uintptr_t>& asked, const std::string& answers,
            const std::string& path) {
    std::istringstream lines(answers);
    std::size_t answer = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("0x")) {
        if (++answer > asked.size()) return;
        known_[asked[answer - 1]].clear();
      } else if (answer > 0) {
        SourcePlace place = parse_place(line);
        if (place.line == 0) continue;
        place.file = written_file(path, place.file);
        anything_found_ = true;
        known_[asked[answer - 1]].push_back(std::move(place));
      }
    }
  }

  std::mutex mutex_;
  std::map<std::uintptr_t, std::vector<SourcePlace>> known_;
  code::LibraryFiles library_;
  bool tool_missing_ = false;
  bool tool_failed_ = false;  ///< it will not be better the next time.
  bool anything_found_ = false;
};

}  // namespace

SourcePlace place_of(const CallSite& site) {
  static auto& places = *new Places;
  return places.innermost(site);
}

std::string other_place(const CallSite& site) {
  const SourcePlace other = place_of(site);
  if (other.line == 0) return {};
  const bool same_file = other.file == place_of(call_site()).file;
  return same_file ? fmt::format(" (line {})", other.line)
                   : fmt::format(" ({}:{})", other.file, other.line);
}

std::string full_place(const CallSite& site) {
  const SourcePlace place = place_of(site);
  if (place.line == 0) return {};
  return fmt::format(" ({}:{})", std::filesystem::path(place.file).filename().string(), place.line);
}

}  // namespace warpwise::cudart
