#include "tutor/attempt/name_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tutor/course/library_names.h"
#include "tutor/course/pattern.h"

namespace warpwise::tutor {
namespace {

/// The name of the standard library that a line of the file uses; empty where there is none.
std::string std_name_in(const std::string& line) {
  static const Pattern used(R"x(std::([[:alnum:]_]+))x");
  const auto found = used.in(line);
  return found ? found->groups[1] : "";
}

}  // namespace

std::string plain_name(std::string name) {
  name = name.substr(0, name.find_first_of("(<"));
  const std::size_t colons = name.rfind("::");
  if (colons != std::string::npos) name = name.substr(colons + 2);
  name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
  return name.substr(0, name.find_last_not_of(' ') + 1);
}

std::string member_of_std(const Case& at, const std::string& name) {
  if (at.in_device_code()) return on_the_device(name);
  const std::string header = header_of(name);
  return header.empty() ? "Which header declares it? Add its #include at the top of the file."
                        : fmt::format("Add #include <{}> at the top of the file.", header);
}

std::string host_function(const Case& at, const std::string& told) {
  const std::string name = plain_name(told);
  const Declared declared = declaration_of(name, at.source);
  if (declared.line != 0 && !told.starts_with("std::")) {
    return fmt::format(
        "{} is a function of the host (line {}). Put __device__ at its beginning, then a kernel "
        "can call it.",
        name, declared.line);
  }
  const std::string used = std_name_in(at.text_of_line());
  if (!used.empty()) return on_the_device(used);
  if (told.starts_with("std::vector")) return on_the_device("vector");
  if (is_among(name, {"rand", "srand", "time", "clock_gettime"})) {
    return fmt::format("{}() is a function of the host. Pass its values to the kernel.", name);
  }
  return "A kernel can call __device__ functions only. Is there a function of CUDA that does it?";
}

std::string in_the_headers(const Case& at, const std::string& told) {
  const std::string used = std_name_in(at.text_of_line());
  return used.empty() ? host_function(at, told) : on_the_device(used);
}

std::string host_name(const Case& at, const std::string& told) {
  const std::string name = plain_name(told);
  const Declared declared = declaration_of(name, at.source);
  if (declared.is_function || declared.line == 0) return host_function(at, told);
  return fmt::format(
      "{} is a variable of the host (line {}). Make it constexpr, __device__ or __constant__, or "
      "pass it as an argument.",
      name, declared.line);
}

std::string undefined_name(const Case& at, const std::string& name) {
  if (name.starts_with("\\u") || name.starts_with("\\U")) {
    return "The line has an invisible character, perhaps copied from a web page. Type this line "
           "again.";
  }
  const Declared declared = declaration_of(name, at.source);
  if (declared.line > at.line) {
    return fmt::format("{} is declared further down, in line {}. Move its declaration above.", name,
                       declared.line);
  }
  if (declared.line != 0 && declared.line < at.line) {
    return fmt::format(
        "{} is declared in line {}, inside of braces that end before this line. Declare it before "
        "their {{.",
        name, declared.line);
  }
  if (name.starts_with("__shfl") || is_among(name, {"__any", "__all", "__ballot"})) {
    return fmt::format("Warp functions take a mask: {}_sync(0xffffffff, ...).", name);
  }
  if (is_among(name, {"half", "half2", "__half", "__half2", "__float2half", "__half2float"})) {
    return "Add #include <cuda_fp16.h> at the top of the file.";
  }
  if (is_among(name, {"let", "var", "def", "fn", "local"})) {
    return "A declaration of C++ begins with its type: int i = ..., or auto i = ...";
  }
  std::vector<std::string> known = names_of_cuda();
  for (const std::string& own : all_identifiers(at.source)) {
    if (own == name || declaration_of(own, at.source).line == 0) continue;
    if (std::find(known.begin(), known.end(), own) == known.end()) known.push_back(own);
  }
  const std::string near = nearest_name(name, known);
  if (!near.empty()) return fmt::format("Did you mean {}?", near);
  const std::string header = header_of(name);
  if (!header.empty()) return fmt::format("Add #include <{}> at the top of the file.", header);
  if (at.text_of_line().find(name + " =") != std::string::npos) {
    return fmt::format("Declare it with its type, such as int {0} = ..., or correct its spelling.",
                       name);
  }
  return fmt::format("Nothing in this file declares {}. Declare it, or correct its spelling.",
                     name);
}

std::string host_compilers_name(const Case& at, const std::string& name) {
  if (name.starts_with("__")) return "This exercise is plain C++: no kernel is needed.";
  const std::string header = header_of(name);
  return header.empty() ? undefined_name(at, name)
                        : fmt::format("Add #include <{}> at the top of the file.", header);
}

}  // namespace warpwise::tutor
