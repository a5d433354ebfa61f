#include "simulator/machine/warp.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace warpwise::machine {
namespace {

/// What registers and local memory hold before anything is written: never zero by luck, the same
/// always.
constexpr int undefined_pattern = 0xa5;

}  // namespace

void Warp::Free::operator()(std::byte* bytes) const { std::free(bytes); }

Warp::Warp(const code::Program& program) : program_(&program) {
  std::size_t bytes = program.register_bytes + code::slot_unit;
  registers_.reset(static_cast<std::byte*>(std::aligned_alloc(code::slot_unit, bytes)));
  if (!registers_) throw std::bad_alloc();
  std::memset(registers_.get(), 0, bytes);
  for (const code::Program::Constant& constant : program.constants) {
    std::byte* at = registers_.get() + constant.slot;
    if (constant.bytes == 0) std::memcpy(at, &constant.value, 4);
    for (int lane = 0; lane < 32 && constant.bytes; ++lane)
      std::memcpy(at + lane * constant.bytes, &constant.value, constant.bytes);
  }
  if (program.local_bytes) local.reset(new std::byte[std::size_t{32} * program.local_bytes]);
}

void Warp::start(std::uint32_t lanes) {
  existing = live = lanes;
  groups.assign(1, Group{0, lanes});
  undefined.clear();
  for (const code::Program::Range& range : program_->undefined_at_start)
    std::memset(registers_.get() + range.slot, undefined_pattern, range.bytes);
  if (local) std::memset(local.get(), undefined_pattern, std::size_t{32} * program_->local_bytes);
}

}  // namespace warpwise::machine
