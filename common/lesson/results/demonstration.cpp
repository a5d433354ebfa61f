#include "lesson/results/demonstration.h"

#include <fmt/format.h>

namespace warpwise::lesson {

std::string decimal(double value, int decimals) { return fmt::format("{:.{}f}", value, decimals); }

}  // namespace warpwise::lesson
