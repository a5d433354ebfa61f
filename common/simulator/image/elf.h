#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace warpwise::image {

/// A section of a cubin; views into the image.
struct Section {
  std::string_view name;
  std::uint32_t type;
  std::uint32_t link;                ///< of relocations and symbols: another section's index.
  std::uint32_t info;                ///< of relocations: the section they belong to.
  std::uint64_t size;                ///< also of a section without bytes, such as shared memory.
  std::span<const std::byte> bytes;  ///< empty where the file holds none.
};

struct Symbol {
  std::string_view name;
  std::uint64_t value;    ///< offset within its section.
  std::uint64_t size;     ///< of what it names.
  std::uint32_t section;  ///< index; may be past the last section for special symbols.
  bool function;          ///< code, that of a kernel or of something that kernels call.
  bool kernel;            ///< a function that can be launched.
};

/// The bytes at `offset` of the section become the address `symbol` + `addend`.
struct Relocation {
  std::uint64_t offset;
  std::uint32_t symbol;
  std::int64_t addend;
};

/// A cubin: a 64-bit ELF image for a GPU. Views into the bytes it was read from, which must outlive
/// it.
struct Elf {
  unsigned architecture;  ///< 90 for sm_90 and sm_90a.
  std::vector<Section> sections;
  std::vector<Symbol> symbols;

  /// @return the first section of that name, or null.
  const Section* find(std::string_view name) const;
};

/// @param bytes a cubin, or its first 64 bytes. @return its architecture.
/// @throws ImageError when they are not a header of an ELF image of a GPU, or of an older
/// toolkit's.
unsigned architecture_of_elf(std::span<const std::byte> bytes);

/// @throws ImageError when the bytes are not an ELF image of a GPU, are damaged, or an older
/// toolkit's.
Elf read_elf(std::span<const std::byte> bytes);

/// @return the relocations of one section, in no order; symbols are indices into elf.symbols.
std::vector<Relocation> relocations_of(const Elf& elf, std::size_t section);

}  // namespace warpwise::image
