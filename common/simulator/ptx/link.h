#pragma once
#include <vector>

#include "simulator/ptx/module.h"

namespace warpwise::ptx {

/// Joins the texts of a program's translation units (-rdc=true) as the device linker does: a
/// visible name means one definition in all of them; a name that is internal to a unit becomes
/// unique where another unit has the same. What no unit defines stays a declaration.
/// @throws ParseError where two units define one visible name.
Module link(std::vector<Module> units);

}  // namespace warpwise::ptx
