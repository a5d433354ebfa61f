#include "answer.h"

#include <algorithm>

#include "occupancy/derivation.h"
#include "occupancy/gpu_facts.h"
#include "occupancy/text.h"

namespace warpwise::calculator {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? "\\n" : std::string(1, c);
  }
  return result + "\"";
}

std::string field(std::string_view name, std::string_view json) {
  return quoted(name) + ":" + std::string(json);
}
std::string field(std::string_view name, std::int64_t number) {
  return field(name, std::string_view(std::to_string(number)));
}

std::string object(const std::vector<std::string>& fields) {
  std::string text;
  for (const std::string& one : fields) text += (text.empty() ? "{" : ",") + one;
  return text + "}";
}

std::string list(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& one : items) text += (text.empty() ? "" : ",") + one;
  return "[" + text + "]";
}

const occupancy::Gpu& gpu_at(int index) {
  const auto table = occupancy::gpu_table();
  return table[static_cast<std::size_t>(
      std::clamp<int>(index, 0, static_cast<int>(table.size()) - 1))];
}

// The blocks that each resource admits; null where the kernel uses none of it.
std::string limits_of(const occupancy::Limits& limits) {
  std::vector<std::string> items;
  for (int i = 0; i < occupancy::resource_count; ++i) {
    const auto resource = static_cast<occupancy::Resource>(i);
    const int blocks = limits.of(resource);
    items.push_back(object({field("name", quoted(occupancy::name_of(resource))),
                            blocks == occupancy::no_limit
                                ? field("blocks", std::string_view("null"))
                                : field("blocks", static_cast<std::int64_t>(blocks))}));
  }
  return list(items);
}

std::string_view name_of(occupancy::Misfit misfit) {
  switch (misfit) {
    case occupancy::Misfit::negative_amount:
      return "negative_amount";
    case occupancy::Misfit::no_threads:
      return "no_threads";
    case occupancy::Misfit::threads_per_block:
      return "threads_per_block";
    case occupancy::Misfit::registers_per_thread:
      return "registers_per_thread";
    case occupancy::Misfit::registers_per_block:
      return "registers_per_block";
    case occupancy::Misfit::shared_bytes_per_block:
      return "shared_bytes_per_block";
  }
  return "";
}

}  // namespace

std::string gpus() {
  std::vector<std::string> rows;
  for (const occupancy::Gpu& gpu : occupancy::gpu_table()) {
    rows.push_back(object({field("id", quoted(gpu.id)), field("name", quoted(gpu.name)),
                           field("sm", quoted(occupancy::architecture_name(gpu))),
                           field("warps", gpu.warps_per_sm), field("blocks", gpu.blocks_per_sm),
                           field("registers", gpu.registers_per_sm),
                           field("threads_per_block", gpu.threads_per_block),
                           field("registers_per_thread", gpu.registers_per_thread),
                           field("shared_per_sm", gpu.shared_bytes_per_sm),
                           field("shared_per_block", gpu.shared_bytes_per_block_max)}));
  }
  return list(rows);
}

std::string answer(int gpu, const occupancy::Kernel& kernel, int grid) {
  const occupancy::Derivation derivation = occupancy::derive(
      gpu_at(gpu), kernel, grid > 0 ? std::optional<std::int64_t>(grid) : std::nullopt);
  const occupancy::Occupancy& result = derivation.occupancy;
  std::vector<std::string> limiters, cliffs, misfits;
  for (const occupancy::Misfit misfit : result.misfits) misfits.push_back(quoted(name_of(misfit)));
  for (const occupancy::Resource limiter : result.limiters)
    limiters.push_back(quoted(occupancy::name_of(limiter)));
  for (const occupancy::Step& step : derivation.steps)
    if (step.topic == "next cliff") cliffs.push_back(quoted(step.text));
  return object({field("fits", result.fits() ? "true" : "false"),
                 field("blocks", result.resident_blocks), field("warps", result.resident_warps),
                 field("of", result.warps_per_sm),
                 field("percent", quoted(occupancy::percent(result.fraction))),
                 field("limits", limits_of(result.limits)), field("misfits", list(misfits)),
                 field("limiters", list(limiters)), field("cliffs", list(cliffs)),
                 field("text", quoted(derivation.text()))});
}

std::string chart(int index, const occupancy::Kernel& kernel, Axis axis) {
  const occupancy::Gpu& gpu = gpu_at(index);
  std::vector<std::string> points;
  const auto add = [&](std::int64_t amount, const occupancy::Kernel& changed) {
    const int warps = occupancy::occupancy(gpu, changed).resident_warps;
    points.push_back(list({std::to_string(amount), std::to_string(warps)}));
  };
  occupancy::Kernel changed = kernel;
  switch (axis) {
    case Axis::threads:
      for (int threads = 32; threads <= gpu.threads_per_block; threads += 32) {
        changed.threads_per_block = threads;
        add(threads, changed);
      }
      break;
    case Axis::registers:
      for (int registers = 0; registers <= gpu.registers_per_thread; ++registers) {
        changed.registers_per_thread = registers;
        add(registers, changed);
      }
      break;
    case Axis::shared_bytes:
      for (int bytes = 0; bytes + kernel.static_shared_bytes <= gpu.shared_bytes_per_block_max;
           bytes += 512) {
        changed.dynamic_shared_bytes = bytes;
        add(bytes, changed);
      }
      break;
  }
  return list(points);
}

}  // namespace warpwise::calculator
