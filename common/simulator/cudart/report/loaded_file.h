#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// The executable and the shared libraries of this process, as the files they came from.
namespace warpwise::cudart {

struct LoadedFile {
  std::string path;
  std::uintptr_t bias = 0;  ///< its addresses in memory minus those in its file.
};

/// The user's file that holds an address; nothing for the system's.
std::optional<LoadedFile> loaded_file_at(std::uintptr_t address);

/// Sections of an ELF file, mapped for reading.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  /// @return its bytes; none where the section is missing or compressed.
  std::span<const std::byte> section(std::string_view name) const;

 private:
  std::span<const std::byte> part(std::uint64_t offset, std::uint64_t bytes) const;

  std::span<const std::byte> bytes_;
};

/// The text at a place of a section of texts; empty where that is too short.
std::string_view text_at(std::span<const std::byte> texts, std::uint64_t offset);

}  // namespace warpwise::cudart
