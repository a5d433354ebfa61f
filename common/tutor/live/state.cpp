#include "tutor/live/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpwise::tutor::watch {
namespace {

// Cuts a text to what a person may read: a program can print more than a terminal should be given.
std::string limited(std::string text) {
  constexpr std::size_t most_bytes = 64 << 10;
  if (text.size() <= most_bytes) return text;
  text.resize(most_bytes);
  return text + "\n... and so on; the rest was left out.\n";
}

// Applies one event; a member function for each.
class Update {
 public:
  explicit Update(State& state) : state_(state) {}
  std::vector<Action> take() { return std::move(actions_); }

  void operator()(const Begun&) {
    if (state_.must_rebuild) {
      start(Work::rebuilding);
    } else {
      go_to(
          std::min(next_unsolved(state_.items, state_.items.size() - 1), state_.items.size() - 1));
    }
  }

  void operator()(const Pressed& pressed) {
    const bool stop_again = std::exchange(state_.stop_again, false);
    state_.note.clear();
    if (state_.asks_reset) return answer(pressed.key);
    if (pressed.key == key_interrupt) return interrupt(stop_again);
    if (pressed.key == key_suspend) return suspend();
    if (!scrolled(pressed.key)) command(pressed.key);
  }

  void operator()(const Saved& saved) {
    Item& item = state_.items[saved.item];
    if (saved.changed) item.state = "edited";
    if (state_.work == Work::rebuilding) return;
    if (saved.item != state_.at) {
      if (saved.changed) go_to(saved.item);
      return;
    }
    state_.note.clear();
    state_.stop_again = false;
    if (saved.changed) state_.has_verdict = false;
    if (state_.work == Work::building) return;
    if (saved.changed || !(state_.has_verdict || state_.work == Work::judging)) return look();
    if (state_.work != Work::judging) state_.note = "Saved; the text is the same as before.";
  }

  void operator()(const Removed& removed) {
    state_.items[removed.item].state = "missing";
    if (removed.item != state_.at) return;
    if (state_.work == Work::judging) cancel();
    // The verdict on the text that is gone would be taken for one of now.
    state_.verdict.clear();
    state_.has_verdict = false;
    if (state_.page == Page::verdict) show(Page::task);
    state_.note = fmt::format("{0} is missing: git checkout -- {0}", state_.item().file);
  }

  void operator()(const Resized& size) {
    state_.columns = size.columns;
    state_.rows = size.rows;
  }

  void operator()(const Resumed&) {
    if (std::exchange(state_.goes_on, false)) start(state_.work);
  }

  void operator()(const Ticked& tick) { state_.seconds = tick.seconds; }

  void operator()(const Progressed& progressed) {
    if (is_current(progressed.job)) state_.progress = progressed.line;
  }

  void operator()(const Rebuilt& rebuilt) {
    if (!is_current(rebuilt.job)) return;
    state_.work = Work::none;
    state_.must_rebuild = false;
    for (std::size_t i = 0; i < rebuilt.states.size(); ++i) {
      state_.items[i].state = rebuilt.states[i];
    }
    (*this)(Begun{});
    show_text("Progress", rebuilt.text);
  }

  void operator()(const Built& built) {
    if (!is_current(built.job)) return;
    state_.work = Work::none;
    state_.built.insert(state_.at);
    look_if_edited();
    // Going on to the next exercise then takes no time.
    actions_.emplace_back(BuildAhead{state_.at});
  }

  void operator()(const BuiltAhead& built) {
    for (std::size_t i = 0; i < state_.items.size(); ++i) {
      if (state_.items[i].chapter == built.chapter) state_.built.insert(i);
    }
  }

  void operator()(const Judged& judged) {
    if (!is_current(judged.job)) return;
    state_.work = Work::none;
    state_.items[state_.at].state = judged.state;
    state_.items[state_.at].once_solved |= state_.items[state_.at].solved();
    state_.has_verdict = true;
    const bool open = judged.state == "not solved yet";
    state_.verdict = open ? "" : limited(judged.text);
    if (open) state_.note = "Saved. Your code goes between BEGIN YOUR CODE and END YOUR CODE.";
    // After a reset, what it did stays to be read.
    if (!open || state_.page != Page::text) show(open ? Page::task : Page::verdict);
  }

  void operator()(const Told& told) {
    if (told.job != 0 && !is_current(told.job)) return;
    if (told.job != 0) state_.work = Work::none;
    show_text(told.title, told.text);
    state_.text_is_markdown = told.is_markdown;
  }

  void operator()(const Failed& failed) {
    if (failed.job != 0 && !is_current(failed.job)) return;
    if (failed.job != 0 && state_.work == Work::judging) state_.has_verdict = false;
    if (failed.job != 0) state_.work = Work::none;
    show_text("This cannot be done here", failed.text);
  }

 private:
  bool is_current(int job) const { return state_.work != Work::none && job == state_.job; }

  void show_text(const std::string& title, const std::string& text) {
    state_.page = Page::text;
    state_.text_title = title;
    state_.text = limited(text);
    state_.text_is_markdown = false;
    state_.scroll = 0;
  }

