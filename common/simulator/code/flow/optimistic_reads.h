#pragma once
#include <map>
#include <string>
#include <vector>

#include "simulator/code/callees.h"
#include "simulator/code/program.h"

namespace warpwise::code {

/// The use that a function makes of one of its parameters.
struct AtomicParameter {
  bool is_compared = false;  ///< a compare-and-swap compares with it
  bool is_returned = false;  ///< an atomic returns the old value of the place that it points to
  bool is_settled = false;   ///< an atomic leaves that place unchanged if it has the expected value
  bool operator==(const AtomicParameter&) const = default;
};

/// The parameters of a program's functions, by name. Without optimisation atomicCAS() is a function
/// that calls another one.
using AtomicParameters = std::map<std::string, std::vector<AtomicParameter>>;

AtomicParameters atomic_parameters(const std::vector<Callee>& functions);

/// For each instruction of the function, whether it is an optimistic read.
std::vector<OptimisticRead> optimistic_reads(const ptx::Function& function,
                                             const AtomicParameters& callees);

}  // namespace warpwise::code
