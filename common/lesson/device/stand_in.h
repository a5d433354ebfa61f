#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lesson/results/report_names.h"
#include "report/operations.h"

/// \file
/// Questions to the simulator's stand-in for the CUDA runtime: what the launches just made did.
/// Where it is absent, a real GPU does the work and there is nothing to ask.
/// \ingroup lesson
namespace warpwise::lesson {

/// Reads the stand-in's JSON. A field that is absent keeps its default.
/// @throws Stop (environment) for a text that is not such a report.
std::vector<LaunchReport> parse_report(std::string_view json);

/// Whether the stand-in is loaded.
bool simulator_present();

/// Waits for all launches and returns those since the last call; empty on a real GPU.
std::vector<LaunchReport> take_report();

/// Thread instructions a launch may use from now on; without effect on a real GPU.
void set_budget(std::uint64_t thread_instructions);

/// Gives the stand-in an allocation's name for diagnoses; without effect on a real GPU.
void name_array(const void* device_pointer, std::string_view name);

/// Launches from now on count which threads take part in accesses to named arrays; without effect
/// on a real GPU.
void count_participants();

/// Bytes that came to the host so far, by copies or in memory that the device shares with it; 0 on
/// a real GPU.
std::uint64_t bytes_for_host();

/// From now on operations are kept for take_operations(), whose counts begin at 0; without effect
/// on a real GPU.
void count_operations();

/// Waits for all launches and returns what the host asked for since the last call; without numbers
/// on a real GPU. @throws Stop (environment) for a text that is not such a report.
OperationCounts take_operations();

/// Lets the next take_report() tell what kernels got from malloc or new and did not free; without
/// effect on a real GPU.
void note_heap_leaks();

/// Lets an allocation count as never written, so that a kernel which reads it is diagnosed; without
/// effect on a real GPU.
void forget_contents(const void* device_pointer);

}  // namespace warpwise::lesson
