#pragma once
// For tests only: a course of three exercises in two chapters, without files.

#include "tutor/live/state.h"

namespace warpwise::tutor::watch::test {

inline Item item(const std::string& chapter, const std::string& name, const std::string& state) {
  return {.id = chapter + "/" + name,
          .chapter = chapter,
          .chapter_title = "Chapter " + chapter,
          .title = name + ": what is to be done?",
          .file = "exercises/" + chapter + "/" + name + ".cu",
          .state = state,
          .task =
              "Write a kernel that adds two arrays, element by element, and that works for\n"
              "any number of elements.\n\n    y[i] = a[i] + b[i]\n",
          .explanation = "Each thread takes one element; those past the end take none."};
}

inline State state() {
  State state;
  state.items = {item("ch01", "01_first", "solved"), item("ch01", "02_second", "not solved yet"),
                 item("ch02", "01_third", "not solved yet")};
  return state;
}

/// At the second exercise, its chapter's checks built.
inline State begun() {
  State state = test::state();
  update(state, Begun{});
  update(state, Built{state.job});
  update(state, BuiltAhead{"ch01"});
  return state;
}

/// As begun(), after a save that was judged.
inline State judged(const std::string& word, const std::string& text) {
  State state = begun();
  update(state, Saved{1, true});
  update(state, Judged{state.job, word, text});
  return state;
}

}  // namespace warpwise::tutor::watch::test
