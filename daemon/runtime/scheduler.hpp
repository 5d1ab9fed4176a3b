// Owns the threads: one for each job, so that a blocked job stops no other. Waits for the clock and
// for a stop only. start() once; stop() may come before start(), twice, from any thread; when
// join() returns every thread has ended and every job has left.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "daemon/context/supervised_job.hpp"
#include "daemon/metrics/recorder.hpp"
#include "daemon/status/job_state.hpp"

namespace surveybridge::daemon {

// Since when a job has been in its present trouble: what only limits a job that works is another
// trouble than what stops it, and the database another one than the service.
class TroubleSince {
 public:
  using Time = std::chrono::steady_clock::time_point;
  // After each step.
  void saw(const JobStatus& status, Time now);
  // Empty: no trouble.
  std::optional<Time> since() const { return since_; }

 private:
  std::optional<Time> since_;
  bool degraded_ = false, database_ = false;
};

class Scheduler {
 public:
  // `clock` is called before every step. `recorder` is told of every step that has ended.
  Scheduler(std::vector<std::unique_ptr<SupervisedJob>>& jobs, std::function<TimePoint()> clock,
            Recorder& recorder = no_recorder());
  ~Scheduler();
  void start();
  void stop();
  void join();
  // Ends the wait of every job for which this is true, and makes due what it would wait for. A job
  // that is in a step begins another step right after it. A job that has not caught up yet begins
  // another poll when it has. Returns their names.
  std::vector<std::string> wake(const std::function<bool(const std::string& job)>& chosen);
  // The same for jobs that wait for their next poll: one that waits because of a trouble, or has
  // more to do, goes on as it would have. Rows may have been committed.
  void poll(const std::function<bool(const std::string& job)>& chosen);
  // As join(), but not longer: false if a job is still in a step then.
  bool join_within(Duration longest);

  // Of each job, in the order of the jobs: its name, its status after its last step, how long it
  // has had its trouble, until when it waits, and how long it has been in its present step.
  std::vector<JobState> states() const;

 private:
  struct Worker {
    SupervisedJob* job = nullptr;
    std::thread thread;
    JobStatus status;
    bool stepping = false;
    bool woken = false;    // since its last step began
    bool changed = false;  // there may be new rows since its last poll began
    std::chrono::steady_clock::time_point since;
    std::optional<std::chrono::steady_clock::time_point> next;
    TroubleSince trouble;
  };
  void work(Worker& worker);
  bool begin_step(Worker& worker);
  void record(const Worker& worker);
  void wait(Worker& worker, Duration duration);
  static bool may_poll(const Worker& worker);

  std::function<TimePoint()> clock_;
  Recorder& recorder_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::size_t working_ = 0;  // threads whose job has not left
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace surveybridge::daemon
