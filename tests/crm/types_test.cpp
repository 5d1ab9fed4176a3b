// Each type of each database, value by value: what arrives of it, whether it can be a key, and what
// a write-back stores. The tables of tests/crm/types.md are made by this test.
#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/crm/pulled/write_back.hpp"
#include "connectors/crm/source/source.hpp"
#include "mapping/field_map/mapper.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/crm/records.hpp"
#include "tests/support/generated_section.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono;
using mapping::Record;

constexpr const char* kPage = "tests/crm/types.md";
constexpr Instant kNoon = sys_days(2026y / June / 1) + 12h;
constexpr std::string_view kHead =
    "| Type | Value, as SQL | Arrives as text | Boolean | Key | Written back |\n"
    "|---|---|---|---|---|---|\n";

struct Typed {
  std::string type;
  std::vector<std::string> values;  // SQL
};
using Types = std::vector<Typed>;

const Types& postgresql_types() {
  static const Types all = {
      {"smallint", {"-7"}},
      {"integer", {"1", "0"}},
      {"bigint", {"9223372036854775807"}},
      {"oid", {"4294967295"}},
      {"numeric", {"1.50", "12345678901234567890.0123456789", "'NaN'"}},
      {"numeric(10,2)", {"-0.5"}},
      {"real", {"0.1", "'Infinity'"}},
      {"double precision", {"0.1", "1e17"}},
      {"money", {"'1234.56'"}},
      {"boolean", {"true", "false"}},
      {"bit(1)", {"B'1'", "B'0'"}},
      {"bit(8)", {"B'10101010'"}},
      {"bit varying(8)", {"B'101'"}},
      {"text", {"'Zoë'", "' a '", "'true'"}},
      {"varchar(10)", {"'A1'"}},
      {"char(5)", {"'ab'", "' a'"}},
      {"\"char\"", {"'a'"}},
      {"name", {"'A1'"}},
      {"bytea", {"'\\x4131'"}},
      {"uuid", {"'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'"}},
      {"date", {"'2026-02-28'", "'infinity'"}},
      {"timestamp", {"'2026-03-29 12:30:00.5'"}},
      {"timestamptz", {"'2026-03-29 12:30:00+00'"}},
      {"time", {"'10:11:12.5'"}},
      {"timetz", {"'10:11:12-03:30'"}},
      {"interval", {"'1 day 02:00:00'"}},
      {"json", {"'{\"a\": 1.0}'"}},
      {"jsonb", {"'{\"a\": 1.0}'"}},
      {"xml", {"'<a>é</a>'"}},
      {"inet", {"'10.0.0.1'"}},
      {"cidr", {"'10.0.0.0/8'"}},
      {"macaddr", {"'08:00:2b:01:02:03'"}},
      {"integer[]", {"'{1,2}'"}},
      {"text[]", {"'{a,\"b,c\"}'"}},
      {"int4range", {"'[1,5)'"}},
      {"point", {"'(1,2)'"}},
      {"mood", {"'very happy'"}},
      {"positive", {"7"}},
      {"tsvector", {"'a b'"}},
  };
  return all;
}

