// One batch with many odd rows (addresses, names, encodings, dates): each goes out as it is or is
// set aside with a reason, and none stops another. Runs on every database that can store them:
// PostgreSQL stores no NUL and, with an encoding, no other bytes; with SQL_ASCII it stores any
// bytes.
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "mapping/values/dates.hpp"
#include "tests/daemon/shop.hpp"
#include "tests/support/servers.hpp"

namespace {

using namespace surveybridge;
using namespace std::string_literals;
using crm::State;

// An address, and the reason why it is not sent; "": it is sent, trimmed.
struct OddAddress {
  std::string email;
  std::string reason = "";
  std::string sent_to = "";  // if it differs from the address
};

const std::string kLong(64, 'l');
const std::string kNoAddress = "Email: not an address: ";

const std::vector<OddAddress> kAddresses = {
    {"plain@example.test"},
    {"UPPER.Case@Example.TEST"},
    {"plus+tag@example.test"},
    {"o'brien@example.test"},
    {"!#$%&'*+-/=?^_`{|}~@example.test"},
    {kLong + "@example.test"},
    {"a@b.example"},
    {"1@123.example"},
    {"hyphen@with-hyphen.example"},
    {"punycode@xn--mnchen-3ya.example"},
    {"jörg@münchen.example"},
    {"почта@пример.example"},
    {"用户@例子.example"},
    {"😀@example.test"},
    {" blanks@example.test \t", "", "blanks@example.test"},
    {"\u00A0pasted@example.test\u200B", "", "pasted@example.test"},
    {"\uFEFFmarked@example.test\r\n", "", "marked@example.test"},
    {"", R"(Email: required, the column "email" is null or empty)"},
    {" \t ", R"(Email: required, the column "email" is null or empty)"},
    {"nobody", kNoAddress + "no @"},
    {"two@at@example.test", kNoAddress + "more than one @"},
    {"a@example.test,b@example.test", kNoAddress + "more than one @"},
    {"a@example.test;", kNoAddress + "a character in the domain that cannot be there"},
    {"@example.test", kNoAddress + "nothing before the @"},
    {"nowhere@", kNoAddress + "nothing behind the @"},
    {"local@host", kNoAddress + "a domain without a dot"},
    {"dot@example.test.", kNoAddress + "an empty part in the domain"},
    {"dots@example..test", kNoAddress + "an empty part in the domain"},
    {"a..b@example.test", kNoAddress + "a dot at an end of, or twice in, the part before the @"},
    {".a@example.test", kNoAddress + "a dot at an end of, or twice in, the part before the @"},
    {"\"quoted\"@example.test", kNoAddress + "a character before the @ that cannot be there"},
    {"mailto:a@example.test", kNoAddress + "a character before the @ that cannot be there"},
    {"Jan <jan@example.test>", kNoAddress + "a blank"},
    {"in ner@example.test", kNoAddress + "a blank"},
    {"literal@[127.0.0.1]", kNoAddress + "a character in the domain that cannot be there"},
    {"under@score_d.example", kNoAddress + "a character in the domain that cannot be there"},
    {"hyphen@-example.test", kNoAddress + "a hyphen at an end of a domain part"},
    {"x" + kLong + "@example.test", kNoAddress + "more than 64 bytes before the @"},
    {"long@" + std::string(64, 'd') + ".example",
     kNoAddress + "more than 63 bytes in one part of the domain"},
    {"very@" + kLong.substr(1) + "." + kLong.substr(1) + "." + kLong.substr(1) + "." +
         kLong.substr(1) + ".example",
     kNoAddress + "more than 254 bytes"},
    {"bcc@example.test\r\nBcc: all@example.test", kNoAddress + "a control character"},
    {"tab\t@example.test", kNoAddress + "a control character"},
    {"nul\0@example.test"s, "Email: holds a NUL character"},
    {"latin\xE9@example.test", "Email: not UTF-8"},
    {"overlong\xC0\xAE@example.test", "Email: not UTF-8"},
    {"half\xED\xA0\x80@example.test", "Email: not UTF-8"},
};

// A name, and the reason why its row is not sent; "": it is sent unchanged.
struct Name {
  std::string text, reason = "";
};
const std::vector<Name> kNames = {
    {"Zoë 😀 👨‍👩‍👧"},
    {"עברית العربية 日本語"},
    {"e\u0301 is not \u00E9"},
    {"line\u2028and\r\nline\tand tab"},
    {"</script><![CDATA[&amp;]]> \"'\\ {{}} %s ${x}"},
    {"Robert'); DROP TABLE orders;--"},
    {"\u202Eright to left\u202C"},
    {std::string(10'000, 'n')},
    {"  kept blanks  "},
    {"nul\0in it"s, "Data[Name]: holds a NUL character"},
    {"latin \xE9", "Data[Name]: not UTF-8"},
    {"cut \xF0\x9F\x98", "Data[Name]: not UTF-8"},
    {"half \xED\xB8\x80", "Data[Name]: not UTF-8"},
};

// A date as the CRM writes it, and its instant or the reason. The zone is Europe/Amsterdam.
struct Clock {
  std::string text, instant, reason = "";
};
const std::vector<Clock> kClocks = {
    {"2026-11-05T10:00:00Z", "2026-11-05T10:00:00Z"},
    {"2026-11-05T10:00:00+14:00", "2026-11-04T20:00:00Z"},
    {"2026-11-05 10:00:00.123456", "2026-11-05T09:00:00.123456Z"},
    {"2026-11-05", "2026-11-04T23:00:00Z"},
    {"2026-03-29T02:30:00",
     "2026-03-29T01:30:00Z"},  // does not exist (the clocks were put forward): an hour later
    {"2026-10-25T02:30:00",
     "2026-10-25T00:30:00Z"},  // exists twice (the clocks were put back): the first
    {"2024-02-29T12:00:00", "2024-02-29T11:00:00Z"},
    {"1937-07-01T00:00:00Z", "1937-07-01T00:00:00Z"},
    {"9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"},
    {"2026-02-29T12:00:00", "", "TransactionDate: not a date"},
    {"2026-11-05T24:00:00", "", "TransactionDate: not a date"},
    {"2026-11-05T10:00:00+15:00", "", "TransactionDate: not a date"},
    {"05-11-2026", "", "TransactionDate: not a date"},
    {"yesterday", "", "TransactionDate: not a date"},
};

constexpr const char* kConfiguration = R"(
time_zone = "Europe/Amsterdam"
[push.orders]
brake = false
query = "SELECT id, email, name, seen, delivered_at FROM odd_rows"
key = "id"
when = "delivered_at"
start = 2026-11-01
correlate = "OrderNumber"
[push.orders.customer]
Email = "email"
TransactionDate = "seen"
[push.orders.customer.Data]
OrderNumber = "id"
Name = "name"
)";

std::string hex(const std::string& bytes) {
  std::string digits;
  for (const char c : bytes)
    digits += fmt::format("{:02X}", static_cast<unsigned char>(c));
  return digits;
}

// The database of the run.
struct DatabaseAndFormat {
  const char* name;
  const char* encoding;  // of PostgreSQL; "": SQLite
  config::Service::Format format;

  bool sqlite() const { return *encoding == '\0'; }
  std::string text(const std::string& bytes) const {
    if (sqlite()) return "CAST(X'" + hex(bytes) + "' AS TEXT)";
    return "convert_from(decode('" + hex(bytes) + "', 'hex'), '" + encoding + "')";
  }
  bool holds(const std::string& reason) const {
    const bool nul = reason.ends_with("holds a NUL character");
    const bool foreign = reason.ends_with("not UTF-8");
    return sqlite() || (!nul && !(foreign && encoding == "UTF8"s));
  }
  std::string connection() const {
    if (sqlite()) return "";
    auto& server = support::PostgresServer::shared();
    return server.native(server.create_database(encoding));
  }
};

class OddBatch : public in_process::Shop, public testing::WithParamInterface<DatabaseAndFormat> {
 protected:
  OddBatch() : Shop(options(), GetParam().connection()) {
    settings_ = in_process::settings_of(kConfiguration);
    settings_.service.format = GetParam().format;
    const std::string when = GetParam().sqlite() ? "TEXT" : "timestamptz";
    sql("CREATE TABLE odd_rows (id TEXT, email TEXT, name TEXT, seen TEXT, delivered_at " + when +
        ")");
  }
  static sandbox::Options options() {
    sandbox::Options options = still();
    options.columns = {{11, "OrderNumber", "Order"}, {12, "Name", "Name"}};
    return options;
  }
  void add_row(const std::string& id, const std::string& email, const std::string& name,
               const std::string& seen, const std::string& reason) {
    const DatabaseAndFormat& in = GetParam();
    const std::string insert = "INSERT INTO odd_rows VALUES ('" + id + "', " + in.text(email) +
                               ", " + in.text(name) + ", " + in.text(seen) +
                               ", '2026-11-09T12:00:00Z')";
    if (in.holds(reason)) return sql(insert);
    EXPECT_THROW(sql(insert), crm::DatabaseError) << id << ": the database takes it after all";
  }
  std::map<std::string, sandbox::Held> at_the_service() {
    std::map<std::string, sandbox::Held> held;
    for (const auto& customer : service_.customers())
      for (const auto& [column, value] : customer.data)
        if (column == "OrderNumber") held[value] = customer;
    return held;
  }
  // Was it sent?
  bool sent(const std::string& id, const std::string& reason) {
    const auto entry = crm::Ledger(*crm_).find("orders", id);
    EXPECT_EQ(entry.has_value(), GetParam().holds(reason)) << id;
    if (!entry) return false;
    EXPECT_EQ(entry->state, reason.empty() ? State::sent : State::quarantined) << id;
    EXPECT_EQ(entry->state == State::sent ? "" : entry->reason, reason) << id;
    return reason.empty();
  }
};

std::string id_of(const char* what, std::size_t number) {
  return what + std::to_string(number);
}

TEST_P(OddBatch, GoesOutRightOrIsSetAsideWithTheReason) {
  for (std::size_t i = 0; i < kAddresses.size(); ++i)
    add_row(id_of("a", i), kAddresses[i].email, "x", "2026-11-05", kAddresses[i].reason);
  for (std::size_t i = 0; i < kNames.size(); ++i)
    add_row(id_of("n", i), id_of("n", i) + "@example.test", kNames[i].text, "2026-11-05",
            kNames[i].reason);
  for (std::size_t i = 0; i < kClocks.size(); ++i)
    add_row(id_of("c", i), id_of("c", i) + "@example.test", "x", kClocks[i].text,
            kClocks[i].reason);
  for (const auto& job : sync().result.jobs)
    EXPECT_EQ(job.status.trouble, "") << job.job;
  const auto held = at_the_service();
  std::size_t all = 0;
  for (std::size_t i = 0; i < kAddresses.size(); ++i) {
    const OddAddress& address = kAddresses[i];
    if (!sent(id_of("a", i), address.reason)) continue;
    ++all;
    ASSERT_TRUE(held.contains(id_of("a", i)));
    EXPECT_EQ(held.at(id_of("a", i)).email,
              address.sent_to.empty() ? address.email : address.sent_to);
  }
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (!sent(id_of("n", i), kNames[i].reason)) continue;
    ++all;
    ASSERT_TRUE(held.contains(id_of("n", i)));
    const auto& data = held.at(id_of("n", i)).data;
    const auto name = std::ranges::find(data, "Name", &std::pair<std::string, std::string>::first);
    EXPECT_EQ(name == data.end() ? "" : name->second, kNames[i].text);
  }
  for (std::size_t i = 0; i < kClocks.size(); ++i) {
    if (!sent(id_of("c", i), kClocks[i].reason)) continue;
    ++all;
    ASSERT_TRUE(held.contains(id_of("c", i)));
    EXPECT_EQ(mapping::write_instant(held.at(id_of("c", i)).transaction_date), kClocks[i].instant);
  }
  EXPECT_EQ(held.size(), all);
  EXPECT_EQ(service_.adds(), 1) << "all in one batch";
}

// PostgreSQL's dates know infinity, and psqlodbc makes a day of the year 9999 of it.
class Infinity : public in_process::Shop, public testing::WithParamInterface<bool> {
 protected:
  Infinity() : Shop(still(), connection(server().create_database("UTF8"))) {
    settings_ = in_process::settings_of(kConfiguration);
    settings_.pushes.at(0).data.pop_back();  // there is no column "Name"
    sql("CREATE TABLE odd_rows (id TEXT, email TEXT, name TEXT, seen timestamptz,"
        " delivered_at timestamptz)");
  }
  void row(const std::string& id, const std::string& seen, const std::string& delivered_at) {
    sql("INSERT INTO odd_rows VALUES ('" + id + "', 'a" + id + "@example.test', 'x', '" + seen +
        "', '" + delivered_at + "')");
  }
  std::string reason(const std::string& key) {
    const auto entry = crm::Ledger(*crm_).find("orders", key);
    if (!entry || entry->state == State::sent) return entry ? "sent" : "unknown";
    return entry->state == State::quarantined ? entry->reason : to_string(entry->state);
  }

