// The real Database: a SOCI session and the driver of its backend. It connects when the connection
// is first needed and again after it was lost, but never inside a transaction.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "connectors/crm/driver/connection_text.hpp"
#include "connectors/crm/driver/driver.hpp"

namespace surveybridge::crm {

class SociDatabase final : public Database {
 public:
  // Connects; throws DatabaseError(connection).
  SociDatabase(ConnectionText connection, const std::string& zone, const SessionUse& use);

  Dialect dialect() const override;
  Result query(const Statement& statement) override;
  std::vector<Column> read_each(const std::string& sql, const RowSink& row) override;
  std::int64_t execute(const Statement& statement) override;
  std::int64_t execute_each(const std::string& sql,
                            const std::vector<std::vector<Value>>& rows) override;
  bool copy_from(const std::string& sql, const RowSource& rows) override;
  void begin() override;
  void commit() override;
  void rollback() noexcept override;
  Instant now() override;

 private:
  // broken: a statement or the connection has failed; only rollback() is allowed.
  enum class InTransaction { no, yes, broken };

  soci::session& session();
  void tell_use(soci::session& session);
  void tell_each_transaction(soci::session& session);
  void expect_schema(soci::session& session) const;
  soci::statement prepare(const std::string& sql, std::size_t parameters, bool again);
  std::vector<Column> read_by_cursor(const std::string& sql, const RowSink& row);
  bool run(soci::statement& statement, const std::vector<Value>& parameters);
  void failed(DatabaseError::Kind kind) noexcept;
  DatabaseError of_reader(DatabaseError error) const;
  template <typename Work>
  auto guarded(Work work) -> decltype(work());
  template <typename Work>
  auto in_transaction(Work work) -> decltype(work());

  ConnectionText connection_;
  SessionUse use_;
  std::unique_ptr<Driver> driver_;
  std::unique_ptr<soci::session> session_;
  InTransaction transaction_ = InTransaction::no;
  std::string_view statement_;  // during a call, for its error
};

}  // namespace surveybridge::crm
