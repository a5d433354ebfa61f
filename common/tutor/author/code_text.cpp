#include "tutor/author/code_text.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <string_view>

namespace warpwise::tutor {
namespace {

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<std::string> code_lines(const std::string& source) {
  std::vector<std::string> lines;
  std::istringstream stream(only_code(source));
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The last character before a position that is not a blank; 0 at the beginning.
char last_before(const std::string& text, std::size_t at) {
  while (at > 0 && std::isspace(static_cast<unsigned char>(text[at - 1])) != 0) --at;
  return at == 0 ? '\0' : text[at - 1];
}

std::string word_before(const std::string& text, std::size_t at) {
  while (at > 0 && std::isspace(static_cast<unsigned char>(text[at - 1])) != 0) --at;
  std::size_t begin = at;
  while (begin > 0 && is_of_name(text[begin - 1])) --begin;
  return text.substr(begin, at - begin);
}

/// "int name", "float* name", "T<2> name" and then = ; , [ ( ) { :
bool declares(const std::string& line, std::size_t at, std::size_t length) {
  const char before = last_before(line, at);
  if (!is_of_name(before) && before != '*' && before != '&' && before != '>') return false;
  if (before == '&' || before == '*') {
    // A product is not a declaration: something like a type is before the star.
    const std::size_t star = line.find_last_of("*&", at);
    if (line.find_first_of("=[+", 0) < star || !is_of_name(last_before(line, star))) return false;
  }
  const std::string word = word_before(line, at);
  for (const char* other : {"return", "else", "goto", "throw", "new", "delete", "case"}) {
    if (word == other) return false;
  }
  const std::size_t next = line.find_first_not_of(" \t", at + length);
  return next == std::string::npos ||
         std::string_view("=;,[({):").find(line[next]) != std::string_view::npos;
}

/// Edits between two words: a letter more, less, other, or two neighbours exchanged.
std::size_t edits_between(const std::string& one, const std::string& other) {
  std::vector<std::vector<std::size_t>> d(one.size() + 1,
                                          std::vector<std::size_t>(other.size() + 1));
  for (std::size_t i = 0; i <= one.size(); ++i) {
    for (std::size_t k = 0; k <= other.size(); ++k) {
      if (i == 0 || k == 0) {
        d[i][k] = i + k;
        continue;
      }
      const std::size_t other_letter = one[i - 1] == other[k - 1] ? 0 : 1;
      d[i][k] = std::min({d[i - 1][k] + 1, d[i][k - 1] + 1, d[i - 1][k - 1] + other_letter});
      if (i > 1 && k > 1 && one[i - 1] == other[k - 2] && one[i - 2] == other[k - 1]) {
        d[i][k] = std::min(d[i][k], d[i - 2][k - 2] + 1);
      }
    }
  }
  return d[one.size()][other.size()];
}

std::string small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::string only_code(const std::string& text) {
  std::string code;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with("//")) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (rest.starts_with("/*")) {
      const std::size_t end = std::min(text.find("*/", i + 2), text.size());
      code += std::string(static_cast<std::size_t>(
                              std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                         text.begin() + static_cast<std::ptrdiff_t>(end), '\n')),
                          '\n');
      i = end + 1;
    } else if (text[i] == '"' || text[i] == '\'') {
      const char quote = text[i];
      // A digit separator is not a quote.
      if (quote == '\'' && i > 0 && std::isxdigit(static_cast<unsigned char>(text[i - 1])) != 0) {
        continue;
      }
      for (++i; i < text.size() && text[i] != quote && text[i] != '\n'; ++i) {
        if (text[i] == '\\') ++i;
      }
      if (i < text.size() && text[i] == '\n') code += '\n';
    } else {
      code += text[i];
    }
  }
  return code;
}

Declared declaration_of(const std::string& name, const std::string& source) {
  const std::vector<std::string> lines = code_lines(source);
  int depth = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    const std::size_t at = find_word(line, name);
    if (at != std::string::npos && line[0] != '#' && declares(line, at, name.size())) {
      const auto inner =
          std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(at), '{');
      const std::size_t next = line.find_first_not_of(" \t", at + name.size());
      return {static_cast<unsigned>(i + 1), depth == 0 && inner == 0,
              next != std::string::npos && line[next] == '('};
    }
    depth += static_cast<int>(std::count(line.begin(), line.end(), '{') -
                              std::count(line.begin(), line.end(), '}'));
  }
  return {};
}

bool is_device_code(const std::string& source, unsigned line) {
  const std::string code = only_code(source);
  unsigned at = 1;
  int depth = 0;
  std::string head;  // what was read since the last function ended
  for (const char c : code) {
    if (at == line && depth > 0) break;
    if (c == '\n') ++at;
    if (at > line) break;
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) head.clear();
    if (c == ';' && depth == 0) head.clear();
    if (depth == 0 && c != '}') head += c;
  }
  return head.find("__global__") != std::string::npos ||
         head.find("__device__") != std::string::npos;
}

std::vector<std::string> all_identifiers(const std::string& source) {
  const std::string code = only_code(source);
  std::set<std::string> names;
  for (std::size_t i = 0; i < code.size();) {
    std::size_t end = i;
    while (end < code.size() && is_of_name(code[end])) ++end;
    if (end > i && std::isdigit(static_cast<unsigned char>(code[i])) == 0) {
      names.insert(code.substr(i, end - i));
    }
    i = end + 1;
  }
  return {names.begin(), names.end()};
}

std::size_t find_word(const std::string& line, const std::string& word) {
  if (word.empty()) return std::string::npos;
  for (auto at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_of_name(line[at - 1])) && (end == line.size() || !is_of_name(line[end]))) {
      return at;
    }
  }
  return std::string::npos;
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  // One other letter makes a short word another word.
  const std::size_t most = name.size() < 3 ? 0 : name.size() < 6 ? 1 : 2;
  std::size_t nearest = most + 1;
  std::string found;
  for (const std::string& candidate : candidates) {
    if (candidate == name) continue;
    // A part that was left out: HostToDevice for cudaMemcpyHostToDevice.
    const bool is_part = name.size() > 4 && candidate.find(name) != std::string::npos;
    const std::size_t far = small_letters(candidate) == small_letters(name) ? 0
                            : is_part                                       ? 1
                                      : std::max<std::size_t>(1, edits_between(name, candidate));
    if (far == nearest && candidate != found) found.clear();
    if (far >= nearest) continue;
    nearest = far;
    found = candidate;
  }
  return found;
}

}  // namespace warpwise::tutor
