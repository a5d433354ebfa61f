#include "lesson/diagnosis_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace warpwise::lesson {
namespace {

/// Messages end with what to do: a sentence of its own, or what stands behind the last semicolon.
DiagnosisWords cut(const std::string& message, bool on_device) {
  const std::string_view mark = on_device ? ". " : "; ";
  const std::size_t at = message.rfind(mark);
  // What follows from the mistake is no advice.
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
