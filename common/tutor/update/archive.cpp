#include "tutor/update/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>

#include "tutor/course/names.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

struct Free {
  void operator()(archive* handle) const { archive_free(handle); }
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};
using Handle = std::unique_ptr<archive, Free>;
using Entry = std::unique_ptr<archive_entry, Free>;

std::string reason(archive* handle) {
  const char* text = archive_error_string(handle);
  return text != nullptr ? text : "unknown error";
}

void require(int result, archive* handle) {
  if (result == ARCHIVE_OK) return;
  throw Failure(status_environment, "the archive cannot be made: " + reason(handle));
}

la_ssize_t append(archive*, void* text, const void* bytes, std::size_t size) {
  static_cast<std::string*>(text)->append(static_cast<const char*>(bytes), size);
  return static_cast<la_ssize_t>(size);
}

void add(archive* zip, const ArchiveFile& file) {
  const Entry entry(archive_entry_new());
  archive_entry_set_pathname(entry.get(), file.name.c_str());
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(file.text.size()));
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), file.executable ? 0755 : 0644);
  require(archive_write_header(zip, entry.get()), zip);
  const auto written = archive_write_data(zip, file.text.data(), file.text.size());
  if (written != static_cast<la_ssize_t>(file.text.size())) require(ARCHIVE_FATAL, zip);
}

// Unpacks one archive; what is wrong with it becomes a Failure that names it.
class Unpacking {
 public:
  Unpacking(const fs::path& file, const fs::path& folder, const ArchiveLimits& limits)
      : file_(file), folder_(folder), limits_(limits), handle_(archive_read_new()) {}

  void run();

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Failure(status_wrong, fmt::format("{} {}: it was not unpacked", shown(file_), why));
  }
  std::string name_of(archive_entry* entry) const;
  void require_harmless(const std::string& name) const;
  void take(archive_entry* entry);
  void write(const std::string& name, bool executable);

  const fs::path& file_;
  const fs::path& folder_;
  const ArchiveLimits& limits_;
  Handle handle_;
  std::uint64_t bytes_ = 0;
  std::size_t entries_ = 0;
  std::set<std::string> files_;
};

std::string Unpacking::name_of(archive_entry* entry) const {
  const char* name = archive_entry_pathname_utf8(entry);
  if (name == nullptr) name = archive_entry_pathname(entry);
  if (name == nullptr) refuse("holds a file whose name cannot be read");
  return name;
}

void Unpacking::require_harmless(const std::string& name) const {
  const fs::path path(name);
  if (name.empty()) refuse("holds a file without a name");
  if (name.size() > limits_.name_bytes) refuse("holds a very long name");
  if (path.is_absolute()) refuse(fmt::format("holds the absolute name {}", printable(name)));
  if (std::find(path.begin(), path.end(), "..") != path.end()) {
    refuse(fmt::format("holds {}, which leads out of its folder", printable(name)));
  }
  const auto control = [](unsigned char c) { return c < ' ' || c == 0x7f; };
  if (std::any_of(name.begin(), name.end(), control)) {
    refuse(fmt::format("holds a name with control characters, {}", printable(name)));
  }
}

void Unpacking::take(archive_entry* entry) {
  const std::string raw = name_of(entry);
  require_harmless(raw);
  if (++entries_ > limits_.entries) {
    refuse(fmt::format("holds more than {} files", limits_.entries));
  }
  const auto type = archive_entry_filetype(entry);
  const bool link = archive_entry_hardlink(entry) != nullptr || type == AE_IFLNK;
  if (link) refuse(fmt::format("holds the link {}; send files instead", printable(raw)));
  const fs::path name = fs::path(raw).lexically_normal();
  if (type == AE_IFDIR) {
    make_folder(folder_ / name);
    return;
  }
  if (type != AE_IFREG) refuse(fmt::format("holds {}, which is not a file", printable(raw)));
  if (archive_entry_is_encrypted(entry) != 0) refuse("is encrypted");
  if (!files_.insert(name.string()).second) refuse(fmt::format("holds {} twice", printable(raw)));
  write(name.string(), (archive_entry_perm(entry) & 0100) != 0);
}

