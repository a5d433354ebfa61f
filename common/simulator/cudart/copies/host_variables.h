#pragma once
#include <cstdint>
#include <optional>
#include <string>

/// Variables of the program on the host that live as long as it does.
namespace warpwise::cudart {

struct HostVariable {
  std::string name;
  std::uint64_t end;
};

/// The variable that holds the address, of those in the table of symbols of the program's file;
/// none in a file without one.
std::optional<HostVariable> host_variable_at(std::uint64_t address);

}  // namespace warpwise::cudart
