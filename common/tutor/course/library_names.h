#pragma once
#include <initializer_list>
#include <string>
#include <vector>

/// \file
/// The names of things in the libraries of C++ and of CUDA, for advice about errors of a compiler.
namespace warpwise::tutor {

bool is_among(const std::string& name, std::initializer_list<const char*> names);

/// Names of CUDA that are often misspelt.
const std::vector<std::string>& names_of_cuda();

/// The header of the standard library that declares a name; empty where it is not one of these.
std::string header_of(const std::string& name);

/// The function of device code to use instead of a name of the standard library, as advice.
std::string on_the_device(const std::string& name);

}  // namespace warpwise::tutor
