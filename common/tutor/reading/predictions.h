#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::tutor {

/// A question that a chapter asks before its answer is measured.
struct Question {
  std::string name;  ///< unique in its chapter: "sectors".
  std::string text;  ///< one paragraph of Markdown without comments, or one item of a list.
};

/// A paragraph that answers one question or several.
struct Answer {
  std::vector<std::string> names;  ///< of its questions, in the order of the mark.
  std::string text;                ///< as Question::text.
};

/// The questions and answers of one chapter, each in the order of its README.
struct Predictions {
  std::vector<Question> questions;
  std::vector<Answer> answers;
};

/// Reads what a README marks. `<!-- question: NAME -->` ends the paragraph or the item of a list
/// that asks; `<!-- answer: NAME ... -->` follows the word **Answer** in the paragraph that
/// answers. The text comes from nowhere else.
/// @param file the README's name, for messages.
/// @throws Failure (status 1) that names the question without an answer, the answer without its
///   question, or the name that is there twice.
Predictions parse_predictions(std::string_view readme, std::string_view file);

}  // namespace warpwise::tutor
