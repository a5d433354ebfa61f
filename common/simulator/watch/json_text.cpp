#include "simulator/watch/json_text.h"

#include <fmt/format.h>

#include <cmath>

namespace warpwise::watch {
namespace {

/// A character, or the start of one that goes no further.
struct Piece {
  std::size_t bytes = 1;
  bool whole = false;
};

/// How a character of several bytes begins: its length, and which second bytes may follow.
struct Lead {
  std::size_t bytes = 0;  ///< 0: none begins so.
  unsigned char least = 0x80, most = 0xBF;
};

/// Neither longer than needed nor a half of a pair of UTF-16 nor beyond U+10FFFF.
Lead lead_of(unsigned char first) {
  if (first >= 0xC2 && first <= 0xDF) return {2};
  if (first == 0xE0) return {3, 0xA0, 0xBF};
  if (first == 0xED) return {3, 0x80, 0x9F};
  if (first >= 0xE1 && first <= 0xEF) return {3};
  if (first == 0xF0) return {4, 0x90, 0xBF};
  if (first == 0xF4) return {4, 0x80, 0x8F};
  if (first >= 0xF1 && first <= 0xF3) return {4};
  return {};
}

Piece first_piece(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {1, true};
  Lead lead = lead_of(byte(0));
  std::size_t bytes = 1;
  for (; bytes < lead.bytes; ++bytes) {
    if (bytes == text.size() || byte(bytes) < lead.least || byte(bytes) > lead.most) return {bytes};
    lead.least = 0x80;
    lead.most = 0xBF;
  }
  return {bytes, lead.bytes > 0};
}

std::string escaped(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\b':
      return "\\b";
    case '\f':
      return "\\f";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  const auto code = static_cast<unsigned char>(c);
  return code < 0x20 ? fmt::format("\\u{:04x}", unsigned{code}) : std::string(1, c);
}

}  // namespace

std::string json_quoted(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const Piece piece = first_piece(text);
    if (!piece.whole)
      quoted += "\xEF\xBF\xBD";
    else if (piece.bytes == 1)
      quoted += escaped(text[0]);
    else
      quoted += text.substr(0, piece.bytes);
    text.remove_prefix(piece.bytes);
  }
  return quoted + '"';
}

std::string json_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

JsonObject& JsonObject::json(std::string_view name, std::string_view value) {
  if (text_.size() > 1) text_ += ',';
  text_ += json_quoted(name);
  text_ += ':';
  text_ += value;
  return *this;
}

JsonObject& JsonObject::text(std::string_view name, std::string_view value) {
  return json(name, json_quoted(value));
}

JsonObject& JsonObject::number(std::string_view name, std::uint64_t value) {
  return json(name, std::to_string(value));
}

JsonObject& JsonObject::flag(std::string_view name, bool value) {
  return json(name, value ? "true" : "false");
}

}  // namespace warpwise::watch
