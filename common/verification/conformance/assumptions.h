#pragma once
#include <map>
#include <string>
#include <string_view>

#include "simulator/isa/type.h"

namespace warpwise::conformance {

/// The registers from which `forget` takes a zero that no compiler knows of, by size: of 2, 4 and 8
/// bytes. A program loads them before it calls `forget`.
inline constexpr const char* unknown_zeros[] = {"%zh", "%zr", "%zd"};

/// The assumptions of ptxas about a register's value, since it saw the instruction that wrote it.
/// ptxas 13.0 takes what holds for numbers of one format to hold for the bits as well: after a
/// saturating f32 it leaves out abs.bf16x2, and after div.ftz.f32 under a guard it shifts wrongly
/// by the bits (measured on an H200). So a random program makes it forget, where a register is read
/// in another format than it was written.
class Assumptions {
 public:
  /// @param guarded some lanes may keep an older value.
  void written(const std::string& name, isa::Type type, bool guarded);
  /// From memory or another lane: nothing is known.
  void received(const std::string& name) { format_of_[name] = nothing; }
  /// Ways through the program meet, or may meet.
  void merged();

  /// @return what has to precede an instruction that reads the register as a `type`; empty where it
  /// needs nothing.
  std::string forget(const std::string& name, isa::Type type);

 private:
  static constexpr std::string_view nothing = "", mixed = "mixed";
  std::map<std::string, std::string_view> format_of_;
  std::string_view otherwise_ = nothing;  ///< of registers that are not in format_of_
};

/// An instruction that makes `to` of `from` in a way that no compiler can see through.
std::string opaque_copy(const std::string& to, const std::string& from, isa::Type type);

}  // namespace warpwise::conformance
