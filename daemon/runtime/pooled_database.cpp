#include "daemon/runtime/pooled_database.hpp"

#include <utility>

#include "connectors/crm/dialect/traits.hpp"

namespace surveybridge::daemon {

using crm::DatabaseError;

PooledDatabase::~PooledDatabase() {
  if (!session_) return;
  session_->rollback();
  // A session with a setting of this job is of no use to others.
  if (has_setting_) lost_ = true;
  in_transaction_ = has_setting_ = false;
  let_go();
}

void PooledDatabase::let_go() noexcept {
  if (!session_ || in_transaction_ || (has_setting_ && !lost_)) return;
  if (lost_) {
    pool_->drop(std::move(session_));
  } else {
    pool_->give_back(kind_, std::move(session_));
  }
  has_setting_ = lost_ = false;
}

template <typename Work>
auto PooledDatabase::with_session(Work work) -> decltype(work()) {
  if (!session_) session_ = pool_->take(kind_);
  struct Return {
    PooledDatabase& database;
    ~Return() { database.let_go(); }
  } const at_end{*this};
  try {
    return work();
  } catch (const DatabaseError& error) {
    if (error.kind == DatabaseError::Kind::connection) lost_ = true;
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

crm::Result PooledDatabase::query(const crm::Statement& statement) {
  return with_session([&] { return session_->query(statement); });
}

std::int64_t PooledDatabase::execute(const crm::Statement& statement) {
  return with_session([&] {
    const std::int64_t changed = session_->execute(statement);
    note_setting(statement.sql);
    return changed;
  });
}

std::int64_t PooledDatabase::execute_each(const std::string& sql,
                                          const std::vector<std::vector<crm::Value>>& rows) {
  return with_session([&] { return session_->execute_each(sql, rows); });
}

std::vector<crm::Column> PooledDatabase::read_each(const std::string& sql,
                                                   const crm::RowSink& row) {
  return with_session([&] { return session_->read_each(sql, row); });
}

bool PooledDatabase::copy_from(const std::string& sql, const crm::RowSource& rows) {
  return with_session([&] { return session_->copy_from(sql, rows); });
}

void PooledDatabase::begin() {
  with_session([&] {
    session_->begin();
    in_transaction_ = true;
  });
}

// A commit that fails leaves the transaction to rollback().
void PooledDatabase::commit() {
  with_session([&] {
    session_->commit();
    in_transaction_ = false;
  });
}

void PooledDatabase::rollback() noexcept {
  if (!session_) return;
  session_->rollback();
  in_transaction_ = false;
  let_go();
}

crm::Instant PooledDatabase::now() {
  return with_session([&] { return session_->now(); });
}

}  // namespace surveybridge::daemon
