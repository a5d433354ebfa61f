#include "lesson/device/stand_in.h"

#include <dlfcn.h>

#include "lesson/device/error.h"
#include "report/simulator_json.h"
#include "simulator/cudart/warpwise_report.h"

namespace warpwise::lesson {
namespace {

/// A function of the stand-in; null on a real GPU.
template <class Function>
Function* found(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

/// What `parse` makes of a text of the simulator.
template <class Parse>
auto read_by(Parse parse, std::string_view json) {
  try {
    return parse(json);
  } catch (const NoReport& error) {
    throw Stop(bad_environment, error.what());
  }
}

}  // namespace

std::vector<LaunchReport> parse_report(std::string_view json) {
  return read_by(parse_launches, json);
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
  if (take == nullptr) return {};
  return read_by(parse_operations, take());
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
