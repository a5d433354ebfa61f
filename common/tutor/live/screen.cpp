#include "tutor/live/screen.h"

#include <fmt/format.h>

#include <algorithm>

#include "tutor/live/text.h"
#include "tutor/reading/page.h"

namespace warpwise::tutor::watch {
namespace {

constexpr int least_columns = 20;

std::size_t width(const State& state) {
  return static_cast<std::size_t>(std::max(state.columns, least_columns));
}

std::size_t count_solved(const State& state) {
  return static_cast<std::size_t>(std::count_if(state.items.begin(), state.items.end(),
                                                [](const Item& item) { return item.done(); }));
}

void add(std::vector<Line>& lines, const State& state, const std::string& text,
         Style style = Style::plain) {
  for (std::string& line : fitted(printable(text), width(state))) {
    lines.push_back({std::move(line), style});
  }
}

std::string progress_bar(const State& state) {
  const std::size_t solved = count_solved(state), all = state.items.size();
  const std::string text = fmt::format("{} of {} solved", solved, all);
  const std::size_t beside = text.size() + 4;
  const std::size_t room = width(state) - std::min(width(state), beside);
  const std::size_t length = std::min<std::size_t>(room, 60);
  const std::size_t full = solved * length / std::max<std::size_t>(all, 1);
  return fmt::format("[{}{}]  {}", std::string(full, '#'), std::string(length - full, '-'), text);
}

std::string work_text(const State& state) {
  std::string text;
  switch (state.work) {
    case Work::none:
      return state.item().state;
    case Work::rebuilding:
      text = "making the progress file again from what passes";
      break;
    case Work::building:
      text = "building this exercise's check, at first a minute or two";
      break;
    case Work::judging:
      text = "compiling and judging";
      break;
    case Work::viewing:
      text = "looking at the accesses";
      break;
    case Work::comparing:
      text = "comparing with the solution";
      break;
  }
  if (!state.progress.empty()) text += ": " + state.progress;
  if (state.seconds > 0) text += fmt::format(", {} s", state.seconds);
  return text;
}

Style state_style(const State& state) {
  const std::string& word = state.item().state;
  if (state.work != Work::none || word == "not solved yet" || word == "edited") return Style::plain;
  return state.item().solved() ? Style::good : Style::bad;
}

void draw_head(const State& state, Screen& screen) {
  add(screen.head, state, progress_bar(state), Style::faint);
  const Item& item = state.item();
  add(screen.head, state, item.title.empty() ? item.id : item.title, Style::strong);
  add(screen.head, state, item.file, Style::faint);
  add(screen.head, state, work_text(state), state_style(state));
  screen.head.push_back({});
}

void draw_task(const State& state, Screen& screen) {
  const Item& item = state.item();
  add(screen.body, state, wrapped(item.task, width(state)));
  add(screen.body, state,
      fmt::format(
          "\nNow edit {} between BEGIN YOUR CODE and END YOUR CODE. Every save is judged.\n",
          item.file),
      Style::strong);
  const bool first = state.at == 0 || state.items[state.at - 1].chapter != item.chapter;
  if (!first) return;
  add(screen.body, state,
      fmt::format("\nA chapter begins: {0}. Read chapters/{1}/README.md, and see it run with\n"
                  "    ./learn run {1}\n",
                  item.chapter_title, item.chapter));
}

std::string after_success(const State& state) {
  const Item& item = state.item();
  std::string text;
  if (!item.explanation.empty()) text += "\n" + wrapped(item.explanation, width(state));
  text += "\nNext:\n";
  const std::size_t next = next_unsolved(state.items, state.at);
  if (next == state.items.size()) {
    text += fmt::format("  all {} exercises are solved. ./learn list shows them.\n", next);
  } else {
    const Item& following = state.items[next];
    text += fmt::format("  n goes on to {}\n",
                        following.title.empty() ? following.id : following.title);
    if (following.chapter != item.chapter) {
      text += fmt::format("  a new chapter: {}\n", following.chapter_title);
    }
  }
  text += "  e explains the solution and shows it next to yours\n";
  return text + fmt::format("  ./learn run {} shows what its ladders cost\n", item.chapter);
}

void draw_verdict(const State& state, Screen& screen) {
  const Style style = state.work != Work::none ? Style::faint : Style::plain;
  const auto end = std::min(state.verdict.find('\n'), state.verdict.size());
  add(screen.body, state, state.verdict.substr(0, end),
      style == Style::plain ? state_style(state) : style);
  if (end < state.verdict.size()) add(screen.body, state, state.verdict.substr(end + 1), style);
  if (state.item().solved() && state.work == Work::none) {
    add(screen.body, state, after_success(state));
  }
}

void draw_list(const State& state, Screen& screen) {
  std::string chapter;
  for (std::size_t i = 0; i < state.items.size(); ++i) {
    const Item& item = state.items[i];
    if (item.chapter != chapter) {
      if (!chapter.empty()) screen.body.push_back({});
      chapter = item.chapter;
      add(screen.body, state, item.chapter_title, Style::strong);
    }
    const std::string name = item.id.substr(std::min(item.id.find('/') + 1, item.id.size()));
    add(screen.body, state,
        fmt::format("{} {} {:24} {}", i == state.at ? '>' : ' ', item.done() ? 'x' : '.', name,
                    item.state),
        item.done() ? Style::good : Style::plain);
  }
}

void draw_text(const State& state, Screen& screen) {
  add(screen.body, state, state.text_title, Style::strong);
  screen.body.push_back({});
  add(screen.body, state, state.text_is_markdown ? wrapped(state.text, width(state)) : state.text);
}

std::string keys_text(const State& state) {
  const bool solved = state.item().done();
  std::string text;
  const auto key = [&text](bool there, const char* what) {
    if (there) text += (text.empty() ? "" : "  ") + std::string(what);
  };
  key(solved && next_unsolved(state.items, state.at) != state.items.size(), "n next");
  key(true, "h hint");
  key(true, "v view");
  key(true, "l list");
  key(true, "c compare");
  key(solved, "e explain");
  const bool at_task = state.page == Page::task;
  key(!at_task || !state.verdict.empty(), at_task ? "t verdict" : "t task");
  key(true, "x reset");
  key(true, "q quit");
  return text;
}

void draw_foot(const State& state, Screen& screen) {
  screen.foot.push_back({});
  if (state.asks_reset) {
    add(screen.foot, state,
        fmt::format("Back to the stub? Your text of {} is kept aside. y yes  n no",
                    state.item().file),
        Style::strong);
    return;
  }
  if (!state.note.empty()) add(screen.foot, state, state.note, Style::strong);
  add(screen.foot, state, keys_text(state), Style::faint);
}

}  // namespace

Screen draw(const State& state) {
  Screen screen;
  draw_head(state, screen);
  switch (state.page) {
    case Page::task:
      draw_task(state, screen);
      break;
    case Page::verdict:
      draw_verdict(state, screen);
      break;
    case Page::list:
      draw_list(state, screen);
      break;
    case Page::text:
      draw_text(state, screen);
      break;
  }
  draw_foot(state, screen);
  return screen;
}

std::vector<Line> visible(const Screen& screen, State& state) {
  const auto rows = static_cast<std::size_t>(std::max(state.rows, 1));
  std::vector<Line> lines = screen.head;
  const std::size_t taken = screen.head.size() + screen.foot.size();
  std::size_t room = rows > taken ? rows - taken : 1;
  const bool all = screen.body.size() <= room;
  if (!all && room > 1) --room;
  const std::size_t last = screen.body.size() - std::min(room, screen.body.size());
  state.scroll = std::min(state.scroll, last);
  const auto from = screen.body.begin() + static_cast<std::ptrdiff_t>(state.scroll);
  lines.insert(lines.end(), from,
               from + static_cast<std::ptrdiff_t>(std::min(room, screen.body.size())));
  if (!all) {
    const std::size_t below = last - state.scroll;
    const std::string more = below == 0 ? "-- the end; up arrow goes back --"
                                        : fmt::format("-- {} lines more: space, arrows --", below);
    lines.push_back({more.substr(0, width(state)), Style::faint});
  }
  if (lines.size() + screen.foot.size() < rows) lines.resize(rows - screen.foot.size());
  lines.insert(lines.end(), screen.foot.begin(), screen.foot.end());
  // A terminal with hardly any rows: what matters is the state and the verdict.
  if (lines.size() > rows) lines.resize(rows);
  return lines;
}

std::string terminal_text(const std::vector<Line>& lines, bool colour) {
  constexpr const char* codes[] = {"", "\x1b[1m", "\x1b[2m", "\x1b[1;32m", "\x1b[1;31m"};
  std::string text = "\x1b[H";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto& [line, style] = lines[i];
    const bool styled = colour && style != Style::plain;
    if (styled) text += codes[static_cast<int>(style)];
    text += line;
    if (styled) text += "\x1b[0m";
    text += "\x1b[K";
    if (i + 1 < lines.size()) text += "\r\n";
  }
  return text + "\x1b[J";
}

}  // namespace warpwise::tutor::watch
