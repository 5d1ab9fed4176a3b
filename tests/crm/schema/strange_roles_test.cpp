// Another role of the same PostgreSQL, which may create in a schema of the search path: none of its
// tables is taken for ours, and none of its functions runs in our statements or views.
#include <gmock/gmock.h>

#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/crm/report/report_store.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/schema/owners.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "connectors/crm/schema/schema_version.hpp"
#include "connectors/crm/source/source.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/support/servers.hpp"

namespace surveybridge::crm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace std::chrono_literals;

// For each operator of `operators` and each pair of types for which the database has none of its
// own: one that raises an error of its own kind. The same for functions of one argument.
constexpr const char* kTraps = R"(
SET search_path = pg_catalog;
DO $do$
DECLARE
  types text[] := ARRAY['bigint', 'integer', 'numeric', 'text', 'varchar', 'boolean', 'interval',
                        'timestamptz', 'timestamp', 'date', 'double precision', 'name', 'oid'];
  a text; b text; o text; r text; n int := 0;
BEGIN
  FOREACH o IN ARRAY ARRAY['=', '<>', '<', '>', '<=', '>=', '+', '-', '*', '/', '||', '~~', '%'] LOOP
    FOREACH a IN ARRAY types LOOP FOREACH b IN ARRAY types LOOP
      CONTINUE WHEN EXISTS (SELECT 1 FROM pg_operator WHERE oprname = o AND oprleft = a::regtype
                            AND oprright = b::regtype);
      n := n + 1;
      r := CASE WHEN o IN ('+', '-', '*', '/', '%') THEN a WHEN o = '||' THEN 'text'
                ELSE 'boolean' END;
      IF o = '*' AND b = 'interval' THEN r := b; END IF;
      EXECUTE format('CREATE FUNCTION public.trap_%s(%s, %s) RETURNS %s LANGUAGE plpgsql AS '
                     '$f$ BEGIN RAISE EXCEPTION USING ERRCODE = ''TR001''; END $f$', n, a, b, r);
      EXECUTE format('CREATE OPERATOR public.%s (leftarg = %s, rightarg = %s, '
                     'function = public.trap_%s)', o, a, b, n);
    END LOOP; END LOOP;
  END LOOP;
  FOREACH o IN ARRAY ARRAY['count', 'pg_typeof', 'unnest', 'lower', 'octet_length', 'isfinite'] LOOP
    FOREACH a IN ARRAY types || ARRAY['text[]', 'bigint[]'] LOOP
      CONTINUE WHEN EXISTS (SELECT 1 FROM pg_proc WHERE proname = o AND pronargs = 1
                            AND proargtypes[0] = a::regtype);
      n := n + 1;
      EXECUTE format('CREATE FUNCTION public.trap_%s(bigint, %s) RETURNS bigint LANGUAGE plpgsql AS '
                     '$f$ BEGIN RAISE EXCEPTION USING ERRCODE = ''TR001''; END $f$', n, a);
      IF o = 'count' THEN
        EXECUTE format('CREATE AGGREGATE public.count(%s) (sfunc = public.trap_%s, stype = bigint)',
                       a, n);
      ELSE
        EXECUTE format('CREATE FUNCTION public.%s(%s) RETURNS %s LANGUAGE plpgsql AS '
                       '$f$ BEGIN RAISE EXCEPTION USING ERRCODE = ''TR001''; END $f$', o, a,
                       CASE o WHEN 'unnest' THEN 'SETOF ' || a WHEN 'isfinite' THEN 'boolean'
                       WHEN 'octet_length' THEN 'integer' ELSE a END);
      END IF;
    END LOOP;
  END LOOP;
END $do$;
)";

class StrangeRoles : public testing::Test {
 protected:
  StrangeRoles() {
    admin(
        "DO $$ BEGIN CREATE ROLE crm_role LOGIN; CREATE ROLE mallory LOGIN; EXCEPTION WHEN"
        " duplicate_object THEN NULL; END $$");
    admin("GRANT CREATE ON SCHEMA public TO crm_role, mallory");
  }
  void admin(const std::string& sql) { server_.sql(database_, sql); }
  void mallory(const std::string& sql) { admin("SET ROLE mallory; " + sql); }
  std::unique_ptr<Database> open(const std::string& role = "crm_role") {
    std::string text = server_.native(database_);
    const std::string from = "user=bridge";
    return open_database(text.replace(text.find(from), from.size(), "user=" + role));
  }

  support::PostgresServer& server_ = support::PostgresServer::shared();
  std::string database_ = server_.create_database();
};

TEST_F(StrangeRoles, HaveTheirTablesLeftAlone) {
  std::string all = "SET ROLE mallory; ";
  for (const auto& sql : schema(Dialect::postgresql))
    all += sql + "; ";
  admin(all + "GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC");
  const auto database = open();
  const auto belong_to_mallory = HasSubstr("belongs to the role \"mallory\"");
  EXPECT_THAT(error_of([&] { make_schema(*database); }).what(), belong_to_mallory);
  EXPECT_THAT(error_of([&] { refuse_tables(*database); }).what(), belong_to_mallory);
  EXPECT_FALSE(strange_tables(*database).empty());
}

