#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "tutor/course/course.h"

namespace warpwise::tutor {

/// A stranger's text made ready for judging: the text of its blank, in a frame of ours.
struct Screened {
  std::string problem;    ///< why it is not judged at all; empty: it is.
  std::string note;       ///< what was left out of it, though it is judged; or empty.
  bool unsolved = false;  ///< the text is the stub.
  std::string blank;
  std::string source;  ///< what is compiled; locations point into the stranger's file.
};

/// Takes the blank of a submitted text and puts it into the exercise's own frame, so that nothing
/// outside of the blank counts. A blank that reads other files, or names its own place, is refused.
/// @param file how locations are written: "exercises/CH/NAME.cu".
/// @throws Failure when the exercise's own frame cannot be read.
Screened screen(const Exercise& exercise, std::string_view text, const std::string& file);

/// Looks for what a blank may not hold: directives but if, define and pragma unroll, words that
/// exist to read files while compiling or to change locations, signs that paste words or could
/// become a directive, what compilers read in different ways (raw literals, trigraphs), and
/// assembler where it would run on the host.
/// @param first_line number of the blank's first line, for the sentence.
/// @return a sentence with the line; empty when there is nothing.
std::string forbidden_in(std::string_view blank, unsigned first_line, bool host_code);

/// Looks for what host code may not hold once its macros are gone, those of headers among them:
/// assembler, and attributes whose text reaches the assembler or that change which code runs.
/// @param text the preprocessed source, with the lines that say where its parts come from.
/// @param file whose lines count, as those lines name it.
/// @return a sentence with the line; empty when there is nothing.
std::string forbidden_in_preprocessed(std::string_view text, const std::string& file);

/// Looks for what a shared object with a stranger's host code may not call: everything but the CUDA
/// runtime, arithmetic, memory and printing. Only what comes from the program's own imports is
/// seen.
/// @param image the shared object.
/// @return a sentence that names it; empty when there is nothing.
/// @throws Failure (status 3) when the imports cannot be listed.
std::string forbidden_imports(const std::filesystem::path& image);

}  // namespace warpwise::tutor
