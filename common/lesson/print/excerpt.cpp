#include "lesson/print/excerpt.h"

#include <fmt/format.h>

#include <algorithm>

#include "lesson/start/paths.h"

namespace warpwise::lesson {
namespace {

constexpr std::size_t indentation = 4;

/// A piece of a line that fits, with the column in it.
struct Piece {
  std::string text;
  std::size_t caret = 0;  ///< position in the text.
};

Piece fitted(const std::string& source, std::size_t column, std::size_t width) {
  const std::size_t begin = std::min(source.find_first_not_of(" \t"), source.size());
  Piece piece{source.substr(begin), column > begin ? column - 1 - begin : 0};
  if (piece.text.size() <= width) return piece;
  constexpr std::string_view gap = "..";
  if (piece.caret + gap.size() >= width) {
    // The place stays in sight: the beginning goes.
    const std::size_t cut = piece.caret - width / 2;
    piece.text = std::string(gap) + piece.text.substr(cut + gap.size());
    piece.caret -= cut;
  }
  if (piece.text.size() > width) {
    piece.text = piece.text.substr(0, width - gap.size()) + std::string(gap);
  }
  return piece;
}

}  // namespace

std::string raw_source_line(const std::string& file, unsigned line) {
  std::string text;
  try {
    // An absolute path stays what it is.
    text = read_file(repository() / file, longest_source);
  } catch (const std::exception&) {
    return "";
  }
  std::size_t at = 0;
  for (unsigned i = 1; i < line && at != std::string::npos; ++i) {
    at = text.find('\n', at);
    if (at != std::string::npos) ++at;
  }
  if (at == std::string::npos) return "";
  return text.substr(at, text.find('\n', at) - at);
}

std::string excerpt(const std::string& file, unsigned line, unsigned column, std::size_t width) {
  if (file.empty() || line == 0) return "";
  std::string text = fmt::format("  {}:{}\n", shown_path(file), line);
  const std::string source = raw_source_line(file, line);
  if (source.find_first_not_of(" \t\r") == std::string::npos) return text;
  const Piece piece = fitted(source, column, width - indentation);
  text += fmt::format("{:{}}{}\n", "", indentation, piece.text);
  if (column == 0 || column > source.size()) return text;
  std::string above = piece.text.substr(0, piece.caret);
  // Tabs stay tabs, so that the caret is below the same character.
  std::replace_if(
      above.begin(), above.end(), [](char c) { return c != '\t'; }, ' ');
  return text + fmt::format("{:{}}{}^\n", "", indentation, above);
}

}  // namespace warpwise::lesson
