// A person erased, on every database.
#include "connectors/crm/forget.hpp"

#include "connectors/crm/people.hpp"
#include "connectors/crm/pulled.hpp"
#include "tests/crm/ledgers.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Record;

class ForgetTests : public Ledgers {
 protected:
  static Record customer(std::int64_t id, const std::string& email) {
    Record record(mapping::customer());
    record.set("Id", id);
    record.set("Email", email);
    Record answer(*mapping::customer().find("Answers")->of);
    answer.set("Text", email + " said it was good");
    record.at("Answers").records.push_back(answer);
    return record;
  }
  static Record rating(std::int64_t id, const std::string& name, const std::string& value) {
    Record record(mapping::rating());
    record.set("Id", id);
    record.at("Data").records.emplace_back(*mapping::rating().find("Data")->of);
    record.at("Data").records.back().set("DisplayName", name);
    record.at("Data").records.back().set("Value", value);
    return record;
  }
  static Record bouncer(const std::string& email) {
    Record record(mapping::bouncer());
    record.set("Email", email);
    return record;
  }
  void save(const mapping::Resource& root, const std::vector<Record>& records) {
    PulledTables pulled(database, root, {});
    pulled.save(records, pulled.load("list", root.name.data()), std::nullopt);
  }
  std::int64_t rows(const std::string& from) {
    return std::get<std::int64_t>(database.query({"SELECT COUNT(*) FROM " + from, {}}).rows[0][0]);
  }
};

TEST_P(ForgetTests, LeaveNothingButTheHash) {
  ledger.claim({"b1", "orders", "one"}, {{"1", "Ann@example.test", kDate, "hash-of-ann"},
                                         {"2", "bob@example.test", kDate, "b"}});
  ledger.settle("orders", "b1", {"refused", 400, "ANN@example.test is odd"},
                {{"1", State::quarantined, "refused: ann@EXAMPLE.test is odd"}});
  save(mapping::customer(), {customer(7, "ann@Example.test"), customer(8, "bob@example.test")});
  save(mapping::bouncer(), {bouncer("ann@example.test"), bouncer("bob@example.test")});
  save(mapping::rating(),
       {rating(1, "OrderNumber", "1"), rating(2, "OrderNumber", "2"), rating(3, "Grade", "1")});

  const Erased erased = forget(database, "hash-of-ann", "ann@example.test", {"ordernumber"});
  EXPECT_EQ(erased.customers, 1);
  EXPECT_EQ(erased.bouncers, 1);
  EXPECT_EQ(erased.ratings, 1);
  EXPECT_EQ(erased.transactions, 1);
  EXPECT_EQ(rows("survey_customer"), 1);
  EXPECT_EQ(rows("survey_answer"), 1);
  EXPECT_EQ(rows("survey_rating_data"), 2);
  for (const char* where :
       {"survey_customer WHERE LOWER(email) LIKE '%ann@%'",
        "survey_push WHERE LOWER(email) LIKE '%ann@%' OR LOWER(reason) LIKE '%ann@%'",
        "survey_push_event WHERE LOWER(detail) LIKE '%ann@%'",
        "survey_batch WHERE LOWER(detail) LIKE '%ann@%'"})
    EXPECT_EQ(rows(where), 0) << where;
  EXPECT_EQ(rows("survey_push WHERE email = 'bob@example.test'"), 1);
  EXPECT_EQ(state_of("1"), State::quarantined);
  EXPECT_EQ(People(database).forgotten({"hash-of-ann", "b"}).size(), 1u);
}

TEST_P(ForgetTests, TakeAStrangerAsWell) {
  const Erased erased = forget(database, "hash", "nobody@example.test", {""});
  EXPECT_EQ(erased.customers + erased.bouncers + erased.ratings + erased.transactions, 0);
  EXPECT_EQ(People(database).forgotten({"hash"}).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Databases, ForgetTests, every_database(), database_name);

}  // namespace
}  // namespace surveybridge::crm
