#pragma once
#include <map>
#include <string>
#include <vector>

/// \file
/// What the host asked of the simulated device.
/// \ingroup report
namespace warpwise::report {

/// The operations that the host asked of the simulated device: warpwise_report.h says what the
/// numbers are.
struct OperationCounts {
  std::map<std::string, double> numbers;
  struct Operation {
    std::string name, does;
    unsigned stream = 0, column = 0;
  };
  std::vector<Operation> list;
};

}  // namespace warpwise::report
