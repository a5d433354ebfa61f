#include "simulator/cudart/queue/operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <tuple>

#include "simulator/cudart/runtime.h"
#include "simulator/cudart/warpwise_report.h"

namespace warpwise::cudart {
namespace {

constexpr auto names = std::to_array<const char*>(
    {"host_waits", "launch_calls", "graph_launches", "instantiations", "child_launches",
     "pinned_bytes_in", "pinned_bytes_out", "pageable_bytes", "allocations_in_flight", "peer_bytes",
     "staged_bytes"});
static_assert(names.size() == static_cast<std::size_t>(Counted::last));

std::array<std::atomic<std::uint64_t>, names.size()>& counts() {
  static auto& all = *new std::array<std::atomic<std::uint64_t>, names.size()>{};
  return all;
}

const char* name_of(Does does) {
  switch (does) {
    case Does::copy_in:
      return "copy in";
    case Does::copy_out:
      return "copy out";
    case Does::copy:
      return "copy";
    case Does::pageable_copy:
      return "pageable copy";
    case Does::fill:
      return "fill";
    case Does::host_function:
      return "host function";
    default:
      return "kernel";
  }
}

bool is_copy_of_engine(const OperationPtr& one) {
  return one->does == Does::copy_in || one->does == Does::copy_out || one->does == Does::copy;
}

/// Counts the copies that are not ordered with some kernel.
std::size_t overlaps(const std::vector<OperationPtr>& all) {
  return std::count_if(all.begin(), all.end(), [&](const OperationPtr& copy) {
    return is_copy_of_engine(copy) &&
           std::any_of(all.begin(), all.end(), [&](const OperationPtr& kernel) {
             return kernel->does == Does::kernel && runtime().queue.may_overlap(copy, kernel);
           });
  });
}

/// A kernel's name without its parameters.
std::string name_of(const Operation& one) {
  if (one.launch == nullptr) return name_of(one.does);
  const std::string& name = one.launch->kernel;
  return name.substr(0, name.find('('));
}

/// The bytes moved from device to device, as the keys of an operation.
std::string moved_text(const Operation& one) {
  std::map<std::tuple<int, int, bool>, std::uint64_t> links;
  std::uint64_t peer = 0, staged = 0;
  for (const Moved& moved : one.moved) {
    links[{moved.from, moved.to, moved.staged}] += moved.bytes;
    (moved.staged ? staged : peer) += moved.bytes;
  }
  std::string list;
  for (const auto& [link, bytes] : links)
    list +=
        fmt::format(R"({}{{"from":{},"to":{},"bytes":{},"staged":{}}})", list.empty() ? "" : ",",
                    std::get<0>(link), std::get<1>(link), bytes, std::get<2>(link));
  return fmt::format(R"("peer_bytes":{},"staged_bytes":{},"moved":[{}])", peer, staged, list);
}

}  // namespace

void count(Counted what, std::uint64_t by) { counts()[static_cast<std::size_t>(what)] += by; }

void count_moved(const Moved& moved) {
  if (moved.bytes == 0) return;
  count(moved.staged ? Counted::staged_bytes : Counted::peer_bytes, moved.bytes);
  runtime().queue.note_moved(moved);
}

std::string take_operations() {
  const auto [all, before] = runtime().queue.take_kept();
  std::string text = "{";
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("\"{}\":{},", names[i], counts()[i].exchange(0));
  }
  std::size_t longest = 0;
  std::string list;
  for (const OperationPtr& one : all) {
    const std::size_t depth = one->depth - std::min(before, one->depth);
    longest = std::max(longest, depth);
    list += fmt::format(R"({}{{"name":"{}","does":"{}","device":{},"stream":{},"column":{},{}}})",
                        list.empty() ? "" : ",", name_of(*one), name_of(one->does), one->device,
                        one->stream, depth == 0 ? 0 : depth - 1, moved_text(*one));
  }
  return text + fmt::format(R"("longest_chain":{},"overlaps":{},"operations":[{}]}})", longest,
                            overlaps(all), list);
}

}  // namespace warpwise::cudart

extern "C" {

void warpwise_count_operations(int wanted) {
  warpwise::cudart::take_operations();
  warpwise::cudart::runtime().queue.keep_working(wanted != 0);
}

const char* warpwise_take_operations() {
  thread_local std::string text;
  text = warpwise::cudart::take_operations();
  return text.c_str();
}
}
