#pragma once
#include <string>
#include <string_view>

/// \file
/// The kind of thing that an exercise asks for: its check states it by a header.
namespace warpwise::base {

/// The kind of an exercise, by the header `check/KIND.h` that its check includes: "exercise"
/// (device code alone, also where no header says anything), "program", "parent" (a program whose
/// kernels launch kernels) or "arithmetic". How each is compiled is in build/image_flags/KIND.txt.
/// @param check the text of the check, chapters/CHAPTER/checks/NAME.cu.
std::string exercise_kind(std::string_view check);

}  // namespace warpwise::base
