#include "base/preload.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace warpwise::base {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view not_in_a_list = " \t\r\n\v\f:$";

bool fits_a_list(const fs::path& path) {
  return path.native().find_first_of(not_in_a_list) == std::string::npos;
}

/// A folder that only this user can write, made if need be: another user's link there could name
/// any library.
bool is_ours(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0700) == 0) return true;
  struct stat facts {};
  return ::lstat(folder.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) &&
         facts.st_uid == ::geteuid() && (facts.st_mode & 0022) == 0;
}

std::optional<fs::path> folder_of_links() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const std::string name = fmt::format("warpwise-{}", ::geteuid());
  for (const fs::path& parent : {fs::path(runtime == nullptr ? "" : runtime), fs::path("/tmp"),
                                 fs::path("/var/tmp"), fs::path("/dev/shm")}) {
    if (parent.is_absolute() && fits_a_list(parent) && is_ours(parent / name)) return parent / name;
  }
  return std::nullopt;
}

/// 64 bits of FNV-1a: two folders of one user's do not meet by accident.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char letter : text)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
  return hash;
}

/// Makes the link in one step, so that programs that start at once all find a whole one.
bool link_to(const fs::path& folder, const fs::path& link) {
  std::error_code failed;
  if (fs::read_symlink(link, failed) == folder) return true;
  const fs::path part = fmt::format("{}.{}", link.string(), ::getpid());
  fs::remove(part, failed);
  fs::create_symlink(folder, part, failed);
  if (!failed) fs::rename(part, link, failed);
  return !failed;
}

}  // namespace

fs::path preloadable(const fs::path& library) {
  if (fits_a_list(library)) return library;
  const fs::path folder = library.parent_path();
  if (const auto links = folder_of_links(); links && fits_a_list(library.filename())) {
    const fs::path link = *links / fmt::format("{:016x}", hash_of(folder.native()));
    if (link_to(folder, link)) return link / library.filename();
  }
  throw std::runtime_error(
      fmt::format("the path {} holds a blank, a colon or a $, and no folder in /tmp could be made "
                  "for a link to "
                  "it: move the course to a folder without them",
                  folder.string()));
}

std::string preload_list(const fs::path& library) {
  const char* before = std::getenv("LD_PRELOAD");
  const std::string ours = preloadable(library).string();
  return before == nullptr || *before == '\0' ? ours : ours + ":" + before;
}

}  // namespace warpwise::base
