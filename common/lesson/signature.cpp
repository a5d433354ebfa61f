#include "lesson/signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace warpwise::lesson {

std::string written_signature(const std::string& demangled) {
  const std::size_t open = demangled.find('(');
  if (open == std::string::npos || demangled.back() != ')') return demangled;
  // A template carries its return type.
  const std::size_t begin = demangled.rfind("void ", 0) == 0 && open > 5 ? 5 : 0;
  std::string text = demangled.substr(begin, open + 1 - begin);
  std::stringstream parameters(demangled.substr(open + 1, demangled.size() - open - 2));
  bool first = true;
  for (std::string parameter; std::getline(parameters, parameter, ',');) {
    if (!first) text += ", ";
    first = false;
    parameter.erase(0, parameter.find_first_not_of(' '));
    const std::size_t at = parameter.find(" const*");
    if (at != std::string::npos) parameter = "const " + parameter.erase(at, 6);
    text += parameter;
  }
  return text + ")";
}

std::string written_parameters(const std::string& function_type) {
  const std::string text = written_signature(function_type);
  return text.substr(std::min(text.find('('), text.size()));
}

bool Signature::matches() const {
  return std::find(found.begin(), found.end(), wanted) != found.end();
}

std::string Signature::text() const {
  if (matches()) return "";
  const std::string name = wanted.substr(0, wanted.find('('));
  std::string text = fmt::format("wanted: {}{}", before, wanted);
  if (found.empty()) return text + "\nfound:  no " + what;
  for (const std::string& kernel : found) {
    text += fmt::format("\nfound:  {}{}{}", what == "kernel" ? before : "", kernel,
                        kernel == name ? " declared extern \"C\"" : "");
  }
  return text;
}

}  // namespace warpwise::lesson