const Types& mariadb_types() {
  static const Types all = {
      {"TINYINT(1)", {"1", "0"}},
      {"TINYINT UNSIGNED", {"255"}},
      {"INT", {"-7"}},
      {"INT(8) ZEROFILL", {"42"}},
      {"BIGINT", {"9223372036854775807"}},
      {"BIGINT UNSIGNED", {"18446744073709551615"}},
      {"DECIMAL(10,2)", {"1.5", "-0.5"}},
      {"FLOAT", {"0.1", "1234567"}},
      {"DOUBLE", {"0.1", "1e17"}},
      {"BIT(1)", {"b'1'", "b'0'"}},
      {"BIT(8)", {"b'10101010'"}},
      {"BIT(64)", {"b'1111111111111111111111111111111111111111111111111111111111111111'"}},
      {"YEAR", {"2026"}},
      {"VARCHAR(10)", {"'Zoë'", "' a '", "'true'"}},
      {"CHAR(10)", {"'ab'"}},
      {"VARCHAR(10) CHARACTER SET latin1", {"'Zoë'"}},
      {"LONGTEXT", {"'A1'"}},
      {"ENUM('open','very happy')", {"'very happy'"}},
      {"SET('a','b')", {"'a,b'"}},
      {"JSON", {"'{\"a\": 1.0}'"}},
      {"UUID", {"'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'"}},
      {"INET6", {"'2001:db8::1'"}},
      {"BINARY(2)", {"x'4131'"}},
      {"VARBINARY(10)", {"x'4131'"}},
      {"BLOB", {"x'4131'"}},
      {"DATE", {"'2026-02-28'", "'0000-00-00'"}},
      {"DATETIME", {"'2026-03-29 12:30:00'"}},
      {"DATETIME(6)", {"'2026-03-29 12:30:00.5'"}},
      {"TIMESTAMP NULL", {"'2026-03-29 12:30:00'"}},
      {"TIME", {"'10:11:12'", "'100:00:00'", "'-01:02:03'"}},
      {"TIME(3)", {"'10:11:12.5'"}},
      {"POINT", {"POINT(1,2)"}},
  };
  return all;
}

bool is_of_mariadb_alone(const std::string& type) {
  return type == "UUID" || type == "INET6";
}

const Types& sqlite_types() {
  static const Types all = {
      {"INTEGER", {"1", "0", "'A1'", "1.5"}},
      {"BIGINT", {"9223372036854775807"}},
      {"REAL", {"0.1", "7"}},
      {"DECIMAL(10,2)", {"'12.50'", "7"}},
      {"NUMERIC", {"7", "'A1'"}},
      {"BOOLEAN", {"1", "0", "2"}},
      {"TEXT", {"'Zoë'", "' a '", "'true'", "7", "x'4131'"}},
      {"VARCHAR(10)", {"'A1'"}},
      {"BLOB", {"x'4131'", "'A1'"}},
      {"DATE", {"'2026-02-28'", "'soon'"}},
      {"DATETIME", {"'2026-03-29 12:30:00'", "'2026-03-29T12:30:00Z'"}},
      {"TIMESTAMP", {"'2026-03-29 12:30:00+02:00'"}},
      {"JSON", {"'{\"a\": 1.0}'"}},
      {"UUID", {"'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'"}},
      {"", {"7", "'A1'"}},
  };
  return all;
}

config::FieldRule rule(const std::string& field, const std::string& column) {
  config::FieldRule made;
  made.field = field;
  made.source.column = column;
  return made;
}

// A customer of the columns id, v, at, with v as a data column or as a boolean.
mapping::Mapper mapper(bool as_boolean) {
  config::Push push;
  push.name = "orders";
  push.key = "id";
  push.when = "at";
  config::FieldRule email = rule("Email", "");
  email.source.value = std::string("a@example.test");
  push.customer.rules = {email};
  if (as_boolean) {
    push.customer.rules.push_back(rule("CopyAllAnswers", "v"));
  } else {
    push.data = {{"Value", {}, rule("", "v").source}};
  }
  return std::get<mapping::Mapper>(
      mapping::Mapper::make(push, {"id", "v", "at"}, {}, "Europe/Amsterdam"));
}

