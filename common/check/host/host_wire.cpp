#include "check/host/host_wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "lesson/device/error.h"

namespace warpwise::lesson {
namespace {

using nlohmann::json;

/// The memory of a call, its outputs marked and the arguments pointing into it.
WireCall wire_call(const HostCall& call) {
  if (!call.arguments) {
    throw Stop(something_wrong, call.text + " is not called at every size");
  }
  WireCall wire{call.returns, *call.arguments, {}};
  std::vector<std::uint64_t> addresses;
  for (const auto& memory : call.memory) {
    const auto* bytes = static_cast<const std::uint8_t*>(memory->get());
    addresses.push_back(std::bit_cast<std::uint64_t>(bytes));
    wire.memory.push_back({{bytes, bytes + memory->bytes()}, false});
    for (const HostOutput& output : call.outputs) {
      if (static_cast<const void*>(output.data) == bytes) wire.memory.back().output = true;
    }
  }
  for (HostArgument& argument : wire.arguments) {
    if (argument.type != HostType::pointer || argument.bits == 0) continue;
    const auto found = std::find(addresses.begin(), addresses.end(), argument.bits);
    if (found == addresses.end()) {
      throw Stop(something_wrong,
                 call.text + " gets a pointer that is neither an input nor an output");
    }
    argument.bits = 1 + static_cast<std::uint64_t>(found - addresses.begin());
  }
  return wire;
}

std::string new_mark() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x} ", random(), random(), random(), random());
}

std::string text_of(const json& object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

HostAnswer answer_of(const json& object) {
  HostAnswer call;
  for (const json& output : object["outputs"]) {
    std::vector<float> values;
    for (const json& bits : output) {
      values.push_back(std::bit_cast<float>(bits.get<std::uint32_t>()));
    }
    call.outputs.push_back(std::move(values));
  }
  call.reports = object.at("reports").get<std::size_t>();
  call.bytes_for_host = object.value("bytes_for_host", std::uint64_t{0});
  if (object.contains("operations")) {
    call.operations = object["operations"].get<std::map<std::string, double>>();
  }
  if (object.contains("returned")) {
    call.returned = std::bit_cast<double>(object["returned"].get<std::uint64_t>());
  }
  return call;
}

}  // namespace

WireCalls wire_calls(const HostSpec& spec, const std::vector<HostCall>& calls) {
  WireCalls wire{new_mark(), spec.symbol, spec.on_device, spec.budget, spec.gpus, {}};
  for (const HostCall& call : calls) wire.calls.push_back(wire_call(call));
  return wire;
}

std::string to_bytes(const WireCalls& wire) {
  json calls = json::array();
  for (const WireCall& call : wire.calls) {
    json arguments = json::array();
    for (const HostArgument& argument : call.arguments) {
      arguments.push_back({static_cast<int>(argument.type), argument.bits});
    }
    json memory = json::array();
    for (const WireMemory& piece : call.memory) {
      memory.push_back({json::binary(piece.bytes), piece.output});
    }
    calls.push_back({static_cast<int>(call.returns), arguments, memory});
  }
  std::string bytes;
  json::to_cbor(json{{"mark", wire.mark},
                     {"symbol", wire.symbol},
                     {"on_device", wire.on_device},
                     {"budget", wire.budget},
                     {"gpus", wire.gpus},
                     {"calls", calls}},
                bytes);
  return bytes;
}

WireCalls parse_calls(const std::string& bytes) {
  try {
    const json object = json::from_cbor(bytes);
    WireCalls wire{object.at("mark").get<std::string>(), object.at("symbol").get<std::string>(),
                   object.at("on_device").get<bool>(),   object.at("budget").get<std::uint64_t>(),
                   object.at("gpus").get<int>(),         {}};
    for (const json& written : object.at("calls")) {
      WireCall call{static_cast<HostType>(written.at(0).get<int>()), {}, {}};
      for (const json& argument : written.at(1)) {
        call.arguments.push_back({static_cast<HostType>(argument.at(0).get<int>()),
                                  argument.at(1).get<std::uint64_t>()});
      }
      for (const json& piece : written.at(2)) {
        call.memory.push_back({piece.at(0).get_binary(), piece.at(1).get<bool>()});
      }
      wire.calls.push_back(std::move(call));
    }
    return wire;
  } catch (const json::exception& error) {
    throw Stop(bad_environment, fmt::format("the calls cannot be read: {}", error.what()));
  }
}

std::string started_line(const std::string& device, bool simulated) {
  return text_of({{"device", device}, {"simulated", simulated}});
}

std::string problem_line(const std::string& what) { return text_of({{"problem", what}}); }

std::string thrown_line(const std::string& what) { return text_of({{"thrown", what}}); }

std::string returned_line(const std::vector<std::vector<std::uint32_t>>& outputs,
                          std::size_t reports, std::optional<double> returned,
                          std::uint64_t bytes_for_host,
                          const std::map<std::string, double>& operations) {
  json line{{"outputs", outputs}, {"reports", reports}};
  if (bytes_for_host != 0) line["bytes_for_host"] = bytes_for_host;
  if (!operations.empty()) line["operations"] = operations;
  if (returned) line["returned"] = std::bit_cast<std::uint64_t>(*returned);
  return text_of(line);
}

std::string done_line() { return text_of({{"done", true}}); }

HostAnswers parse_answers(const std::string& text, const std::string& mark) {
  HostAnswers answers;
  // A runner that dies may leave half a line.
  std::istringstream lines(text.substr(0, text.rfind('\n') + 1));
  try {
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with(mark)) continue;
      const json object = json::parse(line.substr(mark.size()));
      if (object.contains("device")) {
        answers.loaded = true;
        answers.device = object["device"].get<std::string>();
        answers.simulated = object.at("simulated").get<bool>();
      }
      if (object.contains("problem")) answers.problem = object["problem"].get<std::string>();
      if (object.contains("thrown")) answers.thrown = object["thrown"].get<std::string>();
      if (object.contains("done")) answers.done = true;
      if (object.contains("outputs")) answers.calls.push_back(answer_of(object));
    }
  } catch (const json::exception& error) {
    throw Stop(bad_environment, fmt::format("the answers cannot be read: {}", error.what()));
  }
  return answers;
}

}  // namespace warpwise::lesson
