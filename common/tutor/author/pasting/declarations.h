#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::tutor {

/// A parameter of a function or of a template, as it is written.
struct Parameter {
  std::string type;  ///< "const float*", "class"; "std::" and attributes are left out.
  std::string name;
  bool operator==(const Parameter&) const = default;
};

/// One thing that a CUDA source declares at the level of its namespaces.
struct Declaration {
  enum class Kind {
    directive,        ///< a line of the preprocessor.
    open_namespace,   ///< "namespace rows {"; `names` has its name, or nothing.
    close_namespace,  ///< "}"
    kernel,           ///< a __global__ function with its body.
    device,           ///< what device code may use: functions, types, constants.
    host,             ///< everything else.
  };
  Kind kind = Kind::host;
  std::string text;             ///< from the first token to the last.
  std::set<std::string> names;  ///< that it declares.
  std::set<std::string> words;  ///< all identifiers in it.
  std::vector<Parameter> template_parameters;
  std::vector<Parameter> parameters;  ///< of a kernel.
  std::string head;                   ///< of a kernel: the text before its body.

  /// The one name that a function or a type declares.
  std::string name() const { return names.empty() ? std::string() : *names.begin(); }
};

/// Cuts a source into its declarations. It knows no preprocessor and no templates' meaning: it is
/// for sources that compile and look as this project's do.
std::vector<Declaration> declarations_of(std::string_view source);

/// The texts between the brackets `<...>` after each use of a template, cut at its commas:
/// uses_of("k<4, F<1, 2>>(x); k<n>(x)", "k") is {{"4", "F<1, 2>"}, {"n"}}.
std::vector<std::vector<std::string>> uses_of(std::string_view text, std::string_view name);

/// The text with some of its identifiers replaced.
std::string with_words(std::string_view text, const std::map<std::string, std::string>& changes);

/// All identifiers of a text.
std::set<std::string> identifiers_of(std::string_view text);

}  // namespace warpwise::tutor
