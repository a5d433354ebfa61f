#include "tutor/update/keep.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

// Writes a file that must be new, to the disk.
bool write_new(const fs::path& path, std::string_view text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0 && errno == EEXIST) return false;
  if (file < 0) cannot("written", path, errno);
  int reason = 0;
  while (!text.empty() && reason == 0) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written >= 0) text.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR) reason = errno;
  }
  if (reason == 0 && fsync(file) != 0 && errno != EINVAL) reason = errno;
  close(file);
  if (reason == 0) return true;
  unlink(path.c_str());
  cannot("written", path, reason);
}

// ".kept/ch05_warp_reduce/01_lane_sum.1.cu"
fs::path numbered(const fs::path& place, unsigned number) {
  fs::path name = place.stem();
  name += fmt::format(".{}", number);
  name += place.extension();
  return place.parent_path() / name;
}

}  // namespace

fs::path kept_folder(const Context& context) { return context.root / ".kept"; }

fs::path keep_as(const Context& context, const fs::path& file, const fs::path& path) {
  const bool exercise = *path.begin() == "exercises";
  const fs::path place =
      kept_folder(context) / (exercise ? path.lexically_relative("exercises") : path);
  make_folder(place.parent_path());
  for (unsigned number = 1;; ++number) {
    fs::path kept = numbered(place, number);
    if (move_to_free(file, kept)) return kept;
  }
}

bool move_to_free(const fs::path& from, const fs::path& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EEXIST) return false;
  if (errno != EXDEV && errno != EINVAL && errno != ENOSYS) cannot("moved", from, errno);
  // Another file system, or one that cannot do this at once.
  if (!write_new(to, read_file(from))) return false;
  if (unlink(from.c_str()) == 0) return true;
  const int reason = errno;
  unlink(to.c_str());
  cannot("moved", from, reason);
}

fs::path replace_and_keep(const Context& context, const fs::path& file, std::string_view text) {
  make_folder(file.parent_path());
  std::error_code ignored;
  const bool there = fs::exists(file, ignored);
  if (there && has_text(file, text)) return {};
  // Steps that may fail for want of space come first, while nothing has moved.
  const PendingFile pending(file);
  if (!write_new(pending.path(), text)) cannot("written", pending.path(), EEXIST);
  const fs::path kept =
      there ? keep_as(context, file, file.lexically_relative(context.root)) : fs::path();
  bool placed = false;
  try {
    placed = move_to_free(pending.path(), file);
  } catch (Failure& failure) {
    if (!kept.empty() && !move_to_free(kept, file)) {
      failure.message += fmt::format("; your text is {}", shown(kept));
    }
    throw;
  }
  if (!placed) {
    throw Failure(status_environment,
                  fmt::format("{} was saved again just now and stays as it is; what it was before "
                              "is {}",
                              shown(file), shown(kept)));
  }
  return kept;
}

}  // namespace warpwise::tutor