  void start(Work work) {
    state_.work = work;
    state_.progress.clear();
    state_.seconds = 0;
    actions_.emplace_back(Start{work, ++state_.job, state_.at});
  }

  void cancel() {
    state_.work = Work::none;
    actions_.emplace_back(Cancel{});
  }

  void go_to(std::size_t item) {
    state_.at = item;
    state_.page = Page::task;
    state_.verdict.clear();
    state_.has_verdict = false;
    state_.scroll = 0;
    actions_.emplace_back(Enter{item});
    look_if_edited();
  }

  // The check has to be built before anything is judged.
  void look_if_edited() {
    if (!state_.built.contains(state_.at)) {
      start(Work::building);
    } else if (state_.item().state == "not solved yet" || state_.item().state == "missing") {
      if (state_.work != Work::none) cancel();
    } else {
      start(Work::judging);
    }
  }

  void look() { start(state_.built.contains(state_.at) ? Work::judging : Work::building); }

  void answer(int key) {
    state_.asks_reset = false;
    if (key == 'y' || key == 'Y') {
      actions_.emplace_back(Ask{Ask::reset, state_.at});
    } else {
      state_.note = "Nothing was changed.";
    }
  }

  void interrupt(bool again) {
    if (again) {
      actions_.emplace_back(Quit{true});
    } else if (state_.work == Work::none) {
      state_.note = "Ctrl-C once more quits.";
      state_.stop_again = true;
    } else {
      const bool building = state_.work == Work::building || state_.work == Work::rebuilding;
      cancel();
      state_.note = fmt::format(
          "Stopped. {}", building ? "The next save builds again." : "The next save judges again.");
      state_.must_rebuild = false;
      state_.stop_again = true;
    }
  }

  void suspend() {
    state_.goes_on = state_.work != Work::none;
    if (state_.goes_on) actions_.emplace_back(Cancel{});
    actions_.emplace_back(Suspend{});
  }

  // Lines of the page that are in sight, or a few less.
  std::size_t page_lines() const { return static_cast<std::size_t>(std::max(1, state_.rows - 10)); }

  bool scrolled(int key) {
    const std::size_t page = page_lines();
    const auto up = [this](std::size_t lines) { state_.scroll -= std::min(state_.scroll, lines); };
    switch (key) {
      case key_up:
        up(1);
        return true;
      case key_page_up:
        up(page);
        return true;
      case key_home:
        up(state_.scroll);
        return true;
      // Too far does no harm: the code that draws knows how many lines there are.
      case key_down:
        ++state_.scroll;
        return true;
      case key_page_down:
      case ' ':
        state_.scroll += page;
        return true;
      case key_end:
        state_.scroll = 100'000;
        return true;
      default:
        return false;
    }
  }

  void show(Page page) {
    state_.page = page;
    state_.scroll = 0;
  }

  // With the current exercise and what is before it in sight.
  void show_list() {
    show(Page::list);
    std::size_t lines = 0;
    for (std::size_t i = 0; i <= state_.at; ++i) {
      const bool first = i == 0 || state_.items[i].chapter != state_.items[i - 1].chapter;
      lines += first ? 3 : 1;
    }
    state_.scroll = lines - std::min(lines, page_lines());
  }

  void back() { show(state_.verdict.empty() ? Page::task : Page::verdict); }

  void command(int key) {
    if (key == 'q') actions_.emplace_back(Quit{false});
    if (key == 'n') next();
    if (key == 't') state_.page == Page::task ? back() : show(Page::task);
    if (key == 'l') state_.page == Page::list ? back() : show_list();
    if (key == key_escape || key == '\r' || key == '\n') back();
    if (key == 'h') actions_.emplace_back(Ask{Ask::hint, state_.at});
    if (key == 'e' && state_.item().done()) {
      actions_.emplace_back(Ask{Ask::explanation, state_.at});
    }
    if (key == 'v') begin(Work::viewing);
    if (key == 'c') begin(Work::comparing);
    if (key == 'x') state_.asks_reset = true;
  }

  void next() {
    if (!state_.item().done()) {
      state_.note = "n goes on when this exercise is solved.";
      return;
    }
    const std::size_t next = next_unsolved(state_.items, state_.at);
    if (next == state_.items.size()) {
      state_.note = "All exercises are solved.";
    } else {
      go_to(next);
    }
  }

  void begin(Work work) {
    if (state_.work != Work::none) {
      state_.note = "One moment: this has to wait for the work in progress.";
    } else {
      start(work);
    }
  }

  State& state_;
  std::vector<Action> actions_;
};

}  // namespace

std::size_t next_unsolved(const std::vector<Item>& items, std::size_t from) {
  for (std::size_t step = 1; step <= items.size(); ++step) {
    const std::size_t item = (from + step) % items.size();
    if (!items[item].done()) return item;
  }
  return items.size();
}

std::vector<Action> update(State& state, const Event& event) {
  Update update(state);
  std::visit(update, event);
  return update.take();
}

}  // namespace warpwise::tutor::watch
