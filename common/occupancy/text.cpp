#include "occupancy/text.h"

#include <algorithm>
#include <cmath>

namespace warpwise::occupancy {
namespace {

/// Takes the first `length` characters off the text, and the blank after them.
std::string_view take_until(std::string_view& text, std::size_t length) {
  length = std::min(length, text.size());
  const std::string_view piece = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return piece;
}

/// Takes the text off up to and with the next "; " or ": ".
std::string_view take_clause(std::string_view& text) {
  const std::size_t end = std::min(text.find("; "), text.find(": "));
  return take_until(text, end == std::string_view::npos ? end : end + 1);
}

}  // namespace

std::string decimal(double value, int digits) {
  std::int64_t scale = 1;
  for (int i = 0; i < digits; ++i) scale *= 10;
  const std::int64_t scaled = std::llround(std::abs(value) * static_cast<double>(scale));
  std::string text = value < 0 && scaled != 0 ? "-" : "";
  text += std::to_string(scaled / scale);
  std::string fraction = std::to_string(scaled % scale + scale).substr(1);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return fraction.empty() ? text : text + "." + fraction;
}

std::string percent(double fraction) { return decimal(100 * fraction, 1) + " %"; }

std::string count_of(std::int64_t number, std::string_view noun) {
  std::string text = std::to_string(number) + " ";
  text += noun;
  if (number != 1) text += "s";
  return text;
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::vector<std::string> wrap(std::string_view head, std::string_view text, std::size_t width) {
  const std::string indent(head.size(), ' ');
  std::vector<std::string> lines = {std::string(head)};
  bool line_is_empty = true;
  const auto fits = [&](std::string_view piece) {
    return lines.back().size() + (line_is_empty ? 0 : 1) + piece.size() <= width;
  };
  const auto append = [&](std::string_view piece) {
    if (!line_is_empty && !fits(piece)) {
      lines.push_back(indent);
      line_is_empty = true;
    }
    if (!line_is_empty) lines.back() += ' ';
    lines.back() += piece;
    line_is_empty = false;
  };
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view clause = take_clause(rest);
    if (fits(clause) || indent.size() + clause.size() <= width) {
      append(clause);
      continue;
    }
    for (std::string_view words = clause; !words.empty();)
      append(take_until(words, words.find(' ')));
  }
  return lines;
}

}  // namespace warpwise::occupancy
