#include "daemon/status/report_maker.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace surveybridge::daemon {

namespace {
// Reports take at most one hundredth of the time: one that was slow is used longer.
constexpr int kShare = 100;
}  // namespace

struct ReportMaker::State {
  State(Make given, std::function<Duration()> clock)
      : make(std::move(given)), uptime(std::move(clock)) {}

  void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return wanted || ended; });
      if (ended) return;
      lock.unlock();
      const Duration begun = uptime();
      auto made = attempt();
      lock.lock();
      report = std::move(made);
      made_at = uptime();
      if (report) last = {report, made_at};
      took = made_at - begun;
      wanted = false;
      changed.notify_all();
    }
  }

  std::shared_ptr<const StatusReport> attempt() {
    try {
      return std::make_shared<const StatusReport>(make());
    } catch (const crm::DatabaseError&) {
      return nullptr;
    }
  }

  const Make make;
  const std::function<Duration()> uptime;
  std::mutex mutex;
  std::condition_variable changed;
  bool wanted = false;  // also while it is being made
  bool ended = false;
  std::shared_ptr<const StatusReport> report;
  Duration made_at{0}, took{0};
  Last last;  // its age is the time at which it was made
};

ReportMaker::ReportMaker(Make make, std::function<Duration()> uptime)
    : state_(std::make_shared<State>(std::move(make), std::move(uptime))) {
  std::thread([state = state_] { state->run(); }).detach();
}

ReportMaker::~ReportMaker() {
  const std::lock_guard lock(state_->mutex);
  state_->ended = true;
  state_->changed.notify_all();
}

std::shared_ptr<const StatusReport> ReportMaker::get(Duration fresh, Duration patience) {
  std::unique_lock lock(state_->mutex);
  const Duration valid = std::max(fresh, state_->took * kShare);
  if (state_->report && state_->uptime() - state_->made_at < valid) return state_->report;
  // Who waits has waited in vain already: the thread hangs since an earlier request.
  if (state_->wanted) return nullptr;
  state_->wanted = true;
  state_->changed.notify_all();
  if (!state_->changed.wait_for(lock, patience, [this] { return !state_->wanted; })) return nullptr;
  return state_->report;
}

ReportMaker::Last ReportMaker::last() const {
  const std::lock_guard lock(state_->mutex);
  return {state_->last.report, state_->uptime() - state_->last.age};
}

}  // namespace surveybridge::daemon
