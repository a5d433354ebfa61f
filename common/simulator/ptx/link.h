#pragma once
#include <vector>

#include "simulator/ptx/module.h"

namespace warpwise::ptx {

/// Joins the texts of a program's translation units (-rdc=true) as the device linker does: a name
/// that is visible stands for one definition in all of them, one that is internal to a unit gets
/// a name of its own where another unit has the same. What no unit defines stays a declaration.
/// @throws ParseError where two units define one visible name.
Module link(std::vector<Module> units);

}  // namespace warpwise::ptx
