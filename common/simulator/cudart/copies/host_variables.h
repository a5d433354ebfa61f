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

/// Finds the variable that holds the address, in the symbol table of the program's file; none in a
/// file without a table.
std::optional<HostVariable> host_variable_at(std::uint64_t address);

}  // namespace warpwise::cudart
