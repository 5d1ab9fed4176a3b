// [crm]: the database with the rows to push. [store]: the bridge's own tables.
#include <algorithm>
#include <array>
#include <chrono>

#include "config/keys/kinds.hpp"
#include "config/sections/sections.hpp"

namespace surveybridge::config {
namespace {

using namespace std::chrono_literals;

constexpr const char* kConnections = R"("postgresql://…", "odbc://…" or "sqlite3://…")";

constexpr std::string_view kConnectionPattern = "^(postgres(ql)?|odbc|sqlite3)://.";

bool is_connection(const std::string& text) {
  // PostgreSQL's own programs take its name in both forms.
  constexpr std::array kBackends = {"postgresql://", "postgres://", "odbc://", "sqlite3://"};
  const bool known = std::any_of(kBackends.begin(), kBackends.end(), [&](std::string_view backend) {
    return text.starts_with(backend) && text.size() > backend.size();
  });
  return known && text.size() <= 4096 && !has_control(text);
}

}  // namespace

Kind<Crm> crm_section() {
  return section<Crm>({
      required(key("connection", &Crm::connection,
                   secret_or_text(kConnections, is_connection, kConnectionPattern),
                   "the database")),
      key("time_zone", &Crm::time_zone, zone(),
          "for the database's timestamps without a zone, and of its sessions"),
      key("connections", &Crm::connections, integer(1, 1000),
          "at most so many sessions of all jobs, with [store] in each of the two; SQLite has no "
          "limit"),
      key("statement_timeout", &Crm::statement_timeout, duration(5s, 1h),
          "a statement that takes longer is ended, also in [store], and its job tries again; "
          "SQLite has no limit, and MySQL one for statements that read"),
  });
}

namespace {

void check_store(const Node::Table&, const TextPlace& place, const Trail& trail, Store& store) {
  store.place = place;
  if (!store.connection.set() && store.schema.empty())
    trail.wrong(place,
                "needs connection or schema: otherwise the tables are in the CRM's database");
}

}  // namespace

Kind<Store> store_section() {
  return section<Store>(
      {
          key("connection", &Store::connection,
              secret_or_text(kConnections, is_connection, kConnectionPattern),
              "another database; without it the CRM's, in another schema"),
          key("schema", &Store::schema, name("the name of a schema"),
              "the schema (of MariaDB: the database) that has only the bridge's tables; it must be "
              "there already"),
      },
      check_store);
}

Kind<LedgerSettings> ledger_section() {
  return section<LedgerSettings>({
      key("keep_events", &LedgerSettings::keep_events, duration(24h, 36500 * 24h),
          "how long `explain` can show the events of a transaction that is sent or suppressed; the "
          "transaction itself is kept for ever"),
  });
}

}  // namespace surveybridge::config
