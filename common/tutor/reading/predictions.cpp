#include "tutor/reading/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "tutor/reading/page.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace {

using Texts = std::vector<std::string>;

// A line that belongs to no paragraph: blank, a heading, a row, a fence, a fold, a mark of its own.
bool stands_alone(const std::string& line) {
  static const std::regex mark_alone(R"(<!-- (?!value|question|answer).*-->)");
  return line.find_first_not_of(" \t\r") == std::string::npos || line[0] == '#' || line[0] == '|' ||
         line.starts_with("```") || line.starts_with("<details>") || line == "</details>" ||
         (line.starts_with("<!-- end -->") && line.size() == 12) ||
         std::regex_match(line, mark_alone);
}

bool begins_list_item(const std::string& line) {
  static const std::regex item(R"(\s*([0-9]+[.)]|[-*+]) .*)");
  return std::regex_match(line, item);
}

// The paragraphs and items, each as one line.
Texts paragraphs(std::string_view readme) {
  Texts found;
  bool is_open = false, is_code = false;
  for (const std::string_view part : text_lines(readme)) {
    const std::string line(part);
    if (line.starts_with("```")) is_code = !is_code;
    if (is_code || stands_alone(line)) {
      is_open = false;
    } else if (!is_open || begins_list_item(line)) {
      found.push_back(line);
      is_open = true;
    } else {
      found.back() += ' ' + line;
    }
  }
  return found;
}

// Without comments, the sign of an item, emphasis and doubled blanks.
std::string plain_text(std::string text) {
  static const std::regex comment("<!--.*?-->"), item(R"(^\s*([0-9]+[.)]|[-*+]) )"),
      strong(R"(\*\*([^*]+)\*\*)"), emphasis(R"((^|[^\w*])\*([^*\s][^*]*)\*)"), blanks(R"(\s+)"),
      ends(R"(^\s+|\s+$)");
  text = std::regex_replace(text, comment, "");
  text = std::regex_replace(text, item, "");
  text = std::regex_replace(text, strong, "$1");
  text = std::regex_replace(text, emphasis, "$1$2");
  text = std::regex_replace(text, blanks, " ");
  return std::regex_replace(text, ends, "");
}

// From the word that the mark follows; "Answer:" itself says nothing.
std::string answer_text(const std::string& paragraph, std::size_t mark) {
  constexpr std::string_view word = "**Answer";
  const std::size_t begin = paragraph.rfind(word, mark);
  std::string text = plain_text(paragraph.substr(begin == std::string::npos ? mark : begin));
  static const std::regex bare("^Answer: *");
  return std::regex_replace(text, bare, "");
}

[[noreturn]] void refuse_marks(std::string_view file, const std::string& what) {
  throw Failure(status_wrong, fmt::format("{}: {}", file, what));
}

void require_pairs(const Predictions& predictions, std::string_view file) {
  std::vector<std::string> asked, answered;
  for (const Question& question : predictions.questions) asked.push_back(question.name);
  for (const Answer& answer : predictions.answers) {
    answered.insert(answered.end(), answer.names.begin(), answer.names.end());
  }
  for (const Texts& names : {asked, answered}) {
    for (const std::string& name : names) {
      if (std::count(names.begin(), names.end(), name) > 1) {
        refuse_marks(file, fmt::format("the mark \"{}\" is there twice", name));
      }
    }
  }
  for (const std::string& name : asked) {
    if (std::find(answered.begin(), answered.end(), name) == answered.end()) {
      refuse_marks(file,
                   fmt::format("the question \"{0}\" has no answer: put <!-- answer: {0} --> after "
                               "the word **Answer** of the paragraph that answers it",
                               name));
    }
  }
  for (const std::string& name : answered) {
    if (std::find(asked.begin(), asked.end(), name) == asked.end()) {
      refuse_marks(
          file, fmt::format("there is an answer to \"{0}\", but no <!-- question: {0} -->", name));
    }
  }
}

}  // namespace

Predictions parse_predictions(std::string_view readme, std::string_view file) {
  static const std::regex mark(R"(<!-- (question|answer): ([a-z0-9_ ]+?) -->)");
  Predictions found;
  for (const std::string& paragraph : paragraphs(readme)) {
    for (std::sregex_iterator at(paragraph.begin(), paragraph.end(), mark), end; at != end; ++at) {
      if ((*at)[1] == "question") {
        found.questions.push_back({(*at)[2], plain_text(paragraph)});
        continue;
      }
      Answer answer;
      std::istringstream names{(*at)[2]};
      for (std::string name; names >> name;) answer.names.push_back(name);
      answer.text = answer_text(paragraph, static_cast<std::size_t>(at->position()));
      found.answers.push_back(std::move(answer));
    }
  }
  require_pairs(found, file);
  return found;
}

}  // namespace warpwise::tutor
