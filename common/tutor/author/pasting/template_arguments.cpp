#include "tutor/author/pasting/template_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace warpwise::tutor {
namespace {

using Kind = Declaration::Kind;
using Arguments = std::vector<std::string>;
using Bindings = std::map<std::string, std::string>;

constexpr std::size_t most = 2;
constexpr int deepest = 4;

template <class T>
void add_new(std::vector<T>& list, T item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(std::move(item));
}

// The first and the last, and values at even distances between them.
std::vector<std::string> spread(const std::vector<std::string>& all) {
  if (all.size() <= most) return all;
  std::vector<std::string> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * (all.size() - 1) / (most - 1)]);
  return some;
}

class Reader {
 public:
  explicit Reader(const std::vector<Declaration>& all) : all_(all) {
    for (const Declaration& one : all) {
      if (one.kind == Kind::device) known_.insert(one.names.begin(), one.names.end());
    }
  }

  /// All argument lists with which a template is used; an empty text marks what is unknown.
  std::vector<Arguments> uses(const std::string& name, int depth = 0) const {
    std::vector<Arguments> result;
    if (depth > deepest) return result;
    for (const Declaration& user : all_) {
      if (user.names.contains(name) && user.kind != Kind::host) continue;
      for (const Arguments& written : uses_of(user.text, name)) {
        for (const Bindings& bindings : bindings_of(user, written, depth)) {
          Arguments arguments;
          for (const std::string& one : written) arguments.push_back(resolved(one, bindings));
          add_new(result, std::move(arguments));
        }
      }
    }
    return result;
  }

  /// Types of which the text makes values: what generic functions are handed.
  std::vector<std::string> types_of_values() const {
    std::vector<std::string> types;
    for (const Declaration& type : all_) {
      if (!type.text.starts_with("struct ")) continue;
      for (const Declaration& user : all_) {
        if (user.kind == Kind::host && user.text.find(type.name() + "()") != std::string::npos) {
          add_new(types, type.name());
        }
      }
    }
    return types;
  }

 private:
  // The possible values of the template parameters around a use.
  std::vector<Bindings> bindings_of(const Declaration& user, const Arguments& written,
                                    int depth) const {
    const std::set<std::string> words = identifiers_of(fmt::format("{}", fmt::join(written, ",")));
    const auto& parameters = user.template_parameters;
    const bool depends =
        std::any_of(parameters.begin(), parameters.end(),
                    [&](const Parameter& parameter) { return words.contains(parameter.name); });
    if (!depends) return {{}};
    std::vector<Bindings> result;
    for (const Arguments& outer : uses(user.name(), depth + 1)) {
      Bindings bindings;
      for (std::size_t i = 0; i < std::min(outer.size(), parameters.size()); ++i) {
        if (!outer[i].empty()) bindings[parameters[i].name] = outer[i];
      }
      result.push_back(std::move(bindings));
    }
    if (result.empty()) result.emplace_back();
    return result;
  }

  // The argument, if it then says something without its surroundings.
  std::string resolved(const std::string& argument, const Bindings& bindings) const {
    const std::string text = with_words(argument, bindings);
    for (const std::string& word : identifiers_of(text)) {
      if (!known_.contains(word) && !is_type_or_value(word)) return {};
    }
    return text;
  }

  static bool is_type_or_value(const std::string& word) {
    static const std::set<std::string> words{"bool",   "char",   "double",  "false", "float",
                                             "float2", "float3", "float4",  "int",   "int2",
                                             "int4",   "true",   "unsigned"};
    return words.contains(word);
  }

  const std::vector<Declaration>& all_;
  std::set<std::string> known_;
};

// Likely arguments of a parameter when nothing names them.
std::vector<std::string> likely(const Parameter& parameter, const Reader& reader) {
  if (parameter.type == "class" || parameter.type == "typename") {
    const std::vector<std::string> types = reader.types_of_values();
    return types.empty() ? std::vector<std::string>{"float", "float4"} : spread(types);
  }
  if (parameter.type == "bool") return {"false", "true"};
  return {"4"};
}

}  // namespace

std::vector<std::string> template_arguments(const Declaration& kernel,
                                            const std::vector<Declaration>& all) {
  const auto& parameters = kernel.template_parameters;
  if (parameters.empty()) return {""};
  const Reader reader(all);
  std::vector<Arguments> lists = reader.uses(kernel.name());
  if (lists.empty()) lists.emplace_back(parameters.size());
  std::vector<std::string> texts;
  for (Arguments& list : lists) {
    list.resize(std::max(list.size(), parameters.size()));
    std::vector<Arguments> filled{{}};
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::vector<std::string> values = list[i].empty() && i < parameters.size()
                                                  ? likely(parameters[i], reader)
                                                  : Arguments{list[i]};
      std::vector<Arguments> longer;
      for (const Arguments& begin : filled) {
        for (const std::string& value : values) {
          longer.push_back(begin);
          longer.back().push_back(value);
        }
      }
      filled = std::move(longer);
    }
    for (const Arguments& one : filled) add_new(texts, fmt::format("<{}>", fmt::join(one, ", ")));
  }
  return spread(texts);
}

}  // namespace warpwise::tutor
