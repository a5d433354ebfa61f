#include "tutor/reading/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "tutor/course/chapter_program.h"
#include "tutor/course/names.h"
#include "tutor/course/progress.h"
#include "tutor/reading/page.h"
#include "tutor/system/ask.h"
#include "tutor/system/clean_text.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {
namespace {

constexpr std::size_t longest_guess_bytes = 400, widest_guess = 28;

std::string short_name(const Chapter& chapter) {
  return chapter.name.substr(0, chapter.name.find('_'));
}

std::string guess_key(const Chapter& chapter, const std::string& question) {
  return chapter.name + "/" + question;
}

// As the progress keeps it: one line without blanks at its ends.
std::string tidy_guess(std::string text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return {};
  text = text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
  std::replace(text.begin(), text.end(), '\t', ' ');
  std::size_t size = std::min(text.size(), longest_guess_bytes);
  // Not in the middle of a character.
  while (size < text.size() && (static_cast<unsigned char>(text[size]) >> 6) == 2) --size;
  return clean_text(text.substr(0, size), false);
}

std::string guess_of(const Progress& progress, const Chapter& chapter, const std::string& name) {
  const auto found = progress.guesses.find(guess_key(chapter, name));
  return found == progress.guesses.end() ? std::string() : found->second;
}

// Two texts in columns.
std::string in_columns(const std::string& left, const std::string& right, std::size_t column) {
  const auto ours = text_lines(left), theirs = text_lines(right);
  std::string text;
  for (std::size_t i = 0; i < std::max(ours.size(), theirs.size()); ++i) {
    std::string line = "    " + padded(i < ours.size() ? ours[i] : "", column) + " | " +
                       std::string(i < theirs.size() ? theirs[i] : "");
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

// The answers in the order of their first questions.
std::vector<Answer> by_question(const Predictions& predictions) {
  std::vector<Answer> sorted;
  for (const Question& question : predictions.questions) {
    for (const Answer& answer : predictions.answers) {
      const bool is_known = std::any_of(sorted.begin(), sorted.end(), [&](const Answer& one) {
        return one.names == answer.names;
      });
      const auto found = std::find(answer.names.begin(), answer.names.end(), question.name);
      if (!is_known && found != answer.names.end()) sorted.push_back(answer);
    }
  }
  return sorted;
}

// Runs the program as ./learn run does, and comes back.
int run_program(const Context& context, const Chapter& chapter,
                const std::vector<std::string>& flags) {
  return run_attached({.words = chapter_program(context, chapter, flags),
                       .limit = std::chrono::milliseconds(0)})
      .status;
}

}  // namespace

void ask_predictions(const Context& context, const Chapter& chapter, const Predictions& predictions,
                     const std::function<std::optional<std::string>()>& read,
                     const std::function<void(const std::string&)>& write) {
  const std::size_t count = predictions.questions.size();
  write(fmt::format("{}. {} question{}. Press Enter alone to skip one, or to keep your guess.\n",
                    title(chapter), count, count == 1 ? "" : "s"));
  const Progress before = read_progress(context);
  for (std::size_t i = 0; i < count; ++i) {
    const Question& question = predictions.questions[i];
    const std::string earlier = guess_of(before, chapter, question.name);
    write(fmt::format("\n{} of {}\n{}", i + 1, count, wrapped(question.text, page_width(), "  ")));
    write(earlier.empty() ? "  your guess: " : fmt::format("  your guess [{}]: ", earlier));
    const std::optional<std::string> line = read();
    if (!line) {
      write("\n");
      return;
    }
    const std::string guess = tidy_guess(*line);
    if (guess.empty()) continue;
    update_progress(context, [&](Progress& progress) {
      progress.guesses[guess_key(chapter, question.name)] = guess;
    });
  }
}

std::string compared_predictions(const Context& context, const Chapter& chapter,
                                 const Predictions& predictions, std::size_t width) {
  const Progress progress = read_progress(context);
  std::string text;
  for (const Answer& answer : by_question(predictions)) {
    std::string asked, guesses;
    bool is_guessed = false;
    for (std::size_t i = 0; i < predictions.questions.size(); ++i) {
      const Question& question = predictions.questions[i];
      if (std::find(answer.names.begin(), answer.names.end(), question.name) ==
          answer.names.end()) {
        continue;
      }
      const std::string guess = guess_of(progress, chapter, question.name);
      is_guessed = is_guessed || !guess.empty();
      asked += wrapped(fmt::format("{}. {}", i + 1, question.text), width);
      guesses += wrapped(fmt::format("{}. {}", i + 1, guess.empty() ? "(skipped)" : guess),
                         std::min(widest_guess, width / 3));
    }
    if (!is_guessed) continue;
    std::size_t column = columns_of("your guess");
    for (const std::string_view line : text_lines(guesses))
      column = std::max(column, columns_of(line));
    text += '\n' + asked + '\n' + in_columns("your guess", "answer", column) +
            in_columns(guesses, wrapped(answer.text, width - column - 7), column);
  }
  return text;
}

int predict_command(const Context& context, const std::string& name, bool recorded,
                    const std::vector<std::string>& flags) {
  const Course course = read_course(context.root);
  const Found found = find(course, name);
  const Chapter& chapter = *found.chapter;
  if (found.exercise != nullptr) {
    throw Failure(status_usage, fmt::format("{} is an exercise; predictions are of a chapter: "
                                            "./learn predict {}",
                                            found.exercise->id(), short_name(chapter)));
  }
  const Predictions predictions =
      parse_predictions(read_text(chapter.readme), shown(chapter.readme));
  if (predictions.questions.empty()) {
    throw Failure(status_usage, fmt::format("{} asks for no predictions", shown(chapter.readme)));
  }
  ask_predictions(context, chapter, predictions, read_line, [](const std::string& text) {
    fmt::print("{}", text);
    std::fflush(stdout);
  });
  const std::string compared = compared_predictions(context, chapter, predictions, page_width());
  if (compared.empty()) {
    fmt::print("No guess was given, so no answer is shown. ./learn run {} runs the chapter.\n",
               short_name(chapter));
    return status_ok;
  }
  const bool is_run = !recorded && chapter.has_program;
  if (is_run) fmt::print("\n");
  std::fflush(stdout);
  const int status = is_run ? run_program(context, chapter, flags) : status_ok;
  fmt::print("\nYour guesses next to the answers of {}, whose times are recorded ones:\n{}",
             shown(chapter.readme), compared);
  return status;
}

}  // namespace warpwise::tutor
