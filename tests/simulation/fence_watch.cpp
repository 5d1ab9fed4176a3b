#include "tests/simulation/fence_watch.hpp"

#include "tests/simulation/own_leases.hpp"
#include "tests/support/forwarding_database.hpp"

namespace simulation {

namespace {

using surveybridge::crm::Statement;
using surveybridge::crm::Value;

bool mentions(const std::string& sql, const char* text) {
  return sql.find(text) != std::string::npos;
}

class FenceWatch final : public support::ForwardingDatabase {
 public:
  FenceWatch(std::unique_ptr<Database> database, std::function<void(const std::string&)> complain)
      : ForwardingDatabase(std::move(database)), complain_(std::move(complain)) {}

  std::int64_t execute(const Statement& statement) override {
    const auto changed = inner().execute(statement);
    leases_.see(statement);
    storing_ = storing_ || moves_cursor(statement.sql);
    return changed;
  }
  std::int64_t execute_each(const std::string& sql,
                            const std::vector<std::vector<Value>>& rows) override {
    storing_ = storing_ || moves_cursor(sql);
    return inner().execute_each(sql, rows);
  }
  void begin() override {
    storing_ = false;
    inner().begin();
  }
  void commit() override {
    if (storing_) look();
    inner().commit();
  }

 private:
  static bool moves_cursor(const std::string& sql) {
    return mentions(sql, "INTO \"survey_cursor\"") || mentions(sql, "UPDATE \"survey_cursor\"");
  }

  void look() {
    for (const auto& [name, own] : leases_.all()) {
      if (!name.starts_with("pull.")) continue;
      const auto found =
          inner().query({"SELECT owner, fence FROM survey_lease WHERE name = :p1", {Value{name}}});
      if (found.rows.empty() || std::get<std::string>(found.rows[0][0]) != own.owner ||
          std::get<std::int64_t>(found.rows[0][1]) != own.fence) {
        complain_(name + ": a page was stored without the lease");
      }
    }
  }

  std::function<void(const std::string&)> complain_;
  OwnLeases leases_;
  bool storing_ = false;
};

}  // namespace

std::unique_ptr<surveybridge::crm::Database> fence_watch(
    std::unique_ptr<surveybridge::crm::Database> database,
    std::function<void(const std::string&)> complain) {
  return std::make_unique<FenceWatch>(std::move(database), std::move(complain));
}

}  // namespace simulation
