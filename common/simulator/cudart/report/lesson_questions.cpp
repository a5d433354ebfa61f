#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "simulator/cudart/report/exit_notes.h"
#include "simulator/cudart/report/report.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/warpwise_report.h"

extern "C" {

const char* warpwise_take_report() {
  using namespace warpwise::cudart;
  thread_local std::string text;
  Runtime& device = runtime();
  device.queue.wait_for_all();
  for (Output& output : device.outputs) output.show();
  text = fmt::format("{{\"device\":\"{} (simulated)\",\"launches\":[{}]}}", device.gpu.driver_name,
                     device.reporter.take());
  return text.c_str();
}

void warpwise_set_budget(uint64_t thread_instructions) {
  warpwise::cudart::runtime().budget = thread_instructions;
}

void warpwise_count_participants(int wanted) {
  warpwise::cudart::runtime().counts_participants = wanted != 0;
}

uint64_t warpwise_bytes_for_host() {
  warpwise::cudart::Runtime& device = warpwise::cudart::runtime();
  device.queue.wait_for_all();
  return device.copied_to_host + device.memory.shown_to_host();
}

void warpwise_note_heap_leaks() {
  warpwise::cudart::runtime().queue.wait_for_all();
  warpwise::cudart::note_heap_leaks();
}

void warpwise_name_array(const void* device_pointer, const char* name) {
  if (name == nullptr) return;
  warpwise::cudart::runtime().memory.name(reinterpret_cast<std::uint64_t>(device_pointer), name);
}

void warpwise_forget_contents(const void* device_pointer) {
  warpwise::cudart::Runtime& device = warpwise::cudart::runtime();
  device.queue.wait_for_all();
  device.memory.forget(reinterpret_cast<std::uint64_t>(device_pointer));
}
}
