#include "daemon/runtime/session_pool.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/driver/error_text.hpp"
#include "daemon/job/length_text.hpp"

namespace surveybridge::daemon {

using crm::DatabaseError;

// A database that borrows a session of the pool for each call and each transaction, unless it has
// one of its own. A SET outside of a transaction keeps the session until the usual value is set
// again. The watch sees each call.
class PooledDatabase final : public crm::Database {
 public:
  // `own` may be null: each session is borrowed.
  PooledDatabase(std::shared_ptr<SessionPool> pool, CrmUse kind, crm::Dialect dialect,
                 SessionPool::Session own)
      : pool_(std::move(pool)),
        kind_(kind),
        dialect_(dialect),
        has_own_(own != nullptr),
        session_(std::move(own)) {}
  ~PooledDatabase() override;
  PooledDatabase(const PooledDatabase&) = delete;
  PooledDatabase& operator=(const PooledDatabase&) = delete;

  crm::Dialect dialect() const override { return dialect_; }
  crm::Result query(const crm::Statement& statement) override {
    return with_session(first_words(statement.sql), [&] { return session_->query(statement); });
  }
  std::int64_t execute(const crm::Statement& statement) override {
    return with_session(first_words(statement.sql), [&] {
      const std::int64_t changed = session_->execute(statement);
      note_setting(statement.sql);
      return changed;
    });
  }
  std::int64_t execute_each(const std::string& sql,
                            const std::vector<std::vector<crm::Value>>& rows) override {
    return with_session(first_words(sql), [&] { return session_->execute_each(sql, rows); });
  }
  std::vector<crm::Column> read_each(const std::string& sql, const crm::RowSink& row) override {
    return with_session(first_words(sql), [&] { return session_->read_each(sql, row); });
  }
  bool copy_from(const std::string& sql, const crm::RowSource& rows) override {
    return with_session(first_words(sql), [&] { return session_->copy_from(sql, rows); });
  }
  void begin() override {
    with_session(StatementWatch::kBegin, [&] {
      session_->begin();
      in_transaction_ = true;
    });
  }
  // A commit that fails leaves the transaction to rollback().
  void commit() override {
    with_session(StatementWatch::kCommit, [&] {
      session_->commit();
      in_transaction_ = false;
    });
  }
  void rollback() noexcept override;
  crm::Instant now() override {
    return with_session(StatementWatch::kClock, [&] { return session_->now(); });
  }

 private:
  template <typename Work>
  auto with_session(std::string what, Work work) -> decltype(work());
  void note_setting(const std::string& sql);
  void let_go() noexcept;  // unless something keeps the session
  void rollback_session() noexcept;

