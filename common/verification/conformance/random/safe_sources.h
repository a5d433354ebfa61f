#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "simulator/isa/type.h"

namespace warpwise::conformance {

/// Sources of one instruction such that its result follows from the rules of PTX alone. Where a
/// source could break that, a scratch register takes its place, and the lines that fill it precede
/// the instruction:
/// - a divisor of integers is neither zero nor -1;
/// - f64: of several NaNs the hardware keeps one's payload, and which depends on the order in which
///   ptxas puts the operands. So a source is not a NaN where an earlier one is; what becomes of a
///   single NaN stays to be seen;
/// - the minimum or maximum of a value and itself is a copy to ptxas, NaN and all, while hardware
///   writes its one NaN; so that it cannot see that two sources are equal, the second is hidden;
/// - ptxas 13.0 leaves out some shifts by what floating-point instructions or cnot gave (measured
///   on an H200, as the others): what is shifted by is hidden too;
/// - it takes constant places and lengths of bit fields of 32 bits modulo 32, or gives -1: such
///   constants from 32 on are hidden.
class SafeSources {
 public:
  explicit SafeSources(std::string_view mnemonic) : mnemonic_(mnemonic) {}

  /// @param name the next source, a register or a constant.
  /// @return what to write in its place.
  std::string take(std::string name, isa::Type type);
  /// The lines that have to precede the instruction.
  const std::string& before() const { return before_; }

 private:
  std::string divisor(const std::string& name, isa::Type type);
  std::string place(const std::string& constant);
  std::string only_nan(const std::string& name);

  std::string_view mnemonic_;
  unsigned taken_ = 0, bits_ = 0;  ///< bits of the first source
  std::vector<std::string> wide_;  ///< the registers of f64 so far, as written
  std::string before_;
};

}  // namespace warpwise::conformance
