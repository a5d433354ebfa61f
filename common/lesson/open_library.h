#pragma once

/// \file
/// Libraries that a program asks for when it runs. \ingroup lesson
namespace warpwise::lesson {

/// Opens a library by its name ("libcublas.so.13"), else next to the CUDA runtime that is in use.
/// @return what dlsym takes; null where there is none.
void* open_library(const char* name);

}  // namespace warpwise::lesson
