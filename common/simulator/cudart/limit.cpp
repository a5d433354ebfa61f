#include "simulator/cudart/limit.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <thread>

#include "simulator/cudart/console.h"
#include "simulator/cudart/host_fault.h"
#include "simulator/cudart/own_threads.h"

namespace warpwise::cudart {
namespace {

constexpr const char* kind = "time-limit";
constexpr int stop_signal = SIGVTALRM;

std::atomic<bool> is_over{false};
std::atomic<bool> kernel_has_told{false};
char host_message[200];  // for the signal handler

/// A kernel stops by itself and tells its line, unless it is in the middle of something long.
/// @return false where it does not.
bool kernel_stops() {
  constexpr std::chrono::milliseconds step{5}, most{1500};
  is_over = true;
  for (auto waited = step; waited < most; waited += step) {
    if (kernel_has_told) return true;
    std::this_thread::sleep_for(step);
  }
  return false;
}

void on_stop_signal(int) {
  tell_host_fault(kind, host_message);
  _exit(1);
}

/// Lets the thread tell its line, which ends the process. Comes back where the thread cannot.
void stop_host(pthread_t thread) {
  struct sigaction action = {};
  action.sa_handler = on_stop_signal;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  if (sigaction(stop_signal, &action, nullptr) != 0 || pthread_kill(thread, stop_signal) != 0)
    return;
  std::this_thread::sleep_for(std::chrono::seconds(10));
}

[[noreturn]] void end(double seconds, Reporter& reporter, pthread_t thread) {
  const std::string kernel = reporter.running();
  flush_standard_output();
  if (!kernel.empty() && kernel_stops()) _exit(1);
  const std::string what = kernel.empty()
                               ? "no kernel was running: the host's own code takes long or waits"
                               : fmt::format("kernel {} was still running", kernel);
  const std::string message =
      fmt::format("stopped after {:g} s, the limit that was set; {}", seconds, what);
  std::snprintf(host_message, sizeof host_message, "%s", message.c_str());
  if (kernel.empty()) stop_host(thread);
  reporter.host_diagnosis(kind, message.c_str());
  _exit(1);
}

}  // namespace

const std::atomic<bool>& time_is_over() { return is_over; }

void launch_has_faulted() {
  if (is_over) kernel_has_told = true;
}

void start_limit(double seconds, Reporter& reporter) {
  if (seconds <= 0) return;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([seconds, &reporter, caller = pthread_self()] {
    name_own_thread("limit");
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    end(seconds, reporter, caller);
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace warpwise::cudart
