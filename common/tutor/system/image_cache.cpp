#include "tutor/system/image_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <sstream>
#include <utility>

#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

/// A part of a text that holds several, so that no two lists of parts give the same.
std::string part(std::string_view text) { return fmt::format("{}\n{}", text.size(), text); }

/// Takes the first part away. @return nothing where there is none.
std::optional<std::string_view> next_part(std::string_view& rest) {
  const std::size_t line = rest.find('\n');
  if (line == std::string_view::npos || line == 0 || line > 18) return {};
  std::size_t bytes = 0;
  for (const char digit : rest.substr(0, line)) {
    if (digit < '0' || digit > '9') return {};
    bytes = bytes * 10 + static_cast<std::size_t>(digit - '0');
  }
  rest.remove_prefix(line + 1);
  if (bytes > rest.size()) return {};
  const std::string_view found = rest.substr(0, bytes);
  rest.remove_prefix(bytes);
  return found;
}

/// What a program of the system is: its size and time change with every other version.
std::string stamp_of(const fs::path& file) {
  std::error_code error;
  const auto bytes = fs::file_size(file, error);
  if (error) return file.string() + " is missing\n";
  const auto time = fs::last_write_time(file, error).time_since_epoch().count();
  return fmt::format("{} {} {}\n", file.string(), bytes, time);
}

std::string stamps_in(const fs::path& folder) {
  std::vector<std::string> stamps;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.is_regular_file(ignored)) stamps.push_back(stamp_of(entry.path()));
  }
  std::sort(stamps.begin(), stamps.end());
  std::string all;
  for (const std::string& stamp : stamps) all += stamp;
  return all;
}

/// The program of the system that a name starts.
fs::path program_named(const char* name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  std::error_code ignored;
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder) / name;
    if (fs::exists(program, ignored)) return fs::weakly_canonical(program, ignored);
  }
  return name;
}

/// nvcc, all that it starts, and the library that programs are linked with. Of PATH, these are what
/// counts.
std::string compilers(const fs::path& nvcc) {
  std::error_code ignored;
  const fs::path bin = fs::weakly_canonical(nvcc, ignored).parent_path();
  std::string all = stamps_in(bin) + stamps_in(bin.parent_path() / "nvvm/bin") +
                    stamp_of(bin.parent_path() / "lib64/libcudart.so");
  for (const char* name : {"g++", "gcc", "as", "ld"}) {
    all += stamp_of(program_named(name));
  }
  for (const char* name : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN", "CPATH",
                           "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH"}) {
    const char* value = std::getenv(name);
    all += fmt::format("{}={}\n", name, value ? value : "");
  }
  return all;
}

/// The files of a rule of make, "a.image : /b\ c.cu \ <newline> /d.h". The host's compiler has no
/// blank before the colon.
std::vector<fs::path> files_of(const std::string& rule) {
  std::vector<fs::path> files;
  std::string name;
  const auto end = [&] {
    if (!name.empty()) files.emplace_back(std::exchange(name, {}));
  };
  const std::size_t colon = rule.find(": ");
  if (colon == std::string::npos) return files;
  for (std::size_t at = colon + 2; at < rule.size(); ++at) {
    const char c = rule[at];
    if (c == '\\' && at + 1 < rule.size()) {
      const char next = rule[++at];
      if (next == '\n')
        end();
      else
        name += next;
    } else if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      end();
    } else {
      name += c;
    }
  }
  end();
  return files;
}

/// What files hold, each read once as long as its size and time stay: most include the same 150.
class Contents {
 public:
  /// @return a hash of it; nothing where it cannot be read.
  std::optional<std::size_t> of(const fs::path& file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return {};
    const std::string stamp = stamp_of(file);
    const std::lock_guard lock(mutex_);
    auto& [known, hash] = known_[file.string()];
    if (known != stamp) {
      hash = std::hash<std::string>()(read_file(file));
      known = stamp;
    }
    return hash;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::pair<std::string, std::size_t>> known_;
};

/// What the files hold, whatever their times: a checkout gives all files new ones, and each system
/// has its own.
std::optional<std::string> state_of(const std::vector<fs::path>& files) {
  static Contents contents;
  std::string state;
  for (const fs::path& file : files) {
    const auto hash = contents.of(file);
    if (!hash) return {};
    state += fmt::format("{} {:016x}\n", file.string(), *hash);
  }
  return state;
}

}  // namespace

