#include "tutor/author/pasting/declarations.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

#include "base/frame.h"

namespace warpwise::tutor {
namespace {

using Tokens = std::vector<std::string_view>;

bool is_identifier(std::string_view token) {
  const auto first = static_cast<unsigned char>(token.empty() ? ' ' : token.front());
  return std::isalpha(first) != 0 || first == '_';
}

bool is_one_of(std::string_view token, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), token) != words.end();
}

// True for a word that takes an argument list and names nothing.
bool is_attribute(std::string_view token) {
  return is_one_of(token, {"__launch_bounds__", "__cluster_dims__", "alignas", "__align__",
                           "decltype", "__attribute__"});
}

// The text between two tokens, both with it.
std::string_view span(std::string_view from, std::string_view to) {
  return {from.data(), static_cast<std::size_t>(to.data() + to.size() - from.data())};
}

// A part of a list of tokens.
class Part {
 public:
  Part(const Tokens& tokens, std::size_t begin, std::size_t end)
      : tokens_(&tokens), begin_(begin), end_(std::min(end, tokens.size())) {}

  std::size_t size() const { return end_ - begin_; }
  /// Nothing past the end.
  std::string_view operator[](std::size_t i) const {
    return begin_ + i < end_ ? (*tokens_)[begin_ + i] : std::string_view();
  }
  Part from(std::size_t i) const { return {*tokens_, std::min(begin_ + i, end_), end_}; }
  Part range(std::size_t i, std::size_t end) const { return {*tokens_, begin_ + i, begin_ + end}; }
  std::string text() const {
    return size() == 0 ? std::string() : std::string(span((*this)[0], (*this)[size() - 1]));
  }
  /// The place of the bracket that closes the one at `i`; the end without one.
  std::size_t closing(std::size_t i) const {
    const std::string_view open = (*this)[i];
    const std::string_view close = open == "(" ? ")" : open == "[" ? "]" : open == "{" ? "}" : ">";
    int depth = 0;
    for (std::size_t at = i; at < size(); ++at) {
      if ((*this)[at] == open) ++depth;
      if ((*this)[at] == close && --depth == 0) return at;
    }
    return size();
  }
  /// Cut at the commas outside of brackets.
  std::vector<Part> at_commas() const {
    std::vector<Part> parts;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < size(); ++at) {
      if (is_one_of((*this)[at], {"(", "[", "{", "<"})) at = closing(at);
      if (at < size() && (*this)[at] == ",") {
        parts.push_back(range(begin, at));
        begin = at + 1;
      }
    }
    if (begin < size()) parts.push_back(from(begin));
    return parts;
  }

 private:
  const Tokens* tokens_;
  std::size_t begin_, end_;
};

// "const std::size_t n" is {"size_t", "n"}; a default is left out.
Parameter parameter_of(const Part& written) {
  Parameter parameter;
  std::vector<std::string_view> kept;
  for (std::size_t i = 0; i < written.size() && written[i] != "="; ++i) {
    if (written[i] == "[" && written[i + 1] == "[") {
      i = written.closing(i);
    } else if (written[i] == "std" && written[i + 1] == ":") {
      i += 2;
    } else if (!is_one_of(written[i], {"__restrict__", "__grid_constant__"})) {
      kept.push_back(written[i]);
    }
  }
  if (!kept.empty() && is_identifier(kept.back())) {
    parameter.name = kept.back();
    kept.pop_back();
  }
  const bool pointer = std::find(kept.begin(), kept.end(), "*") != kept.end();
  for (const std::string_view token : kept) {
    if (token == "const" && !pointer) continue;
    const bool apart = !parameter.type.empty() && is_identifier(token);
    parameter.type += (apart ? " " : "") + std::string(token);
  }
  return parameter;
}

std::vector<Parameter> parameters_of(const Part& list) {
  std::vector<Parameter> parameters;
  for (const Part& written : list.at_commas()) parameters.push_back(parameter_of(written));
  return parameters;
}

