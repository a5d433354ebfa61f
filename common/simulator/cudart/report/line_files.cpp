#include "simulator/cudart/report/line_files.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/cudart/report/loaded_file.h"
#include "simulator/image/bytes.h"

namespace warpwise::cudart {
namespace {

using image::Reader;

// Of DWARF 5.
enum Content : std::uint64_t { content_path = 1, content_directory = 2 };
enum Form : std::uint64_t {
  form_data2 = 0x05,
  form_string = 0x08,
  form_data1 = 0x0b,
  form_udata = 0x0f,
  form_strp = 0x0e,
  form_data16 = 0x1e,
  form_line_strp = 0x1f
};

struct Texts {
  std::span<const std::byte> of_lines, others;
};

struct ListedFile {
  std::string_view path;
  std::uint64_t directory = 0;
};

/// Reads one value of an entry.
void read_value(Reader& in, std::uint64_t content, std::uint64_t form, const Texts& texts,
                ListedFile& entry) {
  std::uint64_t number = 0;
  std::string_view text;
  switch (form) {
    case form_line_strp:
      text = text_at(texts.of_lines, in.number<std::uint32_t>());
      break;
    case form_strp:
      text = text_at(texts.others, in.number<std::uint32_t>());
      break;
    case form_string:
      text = in.text();
      break;
    case form_udata:
      number = in.unsigned_leb();
      break;
    case form_data1:
      number = in.number<std::uint8_t>();
      break;
    case form_data2:
      number = in.number<std::uint16_t>();
      break;
    case form_data16:
      in.take(16);
      break;
    default:
      in.fail();
  }
  if (content == content_path) entry.path = text;
  if (content == content_directory) entry.directory = number;
}

std::vector<ListedFile> read_entries(Reader& in, const Texts& texts) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> format(in.number<std::uint8_t>());
  for (auto& [content, form] : format) {
    content = in.unsigned_leb();
    form = in.unsigned_leb();
  }
  std::vector<ListedFile> entries;
  for (std::uint64_t left = in.unsigned_leb(); left > 0; --left) {
    entries.emplace_back();
    for (const auto& [content, form] : format) read_value(in, content, form, texts, entries.back());
  }
  return entries;
}

/// The files 0 and 1 of a unit; none where it has fewer files, or another version.
std::optional<std::pair<std::string, std::string>> read_unit(Reader in, const Texts& texts) {
  if (in.number<std::uint16_t>() != 5) return std::nullopt;
  // Bytes of an address and of a segment, of the head; of an instruction, of several; how rows and
  // lines begin.
  in.take(1 + 1 + 4 + 1 + 1 + 1 + 1 + 1);
  in.take(in.number<std::uint8_t>() - 1u);  // Operands of opcodes.
  const std::vector<ListedFile> directories = read_entries(in, texts),
                                files = read_entries(in, texts);
  if (files.size() < 2 || directories.empty()) return std::nullopt;
  const auto path_of = [&](const ListedFile& file) {
    const auto at = static_cast<std::size_t>(file.directory);
    if (at >= directories.size()) in.fail();
    std::filesystem::path path = directories[0].path;
    return ((path /= directories[at].path) /= file.path).lexically_normal().string();
  };
  return std::pair(path_of(files[0]), path_of(files[1]));
}

/// For each compiled file, the first file that code comes from.
std::map<std::string, std::string> read_first_files(const std::string& program) {
  std::map<std::string, std::string> first;
  const ElfFile file(program);
  const Texts texts = {file.section(".debug_line_str"), file.section(".debug_str")};
  Reader units(file.section(".debug_line"), "line table");
  try {
    while (!units.at_end()) {
      const auto unit = read_unit(Reader(units.take(units.number<std::uint32_t>()), "unit"), texts);
      if (unit) first.insert(*unit);
    }
  } catch (const image::ImageError&) {  // The rest keeps addr2line's files.
  }
  return first;
}

}  // namespace

std::string written_file(const std::string& program, const std::string& given) {
  if (!given.ends_with(".cudafe1.cpp")) return given;
  static auto& known = *new std::map<std::string, std::map<std::string, std::string>>;
  const auto [files, is_new] = known.try_emplace(program);
  if (is_new) files->second = read_first_files(program);
  const auto found = files->second.find(given);
  return found == files->second.end() ? given : found->second;
}

}  // namespace warpwise::cudart