TEST_F(StrangeRoles, AreNoStrangersWhereTheyAreTrustedAnyway) {
  for (const std::string owner : {"bridge", "crm_role", "crm_owner"}) {
    admin(
        "DO $$ BEGIN CREATE ROLE crm_owner; GRANT crm_owner TO crm_role; EXCEPTION WHEN"
        " duplicate_object THEN NULL; END $$; GRANT CREATE ON SCHEMA public TO crm_owner");
    std::string all = "SET ROLE " + owner + "; ";
    for (const auto& sql : schema(Dialect::postgresql))
      all += sql + "; ";
    admin(all);
    EXPECT_THAT(strange_tables(*open()), IsEmpty()) << owner;
    admin(
        "DROP OWNED BY crm_role, crm_owner; DROP SCHEMA public CASCADE; CREATE SCHEMA public;"
        " GRANT USAGE, CREATE ON SCHEMA public TO crm_role, crm_owner");
  }
  const auto owner = open();
  make_schema(*owner);
  EXPECT_THAT(strange_tables(*owner), IsEmpty());
  EXPECT_FALSE(strange_tables(*open("bridge")).empty())
      << "a superuser counts as a member of each role only to the database";
  admin(
      "GRANT USAGE ON SCHEMA public TO mallory; GRANT SELECT ON ALL TABLES IN SCHEMA public TO"
      " mallory");
  EXPECT_THAT(strange_tables(*open("mallory")), IsEmpty()) << "it only reads";
}

TEST_F(StrangeRoles, HaveATableLeftAloneIntoWhichTheyLetUsWriteAnything) {
  mallory("CREATE TABLE survey_seal (name text PRIMARY KEY, value text)");
  EXPECT_THAT(strange_tables(*open()), IsEmpty()) << "it may not even be read";
  for (const std::string right :
       {"INSERT", "INSERT (name)", "UPDATE", "UPDATE (value)", "DELETE", "TRIGGER"}) {
    mallory("GRANT SELECT, " + right + " ON survey_seal TO crm_role");
    EXPECT_THAT(strange_tables(*open()),
                ElementsAre(HasSubstr("\"survey_seal\" belongs to the role \"mallory\"")))
        << right;
    mallory("REVOKE ALL ON survey_seal FROM crm_role");
  }
  mallory("GRANT SELECT ON survey_seal TO crm_role");
  EXPECT_THAT(strange_tables(*open()), IsEmpty()) << "it only reads";
}

TEST_F(StrangeRoles, AreNamedWhereTheyMayCreate) {
  EXPECT_THAT(shared_schemas(*open()), ElementsAre("public"));
  admin("REVOKE CREATE ON SCHEMA public FROM mallory; REVOKE CREATE ON SCHEMA public FROM PUBLIC");
  EXPECT_THAT(shared_schemas(*open()), IsEmpty());
  admin("GRANT CREATE ON SCHEMA public TO PUBLIC");
  EXPECT_THAT(shared_schemas(*open()), ElementsAre("public"));
}

class StrangeFunctions : public StrangeRoles {};

TEST_F(StrangeFunctions, RunInNoStatementOrViewOfOurs) {
  admin(kTraps);
  const auto database = open();
  database->execute({"CREATE TABLE orders (id varchar(40), n bigint, at timestamptz)", {}});
  run_statement(*database,
                "INSERT INTO orders VALUES ('1', 1, '2026-11-01'), ('2', 2, '2026-11-01')");
  make_schema(*database);
  const Instant date = std::chrono::sys_days{std::chrono::year{2026} / 11 / 1};
  Ledger ledger(*database);
  ledger.claim({"b1", "orders", "one"}, {{"1", "ann@example.test", date, "ann"}});
  ledger.settle("orders", "b1", {Outcome::unknown, 500, "odd"}, {{"1", State::in_doubt, "odd"}});
  EXPECT_EQ(ledger.in_doubt("orders", 9).size(), 1u);
  for (const char* key : {"id", "n"}) {
    Source source(*database, {"orders", "SELECT id, n, at FROM orders", key, "at", "UTC"});
    EXPECT_EQ(source.next(date - 1h, date + 1h, 9).rows.size(), 1u);
    EXPECT_EQ(source.by_key({"1", "2"}).rows.size(), 2u);
    EXPECT_EQ(source.shared_keys({date - 1h, date + 1h}).keys, 0);
    EXPECT_EQ(source.tally(date - 1h, date + 1h).keys, 2);
  }
  ReportShape shape;
  shape.report.segments = {"Branch"};
  shape.time_zone = "Europe/Amsterdam";
  mapping::Record record(mapping::customer());
  record.set("Id", std::int64_t{7});
  record.set("TransactionDate", date);
  PullStore pulled(*database, mapping::customer(), {}, "UTC", shape);
  pulled.save({record}, {"list", "walk", {}, {}, "", {}, 1, 0, {}, ""}, std::nullopt);
  EXPECT_EQ(pulled.report_problem(), "");
  const auto views =
      database->query({"SELECT relname FROM pg_class WHERE relkind = 'v' AND"
                       " CAST(relname AS text) ~ '^survey'",
                       {}});
  EXPECT_GT(views.rows.size(), 5u);
  for (const auto& row : views.rows)
    database->query({"SELECT * FROM " + std::get<std::string>(row.at(0)), {}});
  const auto used = server_.sql(
      database_,
      "SELECT count(*) FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_rewrite r ON r.oid"
      " OPERATOR(pg_catalog.=) d.objid WHERE d.refobjid IN (SELECT oid FROM pg_catalog.pg_proc"
      " WHERE pronamespace = 'public'::regnamespace UNION ALL SELECT oid FROM"
      " pg_catalog.pg_operator WHERE oprnamespace = 'public'::regnamespace)");
  EXPECT_EQ(used, "0") << "a view runs what another role has made";
}

}  // namespace
}  // namespace surveybridge::crm
