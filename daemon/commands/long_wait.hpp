// Says on standard error, once, that a command still waits for the database: a lock of another
// session may keep it waiting as long as [crm] statement_timeout. Ends with the object.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace surveybridge::daemon {

class LongWait {
 public:
  explicit LongWait(std::chrono::seconds after = std::chrono::seconds{10});
  ~LongWait();
  LongWait(const LongWait&) = delete;
  LongWait& operator=(const LongWait&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace surveybridge::daemon
