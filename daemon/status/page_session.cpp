#include "daemon/status/page_session.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

#include "connectors/crm/driver/error_text.hpp"

namespace surveybridge::daemon {

struct PageSession::State {
  explicit State(Open given) : open(std::move(given)) {}

  void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return work || ended; });
      if (ended) return;
      lock.unlock();
      const Ended made = attempt();
      lock.lock();
      done = made;
      work = {};
      changed.notify_all();
    }
  }

  // Nobody else touches `work` while it is there.
  Ended attempt() {
    try {
      if (!database) database = open();
      work(*database);
      return Ended::done;
    } catch (const crm::DatabaseError& error) {
      database.reset();
      if (error.kind == crm::DatabaseError::Kind::busy) return Ended::locked;
      return crm::is_login_refused(error) ? Ended::refused : Ended::failed;
    }
  }

  const Open open;
  std::unique_ptr<crm::Database> database;  // of the thread
  std::mutex mutex;
  std::condition_variable changed;
  Work work;                 // there until it is done
  Ended done = Ended::done;  // how it was
  bool ended = false;
};

PageSession::PageSession(Open open) : state_(std::make_shared<State>(std::move(open))) {
  std::thread([state = state_] { state->run(); }).detach();
}

PageSession::~PageSession() {
  const std::lock_guard lock(state_->mutex);
  state_->ended = true;
  state_->changed.notify_all();
}

bool PageSession::run(Work work, Duration patience) {
  ended_ = wait(std::move(work), patience);
  return ended_ == Ended::done;
}

PageSession::Ended PageSession::wait(Work work, Duration patience) {
  std::unique_lock lock(state_->mutex);
  // Who waits has waited in vain already: the thread hangs since an earlier request.
  if (state_->work) return Ended::late;
  state_->work = std::move(work);
  state_->changed.notify_all();
  if (!state_->changed.wait_for(lock, patience, [this] { return !state_->work; }))
    return Ended::late;
  return state_->done;
}

bool PageSession::is_busy() const {
  const std::lock_guard lock(state_->mutex);
  return static_cast<bool>(state_->work);
}

}  // namespace surveybridge::daemon
