// COPY of rows into a real PostgreSQL stores what a statement with arrays stores.
#include <gmock/gmock.h>

#include "connectors/crm/dialect/copy_text.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/support/servers.hpp"

namespace surveybridge::crm {
namespace {

using enum mapping::ColumnType;
using mapping::Null;
using support::PostgresServer;
using Rows = std::vector<std::vector<Value>>;

const mapping::Table kTable{"copied \"rows\"",
                            {{"id", integer},
                             {"flag", boolean},
                             {"amount", decimal},
                             {"words", text},
                             {"at", instant},
                             {"raw", bytes}},
                            1};

Value instant_of(const std::string& text) {
  return Instant(std::chrono::sys_days{std::chrono::year{2026} / 3 / 29}) +
         std::chrono::microseconds{std::stoll(text)};
}

Rows strange_rows() {
  const std::string nul("a\0b", 3);
  Rows rows = {{std::int64_t{1}, true, mapping::Decimal{"-12.50"}, "plain", instant_of("1"),
                mapping::Bytes{std::string("\0\\\xff\n", 4)}},
               {std::int64_t{2}, Null{}, Null{}, Null{}, Null{}, Null{}}};
  std::int64_t id = 3;
  for (const std::string& words :
       {std::string(), std::string("\\N"), std::string("\\."), std::string("a\tb\nc\rd\\"),
        std::string("NULL"), std::string("{\"x\"}"), nul, std::string("Öztürk 👍"),
        std::string("\b\f\v'\"")})
    rows.push_back({id++, false, mapping::Decimal{"0"}, words, instant_of("-1"), Null{}});
  return rows;
}

class CopyTests : public testing::Test {
 protected:
  static std::unique_ptr<Database> open(const std::string& encoding) {
    auto& server = PostgresServer::shared();
    auto database = open_database(server.native(server.create_database(encoding)));
    database->execute(
        {"CREATE TABLE \"copied \"\"rows\"\"\" (id bigint PRIMARY KEY, flag boolean,"
         " amount numeric, words text, at timestamptz, raw bytea)",
         {}});
    return database;
  }
  static Rows stored(Database& database) {
    return database.query({"SELECT * FROM \"copied \"\"rows\"\"\" ORDER BY id", {}}).rows;
  }
  static DatabaseError::Kind refused(Database& database, const std::string& sql, const Rows& rows) {
    const auto error = error_of([&] { database.copy(sql, rows); });
    EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("Öztürk")));
    return error.kind;
  }
};

TEST_F(CopyTests, StoresWhatAnInsertStores) {
  const auto copied = open("UTF8"), inserted = open("UTF8");
  EXPECT_TRUE(copied->copy(copy_statement(kTable), strange_rows()));
  put(*inserted, insert(inserted->dialect(), kTable), strange_rows());
  EXPECT_EQ(stored(*copied).size(), strange_rows().size());
  EXPECT_EQ(stored(*copied), stored(*inserted));
}

TEST_F(CopyTests, StoresWhatTheServersEncodingCanHold) {
  const auto copied = open("LATIN1"), inserted = open("LATIN1");
  EXPECT_TRUE(copied->copy(copy_statement(kTable), strange_rows()));
  put(*inserted, insert(inserted->dialect(), kTable), strange_rows());
  EXPECT_EQ(stored(*copied), stored(*inserted));
}

TEST_F(CopyTests, IsPartOfTheTransaction) {
  const auto database = open("UTF8");
  {
    Transaction transaction(*database);
    database->copy(copy_statement(kTable), strange_rows());
  }
  EXPECT_TRUE(stored(*database).empty());
}

TEST_F(CopyTests, LeavesTheSessionUsableWhenItIsRefused) {
  const auto database = open("UTF8");
  const Rows twice = {strange_rows().at(9), strange_rows().at(9)};
  {
    Transaction transaction(*database);
    EXPECT_EQ(refused(*database, copy_statement(kTable), twice), DatabaseError::Kind::constraint);
  }
  EXPECT_EQ(refused(*database, "COPY nothing FROM STDIN", twice), DatabaseError::Kind::other);
  EXPECT_EQ(refused(*database, copy_statement(kTable), {{std::string("Öztürk")}}),
            DatabaseError::Kind::other);
  EXPECT_EQ(refused(*database, "SELECT 1", twice), DatabaseError::Kind::other);
  EXPECT_TRUE(stored(*database).empty());
  EXPECT_TRUE(database->copy(copy_statement(kTable), strange_rows()));
  EXPECT_EQ(stored(*database).size(), strange_rows().size());
}

// More than one message of the protocol.
TEST_F(CopyTests, SendsManyRows) {
  const auto database = open("UTF8");
  Rows rows;
  for (std::int64_t i = 0; i < 3000; ++i)
    rows.push_back({i, true, Null{}, std::string(1000, 'x'), Null{}, Null{}});
  EXPECT_TRUE(database->copy(copy_statement(kTable), rows));
  EXPECT_EQ(stored(*database).size(), 3000u);
}

TEST_F(CopyTests, EndsWhereARowCannotBeMade) {
  const auto database = open("UTF8");
  const auto broken = [](const RowSink& take) {
    for (std::int64_t i = 0; i < 100; ++i)
      take({i, true, Null{}, std::string(1000, 'x'), Null{}, Null{}});
    throw std::invalid_argument("no key");
  };
  EXPECT_THROW(database->copy_from(copy_statement(kTable), broken), std::invalid_argument);
  EXPECT_TRUE(stored(*database).empty());
  EXPECT_TRUE(database->copy(copy_statement(kTable), strange_rows())) << "the session is usable";
}

TEST_F(CopyTests, SaysNothingWithoutARow) {
  EXPECT_TRUE(open("UTF8")->copy("COPY nothing FROM STDIN", {}));
}

TEST_F(CopyTests, IsNotThereElsewhere) {
  auto& server = PostgresServer::shared();
  EXPECT_FALSE(open_database("sqlite3://:memory:")->copy(copy_statement(kTable), strange_rows()));
  EXPECT_FALSE(open_database(server.odbc(server.create_database()))
                   ->copy(copy_statement(kTable), strange_rows()));
}

}  // namespace
}  // namespace surveybridge::crm