std::string in_code(std::string text) {
  for (auto at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
    text.insert(at, "\\");
  return "`" + text + "`";
}

// 'ab' is ab.
std::string unquoted(const std::string& literal) {
  const bool quoted = literal.size() > 1 && literal.front() == '\'' && literal.back() == '\'';
  return quoted ? literal.substr(1, literal.size() - 2) : literal;
}

// What a text is as a boolean.
std::string truth_in(const std::string& text) {
  if (text == "1" || text == "true") return "true";
  return text == "0" || text == "false" ? "false" : "set aside";
}

std::string name_of(const std::string& type) {
  return type.empty() ? "none" : in_code(type);
}

using Cells = std::vector<std::string>;

// One line of the values of a type; what is the same for all of them stands once.
std::string line_of(const std::string& name, const std::vector<Cells>& values) {
  std::string line = "| " + name + " |";
  for (std::size_t i = 0; i < values.front().size(); ++i) {
    const std::string& first = values.front()[i];
    const bool same = std::all_of(values.begin(), values.end(),
                                  [&](const Cells& cells) { return cells[i] == first; });
    std::string cell = first;
    for (std::size_t k = 1; !same && k < values.size(); ++k)
      cell += "; " + values[k][i];
    line += " " + cell + " |";
  }
  return line + "\n";
}

class TypesTests : public OnOurTables {
 protected:
  TypesTests() : session_(open_database(connection(), "Europe/Amsterdam")), database_(*session_) {
    if (speaks_mysql(server()))
      database_.execute({"SET SESSION sql_mode = 'ALLOW_INVALID_DATES,STRICT_TRANS_TABLES'", {}});
    if (dialect() != Dialect::postgresql) return;
    database_.execute({"CREATE TYPE mood AS ENUM ('open', 'very happy')", {}});
    database_.execute({"CREATE DOMAIN positive AS integer CHECK (value > 0)", {}});
  }
  Server server() const { return GetParam(); }
  Dialect dialect() const { return database_.dialect(); }

  // The types whose values stay as they are have one line together.
  std::string table() {
    std::string lines;
    for (const auto& typed : types()) {
      const bool is_there = server() != Server::mysql || !is_of_mariadb_alone(typed.type);
      if (is_there) lines += lines_of(typed);
    }
    if (plain_.empty()) return lines;
    return "| " + plain_ + " | any other | the same | as its text says | the same | the same |\n" +
           lines;
  }

 private:
  const Types& types() const {
    if (server() == Server::sqlite) return sqlite_types();
    return speaks_mysql(server()) ? mariadb_types() : postgresql_types();
  }

  std::string lines_of(const Typed& typed) {
    database_.execute({"CREATE TABLE t (id integer PRIMARY KEY, v " + typed.type + ", at " +
                           (speaks_mysql(server()) ? "datetime" : "timestamp") + ")",
                       {}});
    std::vector<Cells> values;
    for (const auto& value : typed.values)
      if (Cells cells = cells_of(typed.type, value); !cells.empty()) values.push_back(cells);
    database_.execute({"DROP TABLE t", {}});
    return values.empty() ? "" : line_of(name_of(typed.type), values);
  }

  // None: the value stays as it is.
  Cells cells_of(const std::string& type, const std::string& value) {
    database_.execute({"DELETE FROM t", {}});
    database_.execute(
        {"INSERT INTO t (id, v, at) VALUES (1, " + value + ", '2026-06-01 12:00')", {}});
    const auto text = data_text();
    const std::string name = name_of(type), truth = boolean(), named = key(),
                      back = text ? written_back(*text) : "–";
    const bool same = text && *text == unquoted(value) && named == in_code(*text);
    if (same && truth == truth_in(*text) && back == "the same") {
      if (!plain_.ends_with(name)) plain_ += (plain_.empty() ? "" : ", ") + name;
      return {};
    }
    return {in_code(value), text ? in_code(*text) : "set aside", truth, named, back};
  }

  mapping::Row row() {
    auto result = database_.query({"SELECT id, v, at FROM t", {}});
    return {"1", std::move(result.rows.at(0))};
  }

  // What the service gets in a data column; none: the row is set aside.
  std::optional<std::string> data_text() {
    const auto mapped = mapper(false).map(row());
    const auto* customer = std::get_if<Record>(&mapped);
    if (customer == nullptr) return std::nullopt;
    const auto& data = customer->at("Data").records;
    return data.empty() ? "" : std::get<std::string>(data.front().value("Value"));
  }

  std::string boolean() {
    const auto mapped = mapper(true).map(row());
    const auto* customer = std::get_if<Record>(&mapped);
    if (customer == nullptr) return "set aside";
    const auto* truth = std::get_if<bool>(&customer->value("CopyAllAnswers"));
    return truth == nullptr ? "" : *truth ? "true" : "false";
  }

  // A key must find its row again.
  std::string key() {
    Source source(database_, {"orders", "SELECT v, at FROM t", "v", "at", "UTC"});
    try {
      source.columns();
    } catch (const DatabaseError& error) {
      EXPECT_NE(std::string(error.what()).find("a key cannot be made of"), std::string::npos)
          << error.what();
      return "refused";
    }
    const auto rows = source.next(kNoon - 24h, kNoon + 24h, 10).rows;
    if (rows.empty()) return "left out";
    EXPECT_EQ(source.by_key({rows.front().key}).rows.size(), 1u) << rows.front().key;
    return in_code(rows.front().key);
  }

  // The text that has arrived, written into the column when the service gives it back.
  std::string written_back(const std::string& text) {
    const std::string before = shown();
    database_.execute({"UPDATE t SET v = NULL", {}});
    config::Write write;
    write.table = "t";
    write.match = {{"id", "Data[OrderNumber]", {}}};
    write.set = {{"v", "Answers[1200].Text", {}}};
    if (!check_writes(database_, mapping::customer(), {write}).empty()) return "refused";
    PullStore tables(database_, mapping::customer(), {write}, "Europe/Amsterdam");
    tables.save({customer(text)}, {"customers", "all", {}, {}, "", {}, 0, 0, {}, ""}, std::nullopt);
    database_.execute({"DELETE FROM survey_customer", {}});
    const std::string after = shown();
    if (after == before) return "the same";
    return after.empty() ? "left out" : in_code(after);
  }

  // As the database itself writes it; empty: NULL.
  std::string shown() {
    const std::string text = speaks_mysql(dialect())            ? "HEX(v)"
                             : dialect() == Dialect::postgresql ? "CAST(v AS text)"
                                                                : "quote(v)";
    const auto cell = database_.query({"SELECT " + text + " FROM t WHERE v IS NOT NULL", {}}).rows;
    return cell.empty() ? "" : std::get<std::string>(cell.at(0).at(0));
  }

  static Record customer(const std::string& text) {
    Record made = bare_customer(1);
    Record data(*mapping::customer().find("Data")->of);
    data.set("Name", std::string{"OrderNumber"});
    data.set("Value", std::string{"1"});
    made.at("Data").records.push_back(data);
    Record answer(*mapping::customer().find("Answers")->of);
    answer.set("BaseQuestionId", std::int64_t{1200});
    answer.set("Text", text);
    made.at("Answers").records.push_back(answer);
    return made;
  }

  std::unique_ptr<Database> session_;
  Database& database_;
  std::string plain_;  // types whose values stay as they are
};
// The page has what psqlodbc makes otherwise behind PostgreSQL's own, and MySQL behind MariaDB's.
INSTANTIATE_TEST_SUITE_P(Databases, TypesTests, every_database(), server_name);

std::string section_of(Server server) {
  if (server == Server::sqlite) return "types of SQLite";
  if (server == Server::mariadb) return "types of MariaDB";
  if (server == Server::mysql) return "types of MySQL";
  return server == Server::odbc ? "types of PostgreSQL by psqlodbc" : "types of PostgreSQL";
}

// Those lines that the other table has not.
std::string other_lines(const std::string& table, const std::string& known) {
  std::string others;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);)
    if (known.find(line + "\n") == std::string::npos) others += line + "\n";
  return others;
}

// MariaDB's table as it would be without the types that MySQL has not.
std::string without_types_of_mariadb_alone(std::string table) {
  const std::string alone = ", `INET6`";  // UUID has a line of its own
  if (const auto at = table.find(alone); at != std::string::npos) table.erase(at, alone.size());
  return table;
}

TEST_P(TypesTests, AreOnThePageAsTheyArrive) {
  std::string lines = table();
  if (server() == Server::odbc)
    lines = other_lines(lines, support::generated_section(kPage, section_of(Server::postgresql)));
  if (server() == Server::mysql)
    lines = other_lines(lines, without_types_of_mariadb_alone(
                                   support::generated_section(kPage, section_of(Server::mariadb))));
  support::expect_section(kPage, section_of(server()),
                          lines.empty() ? "" : std::string(kHead) + lines);
}

}  // namespace
}  // namespace surveybridge::crm
