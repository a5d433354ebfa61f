#include "simulator/cudart/device/preload.h"

#include <filesystem>
#include <system_error>

namespace warpwise::cudart {
namespace {

bool same_file(std::string_view one, std::string_view other) {
  if (one == other) return true;
  std::error_code failed;
  return std::filesystem::equivalent(one, other, failed) && !failed;
}

}  // namespace

std::string without_entry(std::string_view list, std::string_view file) {
  std::string kept;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(" :"), list.size());
    const std::string_view entry = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    if (entry.empty() || same_file(entry, file)) continue;
    if (!kept.empty()) kept += ':';
    kept += entry;
  }
  return kept;
}

}  // namespace warpwise::cudart
