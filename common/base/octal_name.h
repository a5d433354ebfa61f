#pragma once
#include <string>
#include <string_view>

/// \file
/// Names of files as nvcc writes them.
namespace warpwise::base {

/// A name of a file as nvcc writes it into PTX, and ptxas from there into its table of lines:
/// `Kurs \303\274` holds a letter of two bytes in octal. A backslash before anything else stays.
/// @return the name as the file system has it.
std::string from_octal_name(std::string_view written);

}  // namespace warpwise::base
