#pragma once
#include <string>

namespace warpwise::tutor {

/// Advice about an error of a compiler, in the words of the course.
/// @param message the compiler's, quotes as in the C locale. @param source the text of the file it
/// is about. @param line of the error in that file; 0: not known.
/// @return one or two sentences; empty where none is known.
std::string compiler_advice(const std::string& message, const std::string& source, unsigned line);

/// The name that an error is about: "factor" of 'identifier "factor" is undefined in device code'.
/// @return empty where it names none.
std::string name_in(const std::string& message);

}  // namespace warpwise::tutor
