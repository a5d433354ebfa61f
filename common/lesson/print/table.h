#pragma once
#include <string>
#include <vector>

/// \file
/// Tables as text.
/// \ingroup lesson
namespace warpwise::lesson {

/// The most columns a line of output has.
inline constexpr std::size_t text_width = 100;

/// Colours, for terminals.
enum class Colour { none, green, red, yellow };

/// Whether standard output takes colour: a terminal, and NO_COLOR is not set.
bool colour_wanted();

/// The text, coloured if that is wanted.
std::string coloured(const std::string& text, Colour colour);

/// Rows of cells under a two-line head, columns as wide as their widest cell.
class Table {
 public:
  /// A column: its name, under it what its numbers are ("us", "of the copy").
  struct Column {
    std::string name;
    std::string unit;
    bool right = true;  ///< numbers to the right, words to the left.
  };
  struct Cell {
    std::string text;
    Colour colour = Colour::none;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// @pre as many cells as columns.
  void add(std::vector<Cell> cells);
  /// The lines, each with its newline. Lines fit text_width:
  /// first the columns move together, then the first one is cut.
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace warpwise::lesson
