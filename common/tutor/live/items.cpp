#include "tutor/live/items.h"

#include <fmt/format.h>

#include <algorithm>

#include "tutor/course/progress.h"
#include "tutor/course/state.h"
#include "tutor/reading/page.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor::watch {

namespace fs = std::filesystem;

namespace {

// Empty where the file is missing: the texts shown next to the exercise are optional.
std::string text_of(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) ? read_file(path) : std::string();
}

std::string heading_of(const std::vector<Section>& text) {
  return text.empty() ? std::string() : text.front().heading;
}

}  // namespace

std::string task_text(const std::string& markdown) {
  std::string text;
  for (const Section& section : sections(markdown)) {
    if (section.heading.starts_with("Hint")) break;
    text += text.empty() ? section.text : "\n" + section.heading + "\n\n" + section.text;
  }
  return text;
}

std::string first_paragraph(const std::string& markdown) {
  const std::vector<Section> all = sections(markdown);
  if (all.empty()) return {};
  const std::string& text = all.front().text;
  bool has_words = false;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 2) {
    end = std::min(text.find("\n\n", begin), text.size());
    const bool code = text.compare(begin, 4, "    ") == 0;
    const auto last = text.find_last_not_of('\n', end - 1);
    // A picture belongs to the words that announce it, or to those below it.
    if (code ? has_words : text[last] != ':') return text.substr(0, end);
    has_words |= !code;
  }
  return text;
}

std::vector<Item> items_of(const Context& context, const Course& course) {
  const Progress progress = read_progress(context);
  std::vector<Item> items;
  for (const Chapter& chapter : course.chapters) {
    const std::string chapter_title = title(chapter);
    for (const Exercise& exercise : chapter.exercises) {
      const std::string task = text_of(exercise.task);
      items.push_back({.id = exercise.id(),
                       .chapter = chapter.name,
                       .chapter_title = chapter_title,
                       .title = heading_of(sections(task)),
                       .file = shown(exercise.learner),
                       .state = state_text(progress, exercise),
                       .task = task_text(task),
                       .explanation = first_paragraph(text_of(exercise.explanation)),
                       .once_solved = was_solved(progress, exercise)});
    }
  }
  return items;
}

std::string state_and_next_step(const std::vector<Item>& items) {
  const auto solved =
      std::count_if(items.begin(), items.end(), [](const Item& item) { return item.done(); });
  std::string text = fmt::format("{} of {} exercises are solved\n", solved, items.size());
  const std::size_t next = next_unsolved(items, items.size() - 1);
  if (next == items.size()) return text + "  next       ./learn list shows them\n";
  const Item& item = items[next];
  return text +
         fmt::format(
             "{0}: {1}\n"
             "  your file  {2}\n"
             "  next       write your code between BEGIN YOUR CODE and END YOUR CODE, save,\n"
             "             and run ./learn run {0}\n",
             item.id, item.state, item.file);
}

}  // namespace warpwise::tutor::watch
