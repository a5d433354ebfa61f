#include "simulator/cudart/copies/host_variables.h"

#include <cxxabi.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "simulator/cudart/report/loaded_file.h"

namespace warpwise::cudart {
namespace {

using Symbol = ElfW(Sym);

/// The variables in a file, by address.
std::vector<Symbol> read_variables(const ElfFile& file) {
  const auto bytes = file.section(".symtab");
  std::vector<Symbol> all(bytes.size() / sizeof(Symbol));
  if (!all.empty()) std::memcpy(all.data(), bytes.data(), all.size() * sizeof(Symbol));
  std::erase_if(all, [](const Symbol& one) {
    return ELF64_ST_TYPE(one.st_info) != STT_OBJECT || one.st_size == 0 ||
           one.st_shndx == SHN_UNDEF;
  });
  return all;
}

std::string name_of(const ElfFile& file, const Symbol& symbol) {
  const std::string mangled(text_at(file.section(".strtab"), symbol.st_name));
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  return plain ? plain.get() : mangled;
}

/// A file of the process, read once.
struct KnownFile {
  explicit KnownFile(const std::string& path) : file(path), variables(read_variables(file)) {}
  ElfFile file;
  std::vector<Symbol> variables;
};

}  // namespace

std::optional<HostVariable> host_variable_at(std::uint64_t address) {
  static auto& mutex = *new std::mutex;
  static auto& known = *new std::map<std::string, KnownFile>;
  const auto loaded = loaded_file_at(address);
  if (!loaded) return std::nullopt;
  const std::lock_guard lock(mutex);
  const KnownFile& from = known.try_emplace(loaded->path, loaded->path).first->second;
  const std::uint64_t in_file = address - loaded->bias;
  // If several names cover the same bytes, the one that ends last gives the size.
  const Symbol* found = nullptr;
  for (const Symbol& one : from.variables)
    if (in_file - one.st_value < one.st_size &&
        (!found || one.st_value + one.st_size > found->st_value + found->st_size))
      found = &one;
  if (!found) return std::nullopt;
  return HostVariable{name_of(from.file, *found), found->st_value + found->st_size + loaded->bias};
}

}  // namespace warpwise::cudart
