#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/function.h"

/// \file
/// The few flags of a lesson's program, read by getopt_long(): a library of templates for command
/// lines would be most of what a first build compiles here.
///
/// \ingroup lesson
namespace warpwise::lesson {

/// The flags that a program understands, and the reading of what it was given. Every way out is a
/// Stop of one line, but for --help, whose message is all of it.
class Flags {
 public:
  /// `take` gets the value; it may throw a Stop.
  using Take = std::function<void(const std::string& value)>;

  Flags(std::string program, std::string about);

  /// `--name VALUE` or `--name=VALUE`, once; the help shows `value_name` for the value.
  void option(std::string_view name, std::string_view value_name, std::string_view help, Take take);
  void option(std::string_view name, std::string_view value_name, std::string_view help,
              std::string& value);
  /// `--name`, `--name VALUE` or `--name=VALUE`; `take` gets an empty text where there is none.
  void optional(std::string_view name, std::string_view value_name, std::string_view help,
                Take take);
  /// Sets the end of --help.
  void footer(std::string text) { footer_ = std::move(text); }
  /// `--name`.
  void flag(std::string_view name, std::string_view help, bool& value);

  /// @return what starts with `foreign`, which is another reader's ("--benchmark_"); empty:
  /// nothing.
  std::vector<std::string> parse(int argc, const char* const* argv,
                                 std::string_view foreign = {}) const;

 private:
  struct Flag {
    std::string name, value_name, help;
    Take take;
    bool may_lack_value = false;
  };
  std::vector<std::string> with_values_joined(std::vector<std::string> words) const;
  [[noreturn]] void refuse(const std::string& reason) const;
  std::string help() const;

  std::string program_, about_, footer_;
  std::vector<Flag> flags_;
};

}  // namespace warpwise::lesson
