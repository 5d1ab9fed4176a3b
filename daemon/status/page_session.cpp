#include "daemon/status/page_session.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

#include "connectors/crm/driver/error_text.hpp"

namespace surveybridge::daemon {

struct PageSession::Shared {
  explicit Shared(Open given) : open(std::move(given)) {}

  void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return work || ended; });
      if (ended) return;
      lock.unlock();
      const DatabaseState made = attempt();
      lock.lock();
      done = made;
      work = {};
      changed.notify_all();
    }
  }

  // Nobody else touches `work` while it is there.
  DatabaseState attempt() {
    try {
      if (!database) database = open();
      work(*database);
      return DatabaseState::answers;
    } catch (const crm::DatabaseError& error) {
      database.reset();
      if (error.kind == crm::DatabaseError::Kind::busy) return DatabaseState::locked;
      return crm::is_login_refused(error) ? DatabaseState::refused : DatabaseState::away;
    } catch (const std::exception&) {
      database.reset();  // no answer, and the daemon goes on
      return DatabaseState::away;
    }
  }

  const Open open;
  std::unique_ptr<crm::Database> database;  // of the thread
  std::mutex mutex;
  std::condition_variable changed;
  Work work;                                    // there until it is done
  DatabaseState done = DatabaseState::answers;  // how it was
  bool ended = false;
};

PageSession::PageSession(Open open) : shared_(std::make_shared<Shared>(std::move(open))) {
  std::thread([shared = shared_] { shared->run(); }).detach();
}

PageSession::~PageSession() {
  const std::lock_guard lock(shared_->mutex);
  shared_->ended = true;
  shared_->changed.notify_all();
}

bool PageSession::run(Work work, Duration patience) {
  state_ = wait(std::move(work), patience);
  return state_ == DatabaseState::answers;
}

DatabaseState PageSession::wait(Work work, Duration patience) {
  std::unique_lock lock(shared_->mutex);
  // Who waits has waited in vain already: the thread hangs since an earlier request.
  if (shared_->work) return DatabaseState::slow;
  shared_->work = std::move(work);
  shared_->changed.notify_all();
  if (!shared_->changed.wait_for(lock, patience, [this] { return !shared_->work; }))
    return DatabaseState::slow;
  return shared_->done;
}

bool PageSession::is_busy() const {
  const std::lock_guard lock(shared_->mutex);
  return static_cast<bool>(shared_->work);
}

}  // namespace surveybridge::daemon