 private:
  static support::PostgresServer& server() { return support::PostgresServer::shared(); }
  static std::string connection(const std::string& database) {
    return GetParam() ? server().odbc(database) : server().native(database);
  }
};

TEST_P(Infinity, IsSetAsideWithAReasonWhereverItStands) {
  const std::string day = "2026-11-09 12:00:00+00";
  row("1", day, day);
  row("2", "infinity", day);
  row("3", "-infinity", day);
  row("4", day, "infinity");
  row("5", day, "-infinity");
  sync();
  EXPECT_EQ(reason("1"), "sent");
  EXPECT_EQ(reason("2"), "TransactionDate: not a date");
  EXPECT_EQ(reason("3"), "TransactionDate: not a date");
  EXPECT_EQ(reason("4"), reason("5"));
  EXPECT_TRUE(reason("4").starts_with("when: no date")) << reason("4");
  EXPECT_EQ(service_.customers().size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Drivers, Infinity, testing::Values(false, true),
                         [](const auto& of) { return of.param ? "odbc" : "libpq"; });

using Format = config::Service::Format;
INSTANTIATE_TEST_SUITE_P(Databases, OddBatch,
                         testing::Values(DatabaseAndFormat{"SqliteJson", "", Format::json},
                                         DatabaseAndFormat{"SqliteXml", "", Format::xml},
                                         DatabaseAndFormat{"PostgresqlJson", "UTF8", Format::json},
                                         DatabaseAndFormat{"PostgresqlXml", "UTF8", Format::xml},
                                         DatabaseAndFormat{"PostgresqlOfAnyBytes", "SQL_ASCII",
                                                           Format::json}),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
