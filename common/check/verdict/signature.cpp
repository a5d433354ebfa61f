#include "check/verdict/signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

namespace warpwise::lesson {
namespace {

std::string name_of(const std::string& declaration) {
  const std::string before = declaration.substr(0, declaration.find('('));
  const std::size_t blank = before.rfind(' ');
  return blank == std::string::npos ? before : before.substr(blank + 1);
}

std::vector<std::string> parameters_of(const std::string& declaration) {
  std::vector<std::string> parameters;
  const std::size_t open = declaration.find('('), close = declaration.rfind(')');
  if (open == std::string::npos || close <= open + 1) return parameters;
  std::stringstream list(declaration.substr(open + 1, close - open - 1));
  for (std::string parameter; std::getline(list, parameter, ',');) {
    parameters.push_back(
        parameter.substr(std::min(parameter.find_first_not_of(' '), parameter.size())));
  }
  return parameters;
}

/// Rows of a table; an arrow where they differ.
std::string side_by_side(const std::vector<std::string>& wanted,
                         const std::vector<std::string>& yours) {
  std::size_t width = 8;
  for (const auto* list : {&wanted, &yours}) {
    for (const std::string& parameter : *list) width = std::max(width, parameter.size());
  }
  std::string text = fmt::format("\n       {:{}}  {}", "wanted", width, "yours");
  for (std::size_t i = 0; i < std::max(wanted.size(), yours.size()); ++i) {
    const std::string one = i < wanted.size() ? wanted[i] : "-";
    const std::string other = i < yours.size() ? yours[i] : "-";
    text += one == other
                ? fmt::format("\n  {:>3}  {:{}}  {}", i + 1, one, width, other)
                : fmt::format("\n  {:>3}  {:{}}  {:{}}  <-", i + 1, one, width, other, width);
  }
  return text;
}

}  // namespace

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
  const std::string name = name_of(wanted);
  const auto same = std::find_if(found.begin(), found.end(),
                                 [&](const auto& one) { return name_of(one) == name; });
  if (same == found.end()) {
    std::string text = fmt::format("Your file has no {} {}.", what, name);
    if (!found.empty()) text += fmt::format(" It has:");
    for (const std::string& other : found) text += fmt::format("\n   {}", other);
    return text + fmt::format("\nWanted is:\n   {}{}", before, wanted);
  }
  if (same->find('(') == std::string::npos) {
    return fmt::format("{} is declared extern \"C\", which hides its parameters.", name);
  }
  return fmt::format("The parameters of {} are not those that the check passes.", name) +
         side_by_side(parameters_of(wanted), parameters_of(*same));
}

std::string Signature::next() const {
  if (matches()) return "";
  std::string text = fmt::format("Write the declaration as the stub has it: {}{}.", before, wanted);
  // The kernels of an image are all listed; of functions only those that can be called.
  if (found.empty() && before.empty()) {
    text +=
        " The check cannot call a function that is static, a template, in a namespace or "
        "consteval.";
  }
  return text;
}

}  // namespace warpwise::lesson
