#include "lesson/report.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lesson/error.h"
#include "lesson/report_json.h"
#include "simulator/cudart/warpwise_report.h"

namespace warpwise::lesson {
namespace {

/// A function of the stand-in; null on a real GPU.
template <class Function>
Function* found(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

std::optional<double> ratio(double sectors, double requests) {
  if (requests == 0) return std::nullopt;
  return sectors / requests;
}

LaunchReport launch_of(const nlohmann::json& json) {
  LaunchReport launch;
  launch.kernel = json.value("kernel", "");
  launch.unsupported = json.value("unsupported", "");
  launch.faulted = json.value("faulted", false);
  launch.grid = json.value("grid", Index3{});
  launch.block = json.value("block", Index3{});
  launch.registers = json.value("registers", 0U);
  launch.static_shared_bytes = json.value("static_shared_bytes", std::size_t{0});
  launch.dynamic_shared_bytes = json.value("dynamic_shared_bytes", std::size_t{0});
  launch.launch_file = json.value("launch_file", "");
  launch.launch_line = json.value("launch_line", 0U);
  launch.counts = json.get<Counts>();
  launch.diagnoses = json.value("diagnoses", std::vector<Diagnosis>());
  return launch;
}

}  // namespace

bool Diagnosis::fails_exercise() const {
  constexpr std::array<std::string_view, 3> also = {"barrier-divergence", "invalid-shuffle",
                                                    "leak"};
  return is_error() || std::find(also.begin(), also.end(), kind) != also.end();
}

void to_json(nlohmann::json& json, const Diagnosis& diagnosis) {
  json = {{"kind", diagnosis.kind},
          {"severity", diagnosis.severity},
          {"message", diagnosis.message},
          {"file", diagnosis.file},
          {"line", diagnosis.line},
          {"column", diagnosis.column},
          {"library_file", diagnosis.library_file},
          {"library_line", diagnosis.library_line},
          {"block", diagnosis.block},
          {"thread", diagnosis.thread},
          {"count", diagnosis.count},
          {"called_from", diagnosis.called_from},
          {"made_file", diagnosis.made_file},
          {"made_line", diagnosis.made_line}};
}

void from_json(const nlohmann::json& json, Diagnosis& diagnosis) {
  diagnosis.kind = json.value("kind", "");
  diagnosis.severity = json.value("severity", "error");
  diagnosis.message = json.value("message", "");
  diagnosis.file = json.value("file", "");
  diagnosis.line = json.value("line", 0U);
  diagnosis.column = json.value("column", 0U);
  diagnosis.library_file = json.value("library_file", "");
  diagnosis.library_line = json.value("library_line", 0U);
  diagnosis.block = json.value("block", Index3{});
  diagnosis.thread = json.value("thread", Index3{});
  diagnosis.count = json.value("count", std::uint64_t{1});
  diagnosis.called_from = json.value("called_from", std::vector<std::string>());
  diagnosis.made_file = json.value("made_file", "");
  diagnosis.made_line = json.value("made_line", 0U);
}

void to_json(nlohmann::json& json, const LineCounts& line) {
  json = {{"file", line.file},
          {"line", line.line},
          {"access", line.access},
          {"requests", line.requests},
          {"sectors", line.sectors},
          {"wavefronts", line.wavefronts},
          {"ideal_wavefronts", line.ideal_wavefronts},
          {"beside_copies", line.beside_copies},
          {"compiled", line.compiled},
          {"confirmed", line.confirmed}};
}

void from_json(const nlohmann::json& json, LineCounts& line) {
  line.file = json.value("file", "");
  line.line = json.value("line", 0U);
  line.access = json.value("access", "");
  line.requests = json.value("requests", 0.0);
  line.sectors = json.value("sectors", 0.0);
  line.wavefronts = json.value("wavefronts", 0.0);
  line.ideal_wavefronts = json.value("ideal_wavefronts", 0.0);
  line.beside_copies = json.value("beside_copies", 0.0);
  line.confirmed = json.value("confirmed", false);
  line.compiled = json.value("compiled", line.confirmed);
}

void to_json(nlohmann::json& json, const ArrayCounts& array) {
  json = {{"array", array.array},
          {"access", array.access},
          {"requests", array.requests},
          {"sectors", array.sectors},
          {"threads", array.threads},
          {"warps", array.warps},
          {"most_of_thread", array.most_of_thread}};
}

void from_json(const nlohmann::json& json, ArrayCounts& array) {
  array.array = json.value("array", "");
  array.access = json.value("access", "");
  array.requests = json.value("requests", 0.0);
  array.sectors = json.value("sectors", 0.0);
  array.threads = json.value("threads", 0.0);
  array.warps = json.value("warps", 0.0);
  array.most_of_thread = json.value("most_of_thread", 0.0);
}

void to_json(nlohmann::json& json, const Counts& counts) {
  json = {{"counters", counts.counters}, {"lines", counts.lines}};
  if (!counts.arrays.empty()) json["arrays"] = counts.arrays;
}

void from_json(const nlohmann::json& json, Counts& counts) {
  counts.counters = json.value("counters", std::map<std::string, double>());
  counts.lines = json.value("lines", std::vector<LineCounts>());
  counts.arrays = json.value("arrays", std::vector<ArrayCounts>());
}

void Counts::add(const Counts& other) {
  arrays.insert(arrays.end(), other.arrays.begin(), other.arrays.end());
  for (const auto& [name, value] : other.counters) counters[name] += value;
  for (const LineCounts& line : other.lines) {
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const LineCounts& own) {
      return own.file == line.file && own.line == line.line && own.access == line.access;
    });
    if (same == lines.end()) {
      lines.push_back(line);
      continue;
    }
    same->requests += line.requests;
    same->sectors += line.sectors;
    same->wavefronts += line.wavefronts;
    same->ideal_wavefronts += line.ideal_wavefronts;
    same->beside_copies += line.beside_copies;
    same->compiled = same->compiled && line.compiled;
    same->confirmed = same->confirmed && line.confirmed;
  }
}

