#include "simulator/machine/device_calls/print_format.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <deque>
#include <limits>
#include <optional>

namespace warpwise::machine {
namespace {

constexpr int most_width = 1 << 20;  ///< of one conversion: more is never read
constexpr std::string_view integer_letters = "diuoxX", number_letters = "aAeEfFgG";

bool contains(std::string_view letters, char letter) {
  return letter != 0 && letters.find(letter) != letters.npos;
}

/// The characters from `at` on that are among these; moves past them.
std::string_view take(std::string_view text, std::size_t& at, std::string_view letters) {
  const std::size_t end = std::min(text.find_first_not_of(letters, at), text.size());
  const std::string_view taken = text.substr(at, end - at);
  at = end;
  return taken;
}

bool take_one(std::string_view text, std::size_t& at, char letter) {
  if (at >= text.size() || text[at] != letter) return false;
  ++at;
  return true;
}

/// Reads a conversion that the host looks for, after the percent sign, and moves past it, or past
/// the first character that does not belong to one.
std::optional<PrintPiece> read_known(std::string_view format, std::size_t& at) {
  PrintPiece piece;
  take(format, at, "-+ #0");
  piece.has_width_before = take_one(format, at, '*');
  if (!piece.has_width_before) take(format, at, "0123456789");
  if (take_one(format, at, '.')) take(format, at, "0123456789");
  piece.is_passed = true;
  if (take_one(format, at, 'h')) {
    piece.is_passed = !take_one(format, at, 'h');
  } else if (take_one(format, at, 'l')) {
    piece.is_wide = true;
    take_one(format, at, 'l');
  }
  if (at >= format.size()) return std::nullopt;
  piece.letter = format[at++];
  if (!contains("cdiouxXpeEfFgGaAsS", piece.letter)) return std::nullopt;
  return piece;
}

/// A value in the buffer.
struct Slot {
  std::uint64_t bits = 0;
  bool is_string = false;
  std::optional<std::string> text = std::nullopt;  ///< of a string; none of a null pointer
  bool is_own = false;                             ///< passed for the conversion that takes it
};

/// The argument that the C library gets for a piece. Floating-point numbers travel separately from
/// all else.
struct Passed {
  std::deque<Slot> words, numbers;
};

/// A conversion as the host's C library reads it.
struct HostConversion {
  std::string flags, length;
  std::optional<int> width, precision;  ///< of digits
  bool has_width_before = false, has_precision_before = false;
  char letter = 0;
};

std::optional<int> number_in(std::string_view digits) {
  if (digits.empty()) return std::nullopt;
  int value = 0;
  for (const char digit : digits) value = std::min(most_width, value * 10 + (digit - '0'));
  return value;
}

HostConversion read_for_host(std::string_view text, std::size_t& at) {
  constexpr std::string_view digits = "0123456789";
  HostConversion c;
  c.flags = take(text, at, "-+ #0'I");
  c.has_width_before = take_one(text, at, '*');
  if (!c.has_width_before) c.width = number_in(take(text, at, digits));
  if (take_one(text, at, '.')) {
    c.has_precision_before = take_one(text, at, '*');
    if (!c.has_precision_before) c.precision = number_in(take(text, at, digits)).value_or(0);
  }
  for (const std::string_view length : {"hh", "h", "ll", "l", "L", "q", "j", "z", "t", "Z"})
    if (text.substr(at).starts_with(length)) {
      c.length = length;
      at += length.size();
      break;
    }
  if (at < text.size()) c.letter = text[at++];
  return c;
}

/// @return nothing where the library refuses.
template <class... Values>
std::optional<std::string> formatted(const std::string& format, Values... values) {
  const int length = std::snprintf(nullptr, 0, format.c_str(), values...);
  if (length < 0) return std::nullopt;
  std::string text(static_cast<std::size_t>(length), ' ');
  std::snprintf(text.data(), text.size() + 1, format.c_str(), values...);
  return text;
}

/// The text that the library makes of a conversion that it does not know.
std::string unknown_text(const HostConversion& c) {
  auto has = [&](char flag) { return contains(c.flags, flag); };
  const int width = c.width.value_or(0);
  const bool is_left = has('-') || width < 0;
  std::string text = "%";
  if (has('#')) text += '#';
  if (has('\'')) text += '\'';
  if (has('+') || has(' ')) text += has('+') ? '+' : ' ';
  if (is_left) text += '-';
  if (has('0') && !is_left) text += '0';
  if (has('I')) text += 'I';
  if (width != 0) text += std::to_string(std::abs(width));
  if (c.precision && *c.precision >= 0) text += "." + std::to_string(*c.precision);
  return text + c.letter;
}

/// Prints the conversions of pieces as the host's C library does.
class PiecePrinter {
 public:
  explicit PiecePrinter(Printed& printed) : printed_(printed) {}

