// The one database session of the status page, in a thread of its own: a database that hangs delays
// nobody who asks, and requests open no further sessions. Used by one thread.
#pragma once

#include <functional>
#include <memory>

#include "connectors/crm/driver/database.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

enum class DatabaseState {
  answers,
  away,
  refused,  // it answers, and does not let this account in
  locked,   // another session has locked a table for longer than this one waits
  slow,     // it has not answered yet
};

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
  // What the last run() says of the database.
  DatabaseState state() const { return state_; }
  // Is an earlier work still going on?
  bool is_busy() const;

 private:
  struct Shared;
  DatabaseState wait(Work work, Duration patience);

  DatabaseState state_ = DatabaseState::answers;
  std::shared_ptr<Shared> shared_;
};

}  // namespace surveybridge::daemon