// The names of "int a = 1, b[2]" and what else is neither a function nor a type.
void add_variables(const Part& written, Declaration& declaration) {
  for (std::size_t begin = 0; begin < written.size();) {
    std::string_view name;
    std::size_t at = begin;
    for (; at < written.size() && !is_one_of(written[at], {"=", "{", "[", ",", ";"}); ++at) {
      if (written[at] == "<") at = written.closing(at);
      if (at < written.size() && is_identifier(written[at])) name = written[at];
    }
    if (!name.empty()) declaration.names.emplace(name);
    while (at < written.size() && !is_one_of(written[at], {",", ";"})) {
      at = is_one_of(written[at], {"(", "[", "{"}) ? written.closing(at) : at;
      ++at;
    }
    begin = at + 1;
  }
}

// Where the parameters of a function begin; the end for what is not a function.
std::size_t parameter_list(const Part& written) {
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (is_attribute(written[i])) {
      i = written.closing(i + 1);
    } else if (written[i] == "<") {
      i = written.closing(i);
    } else if (written[i] == "(") {
      return i;
    } else if (is_one_of(written[i], {"=", "{", ";", "["})) {
      break;
    }
  }
  return written.size();
}

// The word before the parameters; before its arguments for a specialised template.
std::string_view function_name(const Part& written, std::size_t list) {
  std::size_t at = list - 1;
  if (written[at] == ">") {
    while (at > 0 && (written[at] != "<" || written.closing(at) != list - 1)) --at;
    if (at > 0) --at;
  }
  return is_identifier(written[at]) ? written[at] : "operator";
}

void take_function(const Part& written, std::size_t list, Declaration& declaration) {
  const std::size_t body = [&] {
    std::size_t at = written.closing(list);
    while (at < written.size() && !is_one_of(written[at], {"{", ";"})) ++at;
    return at;
  }();
  declaration.names.emplace(function_name(written, list));
  const std::set<std::string> head = identifiers_of(written.range(0, body).text());
  if (head.contains("__global__") && written[body] == "{") {
    declaration.kind = Declaration::Kind::kernel;
    declaration.head = written.range(0, body).text();
    declaration.parameters = parameters_of(written.range(list + 1, written.closing(list)));
  } else if (head.contains("__device__") || head.contains("constexpr")) {
    declaration.kind = Declaration::Kind::device;
  }
}

// A declaration after its template<...>.
void take_meaning(const Part& written, Declaration& declaration) {
  using Kind = Declaration::Kind;
  std::size_t first = 0;
  if (written[0] == "using" || is_one_of(written[0], {"struct", "class", "union", "enum"})) {
    declaration.kind = Kind::device;
    while (++first < written.size()) {
      if (is_attribute(written[first])) {
        first = written.closing(first + 1);
      } else if (written[first] != "class") {
        break;
      }
    }
    // using namespace x; concerns all that follow.
    if (is_identifier(written[first]) && written[first] != "namespace") {
      declaration.names.emplace(written[first]);
    }
    return;
  }
  if (written[0] == "static_assert") return;
  if (written[0] == "namespace") {
    declaration.kind = Kind::device;
    declaration.names.emplace(written[1]);
    return;
  }
  const std::size_t list = parameter_list(written);
  if (list > 0 && list < written.size()) return take_function(written, list, declaration);
  add_variables(written, declaration);
  const bool usable = declaration.words.contains("constexpr") ||
                      declaration.words.contains("__device__") ||
                      declaration.words.contains("__constant__");
  if (usable) declaration.kind = Kind::device;
}

// The place after a declaration that begins at `begin`.
std::size_t end_of(const Part& all, std::size_t begin) {
  bool value = false;
  const bool type = is_one_of(all[begin], {"struct", "class", "union", "enum"});
  for (std::size_t i = begin; i < all.size(); ++i) {
    if (all[i] == ";") return i + 1;
    if (all[i] == "=") value = true;
    if (!is_one_of(all[i], {"(", "[", "{"})) continue;
    const bool body = all[i] == "{";
    i = all.closing(i);
    // A body ends its function; an initialiser or a type continues to the semicolon.
    if (body && !value && !type && !is_one_of(all[i + 1], {";", ",", "{"})) return i + 1;
  }
  return all.size();
}

