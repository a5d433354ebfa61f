#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tutor/attempt/verdict.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {

using Json = nlohmann::json;

namespace {

std::string number_text(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// Counts are numbers in the JSON; people get them without a needless fraction.
std::string as_text(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return {};
  if (found->is_number()) return number_text(found->get<double>());
  return found->is_string() ? found->get<std::string>() : found->dump();
}

template <class T>
T as_number(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number() ? found->get<T>() : T{};
}

const Json& member(const Json& object, const char* name) {
  static const Json none;
  const auto found = object.find(name);
  return found == object.end() ? none : *found;
}

Gate parse_gate(const Json& object) {
  return {.name = as_text(object, "name"),
          .saw = as_text(object, "saw"),
          .wanted = as_text(object, "wanted"),
          .what = as_text(object, "what"),
          .met = object.value("met", false),
          .mistake = as_text(object, "mistake"),
          .file = as_text(object, "file"),
          .line = as_number<unsigned>(object, "line")};
}

std::optional<Footprint> parse_footprint(const Json& object) {
  if (!object.is_object()) return std::nullopt;
  return Footprint{.gpu = as_text(object, "gpu"),
                   .registers = as_number<int>(object, "registers"),
                   .static_shared_bytes = as_number<std::size_t>(object, "static_shared_bytes"),
                   .dynamic_shared_bytes = as_number<std::size_t>(object, "dynamic_shared_bytes"),
                   .threads = as_number<int>(object, "threads"),
                   .blocks = as_number<int>(object, "blocks"),
                   .warps = as_number<int>(object, "warps"),
                   .most_warps = as_number<int>(object, "most_warps")};
}

std::map<std::string, double> parse_counters(const Json& counts) {
  std::map<std::string, double> counters;
  if (!counts.is_object()) return counters;
  const Json& named = member(counts, "counters");
  if (!named.is_object()) return counters;
  for (const auto& [name, value] : named.items()) {
    if (value.is_number()) counters[name] = value.get<double>();
  }
  return counters;
}

Json gate_json(const Gate& gate) {
  return {{"name", gate.name}, {"saw", gate.saw},  {"wanted", gate.wanted},
          {"what", gate.what}, {"met", gate.met},  {"mistake", gate.mistake},
          {"file", gate.file}, {"line", gate.line}};
}

Json footprint_json(const std::optional<Footprint>& footprint) {
  if (!footprint) return nullptr;
  return {{"gpu", footprint->gpu},
          {"registers", footprint->registers},
          {"static_shared_bytes", footprint->static_shared_bytes},
          {"dynamic_shared_bytes", footprint->dynamic_shared_bytes},
          {"threads", footprint->threads},
          {"blocks", footprint->blocks},
          {"warps", footprint->warps},
          {"most_warps", footprint->most_warps}};
}

}  // namespace

Verdict parse_verdict(const std::string& json) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object() || as_text(object, "verdict").empty()) {
    throw Failure(status_environment, "the check's answer is not readable");
  }
  Verdict result{.verdict = as_text(object, "verdict"),
                 .kind = as_text(object, "kind"),
                 .message = as_text(object, "message"),
                 .file = as_text(object, "file"),
                 .line = as_number<unsigned>(object, "line"),
                 .gates = {},
                 .counters = parse_counters(member(object, "counts")),
                 .counted_size = as_text(object, "counted_size"),
                 .author_test = as_text(object, "author_test"),
                 .footprint = parse_footprint(member(object, "occupancy")),
                 .device = as_text(object, "device"),
                 .time_us = {},
                 .json = json,
                 .text = {}};
  for (const Json& gate : member(object, "gates")) {
    if (gate.is_object()) result.gates.push_back(parse_gate(gate));
  }
  if (const Json& time = member(object, "time"); time.is_object()) {
    result.time_us = as_number<double>(time, "median_us");
  }
  return result;
}

std::string to_json(const Verdict& verdict) {
  Json gates = Json::array();
  for (const Gate& gate : verdict.gates) gates.push_back(gate_json(gate));
  const Json time = verdict.time_us ? Json{{"median_us", *verdict.time_us}} : Json();
  const Json object{{"verdict", verdict.verdict},
                    {"kind", verdict.kind},
                    {"message", verdict.message},
                    {"file", verdict.file},
                    {"line", verdict.line},
                    {"gates", gates},
                    {"counts", {{"counters", verdict.counters}}},
                    {"counted_size", verdict.counted_size},
                    {"author_test", verdict.author_test},
                    {"occupancy", footprint_json(verdict.footprint)},
                    {"device", verdict.device},
                    {"time", time}};
  return object.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpwise::tutor
