// The sweep over a window in chunks, and whole rows by key, on every database.
#include <algorithm>

#include <gmock/gmock.h>

#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "connectors/crm/source/source.hpp"
#include "tests/crm/conformance.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

constexpr Instant kSweepNoon = sys_days(2026y / June / 1) + 12h;
constexpr Window kDay{kSweepNoon - 12h, kSweepNoon + 12h};

class SweepTests : public OnEveryDatabase {
 protected:
  void SetUp() override {
    database_ = &open();
    for (const std::string& sql : schema(database_->dialect())) {
      if (sql.find("survey_push") != std::string::npos) database_->execute({sql, {}});
    }
    const bool sqlite = GetParam() == Server::sqlite, mariadb = speaks_mysql(GetParam());
    const char* type = sqlite ? "TEXT" : mariadb ? "DATETIME(6) NULL" : "TIMESTAMPTZ";
    run_statement(
        *database_,
        std::string("CREATE TABLE orders (id VARCHAR(300), note VARCHAR(3000), at ") + type + ")");
  }
  void order(const Value& id, Instant at, const std::string& note = "") {
    database_->execute(
        {"INSERT INTO orders (id, note, at) VALUES (:p1, :p2, :p3)", {id, note, at}});
  }
  void in_ledger(const std::string& key) {
    put_in_ledger(*database_, "orders", key, "sent", kSweepNoon, kSweepNoon);
  }
  Source source() {
    return Source(*database_, {"orders", "SELECT id, note, at FROM orders", "id", "at", "UTC"});
  }

  struct Swept {
    std::vector<std::string> keys;
    std::int64_t unknown = 0, without_key = 0;
    int chunks = 0;
  };
  Swept sweep(int limit) {
    Source source = this->source();
    Swept swept;
    Chunk chunk;
    while (!chunk.end && swept.chunks < 500) {
      chunk = source.chunk(kDay, chunk.next, limit);
      swept.keys.insert(swept.keys.end(), chunk.keys.begin(), chunk.keys.end());
      swept.unknown += chunk.unknown;
      swept.without_key += chunk.without_key;
      ++swept.chunks;
    }
    return swept;
  }

  Database* database_ = nullptr;
};
INSTANTIATE_TEST_SUITE_P(Databases, SweepTests, every_database(), server_name);

// Ten rows of one `when`, more than most chunks have; keys that differ in case alone, since a
// collation of the CRM may take them for the same.
TEST_P(SweepTests, MeetsEveryRowOnceInOrderWhateverAChunkTakes) {
  std::vector<std::string> keys;
  for (const char* key : {"A1", "B1", "C1", "D1", "E1", "a1", "b1", "c1", "d1", "e1"}) {
    order(key, kSweepNoon);
    keys.emplace_back(key);
  }
  for (int i = 1; i < 9; ++i) {
    order("x" + std::to_string(i), kSweepNoon + microseconds(i));
    keys.push_back("x" + std::to_string(i));
  }
  order("late", kDay.until);
  order("early", kDay.since - 1ms);
  for (const int limit : {1, 2, 3, 7, 10, 11, 18, 19, 100}) {
    auto swept = sweep(limit);
    if (limit < 10) std::sort(swept.keys.begin(), swept.keys.begin() + 10);  // the database's order
    EXPECT_THAT(swept.keys, ElementsAreArray(keys)) << limit;
    EXPECT_EQ(swept.unknown, 18) << limit;
  }
}

TEST_P(SweepTests, CountsEveryRowWithoutAKeyOnce) {
  for (int i = 0; i < 5; ++i) {
    order(mapping::Null{}, kSweepNoon);
    order("", kSweepNoon);
    order(std::string(191, 'x'), kSweepNoon);
    order("k" + std::to_string(i), kSweepNoon);
  }
  order(mapping::Null{}, kSweepNoon + 1s);
  for (const int limit : {1, 3, 8, 21, 22})
    EXPECT_EQ(sweep(limit).without_key, 16) << limit;
}

