// Owns the threads: one worker a job, so that a job that blocks stops no other. Waits on the clock
// and on stop, nothing else. start() once; stop() may come before start(), twice, from any thread;
// when join() returns every worker has ended and every job has left.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "daemon/context/supervised_job.hpp"

namespace surveybridge::daemon {

class Scheduler {
 public:
  // `clock` is asked before every step.
  Scheduler(std::vector<std::unique_ptr<SupervisedJob>>& jobs, std::function<TimePoint()> clock);
  ~Scheduler();
  void start();
  void stop();
  void join();
  // The same, but not for longer: false when a job is still within a step then.
  bool join_within(Duration longest);

  // Where every job stood after its last step, in the order of the jobs.
  std::vector<JobStatus> standings() const;
  // No step has been running for longer than this: the threads live.
  bool steps_within(Duration longest) const;

 private:
  struct Worker {
    SupervisedJob* job = nullptr;
    std::thread thread;
    JobStatus status;
    bool stepping = false;
    std::chrono::steady_clock::time_point since;
  };
  void work(Worker& worker);
  bool begin_step(Worker& worker);
  void wait(Worker& worker, Duration duration);

  std::function<TimePoint()> clock_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::size_t working_ = 0;  // workers that have not left
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace surveybridge::daemon