  /// Appends the piece to the text; nothing of it where the library refuses a part.
  void print(std::string_view piece, Passed passed) {
    passed_ = std::move(passed);
    const std::size_t before = printed_.text.size();
    for (std::size_t at = 0; at < piece.size();) {
      const std::size_t begin = at;
      if (piece[at++] != '%') {
        printed_.text += piece[begin];
        continue;
      }
      HostConversion conversion = read_for_host(piece, at);
      has_taken_ = is_missing_ = false;
      const std::optional<std::string> text = converted(conversion);
      if (!text) return printed_.text.resize(before);
      // Without its argument, or with another's: the first of these has misled those after it.
      const bool is_unknown = is_missing_ || (has_taken_ && at < piece.size());
      if (is_unknown && unknown_.empty()) unknown_ = piece.substr(begin, at - begin);
      if (is_missing_) note_missing(text->size());
      printed_.text += *text;
    }
  }

 private:
  void note_missing(std::size_t size) {
    if (printed_.unknown.empty()) {
      printed_.unknown = unknown_;
      printed_.first_not_passed = printed_.text.size();
    }
    printed_.last_not_passed = printed_.text.size() + size;
  }
  Slot taken(std::deque<Slot>& slots) {
    has_taken_ = true;
    Slot slot;
    if (!slots.empty()) slot = slots.front(), slots.pop_front();
    is_missing_ |= !slot.is_own;
    return slot;
  }
  std::uint64_t bits() {
    const Slot slot = taken(passed_.words);
    is_missing_ |= slot.is_string;  // an address of the host's
    return slot.bits;
  }
  double number() { return std::bit_cast<double>(taken(passed_.numbers).bits); }
  int size() { return static_cast<int>(static_cast<std::uint32_t>(bits())); }

  std::optional<std::string> converted(HostConversion& c);
  std::optional<std::string> integer(const HostConversion& c, const std::string& start);
  std::optional<std::string> string(const HostConversion& c, const std::string& start);

  Printed& printed_;
  Passed passed_;
  std::string unknown_;
  bool has_taken_ = false, is_missing_ = false;
};

std::optional<std::string> PiecePrinter::integer(const HostConversion& c,
                                                 const std::string& start) {
  const std::uint64_t value = bits();
  if (c.length.starts_with('h') || c.length.empty())
    return formatted(start + c.length + c.letter, static_cast<int>(value));
  return formatted(start + "ll" + c.letter, static_cast<long long>(value));
}

std::optional<std::string> PiecePrinter::string(const HostConversion& c, const std::string& start) {
  const Slot slot = taken(passed_.words);
  is_missing_ |= !slot.is_string;
  // A library that cuts the text off prints nothing for a null pointer, else "(null)".
  if (!c.length.starts_with('l') && c.letter == 's')
    return formatted(start + "s", slot.text ? slot.text->c_str() : nullptr);
  const std::string text = slot.text.value_or("(null)");
  // The bytes of a string are taken for wide characters.
  std::vector<wchar_t> wide(text.size() / sizeof(wchar_t) + 2);
  std::copy(text.begin(), text.end(), reinterpret_cast<char*>(wide.data()));
  return formatted(start + "ls", wide.data());
}

std::optional<std::string> PiecePrinter::converted(HostConversion& c) {
  if (c.has_width_before) c.width = size();
  if (c.has_precision_before) c.precision = size();
  std::string start = "%" + c.flags;
  if (c.width) start += std::to_string(std::clamp(*c.width, -most_width, most_width));
  if (c.precision && *c.precision >= 0)
    start += "." + std::to_string(std::min(*c.precision, most_width));
  if (contains(integer_letters, c.letter) || contains("bB", c.letter)) return integer(c, start);
  if (contains(number_letters, c.letter)) {
    if (c.length != "L" && c.length != "ll" && c.length != "q")
      return formatted(start + c.letter, number());
    is_missing_ = true;  // long double is never passed
    return formatted(start + "L" + c.letter, std::numeric_limits<long double>::quiet_NaN());
  }
  if (contains("sS", c.letter)) return string(c, start);
  if (c.letter == 'p') return formatted(start + "p", reinterpret_cast<void*>(bits()));
  if (c.letter == 'C' || (c.letter == 'c' && c.length.starts_with('l')))
    return formatted(start + "lc", static_cast<wint_t>(bits()));
  if (c.letter == 'c') return formatted(start + "c", static_cast<int>(bits()));
  if (c.letter == 'n') {
    bits();
    is_missing_ = true;  // it stores through that number: the program crashes
    return std::string();
  }
  if (c.letter == '%') return "%";
  if (c.letter == 'm') return formatted(start + "m");
  if (c.letter == 0) return std::nullopt;
  return unknown_text(c);
}

/// The bytes that a kernel writes for printf: its arguments, then the format.
class Buffer {
 public:
  Buffer(std::string_view format, const std::vector<PrintPiece>& pieces, const PrintSource& source)
      : format_(format) {
    for (const PrintPiece& piece : pieces) {
      if (!piece.is_passed) continue;
      if (slots_.size() + 1 + piece.has_width_before > most_print_arguments) break;
      if (piece.has_width_before) write({source.next(4)}, piece);
      if (contains("sS", piece.letter)) {
        const std::uint64_t address = source.next(8);
        const bool is_cut = contains(piece.text.substr(piece.text.rfind('%')), '.');
        write({address, true, source.text_at(address, is_cut)}, piece);
      } else {
        const bool is_wide =
            piece.is_wide || piece.letter == 'p' || contains(number_letters, piece.letter);
        write({source.next(is_wide ? 8 : 4)}, piece);
      }
    }
  }

