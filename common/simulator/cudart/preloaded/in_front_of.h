#pragma once
#include <dlfcn.h>

#include <atomic>

// Functions of the C library that this library replaces with its own, which call them.
namespace warpwise::cudart {

/// The function that the program would have called. Looked for at the first call, which may come
/// before any constructor.
template <typename Function>
class Next {
 public:
  constexpr explicit Next(const char* name) : name_(name) {}

  template <typename... Arguments>
  auto operator()(Arguments... arguments) {
    Function* function = found_.load(std::memory_order_relaxed);
    if (function == nullptr) {
      function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
      found_.store(function, std::memory_order_relaxed);
    }
    return function(arguments...);
  }

 private:
  const char* name_;
  std::atomic<Function*> found_{nullptr};
};

}  // namespace warpwise::cudart

// In the library's table of symbols the name has no version, so that it is found for any version
// that a program asks for; the other names have the library's own.
#pragma GCC diagnostic ignored "-Wignored-attributes"
#define WARPWISE_IN_PLACE_OF(name) __asm__(".symver warpwise_" #name ", " #name "@@")
#define WARPWISE_IN_FRONT_OF(name) \
  WARPWISE_IN_PLACE_OF(name);      \
  static constinit Next<decltype(::name)> next_##name(#name)
