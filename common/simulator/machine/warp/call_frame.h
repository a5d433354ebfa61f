#pragma once
#include <cstdint>
#include <memory>

#include "simulator/code/program.h"
#include "simulator/machine/checks/definedness.h"

namespace warpwise::machine {

/// The content of registers and local memory before anything is written: never zero by luck, the
/// same always.
constexpr int undefined_pattern = 0xa5;

/// One call of a function, or the run of the kernel itself: the registers of the lanes that made it
/// together, and its part of each thread's stack. Reused call after call.
struct CallFrame {
  explicit CallFrame(const code::FrameLayout& layout);

  /// Makes the registers as they are before the first instruction.
  void start();

  const code::FrameLayout& layout;
  const code::Function* function = nullptr;  ///< null for the kernel
  CallFrame* caller = nullptr;               ///< null for the kernel
  const code::Call* call = nullptr;
  std::uint32_t return_pc = 0;
  unsigned depth = 0;         ///< of calls; 0 for the kernel
  std::uint32_t lanes = 0;    ///< those that have not left it, be it that they are in a callee
  std::uint32_t entered = 0;  ///< these, and those that have left it
  std::uint32_t base = 0;     ///< local address at which its part of the stack starts
  std::uint32_t stack = 0;    ///< bytes that count for cudaLimitStackSize, without what alloca took
  std::uint32_t top = 0;      ///< and ends; grows with alloca
  UndefinedValues undefined;
  std::uint64_t block = ~0ull;  ///< the special registers are those of this block

  std::byte* registers() const { return registers_.get(); }

 private:
  struct Release {
    void operator()(std::byte* bytes) const;
  };
  std::unique_ptr<std::byte[], Release> registers_;
};

}  // namespace warpwise::machine
