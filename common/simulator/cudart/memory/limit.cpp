#include "simulator/cudart/memory/limit.h"

#include <fmt/format.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "simulator/cudart/queue/host_fault.h"
#include "simulator/cudart/queue/own_threads.h"
#include "simulator/cudart/report/console.h"
#include "simulator/cudart/report/report.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

constexpr const char* kind = "time-limit";
constexpr int stop_signal = SIGVTALRM;

std::atomic<bool> time_is_up{false};

// For the signal handler.
char host_message[200];
std::atomic<int> patience_ms{0};
std::atomic<bool> is_stuck{false};

/// A kernel stops by itself and reports its line, which ends the process, unless it is in the
/// middle of a long step.
void let_kernel_stop() {
  constexpr std::chrono::milliseconds most{1500};
  time_is_up = true;
  std::this_thread::sleep_for(most);
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

/// Makes the thread report its line, which ends the process. If the thread holds a lock that the
/// report needs, it goes on for a moment and is asked again. Returns if the thread cannot report.
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
  if (!kernel.empty()) let_kernel_stop();
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

/// Posted by Ctrl-C.
sem_t interrupted;
std::atomic<bool> is_interrupted{false};
pid_t process = 0;  ///< the process whose thread waits for it

void die_of_interrupt() {
  std::signal(SIGINT, SIG_DFL);
  kill(getpid(), SIGINT);
}

/// A forked process does not have a thread that listens, and a user who asks twice does not want to
/// wait.
void on_interrupt(int) {
  if (getpid() == process && !is_interrupted.exchange(true))
    sem_post(&interrupted);
  else
    die_of_interrupt();
}

/// If the program, or the process that started it, has set what Ctrl-C does, that setting holds.
void listen_to_interrupt() {
  sem_init(&interrupted, 0, 0);
  process = getpid();
  struct sigaction action = {};
  if (sigaction(SIGINT, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return;
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

/// The longest time that a thread of this process was ready to run and had no processor: on a busy
/// machine, a program that did not get to run is not at fault.
std::chrono::nanoseconds time_without_processor() {
  long long longest = 0;
  std::error_code ignored;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
    long long ran = 0, waited = 0;
    std::ifstream(task.path() / "schedstat") >> ran >> waited;
    longest = std::max(longest, waited);
  }
  return std::chrono::nanoseconds(longest);
}

/// @return false where the time has passed.
bool wait_until_interrupt(std::chrono::nanoseconds end, double seconds) {
  using namespace std::chrono;
  const auto whole = floor<std::chrono::seconds>(end);
  const timespec limit = {whole.count(), (end - whole).count()};
  while ((seconds > 0 ? sem_clockwait(&interrupted, CLOCK_MONOTONIC, &limit)
                      : sem_wait(&interrupted)) != 0)
    if (errno != EINTR) return false;
  return true;
}

/// @param seconds of this process's own; 0: without limit. @return false where they have passed.
bool wait_for_interrupt(double seconds) {
  using namespace std::chrono;
  const auto begin = steady_clock::now().time_since_epoch();
  const auto limit = duration_cast<nanoseconds>(duration<double>(seconds));
  nanoseconds end = begin + limit;
  for (;;) {
    if (wait_until_interrupt(end, seconds)) return true;
    const nanoseconds later = begin + limit + std::min(time_without_processor(), 3 * limit);
    constexpr milliseconds too_little{50};
    if (later < end + too_little) return false;
    end = later;
  }
}

/// Reports what was found so far in the kernel that runs, and then ends the process as the signal
/// would have.
void end_interrupted(Reporter& reporter) {
  const std::string kernel = reporter.running();
  flush_standard_output();
  if (!kernel.empty()) {
    let_kernel_stop();
    const std::string message = fmt::format("interrupted while kernel {} was running", kernel);
    reporter.host_diagnosis("timeout", message.c_str());
  }
  die_of_interrupt();
}

}  // namespace

const std::atomic<bool>& time_is_over() { return time_is_up; }

void launch_has_faulted() {
  if (!time_is_up) return;
  // Its output shows how far it came.
  runtime().output().show();
  flush_standard_output();
  if (!is_interrupted) _exit(1);
  die_of_interrupt();
  // The thread that may take the signal is perhaps still leaving the handler.
  std::this_thread::sleep_for(std::chrono::seconds(2));
  constexpr int as_by_signal = 128 + SIGINT;
  _exit(as_by_signal);
}

void start_limit(double seconds, Reporter& reporter) {
  listen_to_interrupt();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([seconds, &reporter, caller = pthread_self()] {
    name_own_thread("limit");
    if (wait_for_interrupt(seconds)) return end_interrupted(reporter);
    end(seconds, reporter, caller);
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace warpwise::cudart