bool Counts::is_known(const char* name) const {
  return counters.contains(name) || value((std::string("ptx__") + name).c_str()) == 0;
}

double Counts::value(const char* name) const {
  const auto at = counters.find(name);
  return at == counters.end() ? 0 : at->second;
}

std::optional<double> Counts::sectors_per_load() const {
  return ratio(value(counter::load_sectors), value(counter::load_requests));
}

std::optional<double> Counts::sectors_per_store() const {
  return ratio(value(counter::store_sectors), value(counter::store_requests));
}

double Counts::bank_conflicts() const {
  return value(counter::load_conflicts) + value(counter::store_conflicts);
}

std::vector<LaunchReport> parse_report(std::string_view json) {
  try {
    std::vector<LaunchReport> launches;
    const nlohmann::json report = nlohmann::json::parse(json);
    for (const nlohmann::json& launch : report.at("launches")) {
      launches.push_back(launch_of(launch));
    }
    return launches;
  } catch (const nlohmann::json::exception& error) {
    throw Stop(bad_environment,
               fmt::format("the simulator's report cannot be read: {}", error.what()));
  }
}

bool simulator_present() {
  return found<decltype(warpwise_take_report)>("warpwise_take_report") != nullptr;
}

std::vector<LaunchReport> take_report() {
  auto* take = found<decltype(warpwise_take_report)>("warpwise_take_report");
  if (take == nullptr) return {};
  return parse_report(take());
}

void set_budget(std::uint64_t thread_instructions) {
  if (auto* set = found<decltype(warpwise_set_budget)>("warpwise_set_budget")) {
    set(thread_instructions);
  }
}

void name_array(const void* device_pointer, std::string_view name) {
  if (auto* set = found<decltype(warpwise_name_array)>("warpwise_name_array")) {
    set(device_pointer, std::string(name).c_str());
  }
}

void count_participants() {
  if (auto* count = found<decltype(warpwise_count_participants)>("warpwise_count_participants")) {
    count(1);
  }
}

std::uint64_t bytes_for_host() {
  auto* ask = found<decltype(warpwise_bytes_for_host)>("warpwise_bytes_for_host");
  return ask == nullptr ? 0 : ask();
}

void count_operations() {
  if (auto* set = found<decltype(warpwise_count_operations)>("warpwise_count_operations")) set(1);
}

OperationCounts take_operations() {
  auto* take = found<decltype(warpwise_take_operations)>("warpwise_take_operations");
  OperationCounts counts;
  if (take == nullptr) return counts;
  try {
    const nlohmann::json all = nlohmann::json::parse(take());
    for (const auto& [key, value] : all.items()) {
      if (value.is_number()) counts.numbers[key] = value.get<double>();
    }
    for (const auto& one : all.at("operations")) {
      counts.list.push_back({one.at("name").get<std::string>(), one.at("does").get<std::string>(),
                             one.at("stream").get<unsigned>(), one.at("column").get<unsigned>()});
    }
    return counts;
  } catch (const nlohmann::json::exception& error) {
    throw Stop(bad_environment,
               fmt::format("the simulator's operations cannot be read: {}", error.what()));
  }
}

void note_heap_leaks() {
  if (auto* note = found<decltype(warpwise_note_heap_leaks)>("warpwise_note_heap_leaks")) note();
}

void forget_contents(const void* device_pointer) {
  if (auto* forget = found<decltype(warpwise_forget_contents)>("warpwise_forget_contents")) {
    forget(device_pointer);
  }
}

}  // namespace warpwise::lesson
