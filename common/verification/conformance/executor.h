#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "verification/conformance/random/random.h"

namespace warpwise::conformance {

using Bytes = std::vector<std::byte>;

inline std::uint64_t hash_of_bytes(const Bytes& bytes) {
  return hash_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// A kernel with two parameters: the addresses of its input and of its output.
struct Launch {
  std::string kernel;
  unsigned blocks = 1, threads = 32;
  const Bytes* input = nullptr;
  std::size_t output_bytes = 0;  ///< zero before the launch
};

/// A program that could not be loaded or run, or ran with a finding: the reason in words.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Something went wrong after which the executor can run nothing more, as a GPU's context after a
/// fault.
struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs PTX: the simulator or a GPU.
class Executor {
 public:
  virtual ~Executor() = default;
  /// The kernels of `ptx` take the place of those loaded before. @throws Refused.
  virtual void load(const std::string& ptx) = 0;
  /// @return the output. @throws Refused, Broken.
  virtual Bytes run(const Launch& launch) = 0;
  /// The name of the executor, for people: "NVIDIA H200, driver 13.0".
  virtual std::string name() const = 0;
};

/// The whole simulator: text to module to program to machine. A diagnosis refuses the launch, since
/// the programs here have no mistakes.
std::unique_ptr<Executor> simulator();

/// The first GPU, through libcuda.so.1. The assembler is not the driver's own, so that what is
/// recorded rests on a toolkit's version alone.
/// @param ptxas path of the assembler. @throws Refused where there is no GPU.
std::unique_ptr<Executor> gpu(const std::string& ptxas);

}  // namespace warpwise::conformance
