#include <cstdlib>
#include <cstring>

#include "simulator/isa/row.h"

namespace warpwise::isa {
namespace portable {
std::span<const Row> all_rows();
}
#ifdef WARPWISE_ISA_HAS_v3
namespace v3 {
std::span<const Row> all_rows();
}
#endif

namespace {
bool use_v3() {
#ifdef WARPWISE_ISA_HAS_v3
  const char* forced = std::getenv("WARPWISE_ISA");
  if (forced && std::strcmp(forced, "portable") == 0) return false;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}
}  // namespace

std::span<const Row> rows() {
#ifdef WARPWISE_ISA_HAS_v3
  if (use_v3()) return v3::all_rows();
#endif
  return portable::all_rows();
}

std::string_view level() { return use_v3() ? "v3" : "portable"; }

}  // namespace warpwise::isa
