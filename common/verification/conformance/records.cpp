#include "verification/conformance/records.h"

#include <fmt/format.h>
#include <zstd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace warpwise::conformance {
namespace {

namespace fs = std::filesystem;

/// Calls visit(line) for the lines that are not comments.
template <class Visit>
void each_line(const fs::path& file, Visit visit) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') visit(line);
}

/// "KEY: TEXT" in each line.
std::map<std::string, std::string> read_pairs(const fs::path& file) {
  std::map<std::string, std::string> pairs;
  each_line(file, [&](const std::string& line) {
    std::size_t colon = line.find(": ");
    if (colon == std::string::npos)
      throw std::runtime_error(fmt::format("{}: no colon in '{}'", file.string(), line));
    pairs[line.substr(0, colon)] = line.substr(colon + 2);
  });
  return pairs;
}

/// Keys by line, below "= TEXT" for the text that they share.
std::map<std::string, std::string> read_groups(const fs::path& file) {
  std::map<std::string, std::string> pairs;
  std::string text;
  each_line(file, [&](const std::string& line) {
    if (line.starts_with("= "))
      text = line.substr(2);
    else
      pairs[line] = text;
  });
  return pairs;
}

std::string groups(const std::map<std::string, std::string>& pairs) {
  std::map<std::string, std::string> keys;
  for (const auto& [key, text] : pairs) keys[text] += key + "\n";
  std::string lines;
  for (const auto& [text, names] : keys) lines += "= " + text + "\n" + names;
  return lines;
}

// The bytes of equal significance are adjacent: signs and exponents then compress well.
Bytes planes(const Bytes& bytes, bool back) {
  constexpr std::size_t width = 4;
  std::size_t count = bytes.size() / width;
  Bytes result = bytes;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < width; ++k) {
      std::size_t whole = i * width + k, plane = k * count + i;
      back ? result[whole] = bytes[plane] : result[plane] = bytes[whole];
    }
  return result;
}

std::string compressed(const Bytes& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 19);
  ZSTD_CCtx_setParameter(context, ZSTD_c_enableLongDistanceMatching, 1);
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 26);
  std::size_t size = ZSTD_compress2(context, out.data(), out.size(), bytes.data(), bytes.size());
  ZSTD_freeCCtx(context);
  if (ZSTD_isError(size)) throw std::runtime_error(ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

Bytes decompressed(const fs::path& file, std::size_t bytes) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  Bytes out(bytes);
  std::size_t size = ZSTD_decompress(out.data(), out.size(), text.data(), text.size());
  if (ZSTD_isError(size) || size != bytes)
    throw std::runtime_error(fmt::format("{}: damaged, or not of its list", file.string()));
  return out;
}

void read_variants(const fs::path& folder, Records& records) {
  std::size_t total = 0;
  each_line(folder / "variants.txt", [&](const std::string& line) {
    std::istringstream words(line);
    VariantRecord record;
    std::size_t bytes = 0;
    words >> std::hex >> record.hash >> std::dec >> bytes >> std::ws;
    std::getline(words, record.key);
    record.output.resize(bytes);
    total += bytes;
    records.variants.push_back(std::move(record));
  });
  if (records.variants.empty()) return;
  Bytes all = decompressed(folder / "outputs.zst", total);
  std::size_t at = 0;
  for (VariantRecord& record : records.variants) {
    auto begin = all.begin() + static_cast<std::ptrdiff_t>(at);
    at += record.output.size();
    record.output =
        planes({begin, begin + static_cast<std::ptrdiff_t>(record.output.size())}, true);
  }
}

void write_lines(const fs::path& file, const std::string& about, const std::string& lines) {
  if (lines.empty()) return;
  std::ofstream out(file, std::ios::binary);
  out << about << lines;
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace

const std::pair<const std::string, std::string>* Records::known_difference(
    const std::string& key) const {
  for (const auto& entry : not_modelled) {
    std::string_view name = entry.first;
    if (name == key) return &entry;
    if (name.ends_with('*') && key.starts_with(name.substr(0, name.size() - 1))) return &entry;
  }
  return nullptr;
}

Records read_records(const fs::path& folder) {
  Records records;
  std::ifstream device(folder / "device.txt");
  std::getline(device, records.device);
  records.rejected = read_groups(folder / "rejected.txt");
  records.not_modelled = read_pairs(folder / "not_modelled.txt");
  each_line(folder / "palette.txt",
            [&](const std::string& line) { records.palette.push_back(line); });
  each_line(folder / "programs.txt", [&](const std::string& line) {
    ProgramRecord record;
    std::istringstream(line) >> record.seed >> std::hex >> record.text >> record.output;
    records.programs.push_back(record);
  });
  read_variants(folder, records);
  return records;
}

void write_records(const fs::path& folder, const Records& records) {
  fs::create_directories(folder);
  std::string variants, programs, palette;
  Bytes all;
  for (const VariantRecord& record : records.variants) {
    variants += fmt::format("{:016x} {} {}\n", record.hash, record.output.size(), record.key);
    Bytes part = planes(record.output, false);
    all.insert(all.end(), part.begin(), part.end());
  }
  for (const ProgramRecord& record : records.programs)
    programs += fmt::format("{} {:016x} {:016x}\n", record.seed, record.text, record.output);
  for (const std::string& opcode : records.palette) palette += opcode + "\n";
  write_lines(folder / "device.txt", "", records.device.empty() ? "" : records.device + "\n");
  write_lines(folder / "variants.txt",
              "# instruction and inputs (hash), bytes of output, variant\n", variants);
  if (!all.empty()) write_lines(folder / "outputs.zst", "", compressed(all));
  write_lines(folder / "programs.txt", "# seed, text (hash), output (hash)\n", programs);
  write_lines(folder / "palette.txt", "# what random programs are made of\n", palette);
  write_lines(folder / "rejected.txt", "# what ptxas refuses for sm_90, below its words\n",
              groups(records.rejected));
}

}  // namespace warpwise::conformance