  std::shared_ptr<SessionPool> pool_;
  CrmUse kind_;
  crm::Dialect dialect_;
  bool has_own_;
  SessionPool::Session session_;  // its own, or one while it is borrowed
  bool in_transaction_ = false, has_setting_ = false, lost_ = false;
};

PooledDatabase::~PooledDatabase() {
  if (!session_ || has_own_) return;
  rollback_session();
  // A session with a setting of this job is of no use to others.
  if (has_setting_) lost_ = true;
  in_transaction_ = has_setting_ = false;
  let_go();
}

void PooledDatabase::let_go() noexcept {
  if (!session_ || has_own_ || in_transaction_ || (has_setting_ && !lost_)) return;
  if (lost_) {
    pool_->drop(std::move(session_));
  } else {
    pool_->give_back(kind_, std::move(session_));
  }
  has_setting_ = lost_ = false;
}

template <typename Work>
auto PooledDatabase::with_session(std::string what, Work work) -> decltype(work()) {
  if (!session_) session_ = pool_->take(kind_);
  struct Return {
    PooledDatabase& database;
    ~Return() { database.let_go(); }
  } const at_end{*this};
  try {
    const StatementWatch::UnderWay under_way(pool_->watch_, pool_->what_, std::move(what));
    return work();
  } catch (const DatabaseError& error) {
    // A new session may succeed: this one may have been opened while a setting of the server was
    // wrong.
    using Kind = DatabaseError::Kind;
    lost_ = lost_ || error.kind == Kind::connection ||
            (error.kind == Kind::other && !crm::may_be_of_a_value(error));
    throw;
  }
}

void PooledDatabase::note_setting(const std::string& sql) {
  const auto& words = crm::traits(dialect_);
  const auto is = [&](std::string_view begin, std::string_view end, std::string_view which) {
    return !begin.empty() && !end.empty() && sql == which;
  };
  if (is(words.snapshots_begin, words.snapshots_end, words.snapshots_begin) ||
      is(words.short_lock_wait, words.usual_lock_wait, words.short_lock_wait))
    has_setting_ = true;
  if (is(words.snapshots_begin, words.snapshots_end, words.snapshots_end) ||
      is(words.short_lock_wait, words.usual_lock_wait, words.usual_lock_wait))
    has_setting_ = false;
}

void PooledDatabase::rollback() noexcept {
  if (!session_) return;
  rollback_session();
  in_transaction_ = false;
  let_go();
}

void PooledDatabase::rollback_session() noexcept {
  const StatementWatch::UnderWay under_way(pool_->watch_, pool_->what_, StatementWatch::kRollback);
  session_->rollback();
}

SessionPool::SessionPool(std::string what, PoolLimits limits, Open open, Log& log,
                         StatementWatch& watch)
    : what_(std::move(what)), limits_(limits), open_(std::move(open)), log_(log), watch_(watch) {}

SessionPool::Session SessionPool::database(CrmUse kind) {
  Session session = take(kind);
  const crm::Dialect dialect = session->dialect();
  if (crm::traits(dialect).has_server) {
    give_back(kind, std::move(session));
    return std::make_unique<PooledDatabase>(shared_from_this(), kind, dialect, nullptr);
  }
  {
    const std::lock_guard lock(mutex_);
    returned(session.get());
    --sessions_;
    changed_.notify_all();
  }
  return std::make_unique<PooledDatabase>(shared_from_this(), kind, dialect, std::move(session));
}

// Within the lock. A server that had no room for one more is not asked all the time.
bool SessionPool::may_open() const {
  return sessions_ == 0 || (sessions_ < limits_.most && Clock::now() >= open_again_at_);
}

void SessionPool::wait_for_turn(std::unique_lock<std::mutex>& lock, Waiter waiter,
                                Clock::time_point until) {
  const auto begun = Clock::now();
  const auto ready = [&] { return waiter == queue_.begin() && (!idle_.empty() || may_open()); };
  while (!ready() && Clock::now() < until) {
    const auto now = Clock::now();
    if (!noted_ && now - begun >= limits_.noted_wait) {
      noted_ = true;
      log_.warn(fmt::format("jobs wait for a session of the {}: crm.connections = {}", what_,
                            limits_.most));
    }
    auto next = until;
    if (!noted_) next = std::min(next, begun + limits_.noted_wait);
    if (open_again_at_ > now) next = std::min(next, open_again_at_);
    changed_.wait_until(lock, next);
  }
}

// Within the lock. Empty: one is to be opened, for which there is room then.
SessionPool::Session SessionPool::idle_one(CrmUse kind, bool& may_be_lost) {
  const auto found = std::ranges::find(idle_, kind, &Idle::kind);
  if (found != idle_.end()) {
    Session session = std::move(found->session);
    may_be_lost = found->losses != losses_;
    idle_.erase(found);
    return session;
  }
  if (!may_open()) {  // one of another kind makes room
    idle_.pop_front();
    --sessions_;
  }
  ++sessions_;
  return nullptr;
}

SessionPool::Session SessionPool::opened(CrmUse kind) {
  try {
    const StatementWatch::UnderWay under_way(watch_, what_, StatementWatch::kConnect);
    return open_(kind);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    --sessions_;
    open_again_at_ = Clock::now() + limits_.open_again;
    changed_.notify_all();
    throw;
  }
}

SessionPool::Session SessionPool::take(CrmUse kind) {
  const auto begun = Clock::now();
  const auto until = begun + limits_.longest_wait;
  std::optional<DatabaseError> refused;
  for (;;) {
    bool may_be_lost = false;
    Session session;
    {
      std::unique_lock lock(mutex_);
      const auto waiter =
          refused ? queue_.insert(queue_.begin(), 0) : queue_.insert(queue_.end(), 0);
      wait_for_turn(lock, waiter, until);
      const bool is_first = waiter == queue_.begin() && (!idle_.empty() || may_open());
      queue_.erase(waiter);
      changed_.notify_all();
      const auto waited = std::chrono::duration_cast<Duration>(Clock::now() - begun);
      if (waited >= std::chrono::milliseconds{1}) watch_.recorder().waited("connection", waited);
      if (!is_first && refused) throw DatabaseError(*refused);
      if (!is_first) throw DatabaseError(DatabaseError::Kind::busy, none_free(begun));
      session = idle_one(kind, may_be_lost);
    }
    try {
      if (!session) return lent(opened(kind));
      if (may_be_lost) {
        const StatementWatch::UnderWay under_way(watch_, what_, StatementWatch::kClock);
        static_cast<void>(session->now());
      }
      return lent(std::move(session));
    } catch (const DatabaseError& error) {
      if (session) {
        drop(std::move(session));
        continue;
      }
      // Where other jobs have sessions, the server has no room: one of theirs will do.
      const std::lock_guard lock(mutex_);
      if (sessions_ == 0 || Clock::now() >= until) throw;
      refused = error;
    }
  }
}

SessionPool::Session SessionPool::lent(Session session) {
  const std::lock_guard lock(mutex_);
  borrowed_.push_back({session.get(), name_of_this_thread(), Clock::now()});
  return session;
}

// Within the lock.
void SessionPool::returned(const crm::Database* session) {
  borrowed_.remove_if([session](const Borrowed& each) { return each.session == session; });
}

// Within the lock. Why nobody has returned a session since then. Without ages, so that the same
// trouble is told in the same words.
std::string SessionPool::none_free(Clock::time_point since) const {
  std::string text =
      fmt::format("no session of the {} was free for {} s: ", what_,
                  std::chrono::floor<std::chrono::seconds>(limits_.longest_wait).count());
  const bool all_held =
      !borrowed_.empty() && std::ssize(borrowed_) == sessions_ && borrowed_.back().since <= since;
  if (!all_held) return text + fmt::format("crm.connections = {}", limits_.most);
  const std::string& first = borrowed_.front().job;
  text += first.empty() ? "a command" : first;
  if (borrowed_.size() > 1) text += " and " + counted(std::ssize(borrowed_) - 1, "other");
  return text + fmt::format(
                    " held theirs for as long, as when a statement waits for a lock"
                    " (crm.connections = {})",
                    limits_.most);
}

void SessionPool::give_back(CrmUse kind, Session session) {
  const std::lock_guard lock(mutex_);
  returned(session.get());
  idle_.push_front({kind, std::move(session), losses_});
  changed_.notify_all();
}

void SessionPool::drop(Session session) {
  {
    const std::lock_guard lock(mutex_);
    returned(session.get());  // another session may have its place in memory afterwards
  }
  session.reset();
  const std::lock_guard lock(mutex_);
  --sessions_;
  ++losses_;
  changed_.notify_all();
}

}  // namespace surveybridge::daemon
