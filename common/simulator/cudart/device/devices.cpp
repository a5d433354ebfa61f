#include "simulator/cudart/device/devices.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "simulator/cudart/device/settings.h"
#include "simulator/cudart/report/console.h"

namespace warpwise::cudart {
namespace {

/// The number that the whole text spells; -1 for any other text.
int number(std::string_view text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
}

/// Calls visit(part) for the parts of a list, without blanks around them, while it returns true.
template <typename Visit>
void for_parts(std::string_view list, const Visit& visit) {
  while (true) {
    const std::size_t comma = list.find(',');
    std::string_view part = list.substr(0, comma);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!visit(part) || comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

const std::vector<int>& places() {
  static const auto& all = *new std::vector<int>([] {
    const Settings& asked = settings();
    const int devices = static_cast<int>(asked.gpus);
    if (asked.has_visible) return visible_devices(asked.visible, devices);
    std::vector<int> every;
    for (int place = 0; place < devices; ++place) every.push_back(place);
    return every;
  }());
  return all;
}

const PerDevice<unsigned>& pairs() {
  static const auto& all = *new PerDevice<unsigned>([] {
    try {
      return pairs_of_peers(settings().peers);
    } catch (const std::runtime_error& error) {
      stop(fmt::format("simulator: {}", error.what()));
    }
  }());
  return all;
}

}  // namespace

int device_count() { return static_cast<int>(places().size()); }

std::string devices_text() {
  const int count = device_count();
  if (count == 0) return "CUDA_VISIBLE_DEVICES leaves no device";
  return count == 1 ? "there is one, number 0"
                    : fmt::format("there are {}, 0 to {}", count, count - 1);
}

int place_of_device(int device) { return places()[static_cast<std::size_t>(device)]; }

std::string bus_id(int device) {
  return fmt::format("0000:{:02x}:00.0", place_of_device(device) + 1);
}

bool can_be_peers(int device, int peer) {
  return device != peer && (pairs().of(place_of_device(device)) >> place_of_device(peer) & 1) != 0;
}

std::vector<int> visible_devices(std::string_view list, int devices) {
  std::vector<int> visible;
  for_parts(list, [&](std::string_view part) {
    const int place = number(part);
    if (place < 0 || place >= devices) return false;
    if (std::find(visible.begin(), visible.end(), place) != visible.end()) return false;
    visible.push_back(place);
    return true;
  });
  return visible;
}

PerDevice<unsigned> pairs_of_peers(std::string_view text) {
  PerDevice<unsigned> pairs;
  if (text == "none") return pairs;
  if (text == "all") {
    for (unsigned& of_one : pairs) of_one = ~0u;
    return pairs;
  }
  for_parts(text, [&](std::string_view part) {
    const std::size_t dash = std::min(part.find('-'), part.size());
    const int one = number(part.substr(0, dash));
    const int other = number(part.substr(std::min(dash + 1, part.size())));
    if (one < 0 || other < 0 || one == other || std::max(one, other) >= memory::most_devices)
      throw std::runtime_error(
          fmt::format("WARPWISE_PEERS={}: all, none, or pairs of devices as in 0-1,2-3", text));
    pairs.of(one) |= 1u << other;
    pairs.of(other) |= 1u << one;
    return true;
  });
  return pairs;
}

}  // namespace warpwise::cudart
