#pragma once
#include <string>

#include "simulator/ptx/module.h"

namespace warpwise::ptx {

/// An instruction as PTX writes it, without its semicolon: "@!%p1 ld.global.v2.f32 {%f1, %f2},
/// [%rd4+8]". Variables have their short names; the function's parameters have the names after its
/// own.
std::string text_of(const Instruction& instruction, const Function& function);

/// A name with its namespaces and its parameters' types, as a person would write it.
std::string demangled(const std::string& mangled);

/// The program's own name of a function or variable: "tile" for the shared array `tile` of a
/// kernel.
std::string short_name(const std::string& mangled);

}  // namespace warpwise::ptx
