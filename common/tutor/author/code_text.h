#pragma once
#include <string>
#include <vector>

namespace warpwise::tutor {

/// Code without comments, strings and characters; lines stay lines.
std::string only_code(const std::string& text);

/// The meaning of a name, as far as the text of a file tells without a compiler.
struct Declared {
  unsigned line = 0;    ///< the first that seems to declare it; 0: none does.
  bool at_top = false;  ///< outside of all functions.
  bool is_function = false;
};

/// @param source the text of a file.
Declared declaration_of(const std::string& name, const std::string& source);

/// Whether a line is inside of a function that is __global__ or __device__.
bool is_device_code(const std::string& source, unsigned line);

/// All identifiers of a file's code, each once, sorted.
std::vector<std::string> all_identifiers(const std::string& source);

/// The position of a whole word in a line of code; npos where it is not there.
std::size_t find_word(const std::string& line, const std::string& word);

/// The candidate that a misspelt name most likely means: letters exchanged, left out, added, large
/// for small. @return empty where none is near, or two are equally near.
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace warpwise::tutor
