#include "check/verdict/diagnosis_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace warpwise::lesson {
namespace {

/// Messages end with what to do: a sentence of its own, or the words after the last semicolon.
DiagnosisWords cut(const std::string& message, bool on_device) {
  const std::string_view mark = on_device ? ". " : "; ";
  const std::size_t at = message.rfind(mark);
  // A consequence of the mistake is not advice.
  if (at == std::string::npos || message.compare(at + mark.size(), 4, "Its ") == 0) {
    return {message, ""};
  }
  return {message.substr(0, at), message.substr(at + mark.size())};
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string stopped(const std::string& text) {
  return text.empty() || std::string_view(".?!:").find(text.back()) != std::string_view::npos
             ? text
             : text + ".";
}

std::string index(const Index3& at) { return fmt::format("({}, {}, {})", at[0], at[1], at[2]); }

}  // namespace

DiagnosisWords words_of(const Diagnosis& diagnosis, bool on_device) {
  DiagnosisWords words = cut(diagnosis.message, on_device);
  words.next = as_sentence(words.next);
  if (on_device) {
    const std::string place = fmt::format("in block {}", index(diagnosis.block));
    const bool names_thread = words.says.rfind("thread ", 0) == 0;
    words.says = names_thread
                     ? fmt::format("{}, {}", place, words.says)
                     : fmt::format("{}, thread {}: {}", place, index(diagnosis.thread), words.says);
  }
  words.says = stopped(words.says);
  if (diagnosis.count > 1) words.says += fmt::format(" It happens {} times.", diagnosis.count);
  return words;
}

namespace {

/// Bytes from the end of an array to an access: "reads 4 bytes at offset 80000 of array x (60000
/// bytes)" is 20000 too far. 0: it is not past an end.
std::int64_t too_far(const std::string& message) {
  long long offset = 0, length = 0, element = 0;
  const std::size_t at = message.find(" bytes at offset ");
  const std::size_t open = message.find('(', std::min(at, message.size()));
  if (at == std::string::npos || open == std::string::npos) return 0;
  const std::size_t number = message.rfind(' ', at - 1) + 1;
  if (std::sscanf(message.c_str() + number, "%lld bytes at offset %lld of array", &element,
                  &offset) != 2 ||
      std::sscanf(message.c_str() + open, "(%lld bytes)", &length) != 1 ||
      message.find("past its end") == std::string::npos) {
    return 0;
  }
  return offset - length;
}

/// Returns "That is one row of 5000 floats too far." Nothing where it is not a whole number of
/// rows.
std::string rows_too_far(const std::string& message, const std::vector<std::int64_t>& extents) {
  constexpr std::int64_t size_of_float = 4, shortest_row = 4;
  const std::int64_t far = too_far(message);
  if (far <= 0 || extents.size() < 2) return "";
  const std::int64_t row = extents.back(), bytes = row * size_of_float;
  if (row < shortest_row || far % bytes != 0) return "";
  const std::int64_t rows = far / bytes;
  return fmt::format("{} bytes too far are {} of {} floats", far,
                     rows == 1 ? "one row" : fmt::format("{} rows", rows), row);
}

}  // namespace

DiagnosisWords words_in_exercise(const Diagnosis& diagnosis,
                                 const std::vector<std::int64_t>& extents) {
  DiagnosisWords words = words_of(diagnosis, true);
  constexpr std::string_view fewer = ", or launch fewer threads";
  if (const std::size_t at = words.next.find(fewer); at != std::string::npos) {
    words.next.erase(at, fewer.size());
  }
  const std::string_view too_many = ", and whether the grid has too many blocks";
  if (const std::size_t at = words.next.find(too_many); at != std::string::npos) {
    words.next.erase(at, too_many.size());
  }
  if (const std::string rows = rows_too_far(diagnosis.message, extents); !rows.empty()) {
    words.next = rows + ": is a row counted twice, or is its length wrong?";
  }
  return words;
}

std::vector<RelatedPlace> callers_of(const Diagnosis& diagnosis) {
  if (diagnosis.called_from.empty()) return {};
  const std::string& place = diagnosis.called_from.back();
  const std::size_t colon = place.rfind(':');
  if (colon == std::string::npos) return {};
  const auto line = static_cast<unsigned>(std::strtoul(place.c_str() + colon + 1, nullptr, 10));
  if (line == 0 || line == diagnosis.line) return {};
  return {{"called from", place.substr(0, colon), line}};
}

std::string as_sentence(const std::string& text) {
  if (text.empty()) return text;
  std::string sentence = text;
  const std::string first = text.substr(0, text.find_first_of(" ,.;:"));
  const bool word = first.find_first_not_of("abcdefghijklmnopqrstuvwxyz'") == std::string::npos;
  if (word) sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return stopped(sentence);
}

unsigned column_of_array(const Diagnosis& diagnosis, const std::string& source) {
  constexpr std::string_view mark = " array ";
  const std::size_t at = diagnosis.message.find(mark);
  if (at == std::string::npos) return diagnosis.column;
  const std::size_t begin = at + mark.size();
  const std::string name =
      diagnosis.message.substr(begin, diagnosis.message.find_first_of(" ,.:", begin) - begin);
  std::size_t found = std::string::npos;
  for (std::size_t i = source.find(name); i != std::string::npos && !name.empty();
       i = source.find(name, i + 1)) {
    const bool whole = (i == 0 || !is_of_name(source[i - 1])) && i + name.size() < source.size() &&
                       !is_of_name(source[i + name.size()]);
    if (!whole) continue;
    if (found != std::string::npos) return diagnosis.column;
    found = i;
  }
  return found == std::string::npos ? diagnosis.column : static_cast<unsigned>(found + 1);
}

}  // namespace warpwise::lesson
