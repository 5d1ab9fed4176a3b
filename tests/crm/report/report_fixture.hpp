// Customers, bouncers and ratings as a service tells of them, stored with the tables for reports;
// and the views read back as text, alike on every database.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/pulled/pull_store.hpp"
#include "mapping/interface/record.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/crm/turned_clock.hpp"

namespace surveybridge::crm {

Instant day_at(int month, int day, int hour = 12);  // of 2026, UTC

// A customer with a transaction date; what is not said is absent.
struct Told {
  std::int64_t id = 0;
  Instant date = day_at(11, 2);
  std::string key = {};     // in data column 1, "Order"
  std::string branch = {};  // in data column 2, "Branch"
  std::optional<Instant> invited = {}, opened = {}, finished = {}, closed = {}, opted_out = {};
  bool test = false, second = false, contact = false;
  std::string language = {};
  struct Given {
    std::int64_t question = 1200;
    std::optional<std::int64_t> score = {};
    std::string text = {};
    std::optional<Instant> at = {};  // empty: the answer was pushed
    std::string words = "How likely?";
    bool encrypted = false;
  };
  std::vector<Given> answers = {};
};
// Who has finished two hours after the invitation, with one score.
Told finished(std::int64_t id, Instant date, const std::string& branch, std::int64_t score);
// Monday the 2nd of November, and the week after.
inline const Instant kFirst = day_at(11, 2), kSecond = day_at(11, 9);

mapping::Record record_of(const Told& told);
mapping::Record bouncer_of(const std::string& key, const std::string& reason, Instant at,
                           const std::string& address);
mapping::Record rating_of(std::int64_t id, const std::string& key);
mapping::Record data_column_of(std::int64_t id, const std::string& name);

using Texts = std::vector<std::vector<std::string>>;

class Reports : public OnOurTables {
 protected:
  Reports();

  // As a daemon has one that has just started.
  PullStore new_store(const mapping::Resource& root = mapping::customer());
  static void page(PullStore& store, const std::vector<mapping::Record>& records);
  // With a store of its own.
  void save(const mapping::Resource& root, const std::vector<mapping::Record>& records);
  void save(const std::vector<Told>& customers);
  // Until nothing is left to renew.
  void renew(const mapping::Resource& root);

  // The cells of a query with "name" for quoted names, as text: days as 2026-11-23,
  // times in UTC, fractions with four decimals, NULL as "-".
  Texts read(const std::string& sql);
  void expect(const std::string& sql, const Texts& rows) { EXPECT_EQ(read(sql), rows) << sql; }
  // The lines of all segments for this period, of a view that has such.
  void expect_by(const std::string& period, const std::string& sql, const Texts& rows) {
    expect(sql + " WHERE \"period\" = '" + period + "' AND \"segment\" = 'all' ORDER BY 1", rows);
  }

  TurnedClock database;
  ReportShape shape;
};

}  // namespace surveybridge::crm
