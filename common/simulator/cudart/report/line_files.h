#pragma once
#include <string>

namespace warpwise::cudart {

/// The file of a line that addr2line gave. Up to version 2.40, for code of the unit's first file,
/// it gives the file that nvcc has compiled, which nvcc itself has generated: where a function has
/// a section of its own, as that of a template has, nothing names that file, and addr2line begins
/// to count at 0.
/// @param program that has the debug information. @param given the file that addr2line gave.
std::string written_file(const std::string& program, const std::string& given);

}  // namespace warpwise::cudart
