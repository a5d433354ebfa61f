#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "check/host/host_call.h"

/// \file
/// A function called whose type is known at run time only.
/// \ingroup lesson
namespace warpwise::lesson {

/// Calls the function at an address. Exceptions that it throws come through.
/// @param arguments the bits of a pointer are its address.
/// @return what it returned as a number; nothing for HostType::nothing and pointers.
/// @throws Stop (environment) for types that this machine cannot pass.
std::optional<double> foreign_call(void* function, HostType returns,
                                   std::vector<HostArgument> arguments);

}  // namespace warpwise::lesson
