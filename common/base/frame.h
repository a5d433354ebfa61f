#pragma once
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// One frame, three files: a solution with another text in its blank is the stub, the solution or a
/// mistake. The harness, the tutor and the author's check all use these functions, so the three
/// always agree. Nothing here needs CUDA.
/// \ingroup lesson
namespace warpwise::lesson {

/// A solution or mistakes file that is not what it should be; the message says where and why.
struct FrameError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The text of a stub's blank, indented as the BEGIN line is.
inline constexpr std::string_view blank_comment = "// Your code here.\n";

/// The lines around a blank.
inline constexpr std::string_view begin_mark = "// BEGIN YOUR CODE", end_mark = "// END YOUR CODE";

/// The text of a file, cut at `// BEGIN YOUR CODE` and `// END YOUR CODE`.
struct Frame {
  std::string before;       ///< up to and with the BEGIN line.
  std::string blank;        ///< the lines between the two.
  std::string after;        ///< from the END line on.
  std::string indentation;  ///< of the BEGIN line.
  unsigned blank_line = 0;  ///< number of the first line of the blank.
  unsigned after_line = 0;  ///< number of the END line.
};

/// @throws FrameError unless the text has exactly one blank.
Frame parse_frame(std::string_view text);

/// The text that goes into a blank, and where it comes from.
struct Filling {
  std::string text;
  std::string file;   ///< empty: the result gets no `#line` directives.
  unsigned line = 1;  ///< of the text's first line in that file.
};

/// A frame with another text in its blank: the one function that makes stubs and mistakes.
/// With a file in the filling, `#line` directives keep every location true: those of the blank
/// point into the filling's file, all others into `frame_file`.
std::string fill_frame(const Frame& frame, std::string_view frame_file, const Filling& filling);

/// The stored mistake that an exercise of the kind "find the bug" is handed out with.
inline constexpr std::string_view given_mistake = "as_given";

/// The stub that belongs to a solution: its blank is empty, or holds the mistake `as_given`.
/// @param mistakes the text of the mistakes file.
std::string make_stub(std::string_view solution, std::string_view mistakes = {});

/// Whether a stub's blank holds code: the learner repairs it and does not begin from nothing.
bool is_find_the_bug(std::string_view stub);

/// The files that a checkout has for the right answer of an exercise. In a course that was exported
/// without solutions, chapters/CH/pristine/ replaces them: the stub, and what the check said of the
/// solution.
struct AnswerFiles {
  std::filesystem::path frame;     ///< the text around the blank: the solution, or the stub.
  std::filesystem::path mistakes;  ///< typical wrong answers; none where it was exported.
  std::filesystem::path recorded;  ///< the check's JSON on the solution; only where it is exported.
  bool exported = false;           ///< the frame is not a solution: it is the stub.
};

/// @param root the folder with chapters/ and solutions/. Without either file the solution's path is
///   given: that is where it belongs.
AnswerFiles answer_files(const std::filesystem::path& root, const std::string& chapter,
                         const std::string& name);

/// The tokens of a source without its comments: words and literals whole, everything else one
/// character each. They are parts of the text.
std::vector<std::string_view> tokens_of(std::string_view text);

/// Whether two sources are the same but for comments and white space.
bool same_code(std::string_view one, std::string_view other);

/// One stored wrong answer.
struct Mistake {
  std::string name;            ///< an identifier: "no_guard".
  std::string description;     ///< what is wrong, for people.
  Filling filling;             ///< its text; locations point into the mistakes file.
  std::string expectation;     ///< "out-of-bounds", "gate sectors", "wrong result", ...
  unsigned expected_line = 0;  ///< the line of the mistakes file that carries the expectation.
  bool in_frame = false;       ///< it ended in "in the frame": a function there is the place.
};

/// Reads a mistakes file: `//= name: description`, then the text, one `// expect: ...` in each.
/// Lines before the first `//=` are a comment.
/// @param file its name, for the fillings and for errors.
/// @throws FrameError naming the line.
std::vector<Mistake> parse_mistakes(std::string_view text, const std::string& file);

}  // namespace warpwise::lesson
