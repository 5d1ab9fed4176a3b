#include "daemon/runtime/change_listener.hpp"

#include <algorithm>
#include <stdexcept>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "daemon/job/backoff.hpp"

namespace surveybridge::daemon {

namespace {

// Notifications that come sooner after one another begin one poll.
constexpr Duration kGap = std::chrono::milliseconds{100};
constexpr Duration kTriesWithin = std::chrono::seconds{30};
constexpr Duration kForever{-1000};
constexpr int kNoDescriptor = -1;  // poll() ignores it

}  // namespace

ChangeListener::ChangeListener(std::vector<std::string> channels, OpenNotifications open,
                               Changed changed, LogThrottle log)
    : channels_(std::move(channels)),
      open_(std::move(open)),
      changed_(std::move(changed)),
      log_(std::move(log)),
      stop_(eventfd(0, EFD_CLOEXEC)) {
  if (stop_ < 0) throw std::runtime_error("no descriptor is left for the notifications");
  thread_ = std::thread([this] { run(); });
}

ChangeListener::~ChangeListener() {
  eventfd_write(stop_, 1);
  thread_.join();
  close(stop_);
}

void ChangeListener::run() {
  Duration pause{0};
  while (!wait_for(kNoDescriptor, pause)) {
    try {
      listen();
      return;
    } catch (const crm::DatabaseError& error) {
      log_.report(Log::Level::warn,
                  std::string("rows are found by polling alone: ") + error.what());
      pause = std::min(backoff(++failures_, 0.5), kTriesWithin);
    }
  }
}

// Until the thread is to end. Throws DatabaseError.
void ChangeListener::listen() {
  const auto session = open_(channels_);
  failures_ = 0;
  log_.over();
  std::vector<std::string> changed = channels_;
  do {
    for (const auto& channel : changed)
      changed_(channel);
    if (wait_for(kNoDescriptor, kGap) || wait_for(session->descriptor(), kForever)) return;
    changed = session->take();
  } while (true);
}

// True: the thread is to end. False: the descriptor is readable, or the time is over.
bool ChangeListener::wait_for(int descriptor, Duration longest) const {
  pollfd seen[] = {{stop_, POLLIN, 0}, {descriptor, POLLIN, 0}};
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(longest).count();
  poll(seen, std::size(seen), static_cast<int>(milliseconds));
  return (seen[0].revents & POLLIN) != 0;
}

}  // namespace surveybridge::daemon
