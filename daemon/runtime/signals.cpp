#include "daemon/runtime/signals.hpp"

#include <csignal>
#include <ctime>

#include <pthread.h>

namespace surveybridge::daemon {

namespace {

sigset_t awaited(Signals::For whom) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  if (whom == Signals::For::daemon) sigaddset(&set, SIGHUP);
  return set;
}

}  // namespace

Signals::Signals(For whom) : whom_(whom) {
  const sigset_t set = awaited(whom);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

Signals::Told Signals::told(std::chrono::microseconds longest) {
  const sigset_t set = awaited(whom_);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(longest);
  timespec limit{};
  limit.tv_sec = static_cast<time_t>(seconds.count());
  limit.tv_nsec = static_cast<long>((longest - seconds).count() * 1000);
  const int signal = sigtimedwait(&set, nullptr, &limit);
  if (signal == SIGHUP) return Told::reload;
  return signal > 0 ? Told::stop : Told::nothing;
}

}  // namespace surveybridge::daemon