std::size_t end_of_line(std::string_view source, std::size_t at) {
  for (;;) {
    const std::size_t end = source.find('\n', at);
    if (end == std::string_view::npos) return source.size();
    if (end == 0 || source[end - 1] != '\\') return end;
    at = end + 1;
  }
}

Declaration make(Declaration::Kind kind, std::string text) {
  Declaration declaration;
  declaration.kind = kind;
  declaration.text = std::move(text);
  declaration.words = identifiers_of(declaration.text);
  return declaration;
}

// template <int N> struct X ...
Declaration take(const Part& written) {
  Declaration declaration = make(Declaration::Kind::host, written.text());
  std::size_t first = 0;
  while (written[first] == "template" && written[first + 1] == "<") {
    const std::size_t close = written.closing(first + 1);
    for (Parameter& one : parameters_of(written.range(first + 2, close))) {
      declaration.template_parameters.push_back(std::move(one));
    }
    first = close + 1;
  }
  take_meaning(written.from(first), declaration);
  return declaration;
}

}  // namespace

std::vector<Declaration> declarations_of(std::string_view source) {
  using Kind = Declaration::Kind;
  const Tokens tokens = lesson::tokens_of(source);
  const Part all(tokens, 0, tokens.size());
  std::vector<Declaration> result;
  for (std::size_t i = 0; i < all.size();) {
    if (all[i] == "#") {
      const auto begin = static_cast<std::size_t>(all[i].data() - source.data());
      const std::size_t end = end_of_line(source, begin);
      result.push_back(make(Kind::directive, std::string(source.substr(begin, end - begin))));
      while (i < all.size() && all[i].data() < source.data() + end) ++i;
      continue;
    }
    std::size_t behind = i + 1;
    const std::size_t space = all[i] == "inline" ? i + 1 : i;
    if (all[i] == "}") {
      result.push_back(make(Kind::close_namespace, "}"));
    } else if (all[space] == "namespace" && all[space + 2] != "=") {
      while (behind < all.size() && all[behind - 1] != "{") ++behind;
      result.push_back(make(Kind::open_namespace, all.range(i, behind).text()));
      const std::string name = all.range(space + 1, behind - 1).text();
      if (!name.empty()) result.back().names.insert(name);
    } else {
      std::size_t first = i;
      while (all[first] == "template" && all[first + 1] == "<") first = all.closing(first + 1) + 1;
      behind = end_of(all, first);
      if (behind > i + 1) result.push_back(take(all.range(i, behind)));
    }
    i = behind;
  }
  return result;
}

std::vector<std::vector<std::string>> uses_of(std::string_view text, std::string_view name) {
  const Tokens tokens = lesson::tokens_of(text);
  const Part all(tokens, 0, tokens.size());
  std::vector<std::vector<std::string>> uses;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    // Three brackets are a launch.
    if (all[i] != name || all[i + 1] != "<" || all[i + 2] == "<") continue;
    std::vector<std::string> arguments;
    for (const Part& one : all.range(i + 2, all.closing(i + 1)).at_commas()) {
      arguments.push_back(one.text());
    }
    uses.push_back(std::move(arguments));
  }
  return uses;
}

std::string with_words(std::string_view text, const std::map<std::string, std::string>& changes) {
  std::string result;
  std::size_t done = 0;
  for (const std::string_view token : lesson::tokens_of(text)) {
    const auto change = changes.find(std::string(token));
    if (change == changes.end()) continue;
    const auto at = static_cast<std::size_t>(token.data() - text.data());
    result.append(text.substr(done, at - done)).append(change->second);
    done = at + token.size();
  }
  return result.append(text.substr(done));
}

std::set<std::string> identifiers_of(std::string_view text) {
  std::set<std::string> words;
  for (const std::string_view token : lesson::tokens_of(text)) {
    if (is_identifier(token)) words.emplace(token);
  }
  return words;
}

}  // namespace warpwise::tutor
