#include "simulator/cudart/report/call_site.h"

#include <link.h>
#include <unwind.h>

#include <utility>

namespace warpwise::cudart {
namespace {

/// Deep enough for templates that were compiled without optimisation.
constexpr std::size_t most_frames = 64;

thread_local const CallSite* replacement = nullptr;

struct Range {
  std::uintptr_t begin = 0, end = 0;
  bool holds(std::uintptr_t address) const { return address >= begin && address < end; }
};

int find_own(dl_phdr_info* module, std::size_t, void* found) {
  const auto inside = reinterpret_cast<std::uintptr_t>(&find_own);
  for (unsigned i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = module->dlpi_phdr[i];
    const std::uintptr_t begin = module->dlpi_addr + part.p_vaddr;
    const Range range{begin, begin + part.p_memsz};
    if (part.p_type != PT_LOAD || !range.holds(inside)) continue;
    *static_cast<Range*>(found) = range;
    return 1;
  }
  return 0;
}

/// The code of this library.
const Range& own_code() {
  static const Range range = [] {
    Range found;
    dl_iterate_phdr(find_own, &found);
    return found;
  }();
  return range;
}

_Unwind_Reason_Code keep(_Unwind_Context* context, void* kept) {
  auto& frames = *static_cast<CallSite*>(kept);
  int is_exact = 0;
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
  if (address == 0 || frames.size() == most_frames) return _URC_END_OF_STACK;
  // A return address may belong to the next line already.
  const std::uintptr_t calling = address - (is_exact != 0 ? 0 : 1);
  if (!is_own_code(calling)) frames.push_back(calling);
  return _URC_NO_REASON;
}

}  // namespace

bool is_own_code(std::uintptr_t address) { return own_code().holds(address); }

CallSite call_site() {
  if (replacement != nullptr) return *replacement;
  CallSite frames;
  constexpr std::size_t usual_depth = 8;
  frames.reserve(usual_depth);
  _Unwind_Backtrace(keep, &frames);
  return frames;
}

CalledFrom::CalledFrom(CallSite place)
    : place_(std::move(place)), before_(std::exchange(replacement, &place_)) {}

CalledFrom::~CalledFrom() { replacement = before_; }

}  // namespace warpwise::cudart
