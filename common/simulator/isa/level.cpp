#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "simulator/isa/row.h"

namespace warpwise::isa {
#ifdef WARPWISE_ISA_HAS_portable
namespace portable {
std::span<const Row> all_rows();
}
#endif
#ifdef WARPWISE_ISA_HAS_v3
namespace v3 {
std::span<const Row> all_rows();
}
#endif

namespace {

bool processor_has_v3() {
#ifdef WARPWISE_ISA_HAS_v3
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

#ifdef WARPWISE_ISA_HAS_portable
bool use_v3() {
  const char* forced = std::getenv("WARPWISE_ISA");
  return !(forced && std::strcmp(forced, "portable") == 0) && processor_has_v3();
}
#else
bool use_v3() {
  if (processor_has_v3()) return true;
  std::fputs(
      "warpwise: this simulator was built on a processor with AVX2, and this one has none.\n"
      "Remove the folder build/ and build again here; or, for both: cmake --preset default "
      "-DWARPWISE_EVERY_PROCESSOR=ON\n",
      stderr);
  std::_Exit(3);
}
#endif

}  // namespace

std::span<const Row> rows() {
  const bool v3_wanted = use_v3();
#if defined(WARPWISE_ISA_HAS_v3) && defined(WARPWISE_ISA_HAS_portable)
  return v3_wanted ? v3::all_rows() : portable::all_rows();
#elif defined(WARPWISE_ISA_HAS_v3)
  static_cast<void>(v3_wanted);  // Or the program has ended.
  return v3::all_rows();
#else
  static_cast<void>(v3_wanted);
  return portable::all_rows();
#endif
}

std::string_view level() { return use_v3() ? "v3" : "portable"; }

}  // namespace warpwise::isa
