#pragma once
#include <cstdint>
#include <mutex>
#include <set>
#include <vector>

/// Where the program called the runtime, kept as bare addresses: taking them is cheap, and most are
/// never reported. source_place.h says which lines they are.
namespace warpwise::cudart {

/// Addresses within the instructions that called, from the innermost frame outwards, without this
/// library's own frames. Empty where the stack cannot be walked.
using CallSite = std::vector<std::uintptr_t>;

/// The site of the call that this thread is in. In a signal handler the first address is the one
/// that the signal interrupted. Needs no lock but the loader's.
CallSite call_site();

/// True for addresses within this library.
bool is_own_code(std::uintptr_t address);

/// Remembers the calling places, for reports that are made once per place.
class OncePerCall {
 public:
  bool is_first(const CallSite& from) {
    const std::lock_guard lock(mutex_);
    return reported_.insert(from).second;
  }

 private:
  std::mutex mutex_;
  std::set<CallSite> reported_;
};

/// As long as it lives, calls of this thread count as made from another place: kernel<<<>>> reaches
/// the runtime in two steps, and the second comes from code that the compiler made up.
class CalledFrom {
 public:
  explicit CalledFrom(CallSite place);
  ~CalledFrom();
  CalledFrom(const CalledFrom&) = delete;
  CalledFrom& operator=(const CalledFrom&) = delete;

 private:
  CallSite place_;
  const CallSite* before_;
};

}  // namespace warpwise::cudart
