#include "lesson/results/sweep.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "lesson/results/rung.h"

namespace warpwise::lesson {
namespace {

constexpr std::pair<Shown, std::string_view> names[] = {
    {Shown::load_sectors, "sect/load"},
    {Shown::store_sectors, "sect/store"},
    {Shown::shared_load_wavefronts, "wavef/load"},
    {Shown::shared_store_wavefronts, "wavef/store"},
    {Shown::bank_conflicts, "conflicts"},
    {Shown::registers, "registers"},
    {Shown::local_bytes, "local, B"},
    {Shown::resident_blocks, "blocks/SM"},
    {Shown::resident_warps, "warps/SM"},
    {Shown::occupancy, "occupancy, %"},
    {Shown::time_us, "us"},
};

std::optional<double> ratio(const Counts& counts, const char* units, const char* requests) {
  const double count = counts.value(requests);
  if (count == 0) return std::nullopt;
  return counts.value(units) / count;
}

std::optional<double> of_residency(const Rung& point, double value) {
  if (point.residency.registers == 0) return std::nullopt;
  return value;
}

}  // namespace

std::string_view name_of(Shown shown) {
  for (const auto& [kind, name] : names) {
    if (kind == shown) return name;
  }
  return "";
}

std::optional<Shown> shown_named(std::string_view text) {
  for (const auto& [kind, name] : names) {
    if (name == text) return kind;
  }
  return std::nullopt;
}

std::optional<double> value_of(Shown shown, const Rung& point) {
  const Counts& counts = point.counts;
  const Residency& residency = point.residency;
  switch (shown) {
    case Shown::load_sectors:
      return counts.sectors_per_load();
    case Shown::store_sectors:
      return counts.sectors_per_store();
    case Shown::shared_load_wavefronts:
      return ratio(counts, counter::shared_load_wavefronts, counter::shared_load_requests);
    case Shown::shared_store_wavefronts:
      return ratio(counts, counter::shared_store_wavefronts, counter::shared_store_requests);
    case Shown::bank_conflicts:
      if (counts.empty() || !counts.conflicts_known()) return std::nullopt;
      return counts.bank_conflicts();
    case Shown::registers:
      return of_residency(point, residency.registers);
    case Shown::local_bytes:
      return of_residency(point, static_cast<double>(residency.local_bytes));
    case Shown::resident_blocks:
      return of_residency(point, residency.blocks);
    case Shown::resident_warps:
      return of_residency(point, residency.warps);
    case Shown::occupancy:
      return of_residency(point, 100 * residency.fraction);
    case Shown::time_us:
      if (point.time) return point.time->median_us;
      if (point.recorded) return point.recorded->median_us;
      return std::nullopt;
  }
  return std::nullopt;
}

std::string text_of(Shown shown, std::optional<double> value) {
  if (!value) return "-";
  const bool per_request = shown == Shown::load_sectors || shown == Shown::store_sectors ||
                           shown == Shown::shared_load_wavefronts ||
                           shown == Shown::shared_store_wavefronts;
  return fmt::format("{:.{}f}", *value, per_request ? 2 : shown == Shown::time_us ? 1 : 0);
}

std::vector<int> from_to(int first, int last) {
  std::vector<int> values(last < first ? 0 : static_cast<std::size_t>(last - first) + 1);
  std::iota(values.begin(), values.end(), first);
  return values;
}

}  // namespace warpwise::lesson
