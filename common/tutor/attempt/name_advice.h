#pragma once
#include <sstream>
#include <string>

#include "tutor/author/code_text.h"

/// \file
/// Advice about names that a compiler does not know, or that belong to the host.
namespace warpwise::tutor {

/// An error and the file it is in.
struct Case {
  const std::string& message;
  const std::string& source;
  unsigned line;

  bool in_device_code() const { return is_device_code(source, line); }
  std::string text_of_line() const {
    std::istringstream stream(source);
    std::string text;
    for (unsigned i = 0; i < line; ++i) std::getline(stream, text);
    return line == 0 ? "" : text;
  }
};

/// The last part of a name, without arguments of templates.
std::string plain_name(std::string name);

/// `std::name` is not declared.
std::string member_of_std(const Case& at, const std::string& name);

/// Device code calls a function of the host. @param told as the compiler writes it.
std::string host_function(const Case& at, const std::string& told);

/// The same where the compiler names a function that a header calls.
std::string in_the_headers(const Case& at, const std::string& told);

/// Undefined in device code: a variable or a function of the host.
std::string host_name(const Case& at, const std::string& told);

/// Declared nowhere.
std::string undefined_name(const Case& at, const std::string& name);

/// The same by the host compiler, in plain C++.
std::string host_compilers_name(const Case& at, const std::string& name);

}  // namespace warpwise::tutor
