#include "simulator/machine/warp/call_frame.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace warpwise::machine {

void CallFrame::Release::operator()(std::byte* bytes) const { std::free(bytes); }

CallFrame::CallFrame(const code::FrameLayout& frame_layout) : layout(frame_layout) {
  std::size_t bytes = layout.register_bytes + code::slot_unit;
  registers_.reset(static_cast<std::byte*>(std::aligned_alloc(code::slot_unit, bytes)));
  if (!registers_) throw std::bad_alloc();
  std::memset(registers_.get(), 0, bytes);
  for (const code::FrameLayout::Constant& constant : layout.constants) {
    std::byte* at = registers_.get() + constant.slot;
    if (constant.bytes == 0) std::memcpy(at, &constant.value, 4);
    for (int lane = 0; lane < 32 && constant.bytes; ++lane)
      std::memcpy(at + lane * constant.bytes, &constant.value, constant.bytes);
  }
  for (const code::FrameLayout::LaneConstants& lanes : layout.lane_constants)
    for (std::size_t lane = 0; lane < 32; ++lane)
      std::memcpy(registers_.get() + lanes.slot + lane * lanes.bytes, &lanes.values[lane],
                  lanes.bytes);
}

void CallFrame::start() {
  undefined.clear();
  for (const code::FrameLayout::UnsetRegister& unset : layout.undefined_at_start) {
    std::memset(registers_.get() + unset.slot, undefined_pattern, unset.bytes);
    undefined.set(unset.slot, ~0u, unset.first_read, 0);
  }
}

}  // namespace warpwise::machine
