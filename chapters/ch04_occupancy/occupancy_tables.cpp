/// \file
/// What needs no kernel: occupancy over block size, registers and shared memory; waves; Little's
/// law for every GPU of the table.
///
///     build/ch04_occupancy --only occupancy_chart --gpu t4
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "lesson/run.h"
#include "occupancy/gpu_table.h"
#include "occupancy/occupancy.h"
#include "occupancy/text.h"
#include "occupancy/waves.h"

namespace lesson = warpwise::lesson;
namespace occupancy = warpwise::occupancy;

namespace {

using Row = std::vector<std::string>;

// ---- occupancy over block size ----

/// "48 #########...": resident warps and a bar of the warps an SM could hold.
std::string bar(const occupancy::Gpu& gpu, const occupancy::Kernel& kernel) {
  constexpr int longest = 16;
  const int warps = occupancy::occupancy(gpu, kernel).resident_warps;
  const int marks = (warps * longest + gpu.warps_per_sm - 1) / gpu.warps_per_sm;
  const std::string number = std::to_string(warps);
  return number + std::string(3 - number.size(), ' ') + std::string(marks, '#') +
         std::string(longest - marks, '.');
}

/// Three kernels that differ in one amount, over block sizes.
lesson::Demonstration occupancy_chart(const occupancy::Gpu& gpu) {
  lesson::Demonstration chart{
      .name = "occupancy_chart",
      .title = "resident warps of an SM, of the " + std::to_string(gpu.warps_per_sm) +
               " possible on the " + std::string(gpu.name) + ", over block size",
      .columns = {"threads", "32 registers", "64 registers", "32, and 64 B shared"},
      .rows = {}};
  for (int threads : {32, 64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 896, 1024}) {
    const auto kernel = [&](int registers, std::int64_t shared) {
      return bar(gpu, {.registers_per_thread = registers,
                       .static_shared_bytes = shared,
                       .threads_per_block = threads});
    };
    chart.rows.push_back(
        {std::to_string(threads), kernel(32, 0), kernel(64, 0), kernel(32, 64 * threads)});
  }
  return chart;
}

/// Registers and shared memory, with 256 threads.
lesson::Demonstration resource_chart(const occupancy::Gpu& gpu) {
  lesson::Demonstration chart{.name = "resource_chart",
                              .title =
                                  "resident warps with blocks of 256 threads, over registers "
                                  "of a thread and shared memory of a block",
                              .columns = {"registers"},
                              .rows = {}};
  const std::vector<int> kib{0, 8, 16, 24, 32, 48};
  for (int size : kib) chart.columns.push_back(std::to_string(size) + " KiB");
  for (int registers : {16, 24, 32, 40, 48, 64, 80, 96, 128, 168, 255}) {
    Row row{std::to_string(registers)};
    for (int size : kib) {
      const occupancy::Kernel kernel{.registers_per_thread = registers,
                                     .static_shared_bytes = std::int64_t{size} * 1024,
                                     .threads_per_block = 256};
      row.push_back(std::to_string(occupancy::occupancy(gpu, kernel).resident_warps));
    }
    chart.rows.push_back(row);
  }
  return chart;
}

// ---- waves ----

Row wave_row(const std::string& what, const occupancy::Gpu& gpu, int resident,
             std::int64_t blocks) {
  const occupancy::Waves waves = occupancy::waves(gpu, resident, blocks);
  return {what,
          std::to_string(blocks),
          std::to_string(waves.blocks_per_wave),
          std::to_string(waves.count),
          std::to_string(waves.last_wave_blocks),
          occupancy::percent(waves.last_wave_fill)};
}

lesson::Demonstration wave_table(const occupancy::Gpu& gpu) {
  occupancy::Gpu ten_sms = gpu;
  ten_sms.sms = 10;
  const int resident =
      occupancy::occupancy(gpu, {.registers_per_thread = 32, .threads_per_block = 256})
          .resident_blocks;
  const std::int64_t wave = std::int64_t{gpu.sms} * resident;
  const std::string name(gpu.name);
  return {.name = "wave_table",
          .title = "waves: 25 blocks on 10 SMs, and blocks of 256 threads with 32 registers",
          .columns = {"where", "blocks", "a wave", "waves", "last", "filled"},
          .rows = {wave_row("10 SMs, one block each", ten_sms, 1, 25),
                   wave_row("10 SMs, " + std::to_string(resident) + " each", ten_sms, resident, 25),
                   wave_row(name, gpu, resident, 25), wave_row(name, gpu, resident, wave),
                   wave_row(name, gpu, resident, wave + 1),
                   wave_row(name, gpu, resident, 10 * wave + 1)}};
}

// ---- Little's law ----

/// Warps that keep all schedulers of an SM issuing, when each instruction waits for the one before.
int arithmetic_warps(const occupancy::Gpu& gpu, int latency_cycles) {
  return latency_cycles * gpu.schedulers_per_sm;
}

/// Bytes in flight while one load waits.
double bytes_in_flight(const occupancy::Gpu& gpu, double latency_cycles) {
  const double bytes_a_cycle = gpu.memory_gbps * 1e3 / gpu.boost_mhz;
  return bytes_a_cycle * latency_cycles;
}

lesson::Demonstration little_table() {
  constexpr int old_latency = 20, latency = 4, memory_latency = 350, warp_bytes = 128;
  lesson::Demonstration table{
      .name = "little",
      .title = "warps by Little's law: latency times what happens in each cycle",
      .columns = {"GPU", "schedulers", "most warps", "20 cycles", "4 cycles", "bytes/cycle",
                  "350 cycles: KB", "loads", "an SM"},
      .rows = {},
      .note =
          "20 and 4 cycles are latencies of an instruction; below them are the warps per SM that "
          "keep its schedulers busy with one chain each. 350 cycles of the SM's clock are a "
          "latency of memory; then come the bytes in flight, as loads of a warp with 4 bytes per "
          "lane, on the whole GPU and on an SM."};
  for (const occupancy::Gpu& gpu : occupancy::gpu_table()) {
    if (gpu.memory_gbps == 0 || gpu.boost_mhz == 0) continue;
    const double bytes = bytes_in_flight(gpu, memory_latency);
    const double loads = std::ceil(bytes / warp_bytes);
    table.rows.push_back({std::string(gpu.id), std::to_string(gpu.schedulers_per_sm),
                          std::to_string(gpu.warps_per_sm),
                          std::to_string(arithmetic_warps(gpu, old_latency)),
                          std::to_string(arithmetic_warps(gpu, latency)),
                          occupancy::decimal(gpu.memory_gbps * 1e3 / gpu.boost_mhz, 0),
                          occupancy::decimal(bytes / 1e3, 0), occupancy::decimal(loads, 0),
                          occupancy::decimal(std::ceil(loads / gpu.sms), 0)});
  }
  return table;
}

}  // namespace

void occupancy_tables(lesson::Run& run) {
  const occupancy::Gpu& gpu = run.limits();
  run.table("occupancy_chart", [&] { return occupancy_chart(gpu); });
  run.table("resource_chart", [&] { return resource_chart(gpu); });
  run.table("wave_table", [&] { return wave_table(gpu); });
  run.table("little", [] { return little_table(); });
}
