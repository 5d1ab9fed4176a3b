// A database without a session of its own: each call and each transaction borrows one of the pool.
// A SET outside of a transaction keeps the session until the usual value is set again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "daemon/runtime/session_pool.hpp"

namespace surveybridge::daemon {

class PooledDatabase final : public crm::Database {
 public:
  PooledDatabase(std::shared_ptr<SessionPool> pool, SessionKind kind, crm::Dialect dialect)
      : pool_(std::move(pool)), kind_(kind), dialect_(dialect) {}
  ~PooledDatabase() override;
  PooledDatabase(const PooledDatabase&) = delete;
  PooledDatabase& operator=(const PooledDatabase&) = delete;

  crm::Dialect dialect() const override { return dialect_; }
  crm::Result query(const crm::Statement& statement) override;
  std::int64_t execute(const crm::Statement& statement) override;
  std::int64_t execute_each(const std::string& sql,
                            const std::vector<std::vector<crm::Value>>& rows) override;
  std::vector<crm::Column> read_each(const std::string& sql, const crm::RowSink& row) override;
  bool copy_from(const std::string& sql, const crm::RowSource& rows) override;
  void begin() override;
  void commit() override;
  void rollback() noexcept override;
  crm::Instant now() override;

 private:
  template <typename Work>
  auto with_session(Work work) -> decltype(work());
  void note_setting(const std::string& sql);
  void let_go() noexcept;  // unless something keeps the session

  std::shared_ptr<SessionPool> pool_;
  SessionKind kind_;
  crm::Dialect dialect_;
  SessionPool::Session session_;  // while borrowed
  bool in_transaction_ = false, has_setting_ = false, lost_ = false;
};

}  // namespace surveybridge::daemon
