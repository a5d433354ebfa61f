#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "simulator/cudart/copies/call_memory.h"
#include "simulator/cudart/copies/pending_copies.h"
#include "simulator/cudart/device/settings.h"
#include "simulator/cudart/memory/host_visible.h"
#include "simulator/cudart/memory/limit.h"
#include "simulator/cudart/memory/pool.h"
#include "simulator/cudart/queue/host_fault.h"
#include "simulator/cudart/report/console.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/report/report.h"
#include "simulator/cudart/runtime.h"
#include "simulator/machine/schedule/helpers.h"
#include "simulator/memory/host_access.h"

namespace warpwise::cudart {
namespace {

std::atomic<Runtime*> current{nullptr};

const occupancy::Gpu& chosen_gpu() {
  const occupancy::Gpu* gpu = occupancy::find_gpu(settings().gpu);
  if (gpu == nullptr || !gpu->supported_by_cuda_13) {
    stop(fmt::format("simulator: WARPWISE_GPU names an unknown GPU, {}; choose one of {}",
                     settings().gpu, occupancy::gpu_ids()));
  }
  return *gpu;
}

}  // namespace

Loader load_module = machine::load;

Runtime::Runtime()
    : gpu(chosen_gpu()),
      memory(static_cast<std::uint64_t>(gpu.memory_bytes), std::max(1, device_count())),
      queue(*new Queue(std::max(1, device_count()))),
      reporter(*new Reporter(settings().report_file)),
      budget(settings().budget) {
  queue.set_grace_period(std::chrono::milliseconds(settings().grace_period));
}

Runtime& runtime() {
  static Runtime* const created = [] {
    try {
      auto* fresh = new Runtime;
      current = fresh;
      memory::explain_host_accesses(fresh->memory, tell_host_fault, judge_host_access);
      machine::Helpers::all().prepare(machine::host_threads(settings().threads) - 1);
      watch_calls_into(fresh->memory.base(), fresh->memory.reserved_bytes());
      start_limit(settings().limit_seconds, fresh->reporter);
      return fresh;
    } catch (const std::exception& error) {
      stop(fmt::format("simulator: {}", error.what()));
    }
  }();
  return *created;
}

bool runtime_exists() { return current != nullptr; }

void after_wait() {
  Runtime& device = runtime();
  device.output().show();
  open_host_visible();
  open_after_copies();
  settle_pools();
  show_fault();
}

void after_wait(int device) {
  const memory::OnDevice there(device);
  after_wait();
}

void drain() {
  if (runtime_exists() && !in_forked_child() && !Queue::on_device_thread()) {
    runtime().queue.wait_for_all();
  }
}

void stop_unsupported(const std::string& sentence) {
  if (runtime_exists() || !settings().report_file.empty()) {
    for (Output& output : runtime().outputs) output.show();
    runtime().reporter.unsupported(sentence);
  }
  stop(sentence);
}

}  // namespace warpwise::cudart