fs::path ask_for_rule(Command& command, const fs::path& image) {
  const fs::path rule = image.string() + ".d";
  std::vector<std::string>& words = command.words;
  command.folder = rule.parent_path();
  if (std::find(words.begin(), words.end(), "-fatbin") != words.end()) {
    // With -MD nvcc preprocesses the text once more, a quarter of the time of a kernel's image.
    // Where device code is all that is made, there is one pass over the text, which can write the
    // rule, too. Its flags have no blanks: the file is named as seen from its folder.
    words.insert(words.end(), {"-Xcompiler", "-MD,-MF," + rule.filename().string()});
  } else {
    words.insert(words.end(), {"-MD", "-MF", rule.string()});
  }
  return rule;
}

std::optional<ImageCache> ImageCache::of_environment() {
  const char* folder = std::getenv("WARPWISE_IMAGE_CACHE");
  if (folder == nullptr || *folder == '\0') return {};
  return ImageCache(folder);
}

std::string ImageCache::key_of(const std::vector<std::string>& words, const fs::path& source) {
  std::string key = part(compilers(words.at(0)));
  for (const std::string& word : words) key += part(word);
  return key + part(source.string()) + part(read_file(source));
}

fs::path ImageCache::entry_of(const std::string& key, int which) const {
  return folder_ / fmt::format("{:016x}.{}", std::hash<std::string>()(key), which);
}

bool ImageCache::fetch_entry(const fs::path& entry, const std::string& key, const fs::path& image) {
  const std::string text = read_file(entry);
  std::string_view rest = text;
  if (next_part(rest) != key) return false;
  const auto names = next_part(rest), state = next_part(rest), kept = next_part(rest);
  if (!kept || !rest.empty()) return false;
  std::vector<fs::path> files;
  std::string_view left = *names;
  while (const auto name = next_part(left)) files.emplace_back(*name);
  if (state_of(files) != *state) return false;
  write_atomically(image, *kept);
  // .ci/run throws away what was not used for long. What another user keeps has its owner's time.
  std::error_code ignored;
  fs::last_write_time(entry, fs::file_time_type::clock::now(), ignored);
  return true;
}

bool ImageCache::fetch(const std::string& key, const fs::path& image) const {
  std::error_code error;
  for (int which = 0; which < entries; ++which) {
    const fs::path entry = entry_of(key, which);
    if (fs::exists(entry, error) && fetch_entry(entry, key, image)) return true;
  }
  return false;
}

fs::path ImageCache::entry_to_write(const std::string& key) const {
  std::error_code error;
  fs::path oldest;
  fs::file_time_type used;
  for (int which = 0; which < entries; ++which) {
    const fs::path entry = entry_of(key, which);
    const auto time = fs::last_write_time(entry, error);
    if (error) return entry;
    if (oldest.empty() || time < used) {
      oldest = entry;
      used = time;
    }
  }
  return oldest;
}

void ImageCache::keep(const std::string& key, const fs::path& image, const fs::path& included,
                      fs::file_time_type began) const {
  std::error_code error;
  if (!fs::is_regular_file(included, error)) return;
  const std::vector<fs::path> files = files_of(read_file(included));
  const auto state = state_of(files);
  // The source at least: a rule without files was not understood.
  if (files.empty() || !state) return;
  std::string names;
  for (const fs::path& file : files) {
    if (fs::last_write_time(file, error) >= began || error) return;
    names += part(file.string());
  }
  make_folder(folder_);
  write_atomically(entry_to_write(key),
                   part(key) + part(names) + part(*state) + part(read_file(image)));
}

}  // namespace warpwise::tutor
