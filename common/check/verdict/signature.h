#pragma once
#include <string>
#include <vector>

/// \file
/// The declaration that a check wants against the one that it finds.
/// \ingroup lesson
namespace warpwise::lesson {

/// A declaration against the one found: both as "lane_sum(const float*, float*, int)".
struct Signature {
  std::string wanted;
  std::vector<std::string> found;           ///< all kernels of the image, or its functions of
                                            ///< that name.
  std::string before = "__global__ void ";  ///< precedes the wanted one.
  std::string what = "kernel";

  bool matches() const;
  /// Says what is wrong, in several lines, those that begin with a blank rows of a table: both side
  /// by side. Empty when it matches.
  std::string text() const;
  /// Says what to do about it; empty when it matches.
  std::string next() const;
};

/// "f(float const*, int)" as a programmer writes it: "f(const float*, int)".
std::string written_signature(const std::string& demangled);
/// The parameters of a demangled function type, "void (float const*)", as "(const float*)".
std::string written_parameters(const std::string& function_type);

}  // namespace warpwise::lesson
