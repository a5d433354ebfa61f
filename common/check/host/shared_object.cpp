#include "check/host/shared_object.h"

#include <elf.h>

#include <cstring>
#include <optional>

namespace warpwise::lesson {
namespace {

/// A value of the file; nothing where the file ends before.
template <class T>
std::optional<T> read_at(std::string_view file, std::size_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, file.data() + offset, sizeof(T));
  return value;
}

/// The names of a symbol table. @param strings offset of the section with its texts.
std::vector<std::string> functions_in(std::string_view file, const Elf64_Shdr& table,
                                      std::size_t strings) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
    const auto symbol = read_at<Elf64_Sym>(file, table.sh_offset + at);
    if (!symbol) break;
    const bool function = ELF64_ST_TYPE(symbol->st_info) == STT_FUNC;
    const std::size_t begin = strings + symbol->st_name;
    if (!function || symbol->st_shndx == SHN_UNDEF || begin >= file.size()) continue;
    const std::string_view rest = file.substr(begin);
    names.emplace_back(rest.substr(0, rest.find('\0')));
  }
  return names;
}

}  // namespace

std::vector<std::string> exported_functions(std::string_view file) {
  const auto header = read_at<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return {};
  const auto section = [&](std::size_t index) {
    return read_at<Elf64_Shdr>(file, header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  for (std::size_t i = 0; i < header->e_shnum; ++i) {
    const auto table = section(i);
    if (!table || table->sh_type != SHT_DYNSYM) continue;
    const auto strings = section(table->sh_link);
    if (strings) return functions_in(file, *table, strings->sh_offset);
  }
  return {};
}

}  // namespace warpwise::lesson
