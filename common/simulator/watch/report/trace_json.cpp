// The trace as JSON, made to be small:
//
//     kernel, grid, block     of the launch
//     block_index, warp       what was followed: the block's linear index, the warp in it
//     complete                false where the limit on steps has cut it
//     files, arrays, lines    named by their index in what follows
//     arrays[]                name, space, base (address), bytes (0: not known)
//     lines[]                 text of the instruction, op, file, line
//     steps[]                 line; live, active, mask: bits by lane, live and active only where
//                             they differ from those of the step before, mask where it differs from
//                             active; waits; from: the lane that each lane reads;
//                             to, values: what registers receive and what stores and shuffles take
//     to[], values[]          register, type, lanes
//     accesses[]              array, store, atomic, bytes, lanes (offsets in the array), mask where
//                             it is not the step's, sectors or wavefronts and ideal
//
// "lanes" holds one entry where all lanes of the mask have it, else 32, null outside the mask.
// Floats are numbers or "nan", "inf", "-inf"; halves are bits; what a double cannot hold is a text.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "report/simulator_json.h"
#include "simulator/watch/report/trace.h"

namespace warpwise::watch {
namespace {

using isa::Type;
using report::quoted;

template <class Float>
std::string float_text(Float value) {
  if (std::isfinite(value)) return fmt::format("{}", value);
  return std::isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"";
}

/// The bits of one lane, read as the type says.
std::string value_text(std::uint64_t bits, Type type) {
  constexpr std::uint64_t exact = 1ull << 53;  // beyond, a double has gaps
  if (type == Type::f32) return float_text(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (type == Type::f64) return float_text(std::bit_cast<double>(bits));
  const unsigned unused = 64 - 8 * isa::size_bytes(type);
  if (isa::is_signed(type)) {
    const std::int64_t value = static_cast<std::int64_t>(bits << unused) >> unused;
    const bool fits = std::abs(static_cast<double>(value)) < static_cast<double>(exact);
    return fits ? fmt::format("{}", value) : fmt::format("\"{}\"", value);
  }
  const std::uint64_t value = type == Type::pred ? bits & 1 : bits << unused >> unused;
  return value < exact ? fmt::format("{}", value) : fmt::format("\"{:#x}\"", value);
}

/// @param text_of of a lane.
template <class TextOf>
std::string lanes_text(std::uint32_t mask, TextOf text_of) {
  std::string all, first;
  bool same = true;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::string text = mask >> lane & 1 ? text_of(lane) : "null";
    if (mask >> lane & 1) {
      if (first.empty()) first = text;
      same &= text == first;
    }
    all += (lane ? "," : "") + text;
  }
  return "[" + (same ? first : all) + "]";
}

template <class List, class TextOf>
std::string list_text(const List& list, TextOf text_of, const char* between = ",") {
  std::string text;
  for (const auto& one : list) text += (text.empty() ? "" : between) + text_of(one);
  return "[" + text + "]";
}

std::string index_json(const Index3& index) {
  return fmt::format("[{},{},{}]", index[0], index[1], index[2]);
}

}  // namespace

std::string Trace::to_json(const LaunchReport& launch) const {
  std::vector<std::string> files;
  auto file_number = [&](const std::string& file) {
    auto found = std::find(files.begin(), files.end(), file);
    if (found == files.end()) found = files.insert(files.end(), file);
    return found - files.begin();
  };
  const std::string lines = list_text(
      lines_,
      [&](const Line& line) {
        return fmt::format(R"({{"text":{},"op":{},"file":{},"line":{}}})", quoted(line.text),
                           quoted(line.operation), file_number(line.file), line.line);
      },
      ",\n");
  const std::string arrays = list_text(arrays_, [](const Array& array) {
    return fmt::format(R"({{"name":{},"space":"{}","base":{},"bytes":{}}})", quoted(array.name),
                       array.is_shared ? "shared" : "global", array.base, array.bytes);
  });
  std::uint32_t live = 0, active = 0;
  const std::string steps = list_text(
      steps_,
      [&](const Step& step) {
        std::string text = step_json(step, step.live != live, step.active != active);
        live = step.live;
        active = step.active;
        return text;
      },
      ",\n");
  return fmt::format(
      R"({{"kernel":{},"grid":{},"block":{},"block_index":{},"warp":{},"complete":{},)"
      "\n\"files\":{},\n\"arrays\":{},\n\"lines\":{},\n\"steps\":{}}}\n",
      quoted(launch.kernel), index_json(launch.grid), index_json(launch.block), request_.block,
      request_.warp, !is_full_, list_text(files, quoted), arrays, lines, steps);
}

std::string Trace::step_json(const Step& step, bool new_live, bool new_active) const {
  const auto values = [&](const Value& value) {
    return fmt::format(
        R"({{"register":"{}","type":"{}","lanes":{}}})", value.name, isa::name_of(value.type),
        lanes_text(step.mask, [&](unsigned i) { return value_text(value.lanes[i], value.type); }));
  };
  std::string text = fmt::format(R"({{"line":{})", step.line);
  if (new_live) text += fmt::format(R"(,"live":{})", step.live);
  if (new_active) text += fmt::format(R"(,"active":{})", step.active);
  if (step.mask != step.active) text += fmt::format(R"(,"mask":{})", step.mask);
  if (step.waits) text += R"(,"waits":true)";
  if (!step.from.empty())
    text += R"(,"from":)" +
            lanes_text(step.mask, [&](unsigned i) { return fmt::format("{}", step.from[i]); });
  if (!step.stored.empty()) text += R"(,"values":)" + list_text(step.stored, values);
  if (!step.written.empty()) text += R"(,"to":)" + list_text(step.written, values);
  if (!step.accesses.empty())
    text += R"(,"accesses":)" + list_text(step.accesses, [&](const Access& access) {
              return access_json(access, step.mask);
            });
  return text + "}";
}

std::string Trace::access_json(const Access& access, std::uint32_t step_mask) const {
  std::string text = fmt::format(
      R"({{"array":{},"bytes":{},"lanes":{})", access.array, access.bytes,
      lanes_text(access.mask, [&](unsigned i) { return fmt::format("{}", access.offsets[i]); }));
  if (access.mask != step_mask) text += fmt::format(R"(,"mask":{})", access.mask);
  if (access.is_store) text += R"(,"store":true)";
  if (access.is_atomic) text += R"(,"atomic":true)";
  text += arrays_[access.array].is_shared ? fmt::format(R"(,"wavefronts":{},"ideal":{})",
                                                        access.wavefronts, access.ideal_wavefronts)
                                          : fmt::format(R"(,"sectors":{})", access.sectors);
  return text + "}";
}

}  // namespace warpwise::watch