  int arguments() const { return static_cast<int>(slots_.size()); }
  /// The next eight bytes, for this piece.
  Slot read(const PrintPiece& piece) {
    if (at_ < slots_.size()) {
      Slot slot = slots_[at_].first;
      slot.is_own = slots_[at_++].second == &piece;
      return slot;
    }
    Slot slot;
    const std::size_t begin = 8 * (at_++ - slots_.size());
    if (begin < format_.size())
      std::memcpy(&slot.bits, &format_[begin], std::min<std::size_t>(8, format_.size() - begin));
    return slot;
  }

 private:
  void write(Slot slot, const PrintPiece& piece) { slots_.emplace_back(std::move(slot), &piece); }

  std::string_view format_;
  std::vector<std::pair<Slot, const PrintPiece*>> slots_;
  std::size_t at_ = 0;
};

/// Text without a conversion after it goes to no library: it is printed as it is.
void print_rest(std::string_view text, Printed& printed) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    printed.text += text[at];
    if (text[at] != '%') continue;
    std::size_t end = at + 1;
    const HostConversion meant = read_for_host(text, end);
    if (meant.letter == '%' && end == at + 2) ++at;
    if (contains("diuoxXaAeEfFgGcsSpn", meant.letter) && printed.unknown.empty())
      printed.unknown = text.substr(at, end - at);
  }
}

}  // namespace

std::vector<PrintPiece> print_pieces(std::string_view format) {
  std::vector<PrintPiece> pieces;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < format.size();) {
    if (format[at++] != '%') continue;
    std::optional<PrintPiece> known = read_known(format, at);
    if (!known) continue;
    known->text = format.substr(begin, at - begin);
    pieces.push_back(std::move(*known));
    begin = at;
  }
  if (begin < format.size()) pieces.push_back({.text = std::string(format.substr(begin))});
  return pieces;
}

Printed print_text(std::string_view format, const PrintSource& source) {
  Printed printed;
  const std::vector<PrintPiece> pieces = print_pieces(format);
  Buffer buffer(format, pieces, source);
  printed.arguments = buffer.arguments();
  PiecePrinter printer(printed);
  int taken = 0;
  for (const PrintPiece& piece : pieces) {
    Passed passed;
    if (piece.is_passed) taken += 1 + piece.has_width_before;
    if (taken > most_print_arguments) {
      // This conversion and all that follow are text.
      printed.text += piece.text;
      continue;
    }
    if (piece.letter == 0) {
      print_rest(piece.text, printed);
      continue;
    }
    if (piece.has_width_before) passed.words.push_back(buffer.read(piece));
    (contains(number_letters, piece.letter) ? passed.numbers : passed.words)
        .push_back(buffer.read(piece));
    printer.print(piece.text, std::move(passed));
  }
  return printed;
}

}  // namespace warpwise::machine
