#include "daemon/runtime/statement_watch.hpp"

#include <algorithm>

namespace surveybridge::daemon {

namespace {

thread_local std::string this_thread;

using Statement = crm::Statement;
using UnderWay = StatementWatch::UnderWay;

// The verb and the table, no more: an operator's query may contain anything.
std::string first_words(const std::string& sql) {
  constexpr int kWords = 3;
  std::size_t end = 0;
  for (int i = 0; i < kWords && end < sql.size(); ++i)
    end = std::min(sql.find_first_of(" \n", sql.find_first_not_of(" \n", end)), sql.size());
  return sql.substr(0, end);
}

class WatchedDatabase final : public crm::Database {
 public:
  WatchedDatabase(std::unique_ptr<crm::Database> inner, StatementWatch& watch)
      : inner_(std::move(inner)), watch_(watch) {}

  crm::Dialect dialect() const override { return inner_->dialect(); }
  crm::Result query(const Statement& statement) override {
    const UnderWay call(watch_, first_words(statement.sql));
    return inner_->query(statement);
  }
  std::int64_t execute(const Statement& statement) override {
    const UnderWay call(watch_, first_words(statement.sql));
    return inner_->execute(statement);
  }
  std::int64_t execute_each(const std::string& sql,
                            const std::vector<std::vector<crm::Value>>& rows) override {
    const UnderWay call(watch_, first_words(sql));
    return inner_->execute_each(sql, rows);
  }
  bool copy(const std::string& sql, const std::vector<std::vector<crm::Value>>& rows) override {
    const UnderWay call(watch_, first_words(sql));
    return inner_->copy(sql, rows);
  }
  void begin() override {
    const UnderWay call(watch_, "BEGIN");
    inner_->begin();
  }
  void commit() override {
    const UnderWay call(watch_, "COMMIT");
    inner_->commit();
  }
  void rollback() noexcept override {
    const UnderWay call(watch_, "ROLLBACK");
    inner_->rollback();
  }
  crm::Instant now() override {
    const UnderWay call(watch_, "the clock");
    return inner_->now();
  }

 private:
  std::unique_ptr<crm::Database> inner_;
  StatementWatch& watch_;
};

}  // namespace

void name_this_thread(const std::string& job) {
  this_thread = job;
}

UnderWay::UnderWay(StatementWatch& watch, std::string what) : watch_(watch) {
  const std::lock_guard lock(watch_.mutex_);
  watch_.calls_.push_front({this_thread, std::move(what), watch_.clock_()});
  at_ = watch_.calls_.begin();
}

UnderWay::~UnderWay() {
  const bool failed = std::uncaught_exceptions() > exceptions_;
  watch_.recorder_.database_call(at_->job, watch_.clock_() - at_->age, failed);
  const std::lock_guard lock(watch_.mutex_);
  watch_.calls_.erase(at_);
}

StatementWatch::Open StatementWatch::watched(Open open) {
  return [this, open = std::move(open)]() -> std::unique_ptr<crm::Database> {
    const UnderWay call(*this, "connect");
    return std::make_unique<WatchedDatabase>(open(), *this);
  };
}

std::vector<StatementWatch::Call> StatementWatch::older_than(Duration age) const {
  const std::lock_guard lock(mutex_);
  const Duration now = clock_();
  std::vector<Call> old;
  for (const Call& call : calls_) {
    if (now - call.age > age) old.push_back({call.job, call.what, now - call.age});
  }
  return old;
}

}  // namespace surveybridge::daemon
