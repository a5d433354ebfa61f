#include "simulator/image/fatbin.h"

#include <zstd.h>

#include <cstring>
#include <string>

#include "simulator/image/bytes.h"
#include "simulator/image/lz4.h"

namespace warpwise::image {
namespace {

constexpr std::uint32_t kContainerMagic = 0xBA55ED50;
constexpr std::uint16_t kContainerVersion = 1;
constexpr std::size_t kContainerHeader = 16;
constexpr std::uint32_t kEntryHeader = 64;
constexpr std::uint16_t kPtx = 1;
constexpr std::uint16_t kCubin = 2;
constexpr std::uint64_t kDebug = 0x2;
constexpr std::uint64_t kLz4 = 0x2000;
constexpr std::uint64_t kZstandard = 0x8000;
constexpr std::uint64_t kArchitectureSpecific = 0x100000;
constexpr std::uint64_t kFamilySpecific = 0x200000;
/// No program has more GPU code than this; a larger size is damage, and not worth the allocation.
constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;

[[noreturn]] void damaged(const std::string& what) {
  throw ImageError("the program's GPU code is damaged: " + what + "; build the program again");
}

/// The part of an entry's header that matters here.
struct EntryHeader {
  std::uint16_t kind;
  std::uint32_t header_size;
  std::uint64_t payload_size;
  std::uint32_t compressed_size;
  std::uint32_t options;  ///< where two numbers give the offset and the length of its options
  std::uint32_t architecture;
  std::uint64_t flags;
  std::uint64_t uncompressed_size;
};

EntryHeader read_entry_header(Reader& in) {
  const std::size_t start = in.offset();
  const auto at = [&]<class T>(std::size_t field, T& value) {
    in.seek(start + field);
    value = in.number<T>();
  };
  EntryHeader header{};
  at(0, header.kind);
  at(4, header.header_size);
  at(8, header.payload_size);
  at(16, header.compressed_size);
  at(20, header.options);
  at(28, header.architecture);
  at(40, header.flags);
  at(56, header.uncompressed_size);
  if (header.header_size < kEntryHeader) damaged("an entry's header is too short");
  in.seek(start);
  in.take(header.header_size);
  return header;
}

/// The most bytes that the compressed bytes can expand to: a damaged size cannot ask for more
/// memory.
std::uint64_t most_from(std::size_t compressed, bool zstandard) {
  // A Zstandard block of 4 bytes may repeat one byte 128 KiB long; an LZ4 byte adds at most 255.
  if (zstandard) return (compressed / 4 + 1) * std::uint64_t{128 << 10};
  return compressed * std::uint64_t{255};
}

std::vector<std::byte> decompress_zstandard(std::span<const std::byte> frame, std::size_t size) {
  std::vector<std::byte> out(size);
  const std::size_t written = ZSTD_decompress(out.data(), size, frame.data(), frame.size());
  if (ZSTD_isError(written)) {
    damaged(std::string("its Zstandard frame cannot be read (") + ZSTD_getErrorName(written) + ")");
  }
  if (written != size) damaged("its Zstandard frame has another size than it says");
  return out;
}

std::vector<std::byte> decompress(const EntryHeader& header, std::span<const std::byte> payload) {
  const bool zstandard = (header.flags & kZstandard) != 0;
  if (!zstandard && (header.flags & kLz4) == 0) return {payload.begin(), payload.end()};
  if (header.compressed_size > payload.size()) damaged("an entry is longer than its place");
  const auto compressed = payload.first(header.compressed_size);
  if (header.uncompressed_size > kLargest ||
      header.uncompressed_size > most_from(compressed.size(), zstandard)) {
    damaged("an entry claims " + std::to_string(header.uncompressed_size) + " bytes from " +
            std::to_string(compressed.size()));
  }
  const auto size = static_cast<std::size_t>(header.uncompressed_size);
  return zstandard ? decompress_zstandard(compressed, size) : decompress_lz4(compressed, size);
}

/// @param bytes the entry's header, whole. Other toolkits may keep no options there: then none.
std::string read_options(const EntryHeader& header, std::span<const std::byte> bytes) {
  constexpr std::size_t numbers = 2 * sizeof(std::uint32_t);
  if (header.kind != kPtx || header.options < kEntryHeader ||
      bytes.size() < header.options + numbers)
    return "";
  Reader in(bytes, "fat binary");
  in.seek(header.options);
  const std::size_t offset = in.number<std::uint32_t>(), length = in.number<std::uint32_t>();
  if (offset > bytes.size() || length > bytes.size() - offset) return "";
  return {reinterpret_cast<const char*>(bytes.data()) + offset, length};
}

Entry make_entry(const EntryHeader& header, std::span<const std::byte> payload) {
  Entry entry{};
  entry.kind = header.kind == kPtx ? Entry::Kind::ptx : Entry::Kind::cubin;
  entry.architecture = header.architecture;
  entry.architecture_specific = (header.flags & kArchitectureSpecific) != 0;
  entry.family_specific = (header.flags & kFamilySpecific) != 0;
  entry.debug = (header.flags & kDebug) != 0;
  entry.payload = decompress(header, payload);
  if (entry.kind == Entry::Kind::ptx) {
    // One NUL ends the text; more of them pad a raw payload.
    while (!entry.payload.empty() && entry.payload.back() == std::byte{0}) entry.payload.pop_back();
  }
  return entry;
}

/// @return the container's whole size, from its first 16 bytes.
std::uint64_t container_size(Reader& in) {
  const auto magic = in.number<std::uint32_t>();
  const auto version = in.number<std::uint16_t>();
  const auto header_size = in.number<std::uint16_t>();
  const auto size = in.number<std::uint64_t>();
  if (magic != kContainerMagic) {
    throw ImageError(
        "these bytes are not a fat binary: they do not start with its magic number; "
        "build the program with nvcc 13");
  }
  if (version != kContainerVersion || header_size != kContainerHeader) {
    throw ImageError("this fat binary has version " + std::to_string(version) +
                     ", which is unknown; build the program with nvcc 13");
  }
  if (size > kLargest) damaged("its size of " + std::to_string(size) + " bytes cannot be");
  return kContainerHeader + size;
}

}  // namespace

std::string Entry::ptx_text() const {
  return {reinterpret_cast<const char*>(payload.data()), payload.size()};
}

bool Entry::runs_on(unsigned device) const {
  if (architecture_specific) return architecture == device;
  const bool same_kind = architecture / 10 == device / 10;
  const bool needs_same_kind = kind == Kind::cubin || family_specific;
  return architecture <= device && (same_kind || !needs_same_kind);
}

bool Entry::may_contract() const {
  // ptxas -O0 leaves each product and sum as it is, as -G does.
  const auto asks = [&](const char* option) { return options.find(option) != std::string::npos; };
  return !debug && !asks("--fmad false") && !asks("-O0") && !asks("-O 0") && !asks("opt-level=0") &&
         !asks("opt-level 0");
}

std::vector<Entry> read_container(std::span<const std::byte> bytes) {
  Reader start(bytes, "fat binary");
  const std::uint64_t size = container_size(start);
  start.seek(0);
  const auto container = start.take(size);
  Reader in(container, "fat binary");
  in.seek(kContainerHeader);
  std::vector<Entry> entries;
  while (!in.at_end()) {
    const std::size_t start = in.offset();
    const EntryHeader header = read_entry_header(in);
    const auto payload = in.take(header.payload_size);
    if (header.kind != kPtx && header.kind != kCubin) continue;
    entries.push_back(make_entry(header, payload));
    entries.back().options = read_options(header, container.subspan(start, header.header_size));
  }
  return entries;
}

std::vector<Entry> read_container_at(const void* address) {
  if (address == nullptr)
    throw ImageError("the program registered no GPU code: its address is null");
  const auto* bytes = static_cast<const std::byte*>(address);
  Reader header({bytes, kContainerHeader}, "fat binary");
  return read_container({bytes, static_cast<std::size_t>(container_size(header))});
}

std::vector<Entry> read_linked_at(const void* container, const void* const* prelinked) {
  std::vector<Entry> entries = read_container_at(container);
  if (prelinked == nullptr) return entries;
  for (std::uint32_t unit = 1; prelinked[unit - 1] != nullptr; ++unit) {
    for (Entry& entry : read_container_at(prelinked[unit - 1])) {
      if (entry.kind != Entry::Kind::ptx) continue;
      entry.unit = unit;
      entries.push_back(std::move(entry));
    }
  }
  return entries;
}

}  // namespace warpwise::image
