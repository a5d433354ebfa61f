#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The text that a GPU's printf makes of a format.
///
/// Two read it. The kernel looks for conversions that the CUDA C++ Programming Guide lists,
/// %[flags][width or *][.digits][h, l or ll] and one of cdiouxXpeEfFgGaAsS, and writes their
/// arguments into a buffer, eight bytes each, and the format after them. The host then looks for
/// the same, and also for hh, for which it takes the next argument, or what comes after the last.
/// It gives its C library the format in pieces, each with the text up to and including one of these
/// conversions. That library knows more, %zu say: it takes for it what was meant for the piece's
/// conversion, and for that whatever it finds. A piece that it refuses is not printed. What comes
/// after the last of these conversions is printed as it is, only %% as one.
/// verification/recorded/printf_on_h200.txt has what an H200 printed.
namespace warpwise::machine {

constexpr int most_print_arguments = 32;

/// Text up to and including a conversion that the host looks for; the last piece of a format has
/// none.
struct PrintPiece {
  std::string text;
  char letter = 0;                ///< of the conversion; 0: there is none
  bool has_width_before = false;  ///< a star: an int comes before the value
  bool is_wide = false;           ///< an integer of 8 bytes
  bool is_passed = false;         ///< the kernel also knows it
};

std::vector<PrintPiece> print_pieces(std::string_view format);

/// Where a kernel's arguments come from.
struct PrintSource {
  /// The next argument of 4 or 8 bytes.
  std::function<std::uint64_t(unsigned bytes)> next;
  /// The string at an address that was an argument; nothing for a null pointer.
  /// @param is_cut the conversion says how much of it is printed: it need not end.
  std::function<std::optional<std::string>(std::uint64_t address, bool is_cut)> text_at;
};

struct Printed {
  std::string text;
  int arguments = 0;  ///< that were passed: what printf returns
  /// The first conversion that the kernel does not know, where one was printed for which nothing
  /// was passed, or as it is; else empty.
  std::string unknown;
  /// The part of the text from the first to the last value that was passed for nothing, or for
  /// another conversion.
  std::size_t first_not_passed = 0, last_not_passed = 0;
};

/// Prints the text of one thread. A value that follows from nothing is zero, or the string
/// "(null)".
Printed print_text(std::string_view format, const PrintSource& source);

}  // namespace warpwise::machine
