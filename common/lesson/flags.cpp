#include "lesson/flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lesson/error.h"

namespace warpwise::lesson {

Flags::Flags(std::string program, std::string about)
    : program_(std::move(program)), about_(std::move(about)) {}

void Flags::option(std::string_view name, std::string_view value_name, std::string_view help,
                   Take take) {
  flags_.push_back(
      {std::string(name), std::string(value_name), std::string(help), std::move(take)});
}

void Flags::option(std::string_view name, std::string_view value_name, std::string_view help,
                   std::string& value) {
  option(name, value_name, help, [&value](const std::string& text) { value = text; });
}

void Flags::flag(std::string_view name, std::string_view help, bool& value) {
  option(name, {}, help, [&value](const std::string&) { value = true; });
}

void Flags::refuse(const std::string& reason) const {
  throw Stop(bad_usage, fmt::format("{} ({} --help lists the flags)", reason, program_));
}

const Flags::Flag* Flags::find(std::string_view name) const {
  const auto at = std::find_if(flags_.begin(), flags_.end(),
                               [&](const Flag& flag) { return flag.name == name; });
  return at == flags_.end() ? nullptr : &*at;
}

std::string Flags::help() const {
  const auto line = [](const std::string& names, const std::string& help) {
    return fmt::format("  {:<27} {}\n", names, help);
  };
  std::string text = fmt::format("{}\nUsage: {} [OPTIONS]\n\nOptions:\n", about_, program_);
  text += line("-h,--help", "Print this help message and exit");
  for (const Flag& flag : flags_) {
    text +=
        line(flag.value_name.empty() ? flag.name : flag.name + " " + flag.value_name, flag.help);
  }
  return text;
}

std::vector<std::string> Flags::parse(int argc, const char* const* argv,
                                      std::string_view foreign) const {
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (const std::string& word : words) {
    if (word == "-h" || word == "--help") throw Stop(all_right, help());
  }
  std::vector<std::string> left;
  std::vector<const Flag*> seen;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!foreign.empty() && words[i].starts_with(foreign)) {
      left.push_back(words[i]);
      continue;
    }
    const std::size_t equals = words[i].find('=');
    const std::string name = words[i].substr(0, equals);
    const bool given = equals != std::string::npos;
    const Flag* flag = find(name);
    if (flag == nullptr) refuse(words[i] + " is no flag of this program");
    const bool takes_value = !flag->value_name.empty();
    if (given && !takes_value) refuse(name + " takes no value");
    if (takes_value && std::find(seen.begin(), seen.end(), flag) != seen.end()) {
      refuse(name + " stands there twice");
    }
    seen.push_back(flag);
    std::string value = given ? words[i].substr(equals + 1) : std::string();
    if (takes_value && !given) {
      if (i + 1 == words.size() || words[i + 1].starts_with("--")) {
        refuse(fmt::format("{} wants {}", name, flag->value_name));
      }
      value = words[++i];
    }
    flag->take(value);
  }
  return left;
}

}  // namespace warpwise::lesson
