#include "tutor/attempt/outside_blank.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/frame.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {
namespace {

using Lines = std::vector<std::string>;

/// Without blanks at their ends.
Lines own_lines(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
    lines.push_back(line);
  }
  return lines;
}

std::size_t find_mark(const Lines& lines, std::string_view mark) {
  const auto found = std::find_if(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.find(mark) != std::string::npos;
  });
  return static_cast<std::size_t>(found - lines.begin());
}

}  // namespace

std::string changed_outside_blank(const Exercise& exercise) {
  const Lines yours = own_lines(read_text(exercise.learner));
  const Lines frame = own_lines(read_text(exercise.frame));
  for (const std::string_view mark : {lesson::begin_mark, lesson::end_mark}) {
    if (find_mark(yours, mark) == yours.size()) return fmt::format("The line {} is gone.", mark);
  }
  const std::size_t begin = find_mark(yours, lesson::begin_mark);
  const auto says = [](std::size_t index) {
    return fmt::format("Outside of the blank, line {} is not as in the stub.", index + 1);
  };
  for (std::size_t i = 0; i < begin; ++i) {
    if (i >= frame.size() || yours[i] != frame[i]) return says(i);
  }
  if (find_mark(frame, lesson::begin_mark) != begin) return says(begin);
  const std::size_t end = find_mark(yours, lesson::end_mark),
                    frame_end = find_mark(frame, lesson::end_mark);
  for (std::size_t i = 0; end + i < yours.size(); ++i) {
    if (frame_end + i >= frame.size() || yours[end + i] != frame[frame_end + i]) {
      return says(end + i);
    }
  }
  if (yours.size() - end < frame.size() - frame_end) return "Lines after the blank are gone.";
  return "";
}

}  // namespace warpwise::tutor
