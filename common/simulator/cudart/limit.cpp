#include "simulator/cudart/limit.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "simulator/cudart/console.h"

namespace warpwise::cudart {
namespace {

[[noreturn]] void end(double seconds, Reporter& reporter) {
  const std::string kernel = reporter.running();
  const std::string what = kernel.empty()
                               ? "no kernel was running: the host's own code takes long or waits"
                               : fmt::format("kernel {} was still running", kernel);
  flush_standard_output();
  reporter.host_diagnosis(
      "time-limit",
      fmt::format("stopped after {:g} s, the limit that was set; {}", seconds, what).c_str());
  _exit(1);
}

}  // namespace

void start_limit(double seconds, Reporter& reporter) {
  if (seconds <= 0) return;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([seconds, &reporter] {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    end(seconds, reporter);
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace warpwise::cudart
