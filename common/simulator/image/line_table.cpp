#include "simulator/image/line_table.h"

#include <algorithm>
#include <utility>

namespace warpwise::image {

std::size_t LineTable::add_file(std::string path) {
  files_.push_back(std::move(path));
  return files_.size() - 1;
}

void LineTable::add(std::size_t section, Row row) { rows_[section].push_back(row); }

void LineTable::sort() {
  // Rows of one offset keep their order, because the last of them is the innermost location; but
  // where one sequence ends and another begins, the end must not hide the beginning.
  for (auto& [section, rows] : rows_) {
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
      return std::pair(a.offset, a.line != 0) < std::pair(b.offset, b.line != 0);
    });
  }
}

LineTable::Location LineTable::find(std::size_t section, std::uint64_t offset) const {
  const auto found = rows_.find(section);
  if (found == rows_.end()) return {{}, 0};
  const auto& rows = found->second;
  const auto next =
      std::upper_bound(rows.begin(), rows.end(), offset,
                       [](std::uint64_t at, const Row& row) { return at < row.offset; });
  if (next == rows.begin() || std::prev(next)->line == 0) return {{}, 0};
  const Row& row = *std::prev(next);
  return {files_[row.file], row.line};
}

}  // namespace warpwise::image
