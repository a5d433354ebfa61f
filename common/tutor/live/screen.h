#pragma once
#include <string>
#include <vector>

#include "tutor/live/state.h"

/// \file
/// The watcher's screen: from its state to lines of text. No terminal is needed.
namespace warpwise::tutor::watch {

/// How a line is emphasised where there is colour.
enum class Style { plain, strong, faint, good, bad };

struct Line {
  std::string text;
  Style style = Style::plain;
  bool operator==(const Line&) const = default;
};

/// The whole picture: of the body only a part may fit.
struct Screen {
  std::vector<Line> head, body, foot;
};

/// Every line is at most state.columns wide.
Screen draw(const State& state);

/// As many lines as state.rows, the keys in the last one. Where the body is too long for its rows,
/// a line says how to see the rest.
/// @param state its scroll is cut down to what there is.
std::vector<Line> visible(const Screen& screen, State& state);

/// The bytes that show lines on a terminal, over what was there.
std::string terminal_text(const std::vector<Line>& lines, bool colour);

}  // namespace warpwise::tutor::watch