TEST_P(SweepTests, LeavesOutWhatTheLedgerKnows) {
  for (int i = 0; i < 30; ++i)
    order("k" + std::to_string(100 + i), kSweepNoon + seconds(i / 4));
  for (int i = 0; i < 30; ++i)
    if (i != 7 && i != 23) in_ledger("k" + std::to_string(100 + i));
  for (const int limit : {1, 4, 5, 100})
    EXPECT_THAT(sweep(limit).keys, ElementsAre("k107", "k123")) << limit;
  EXPECT_EQ(source().count(kDay.since, kDay.until), 2);
  EXPECT_THAT(source().unknown({"k123", "k100", "k107", "new"}),
              ElementsAre("k123", "k107", "new"));
}

TEST_P(SweepTests, FindsTwinsWhereverTheyLieInTheWindow) {
  order("twin", kSweepNoon - 11h, "one");
  for (int i = 0; i < 20; ++i)
    order("k" + std::to_string(i), kSweepNoon);
  order("twin", kSweepNoon + 11h, "another");
  order("same", kSweepNoon + 10h, "one");
  order("same", kSweepNoon + 10h, "one");
  order("k1", kDay.until + 1h, "another, outside of the window");
  const auto whole = source().whole_rows({"twin", "same", "k1"}, kDay, SIZE_MAX);
  EXPECT_THAT(whole.rows.duplicate_keys, ElementsAre("twin"));
  ASSERT_EQ(whole.rows.rows.size(), 2u);
  EXPECT_EQ(whole.rows.rows[0].key, "same") << "in the order of the keys";
  EXPECT_EQ(whole.rows.rows[1].key, "k1");
}

TEST_P(SweepTests, ReadsAsManyWholeRowsAsMayWeigh) {
  std::vector<std::string> keys;
  for (int i = 0; i < 40; ++i) {
    keys.push_back("k" + std::to_string(100 + i));
    order(keys.back(), kSweepNoon, std::string(3000, 'x'));
  }
  Source source = this->source();
  const auto first = source.whole_rows(keys, kDay, 60'000);
  EXPECT_EQ(first.keys, first.rows.rows.size());
  EXPECT_GE(first.keys, 18u);
  EXPECT_LE(first.keys, 28u);
  EXPECT_EQ(source.whole_rows(keys, kDay, 1).keys, 1u) << "one at least";
  EXPECT_EQ(source.whole_rows(keys, kDay, SIZE_MAX).keys, 40u);
}

// The key was chosen badly: hundreds of rows have the same.
TEST_P(SweepTests, ReadsFewOfTheRowsOfOneKey) {
  std::vector<std::vector<Value>> rows;
  for (int i = 0; i < 700; ++i)
    rows.push_back({i % 7 == 0 ? "other" : "same", std::to_string(i), kSweepNoon + seconds(i)});
  rows.push_back({"single", "", kSweepNoon});
  Transaction transaction(*database_);
  database_->execute_each("INSERT INTO orders (id, note, at) VALUES (:p1, :p2, :p3)", rows);
  transaction.commit();
  const auto whole = source().whole_rows({"other", "same", "single", "gone"}, kDay, SIZE_MAX);
  EXPECT_THAT(whole.rows.duplicate_keys, testing::UnorderedElementsAre("same", "other"));
  ASSERT_EQ(whole.rows.rows.size(), 1u);
  EXPECT_EQ(whole.rows.rows[0].key, "single");
}

class SqliteSweepTests : public SweepTests {};
INSTANTIATE_TEST_SUITE_P(Databases, SqliteSweepTests, testing::Values(Server::sqlite), server_name);

TEST_P(SqliteSweepTests, MeetsDatesInEveryForm) {
  const char* const dates[] = {"2026-06-01T12:00:00Z",
                               "2026-06-01 12:00:00+00:00",
                               "2026-06-01T14:00:00+0200",
                               "2026-06-01 14:00+02",
                               "2026-06-01T02:00:00-10:00",
                               "2026-06-02 02:00:00.5+14:00",
                               "2026-06-01 14:00:00",
                               "2026-06-01T14:00",
                               "2026-06-01",
                               "2026-06-01"};
  int id = 0;
  for (const char* at : dates)
    database_->execute(
        {"INSERT INTO orders (id, at) VALUES (:p1, :p2)", {std::to_string(++id), at}});
  for (const int limit : {1, 2, 3, 5, 9, 10, 11}) {
    auto keys = sweep(limit).keys;
    EXPECT_THAT(keys,
                testing::UnorderedElementsAre("1", "2", "3", "4", "5", "6", "7", "8", "9", "10"))
        << limit;
  }
}

}  // namespace
}  // namespace surveybridge::crm
