#include "lesson/start/flags.h"

#include <fmt/format.h>
#include <getopt.h>

#include <algorithm>
#include <utility>

#include "lesson/device/error.h"

namespace warpwise::lesson {
namespace {

constexpr const char* unknown = " is not a flag of this program";

}  // namespace

Flags::Flags(std::string program, std::string about)
    : program_(std::move(program)), about_(std::move(about)) {}

void Flags::option(std::string_view name, std::string_view value_name, std::string_view help,
                   Take take) {
  flags_.push_back(
      {std::string(name), std::string(value_name), std::string(help), std::move(take)});
}

void Flags::optional(std::string_view name, std::string_view value_name, std::string_view help,
                     Take take) {
  option(name, value_name, help, std::move(take));
  flags_.back().may_lack_value = true;
}

/// getopt_long() takes a value that may be missing only after "=".
std::vector<std::string> Flags::with_values_joined(std::vector<std::string> words) const {
  for (const Flag& flag : flags_) {
    if (!flag.may_lack_value) continue;
    const auto at = std::find(words.begin(), words.end(), flag.name);
    if (at == words.end() || at + 1 == words.end() || (at + 1)->starts_with("-")) continue;
    *at += "=" + *(at + 1);
    words.erase(at + 1);
  }
  return words;
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
  return text + footer_;
}

std::vector<std::string> Flags::parse(int argc, const char* const* argv,
                                      std::string_view foreign) const {
  std::vector<std::string> left, words(argv, argv + argc);
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "-h" || words[i] == "--help") throw Stop(all_right, help());
    if (!foreign.empty() && words[i].starts_with(foreign)) left.push_back(words[i]);
  }
  std::erase_if(words, [&](const std::string& word) {
    return !foreign.empty() && word.starts_with(foreign);
  });
  words = with_values_joined(std::move(words));
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  constexpr int first = 256;  // what getopt_long() calls the first flag: no character
  std::vector<::option> known;
  for (const Flag& flag : flags_) {
    const int has_value = flag.may_lack_value       ? optional_argument
                          : flag.value_name.empty() ? no_argument
                                                    : required_argument;
    known.push_back(
        {flag.name.c_str() + 2, has_value, nullptr, first + static_cast<int>(known.size())});
  }
  known.push_back({});
  std::vector<bool> seen(flags_.size());
  opterr = 0;
  optind = 0;  // begins anew
  // "+": no word is passed over; ":": a value that is missing is reported separately.
  const auto next = [&] {
    return getopt_long(static_cast<int>(words.size()), pointers.data(), "+:", known.data(),
                       nullptr);
  };
  std::size_t read = 1;  // the word that it is at
  for (int found; (found = next()) != -1; read = static_cast<std::size_t>(optind)) {
    const bool is_wrong = found == '?' || found == ':';
    const auto at = static_cast<std::size_t>((is_wrong ? optopt : found) - first);
    if (at >= flags_.size()) refuse(std::string(pointers[read]) + unknown);
    const Flag& flag = flags_[at];
    if (found == '?') refuse(flag.name + " takes no value");
    const std::string value = optarg == nullptr ? "" : optarg;
    const bool takes_value = !flag.value_name.empty();
    if (found == ':' || (takes_value && value.starts_with("--"))) {
      refuse(fmt::format("{} wants {}", flag.name, flag.value_name));
    }
    if (takes_value && seen[at]) refuse(flag.name + " is there twice");
    seen[at] = true;
    flag.take(value);
  }
  const char* rest = pointers[static_cast<std::size_t>(optind)];
  if (rest != nullptr) refuse(std::string(rest) + unknown);
  return left;
}

}  // namespace warpwise::lesson