void Unpacking::write(const std::string& name, bool executable) {
  const fs::path target = folder_ / name;
  std::error_code error;
  fs::create_directories(target.parent_path(), error);
  // A file is where a folder is wanted, or the other way round: the archive contradicts itself.
  if (error == std::errc::not_a_directory || error == std::errc::file_exists ||
      fs::is_directory(target)) {
    refuse(fmt::format("holds {} as a file and as a folder", printable(name)));
  }
  errno = 0;
  std::ofstream out(target, std::ios::binary);
  std::array<char, 1 << 16> part;
  for (;;) {
    const la_ssize_t size = archive_read_data(handle_.get(), part.data(), part.size());
    if (size < 0)
      refuse(fmt::format("is damaged at {} ({})", printable(name), reason(handle_.get())));
    if (size == 0) break;
    bytes_ += static_cast<std::uint64_t>(size);
    if (bytes_ > limits_.bytes) {
      refuse(fmt::format("holds more than {} MiB", limits_.bytes >> 20));
    }
    out.write(part.data(), size);
  }
  out.close();
  if (!out) {
    throw Failure(status_environment, fmt::format("{} cannot be written: {}", shown(target),
                                                  std::strerror(errno == 0 ? EIO : errno)));
  }
  if (executable) {
    fs::permissions(target, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add, error);
  }
}

void Unpacking::run() {
  archive* handle = handle_.get();
  archive_read_support_format_zip(handle);
  archive_read_support_format_tar(handle);
  archive_read_support_filter_gzip(handle);
  archive_read_support_filter_bzip2(handle);
  archive_read_support_filter_xz(handle);
  archive_read_support_filter_zstd(handle);
  errno = 0;
  if (!std::ifstream(file_) || fs::is_directory(file_)) {
    throw Failure(status_environment, fmt::format("{} cannot be read: {}", shown(file_),
                                                  std::strerror(errno == 0 ? EISDIR : errno)));
  }
  if (archive_read_open_filename(handle, file_.c_str(), 1 << 16) != ARCHIVE_OK) {
    refuse("is neither a zip nor a tar");
  }
  archive_entry* entry = nullptr;
  for (;;) {
    const int result = archive_read_next_header(handle, &entry);
    if (result == ARCHIVE_EOF) break;
    // A warning is about what is not used here, such as a name's encoding.
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) {
      refuse(fmt::format("is damaged ({})", reason(handle)));
    }
    take(entry);
  }
  if (entries_ == 0) refuse("holds nothing");
}

}  // namespace

std::vector<ArchiveFile> files_below(const fs::path& folder) {
  std::vector<ArchiveFile> files;
  std::error_code error;
  for (fs::recursive_directory_iterator i(folder, error), end; !error && i != end;
       i.increment(error)) {
    if (i->is_symlink() || !i->is_regular_file()) continue;
    const bool executable = (i->status().permissions() & fs::perms::owner_exec) != fs::perms::none;
    files.push_back(
        {i->path().lexically_relative(folder).generic_string(), read_file(i->path()), executable});
  }
  if (error) {
    throw Failure(status_environment,
                  fmt::format("{} cannot be read: {}", shown(folder), error.message()));
  }
  std::sort(files.begin(), files.end(),
            [](const auto& one, const auto& other) { return one.name < other.name; });
  return files;
}

std::string make_zip(const std::vector<ArchiveFile>& files) {
  std::string bytes;
  const Handle zip(archive_write_new());
  require(archive_write_set_format_zip(zip.get()), zip.get());
  require(archive_write_set_bytes_in_last_block(zip.get(), 1), zip.get());
  require(archive_write_open(zip.get(), &bytes, nullptr, append, nullptr), zip.get());
  for (const ArchiveFile& file : files) add(zip.get(), file);
  require(archive_write_close(zip.get()), zip.get());
  return bytes;
}

void unpack(const fs::path& archive, const fs::path& folder, const ArchiveLimits& limits) {
  Unpacking(archive, folder, limits).run();
}

}  // namespace warpwise::tutor
