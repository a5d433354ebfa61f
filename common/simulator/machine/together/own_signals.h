#pragma once
#include <pthread.h>

#include <csignal>

namespace warpwise::machine {

/// While one lives, threads that this one starts have signals of their own alone: the program's
/// handlers run in the program's threads, but for that of a fault.
class OwnSignals {
 public:
  OwnSignals() {
    sigset_t all;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~OwnSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  OwnSignals(const OwnSignals&) = delete;
  OwnSignals& operator=(const OwnSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace warpwise::machine
