#pragma once
#include <string>

#include "verification/conformance/executor.h"

namespace warpwise::conformance {

/// The assembler of a CUDA toolkit, run as a process of its own: what makes it crash costs that
/// text alone. Its files disappear with the object.
class Ptxas {
 public:
  /// @param path of the program. @throws std::runtime_error where no folder for files can be made.
  explicit Ptxas(std::string path);
  ~Ptxas();
  Ptxas(const Ptxas&) = delete;
  Ptxas& operator=(const Ptxas&) = delete;

  struct Result {
    int status;  ///< 0 where it made machine code
    std::string log;
    Bytes cubin;
  };
  /// @param options of its command line: "-O0".
  Result assemble(const std::string& ptx, const std::string& options = "") const;

 private:
  std::string path_, folder_;
};

}  // namespace warpwise::conformance
