#include "simulator/cudart/report/loaded_file.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

namespace warpwise::cudart {
namespace {

struct WantedFile {
  std::uintptr_t address;
  std::optional<LoadedFile> file;
};

int find_file(dl_phdr_info* candidate, std::size_t, void* data) {
  auto& wanted = *static_cast<WantedFile*>(data);
  for (unsigned i = 0; i < candidate->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = candidate->dlpi_phdr[i];
    const std::uintptr_t begin = candidate->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || wanted.address - begin >= part.p_memsz) continue;
    wanted.file = LoadedFile{candidate->dlpi_name, candidate->dlpi_addr};
    return 1;
  }
  return 0;
}

std::span<const std::byte> map(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  struct stat facts = {};
  void* mapped = MAP_FAILED;
  if (fstat(file, &facts) == 0 && facts.st_size > 0)
    mapped =
        mmap(nullptr, static_cast<std::size_t>(facts.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (mapped == MAP_FAILED) return {};
  return {static_cast<const std::byte*>(mapped), static_cast<std::size_t>(facts.st_size)};
}

/// @return zeros where the bytes are too few.
template <class T>
T record_in(std::span<const std::byte> bytes) {
  T value{};
  if (bytes.size() >= sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

}  // namespace

std::string_view text_at(std::span<const std::byte> texts, std::uint64_t offset) {
  if (offset >= texts.size()) return {};
  const auto* begin = reinterpret_cast<const char*>(texts.data()) + offset;
  return {begin, strnlen(begin, texts.size() - offset)};
}

std::optional<LoadedFile> loaded_file_at(std::uintptr_t address) {
  WantedFile wanted{address, {}};
  dl_iterate_phdr(find_file, &wanted);
  if (!wanted.file) return std::nullopt;
  std::string& path = wanted.file->path;
  std::error_code ignored;
  if (path.empty()) {
    path = std::filesystem::read_symlink("/proc/self/exe", ignored).string();
  } else if (path.starts_with("/lib") || path.starts_with("/usr/lib")) {
    return std::nullopt;
  }
  return std::filesystem::exists(path, ignored) ? wanted.file : std::nullopt;
}

ElfFile::ElfFile(const std::string& path) : bytes_(map(path)) {}

ElfFile::~ElfFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

std::span<const std::byte> ElfFile::part(std::uint64_t offset, std::uint64_t bytes) const {
  if (offset > bytes_.size() || bytes > bytes_.size() - offset) return {};
  return bytes_.subspan(offset, bytes);
}

std::span<const std::byte> ElfFile::section(std::string_view name) const {
  const auto head = record_in<ElfW(Ehdr)>(bytes_);
  const auto header = [&](std::uint64_t index) {
    return record_in<ElfW(Shdr)>(
        part(head.e_shoff + index * sizeof(ElfW(Shdr)), sizeof(ElfW(Shdr))));
  };
  const auto names = header(head.e_shstrndx);
  const auto texts = part(names.sh_offset, names.sh_size);
  for (unsigned i = 0; i < head.e_shnum; ++i)
    if (const auto found = header(i); text_at(texts, found.sh_name) == name)
      return found.sh_flags & SHF_COMPRESSED ? std::span<const std::byte>()
                                             : part(found.sh_offset, found.sh_size);
  return {};
}

}  // namespace warpwise::cudart
