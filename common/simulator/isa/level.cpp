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

#ifdef WARPWISE_ISA_HAS_v3
bool has_v3() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2");
}
#endif

#if defined(WARPWISE_ISA_HAS_v3) && !defined(WARPWISE_ISA_HAS_portable)
/// Other code than these rows is also compiled for the processor of the build machine, so this
/// check runs before all of it: it is the first constructor, and it calls no code that other files
/// share.
[[gnu::constructor(101)]] void refuse_older_processor() {
  if (has_v3()) return;
  std::fputs(
      "warpwise: this simulator was built on a processor with AVX2, and this one has none.\n"
      "Remove the folder build/ and build again here; or, for both: cmake --preset default "
      "-DWARPWISE_EVERY_PROCESSOR=ON\n",
      stderr);
  std::_Exit(3);
}
#endif

bool use_v3() {
#ifdef WARPWISE_ISA_HAS_portable
  const char* forced = std::getenv("WARPWISE_ISA");
  if (forced && std::strcmp(forced, "portable") == 0) return false;
#endif
#ifdef WARPWISE_ISA_HAS_v3
  return has_v3();
#else
  return false;
#endif
}

}  // namespace

std::span<const Row> rows() {
#ifdef WARPWISE_ISA_HAS_portable
  if (!use_v3()) return portable::all_rows();
#endif
#ifdef WARPWISE_ISA_HAS_v3
  return v3::all_rows();
#endif
}

std::string_view level() { return use_v3() ? "v3" : "portable"; }

}  // namespace warpwise::isa
