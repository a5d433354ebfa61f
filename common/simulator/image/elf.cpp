#include "simulator/image/elf.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "simulator/image/bytes.h"

namespace warpwise::image {
namespace {

constexpr std::uint16_t kCudaMachine = 190;
constexpr std::uint32_t kSymbolTable = 2;
constexpr std::uint32_t kRela = 4;
constexpr std::uint32_t kRel = 9;
/// Sections that only say how much memory there is: of any ELF file, and of relocatable cubins the
/// variables in global, local and shared memory and the shared memory that is kept.
constexpr std::uint32_t kWithoutBytes[] = {8, 0x70000007, 0x70000009, 0x7000000a, 0x70000015};
constexpr unsigned kFunction = 2;  // the type of a symbol that names code
constexpr unsigned kEntry = 0x10;  // NVIDIA's mark of a kernel in a symbol's last byte of flags
constexpr std::uint8_t kAbi = 8;   // since CUDA 13; before, the architecture was elsewhere
constexpr std::uint64_t kSectionHeader = 64;

struct FileHeader {
  std::uint8_t identity[16];
  std::uint16_t type;
  std::uint16_t machine;
  std::uint32_t version;
  std::uint64_t entry;
  std::uint64_t program_headers;
  std::uint64_t section_headers;
  std::uint32_t flags;
  std::uint16_t header_size;
  std::uint16_t program_header_size;
  std::uint16_t program_header_count;
  std::uint16_t section_header_size;
  std::uint16_t section_count;
  std::uint16_t name_section;
};
static_assert(sizeof(FileHeader) == 64);

struct SectionHeader {
  std::uint32_t name;
  std::uint32_t type;
  std::uint64_t flags;
  std::uint64_t address;
  std::uint64_t offset;
  std::uint64_t size;
  std::uint32_t link;
  std::uint32_t info;
  std::uint64_t alignment;
  std::uint64_t entry_size;
};
static_assert(sizeof(SectionHeader) == kSectionHeader);

struct SymbolRecord {
  std::uint32_t name;
  std::uint8_t kind;
  std::uint8_t other;
  std::uint16_t section;
  std::uint64_t value;
  std::uint64_t size;
};
static_assert(sizeof(SymbolRecord) == 24);

struct RelRecord {
  std::uint64_t offset;
  std::uint64_t info;
};

std::string_view name_at(std::span<const std::byte> names, std::uint32_t offset) {
  Reader in(names, "table of names");
  in.seek(offset);
  return in.text();
}

FileHeader read_file_header(std::span<const std::byte> bytes) {
  const auto header = Reader(bytes, "ELF header").number<FileHeader>();
  if (std::memcmp(header.identity,
                  "\x7f"
                  "ELF",
                  4) != 0 ||
      header.identity[4] != 2 || header.identity[5] != 1) {
    throw ImageError("the GPU code is not a 64-bit ELF image; build the program with nvcc 13");
  }
  if (header.machine != kCudaMachine) {
    throw ImageError("this ELF image is for a processor, not for a GPU: give the cubin itself");
  }
  if (header.identity[8] < kAbi) {
    throw ImageError(
        "this GPU code was built by a toolkit older than CUDA 13; build it with nvcc 13");
  }
  if (header.section_headers == 0) throw ImageError("the ELF image has no sections");
  return header;
}

unsigned architecture_in(const FileHeader& header) { return header.flags >> 8 & 0xff; }

FileHeader read_whole_file_header(std::span<const std::byte> bytes) {
  const FileHeader header = read_file_header(bytes);
  // This code does not need the program headers, but they come last in the file: if they are cut
  // off, so is the file.
  Reader last(bytes, "table of segments");
  last.seek(header.program_headers);
  last.take(std::uint64_t{header.program_header_count} * header.program_header_size);
  return header;
}

bool has_bytes(const SectionHeader& section) {
  return section.size != 0 && std::find(std::begin(kWithoutBytes), std::end(kWithoutBytes),
                                        section.type) == std::end(kWithoutBytes);
}

std::vector<Section> read_sections(std::span<const std::byte> bytes, const FileHeader& header) {
  Reader table(bytes, "table of sections");
  table.seek(header.section_headers);
  if (header.section_header_size != kSectionHeader) table.fail();
  std::vector<SectionHeader> headers;
  for (unsigned i = 0; i < header.section_count; ++i) {
    headers.push_back(table.number<SectionHeader>());
  }
  std::vector<Section> sections;
  for (const SectionHeader& from : headers) {
    Section section{{}, from.type, from.link, from.info, from.size, {}};
    if (has_bytes(from)) {
      Reader content(bytes, "section");
      content.seek(from.offset);
      section.bytes = content.take(from.size);
    }
    sections.push_back(section);
  }
  if (header.name_section >= sections.size()) table.fail();
  const auto names = sections[header.name_section].bytes;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    sections[i].name = name_at(names, headers[i].name);
  }
  return sections;
}

std::vector<Symbol> read_symbols(const std::vector<Section>& sections) {
  std::vector<Symbol> symbols;
  for (const Section& section : sections) {
    if (section.type != kSymbolTable) continue;
    Reader in(section.bytes, "table of symbols");
    if (section.link >= sections.size()) in.fail();
    while (!in.at_end()) {
      const auto record = in.number<SymbolRecord>();
      const bool function = (record.kind & 15) == kFunction;
      symbols.push_back({name_at(sections[section.link].bytes, record.name), record.value,
                         record.size, record.section, function,
                         function && (record.other & kEntry) != 0});
    }
    // A cubin has one table; the other kinds that NVIDIA adds have other types.
    break;
  }
  return symbols;
}

}  // namespace

const Section* Elf::find(std::string_view name) const {
  for (const Section& section : sections) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

unsigned architecture_of_elf(std::span<const std::byte> bytes) {
  return architecture_in(read_file_header(bytes));
}

Elf read_elf(std::span<const std::byte> bytes) {
  const FileHeader header = read_whole_file_header(bytes);
  Elf elf{architecture_in(header), read_sections(bytes, header), {}};
  elf.symbols = read_symbols(elf.sections);
  return elf;
}

std::vector<Relocation> relocations_of(const Elf& elf, std::size_t section) {
  std::vector<Relocation> relocations;
  for (const Section& table : elf.sections) {
    if ((table.type != kRel && table.type != kRela) || table.info != section) continue;
    Reader in(table.bytes, "table of relocations");
    while (!in.at_end()) {
      const auto record = in.number<RelRecord>();
      const std::int64_t addend = table.type == kRela ? in.number<std::int64_t>() : 0;
      relocations.push_back({record.offset, static_cast<std::uint32_t>(record.info >> 32), addend});
    }
  }
  return relocations;
}

}  // namespace warpwise::image
