#include "daemon/runtime/scheduler.hpp"

#include <algorithm>

#include "daemon/job/fault.hpp"
#include "daemon/runtime/statement_watch.hpp"

namespace surveybridge::daemon {

namespace {
// A clock that jumps must not let a job sleep for a year.
constexpr Duration kWaitMax = std::chrono::minutes{10};
}  // namespace

void TroubleSince::saw(const JobStatus& status, Time now) {
  const bool database = is_of_database(status);
  if (status.trouble.empty()) {
    since_.reset();
  } else if (!since_ || degraded_ != status.degraded || database_ != database) {
    since_ = now;
  }
  degraded_ = status.degraded;
  database_ = database;
}

Scheduler::Scheduler(std::vector<std::unique_ptr<SupervisedJob>>& jobs,
                     std::function<TimePoint()> clock, Recorder& recorder)
    : clock_(std::move(clock)), recorder_(recorder) {
  for (auto& job : jobs) {
    workers_.push_back(std::make_unique<Worker>());
    workers_.back()->job = job.get();
  }
}

Scheduler::~Scheduler() {
  stop();
  join();
}

void Scheduler::start() {
  working_ = workers_.size();
  for (auto& worker : workers_) {
    worker->thread = std::thread([this, w = worker.get()] { work(*w); });
  }
}

void Scheduler::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  wake_.notify_all();
}

std::vector<std::string> Scheduler::wake(
    const std::function<bool(const std::string& job)>& chosen) {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (auto& worker : workers_) {
    if (!chosen(worker->job->name())) continue;
    worker->woken = true;
    names.push_back(worker->job->name());
  }
  wake_.notify_all();
  return names;
}

void Scheduler::poll(const std::function<bool(const std::string& job)>& chosen) {
  const std::lock_guard lock(mutex_);
  for (auto& worker : workers_)
    if (chosen(worker->job->name())) worker->changed = true;
  wake_.notify_all();
}

bool Scheduler::may_poll(const Worker& worker) {
  const JobStatus& status = worker.status;
  return status.caught_up && (status.trouble.empty() || status.degraded);
}

void Scheduler::join() {
  for (auto& worker : workers_) {
    if (worker->thread.joinable()) worker->thread.join();
  }
}

bool Scheduler::join_within(Duration longest) {
  {
    std::unique_lock lock(mutex_);
    if (!wake_.wait_for(lock, longest, [this] { return working_ == 0; })) return false;
  }
  join();
  return true;
}

void Scheduler::work(Worker& worker) {
  name_this_thread(worker.job->name());
  while (begin_step(worker)) {
    const TimePoint now = clock_();
    const TimePoint at = worker.job->step(now);
    record(worker);
    wait(worker, at == kNever ? kWaitMax : at - now);
  }
  worker.job->leave();
  const std::lock_guard lock(mutex_);
  --working_;
  wake_.notify_all();
}

bool Scheduler::begin_step(Worker& worker) {
  const std::lock_guard lock(mutex_);
  worker.stepping = !stopping_;
  if (worker.woken) worker.job->make_due();
  // A step that continues a poll does not read again what the poll has read already, so rows that
  // have come since the poll began need another one.
  const bool begins_poll = worker.status.caught_up;
  worker.changed = !begins_poll && (worker.changed || worker.woken);
  worker.woken = false;
  worker.next.reset();
  worker.since = std::chrono::steady_clock::now();
  return worker.stepping;
}

// Only the worker's own thread writes when its step began.
void Scheduler::record(const Worker& worker) {
  const JobStatus status = worker.job->status();
  const auto took = std::chrono::steady_clock::now() - worker.since;
  recorder_.step(worker.job->name(), std::chrono::duration_cast<Duration>(took),
                 status.trouble.empty() || status.degraded);
}

void Scheduler::wait(Worker& worker, Duration duration) {
  std::unique_lock lock(mutex_);
  worker.stepping = false;
  worker.status = worker.job->status();
  const auto now = std::chrono::steady_clock::now();
  worker.next = now + std::clamp(duration, Duration{0}, kWaitMax);
  worker.trouble.saw(worker.status, now);
  if (duration <= Duration{0}) return;
  wake_.wait_for(lock, std::min(duration, kWaitMax),
                 [&] { return stopping_ || worker.woken || (worker.changed && may_poll(worker)); });
}

std::vector<JobState> Scheduler::states() const {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  std::vector<JobState> all;
  for (const auto& worker : workers_) {
    JobState& state = all.emplace_back(JobState{worker->job->name(), worker->status});
    if (const auto since = worker->trouble.since())
      state.trouble_for = std::chrono::duration_cast<Duration>(now - *since);
    if (worker->next) state.next_in = std::chrono::duration_cast<Duration>(*worker->next - now);
    if (worker->stepping)
      state.step_for = std::chrono::duration_cast<Duration>(now - worker->since);
  }
  return all;
}

}  // namespace surveybridge::daemon
