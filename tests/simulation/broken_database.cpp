#include "tests/simulation/broken_database.hpp"

#include <vector>

#include "mapping/values/dates.hpp"
#include "tests/simulation/own_leases.hpp"
#include "tests/support/forwarding_database.hpp"

namespace simulation {

namespace {

using namespace surveybridge;
using crm::Database;
using Forwarding = support::ForwardingDatabase;

bool mentions(const std::string& sql, const char* table) {
  return sql.find(table) != std::string::npos;
}

// A claim becomes durable only with the commit that settles it.
class ClaimsLate final : public Forwarding {
 public:
  using Forwarding::Forwarding;
  std::int64_t execute(const crm::Statement& statement) override {
    claiming_ = claiming_ || mentions(statement.sql, "INSERT INTO \"survey_batch\"");
    settling_ = settling_ || mentions(statement.sql, "UPDATE \"survey_batch\"");
    return inner().execute(statement);
  }
  void begin() override {
    if (!held_) inner().begin();
  }
  void commit() override {
    held_ = (held_ || claiming_) && !settling_;
    claiming_ = settling_ = false;
    if (!held_) inner().commit();
  }
  void rollback() noexcept override {
    held_ = claiming_ = settling_ = false;
    inner().rollback();
  }

 private:
  bool claiming_ = false, settling_ = false, held_ = false;
};

// A page's rows are written after the transaction that holds its cursor.
class CursorFirst final : public Forwarding {
 public:
  CursorFirst(std::unique_ptr<Database> database, std::function<void()> between)
      : Forwarding(std::move(database)), between_(std::move(between)) {}
  std::int64_t execute_each(const std::string& sql,
                            const std::vector<std::vector<crm::Value>>& rows) override {
    if (!mentions(sql, "survey_customer") && !mentions(sql, "survey_answer")) {
      return inner().execute_each(sql, rows);
    }
    later_.push_back({sql, rows});
    return static_cast<std::int64_t>(rows.size());
  }
  void commit() override {
    inner().commit();
    if (later_.empty()) return;
    auto later = std::move(later_);
    later_.clear();
    between_();
    inner().begin();
    for (const auto& [sql, rows] : later)
      inner().execute_each(sql, rows);
    inner().commit();
  }
  void rollback() noexcept override {
    later_.clear();
    inner().rollback();
  }

 private:
  std::function<void()> between_;
  std::vector<std::pair<std::string, std::vector<std::vector<crm::Value>>>> later_;
};

// Every instance takes over claims that are older than a minute.
class Stealing final : public Forwarding {
 public:
  using Forwarding::Forwarding;
  void begin() override {
    const auto old = mapping::Value{inner().now() - std::chrono::minutes{1}};
    inner().execute(
        {"UPDATE survey_push SET state = 'pending' WHERE state = 'claimed'"
         " AND changed_at < :p1",
         {old}});
    inner().begin();
  }
};

// A lease that was taken is read as held, whoever has taken it since. `everybody`: one that another
// holds is read as free.
class KeepsLeases final : public Forwarding {
 public:
  KeepsLeases(std::unique_ptr<Database> database, const char* begins, bool everybody)
      : Forwarding(std::move(database)), begins_(begins), everybody_(everybody) {}
  crm::Result query(const crm::Statement& statement) override {
    auto result = inner().query(statement);
    const std::string name = OwnLeases::read_by(statement);
    if (!name.starts_with(begins_) || name.empty() || result.rows.empty()) return result;
    auto& row = result.rows.front();
    if (const auto own = leases_.find(name)) {
      row[1] = own->owner;
      row[2] = own->fence;
      row[3] = inner().now() + std::chrono::hours{1};
    } else if (everybody_) {
      row[1] = std::string();
    }
    return result;
  }
  std::int64_t execute(const crm::Statement& statement) override {
    const auto changed = inner().execute(statement);
    leases_.see(statement);
    return changed;
  }

 private:
  const char* begins_;
  bool everybody_;
  OwnLeases leases_;
};

// A quota is counted without the rows that may have gone out.
class CountsTheSent final : public Forwarding {
 public:
  using Forwarding::Forwarding;
  crm::Result query(const crm::Statement& statement) override {
    static const std::string counted = "('claimed', 'sent', 'in_doubt', 'held')";
    const auto at = statement.sql.find(counted);
    if (at == std::string::npos || !mentions(statement.sql, "SELECT \"quota\""))
      return inner().query(statement);
    auto fewer = statement;
    fewer.sql.replace(at, counted.size(), "('sent')");
    return inner().query(fewer);
  }
};

// The claim of a message is not stored.
class TellsUnclaimed final : public Forwarding {
 public:
  using Forwarding::Forwarding;
  std::int64_t execute(const crm::Statement& statement) override {
    const bool claims = mentions(statement.sql, "UPDATE \"survey_follow_up\"") &&
                        mapping::is_null(statement.parameters.at(1));
    return claims ? 1 : inner().execute(statement);
  }
};

// A message that was claimed does not wait any more.
class CountsTheClaimed final : public Forwarding {
 public:
  using Forwarding::Forwarding;
  crm::Result query(const crm::Statement& statement) override {
    auto result = inner().query(statement);
    if (mentions(statement.sql, "\"receiver\", \"found_at\", \"claimed_at\""))
      std::erase_if(result.rows, [](const auto& row) { return !mapping::is_null(row.at(5)); });
    return result;
  }
};

}  // namespace

std::unique_ptr<Database> broken_database(std::unique_ptr<Database> database, Broken broken,
                                          std::function<void()> between) {
  switch (broken) {
    case Broken::send_before_claim:
      return std::make_unique<ClaimsLate>(std::move(database));
    case Broken::cursor_before_page:
      return std::make_unique<CursorFirst>(std::move(database), std::move(between));
    case Broken::steal_by_time:
      return std::make_unique<Stealing>(std::move(database));
    case Broken::every_turn_is_free:
      return std::make_unique<KeepsLeases>(std::move(database), "suppress", true);
    case Broken::no_fence:
      return std::make_unique<KeepsLeases>(std::move(database), "pull.", false);
    case Broken::count_the_sent:
      return std::make_unique<CountsTheSent>(std::move(database));
    case Broken::tell_unclaimed:
      return std::make_unique<TellsUnclaimed>(std::move(database));
    case Broken::count_claimed:
      return std::make_unique<CountsTheClaimed>(std::move(database));
    case Broken::nothing:
    case Broken::mail_the_past:
    case Broken::mail_when_closed:
    case Broken::send_old_claims:
    case Broken::no_settle:
    case Broken::no_control_search:
    case Broken::no_move_check:
    case Broken::early_end:
    case Broken::resend_doubts:
    case Broken::high_water_mark:
    case Broken::reuse_connection:
    case Broken::lose_the_forgotten:
    case Broken::contact_one_by_one:
    case Broken::mail_the_opted_out:
      break;
  }
  return database;
}

}  // namespace simulation
