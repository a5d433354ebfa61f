#pragma once
#include <string>
#include <vector>

/// \file
/// A table that is not a ladder: an index map, a bus's utilisation, shares of lanes.
/// \ingroup lesson
namespace warpwise::lesson {

/// Cells are text that the program made from counts or arithmetic; nothing in them is a time.
struct Demonstration {
  std::string name = {};                       ///< "index_map"; Run::table sets it.
  std::string title;                           ///< one line: what is shown.
  std::vector<std::string> columns;            ///< the head, one word or two each.
  std::vector<std::vector<std::string>> rows;  ///< as many cells as columns.
  std::string note = {};                       ///< below the table; may be empty.
};

/// A number for a cell: decimal(2.5, 2) is "2.50".
std::string decimal(double value, int decimals);

}  // namespace warpwise::lesson
