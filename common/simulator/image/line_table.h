#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::image {

/// Which source line each instruction comes from: a cubin's .debug_line, written with -lineinfo or
/// -G.
class LineTable {
 public:
  /// From this offset of its section on, until the next row, the code comes from this line.
  struct Row {
    std::uint64_t offset;
    std::size_t file;  ///< as add_file returned it.
    unsigned line;     ///< 0: unknown, as after the end of a sequence of code.
  };

  struct Location {
    std::string_view file;  ///< as in the PTX's .file; a view into the table.
    unsigned line;          ///< 0, and no file, where the line is unknown.
  };

  /// @return the file's number for the rows.
  std::size_t add_file(std::string path);

  /// @param section index of the section that holds the code.
  void add(std::size_t section, Row row);

  /// Has to be called once, after the last row.
  void sort();

  /// @return the innermost location of the code there: of inlined code the function it came from.
  Location find(std::size_t section, std::uint64_t offset) const;

 private:
  std::vector<std::string> files_;
  std::map<std::size_t, std::vector<Row>> rows_;
};

}  // namespace warpwise::image
