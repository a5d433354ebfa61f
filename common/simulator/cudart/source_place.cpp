#include "simulator/cudart/source_place.h"

#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>

#include "simulator/code/library_files.h"
#include "simulator/cudart/queue.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/tool_output.h"

namespace warpwise::cudart {
namespace {

constexpr std::string_view without_lines = "compile with nvcc -g to see the line of host code";
constexpr std::string_view without_tool =
    "install addr2line (binutils) to see the line of host code";

/// An executable or a shared library in this process.
struct Module {
  std::string path;
  std::uintptr_t bias = 0;  ///< what its addresses in memory have more than those in its file.
};

struct Wanted {
  std::uintptr_t address;
  std::optional<Module> module;
};

int find_module(dl_phdr_info* candidate, std::size_t, void* data) {
  auto& wanted = *static_cast<Wanted*>(data);
  for (unsigned i = 0; i < candidate->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = candidate->dlpi_phdr[i];
    const std::uintptr_t begin = candidate->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || wanted.address - begin >= part.p_memsz) continue;
    wanted.module = Module{candidate->dlpi_name, candidate->dlpi_addr};
    return 1;
  }
  return 0;
}

/// The user's module that holds an address; nothing for the system's.
std::optional<Module> module_of(std::uintptr_t address) {
  Wanted wanted{address, {}};
  dl_iterate_phdr(find_module, &wanted);
  if (!wanted.module) return std::nullopt;
  std::string& path = wanted.module->path;
  std::error_code ignored;
  if (path.empty()) {
    path = std::filesystem::read_symlink("/proc/self/exe", ignored).string();
  } else if (path.starts_with("/lib") || path.starts_with("/usr/lib")) {
    return std::nullopt;
  }
  return std::filesystem::exists(path, ignored) ? wanted.module : std::nullopt;
}

/// "FILE:LINE", perhaps with " (discriminator 2)" behind it; line 0 where it is not known.
SourcePlace parse_place(const std::string& text) {
  SourcePlace place;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return place;
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), place.line);
  if (place.line != 0) place.file = std::filesystem::path(text.substr(0, colon)).lexically_normal();
  return place;
}

/// What is known of addresses: the functions inlined there, from the innermost outwards.
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
  /// All of the site's addresses in the same module: one process then does for them.
  void look_up(std::uintptr_t address, const CallSite& site) {
    known_[address];
    const std::optional<Module> module = module_of(address);
    if (!module || tool_failed_) return;
    std::vector<std::string> words = {"addr2line", "-a", "-i", "-e", module->path};
    std::vector<std::uintptr_t> asked;
    for (const std::uintptr_t one : site) {
      const auto other = module_of(one);
      if (!other || other->path != module->path) continue;
      words.push_back(fmt::format("{:#x}", one - module->bias));
      asked.push_back(one);
    }
    // Meanwhile nothing may happen that would else have happened later.
    std::optional<Queue::Pause> pause;
    if (runtime_exists()) pause.emplace(runtime().queue);
    constexpr std::chrono::seconds limit{5};
    const ToolOutput output = output_of(words, limit);
    tool_missing_ = output.missing;
    tool_failed_ = output.failed;
    keep(asked, output.text);
  }

  /// An answer is its address and then a line for each place.
  void keep(const std::vector<std::uintptr_t>& asked, const std::string& answers) {
    std::istringstream lines(answers);
    std::size_t answer = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("0x")) {
        if (++answer > asked.size()) return;
        known_[asked[answer - 1]].clear();
      } else if (answer > 0) {
        SourcePlace place = parse_place(line);
        if (place.line == 0) continue;
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
