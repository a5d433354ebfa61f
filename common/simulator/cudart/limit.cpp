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

// For the signal handler.
char host_message[200];
std::atomic<int> patience_ms{0};
std::atomic<bool> is_stuck{false};

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
  if (tell_interrupted_host(kind, host_message, patience_ms)) _exit(1);
  is_stuck = true;
}

/// @return false where the thread does not answer.
bool answers(pthread_t thread, int patience) {
  patience_ms = patience;
  is_stuck = false;
  if (pthread_kill(thread, stop_signal) != 0) return false;
  constexpr int step_ms = 3, slack_ms = 2000;
  for (int waited = 0; waited < patience + slack_ms; waited += step_ms) {
    if (is_stuck) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(step_ms));
  }
  return false;
}

/// Lets the thread tell its line, which ends the process. Where the thread held a lock that telling
/// takes, it goes on for a moment and is asked again. Comes back where the thread cannot.
void stop_host(pthread_t thread) {
  struct sigaction action = {};
  action.sa_handler = on_stop_signal;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigemptyset(&action.sa_mask);
  if (sigaction(stop_signal, &action, nullptr) != 0) return;
  for (const int patience : {250, 250, 250, 250, 1000, 1000, 2000, 8000}) {
    if (!answers(thread, patience)) return;
  }
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
