#pragma once
#include <cstdint>
#include <string>

#include "simulator/machine/checks/uninitialized.h"
#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

struct TexelResult;

/// Instructions on textures and surfaces: whose object it is, and what each lane reads or writes.
/// Their accesses are not counted, and only compared with what the same block has written.
class Textures {
 public:
  Textures(RunnerState& here, Uninitialized& uninitialized)
      : here_(here), uninitialized_(uninitialized) {}

  /// An instruction of the lanes of a mask.
  void execute(const code::Operation& operation, std::uint32_t mask);
  /// To be called for each store of a program that reads textures or surfaces.
  void note_written(std::uint32_t mask, const std::uint64_t* addresses, unsigned bytes);

 private:
  const memory::TexelObject& object_of(std::uint64_t handle, const code::TexelAccess& access,
                                       unsigned lane);
  void use_operands(const code::TexelAccess& access, std::uint32_t mask);
  void check_sampler(const memory::TexelObject& object, const code::TexelAccess& access,
                     unsigned lane);
  void fetch(const memory::TexelObject& object, const code::TexelAccess& access, unsigned lane);
  void access_surface(const memory::TexelObject& object, const code::TexelAccess& access,
                      unsigned lane);
  void follow(const memory::TexelObject& object, const code::TexelAccess& access, unsigned lane,
              const TexelResult& result);
  void move_texel(const memory::TexelObject& object, const code::TexelAccess& access, unsigned lane,
                  std::uint64_t address);
  void check_read(bool is_of_surface, unsigned lane, std::uint64_t address);
  [[noreturn]] void bad_texel(unsigned lane, const char* kind, const std::string& rest);

  RunnerState& here_;
  Uninitialized& uninitialized_;
};

}  // namespace warpwise::machine
