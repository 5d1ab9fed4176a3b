// A database that hands every call on to another one, which it borrows or owns. A test derives from
// it and overrides the calls at which it looks, counts or fails.
#pragma once

#include <functional>
#include <memory>

#include "connectors/crm/driver/database.hpp"

namespace support {

class ForwardingDatabase : public surveybridge::crm::Database {
 public:
  using Database = surveybridge::crm::Database;
  using Rows = std::vector<std::vector<surveybridge::crm::Value>>;

  explicit ForwardingDatabase(Database& inner) : inner_(inner) {}
  explicit ForwardingDatabase(std::unique_ptr<Database> inner)
      : owned_(std::move(inner)), inner_(*owned_) {}

  surveybridge::crm::Dialect dialect() const override { return inner_.dialect(); }
  surveybridge::crm::Result query(const surveybridge::crm::Statement& statement) override {
    return inner_.query(statement);
  }
  std::int64_t execute(const surveybridge::crm::Statement& statement) override {
    return inner_.execute(statement);
  }
  std::int64_t execute_each(const std::string& sql, const Rows& rows) override {
    return inner_.execute_each(sql, rows);
  }
  void begin() override { inner_.begin(); }
  void commit() override { inner_.commit(); }
  void rollback() noexcept override { inner_.rollback(); }
  surveybridge::crm::Instant now() override { return inner_.now(); }

 protected:
  Database& inner() { return inner_; }

 private:
  std::unique_ptr<Database> owned_;
  Database& inner_;
};

// A test looks at the text of each statement first, and may throw.
class LookedAtDatabase final : public ForwardingDatabase {
 public:
  using Look = std::function<void(const std::string& sql)>;
  LookedAtDatabase(Database& inner, Look look)
      : ForwardingDatabase(inner), look_(std::move(look)) {}
  LookedAtDatabase(std::unique_ptr<Database> inner, Look look)
      : ForwardingDatabase(std::move(inner)), look_(std::move(look)) {}
  surveybridge::crm::Result query(const surveybridge::crm::Statement& statement) override {
    look_(statement.sql);
    return inner().query(statement);
  }
  std::int64_t execute(const surveybridge::crm::Statement& statement) override {
    look_(statement.sql);
    return inner().execute(statement);
  }
  std::int64_t execute_each(const std::string& sql, const Rows& rows) override {
    look_(sql);
    return inner().execute_each(sql, rows);
  }

 private:
  Look look_;
};

}  // namespace support
