#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <variant>
#include <vector>

/// \file
/// The watcher without a terminal, files or processes: a state, what happens to it, and what it
/// asks for. `update` is a pure function of both, so that tests need nothing else.
namespace warpwise::tutor::watch {

/// One exercise, as the watcher knows it.
struct Item {
  std::string id;             ///< "ch05_warp_reduce/01_lane_sum"
  std::string chapter;        ///< "ch05_warp_reduce"
  std::string chapter_title;  ///< the heading of its README.
  std::string title;          ///< the heading of its task.
  std::string file;           ///< the learner's, as a person would write it.
  std::string state;          ///< as tutor::state_text() says it.
  std::string task;           ///< its text, up to the hints.
  std::string explanation;    ///< the first paragraph, for a learner who has solved it; or empty.

  bool once_solved = false;  ///< an earlier text passed.

  /// The text as it is now passes.
  bool solved() const { return state == "solved"; }
  /// No later edit takes the mark away.
  bool done() const { return once_solved || solved(); }
};

/// The work in addition to the keyboard.
enum class Work { none, rebuilding, building, judging, viewing, comparing };

/// The content of the middle of the screen.
enum class Page { task, verdict, text, list };

struct State {
  std::vector<Item> items;
  std::size_t at = 0;  ///< the exercise that is worked on.

  Work work = Work::none;
  int job = 0;                  ///< number of the last work that was started.
  std::string progress;         ///< what that work says of itself: "building [3/20]".
  int seconds = 0;              ///< since it began.
  std::set<std::size_t> built;  ///< items whose checks are ready.
  bool must_rebuild = false;    ///< the progress was damaged and is not rebuilt yet.
  bool goes_on = false;         ///< the work was interrupted by Ctrl-Z and begins again.
  bool has_verdict = false;     ///< `verdict` is about the text that was saved last.

  Page page = Page::task;
  std::string verdict;           ///< the last one, for people.
  std::string text_title, text;  ///< of Page::text.
  bool text_is_markdown = false;
  std::string note;         ///< one sentence above the keys; gone with the next key.
  bool asks_reset = false;  ///< a question waits for y or n.
  bool stop_again = false;  ///< the next Ctrl-C quits.
  std::size_t scroll = 0;   ///< lines of the page that are above its first visible one.

  int columns = 80, rows = 24;

  const Item& item() const { return items[at]; }
};

/// Keys that are not characters.
enum Key : int {
  key_interrupt = 3,  ///< Ctrl-C
  key_redraw = 12,    ///< Ctrl-L
  key_suspend = 26,   ///< Ctrl-Z
  key_escape = 27,
  key_up = 256,
  key_down,
  key_page_up,
  key_page_down,
  key_home,
  key_end,
};

// The events.
struct Begun {};  ///< first of all.
struct Pressed {
  int key;  ///< a character, or a Key.
};
struct Saved {
  std::size_t item;
  bool changed;  ///< the text is another than before.
};
struct Removed {
  std::size_t item;
};
struct Resized {
  int columns, rows;
};
struct Resumed {};  ///< after Ctrl-Z.
struct Ticked {
  int seconds;  ///< since the work began.
};
/// The work says how far it is.
struct Progressed {
  int job;
  std::string line;
};
/// The work has ended.
struct Built {
  int job;
};
/// All checks of a chapter are ready.
struct BuiltAhead {
  std::string chapter;
};
struct Rebuilt {
  int job;
  std::string text;                 ///< what was done, for people.
  std::vector<std::string> states;  ///< of all items.
};
struct Judged {
  int job;
  std::string state;  ///< as tutor::state_text() says it.
  std::string text;   ///< the verdict, for people.
};
struct Told {
  int job;  ///< 0: no work, what a key asked for at once.
  std::string title, text;
  bool is_markdown = false;
};
struct Failed {
  int job;  ///< as in Told.
  std::string text;
};
using Event = std::variant<Begun, Pressed, Saved, Removed, Resized, Resumed, Ticked, Progressed,
                           Built, BuiltAhead, Rebuilt, Judged, Told, Failed>;

// The actions that the state asks for.
/// Start a work; the one before is ended first.
struct Start {
  Work work;
  int job;
  std::size_t item;
};
struct Cancel {};
/// Build all checks of the item's chapter, while all else goes on.
struct BuildAhead {
  std::size_t item;
};
/// Remember that the learner is at this exercise.
struct Enter {
  std::size_t item;
};
/// Something short, answered at once with Told or Failed.
struct Ask {
  enum What { hint, explanation, reset } what;
  std::size_t item;
};
struct Suspend {};
struct Quit {
  bool interrupted;
};
using Action = std::variant<Start, Cancel, BuildAhead, Enter, Ask, Suspend, Quit>;

/// Takes an event and returns what is to be done about it, in this order.
std::vector<Action> update(State& state, const Event& event);

/// @return the next unsolved item after `from`, from the front again past the last; items.size()
///   when all are solved.
std::size_t next_unsolved(const std::vector<Item>& items, std::size_t from);

}  // namespace warpwise::tutor::watch
