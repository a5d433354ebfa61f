#include "lesson/device/stand_in.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "lesson/device/error.h"
#include "report/report_json.h"
#include "simulator/cudart/warpwise_report.h"

namespace warpwise::lesson {
namespace {

/// A function of the stand-in; null on a real GPU.
template <class Function>
Function* found(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

}  // namespace

std::vector<LaunchReport> parse_report(std::string_view json) {
  try {
    return nlohmann::json::parse(json).at("launches").get<std::vector<LaunchReport>>();
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
