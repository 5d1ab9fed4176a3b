// Listens to the channels that pushes name (`notify` of docs/CONFIG.md) in a thread of its own,
// from construction to destruction. Without a session it tries again; the polls go on as before.
#pragma once

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "daemon/context/job_context.hpp"
#include "daemon/job/log_throttle.hpp"

namespace surveybridge::daemon {

class ChangeListener {
 public:
  // Called in the thread: rows may have been committed. Also once after each connect, for what was
  // committed without a session.
  using Changed = std::function<void(const std::string& channel)>;

  ChangeListener(std::vector<std::string> channels, OpenNotifications open, Changed changed,
                 LogThrottle log);
  // Waits for the thread: at most as long as a connect takes.
  ~ChangeListener();
  ChangeListener(const ChangeListener&) = delete;
  ChangeListener& operator=(const ChangeListener&) = delete;

 private:
  void run();
  void listen();
  bool wait_for(int descriptor, Duration longest) const;

  std::vector<std::string> channels_;
  OpenNotifications open_;
  Changed changed_;
  LogThrottle log_;
  int failures_ = 0;  // connects in a row
  int stop_;          // an eventfd: readable when the thread is to end
  std::thread thread_;
};

}  // namespace surveybridge::daemon
