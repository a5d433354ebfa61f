#pragma once
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The symbols that a shared object offers, read without loading it: no code of it runs.
/// \ingroup lesson
namespace warpwise::lesson {

/// The symbols of the functions that an ELF file of 64 bits exports; none for another text.
std::vector<std::string> exported_functions(std::string_view file);

}  // namespace warpwise::lesson
