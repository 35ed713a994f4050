#include "base/stop.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

namespace marmoset {
namespace {

constexpr int kExitCancelled = 19;

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

}  // namespace

void StopOnSignals(std::stop_source source) {
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals, source]() mutable {
    int signal = 0;
    sigwait(&signals, &signal);
    source.request_stop();
    sigwait(&signals, &signal);
    ::_exit(kExitCancelled);
  }).detach();
}

void RestoreSignalsInChild() {
  const sigset_t signals = StopSignals();
  sigprocmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace marmoset
