// The one observer of a database, and its sessions that all jobs share: at most so many, whatever
// the number of jobs. A job has one during a call or a transaction and no longer, so none is held
// while it waits for the service. Each call is watched (statement_watch.hpp). Thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "connectors/crm/driver/database.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/log.hpp"
#include "daemon/runtime/statement_watch.hpp"

namespace surveybridge::daemon {

struct PoolLimits {
  int most = 4;                                    // sessions
  std::chrono::milliseconds longest_wait{30'000};  // for one; then DatabaseError(busy)
  std::chrono::milliseconds noted_wait{1'000};     // the first one that is as long is logged
  // After the server refused a further session: until the next one is asked for.
  std::chrono::milliseconds open_again{5'000};
};

class PooledDatabase;

class SessionPool : public std::enable_shared_from_this<SessionPool> {
 public:
  using Session = std::unique_ptr<crm::Database>;
  using Open = std::function<Session(CrmUse)>;

  // `what` names the database in messages: "store". `log` and `watch` outlive the pool. A session
  // is used for its kind only: one that reads refuses to write.
  SessionPool(std::string what, PoolLimits limits, Open open, Log& log, StatementWatch& watch);
  SessionPool(const SessionPool&) = delete;
  SessionPool& operator=(const SessionPool&) = delete;

  // A database that borrows a session for each call and transaction. Connects if there is no
  // session yet; throws DatabaseError as the pool's sessions do. It keeps the pool. SQLite has no
  // server whose sessions count: there it has a session of its own.
  Session database(CrmUse kind);

  // Waits for a session. Throws DatabaseError: of the connect, or (busy) after the longest wait; it
  // says whether others have held all sessions for as long, as when a statement waits for a lock.
  Session take(CrmUse kind);
  void give_back(CrmUse kind, Session session);
  // The session was lost. The idle ones may be lost, too: each is asked before it is used again.
  void drop(Session session);

 private:
  using Clock = std::chrono::steady_clock;
  struct Idle {
    CrmUse kind;
    Session session;
    int losses;  // that had been seen when it was last known to be there
  };
  using Waiter = std::list<int>::iterator;
  struct Borrowed {
    const crm::Database* session;
    std::string job;  // whose thread; empty: a thread without a name
    Clock::time_point since;
  };

  bool may_open() const;
  void wait_for_turn(std::unique_lock<std::mutex>& lock, Waiter waiter, Clock::time_point until);
  Session idle_one(CrmUse kind, bool& may_be_lost);
  Session opened(CrmUse kind);
  Session lent(Session session);
  void returned(const crm::Database* session);
  std::string none_free(Clock::time_point since) const;
  friend class PooledDatabase;

  const std::string what_;
  const PoolLimits limits_;
  const Open open_;
  Log& log_;
  StatementWatch& watch_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Idle> idle_;
  std::list<int> queue_;          // who waits, the first one first
  std::list<Borrowed> borrowed_;  // the longest first
  int sessions_ = 0;              // idle, borrowed, or being opened
  int losses_ = 0;
  bool noted_ = false;
  Clock::time_point open_again_at_{};
};

}  // namespace surveybridge::daemon
