#include "daemon/runtime/signals.hpp"

#include <csignal>
#include <ctime>

#include <pthread.h>

namespace surveybridge::daemon {

namespace {

sigset_t stopping_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

}  // namespace

Signals::Signals() {
  const sigset_t set = stopping_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

bool Signals::wait(std::chrono::microseconds longest) {
  const sigset_t set = stopping_signals();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(longest);
  timespec limit{};
  limit.tv_sec = static_cast<time_t>(seconds.count());
  limit.tv_nsec = static_cast<long>((longest - seconds).count() * 1000);
  return sigtimedwait(&set, nullptr, &limit) > 0;
}

void ignore_hangup() {
  std::signal(SIGHUP, SIG_IGN);
}

}  // namespace surveybridge::daemon
