// The one database session of the status page, in a thread of its own: a database that hangs delays
// nobody who asks, and requests open no further sessions. Used by one thread.
#pragma once

#include <functional>
#include <memory>

#include "connectors/crm/driver/database.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

class PageSession {
 public:
  using Open = std::function<std::unique_ptr<crm::Database>()>;
  // May throw DatabaseError. Must own what it uses: a thread that hangs is left behind.
  using Work = std::function<void(crm::Database& database)>;

  // Connects when it is first used, and again after an error. `open` must own what it uses.
  explicit PageSession(Open open);
  ~PageSession();
  PageSession(const PageSession&) = delete;
  PageSession& operator=(const PageSession&) = delete;

  // Waits up to `patience` for the work. False: the database has failed, or the work, or an earlier
  // one, has not ended by then; it goes on in the thread.
  bool run(Work work, Duration patience);
  // How the last run() ended.
  enum class Ended {
    done,
    locked,   // another session held a lock for longer than this one waits
    refused,  // the database does not let this account in
    failed,
    late,  // it has not
  };
  Ended ended() const { return ended_; }
  // Is an earlier work still going on?
  bool is_busy() const;

 private:
  struct State;
  Ended wait(Work work, Duration patience);

  Ended ended_ = Ended::done;
  std::shared_ptr<State> state_;
};

}  // namespace surveybridge::daemon
