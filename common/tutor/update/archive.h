#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warpwise::tutor {

/// One file that goes into an archive.
struct ArchiveFile {
  std::string name;  ///< with "/" between folders, relative.
  std::string text;
  bool executable = false;
};

/// @return the regular files below a folder in order of their names; hidden ones too, links not.
/// @throws Failure (status 3) when one cannot be read.
std::vector<ArchiveFile> files_below(const std::filesystem::path& folder);

/// @return the bytes of a zip with these files, in their order. Equal files give equal bytes: no
///   clock, user or time zone goes in.
/// @throws Failure (status 3) when a file cannot be packed.
std::string make_zip(const std::vector<ArchiveFile>& files);

/// How much an archive may hold; a learner's exercises stay far below it.
struct ArchiveLimits {
  std::uint64_t bytes = std::uint64_t{64} << 20;  ///< of all files together, unpacked.
  std::size_t entries = 10'000;                   ///< files and folders.
  std::size_t name_bytes = 240;
};

/// Unpacks a zip or a tar (plain or compressed by gzip, bzip2, xz or zstd) that a stranger made.
/// Files get the archive's text and nothing else of it: owners, times and all permission bits but
/// "executable" are ours.
/// @param folder exists and is empty. After a Failure a part of the files may be in it: use a
/// temporary one.
/// @throws Failure: status 1 when the archive is damaged, encrypted or none, holds an absolute name
///   or "..", a link, a device, a name twice, or more than the limits; status 3 when the archive
///   cannot be opened or the folder cannot be written.
void unpack(const std::filesystem::path& archive, const std::filesystem::path& folder,
            const ArchiveLimits& limits = {});

}  // namespace warpwise::tutor
