#include "tests/program/init_world.hpp"

#include <filesystem>

#include "config/sections/load.hpp"
#include "tests/program/private_words.hpp"
#include "tests/support/paths.hpp"

namespace program {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> demo_service() {
  return {"--column",     "11:OrderNumber!", "--column",    "12:FirstName", "--column",
          "13:LastName!", "--column",        "14:Language", "--column",     "15:Amount"};
}

void make_demo_orders(Crm& crm, Server server) {
  const support::TemporaryFolder folder;
  const std::string made = folder.path() + "/demo.db";
  const auto ran = support::run(
      {{"sqlite3", "-bail", made, ".cd " + support::source_dir() + "/demo", ".read crm.sql"}, {}});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto demo = surveybridge::crm::open_database("sqlite3://" + made);
  const auto rows = demo->query(
      {"SELECT id, order_no, email, first_name, last_name, country, language, delivered_at, amount,"
       " remark, grade, state FROM orders",
       {}});
  crm.execute("DROP TABLE orders");
  crm.execute(std::string("CREATE TABLE orders (id INTEGER PRIMARY KEY, order_no VARCHAR(20) NOT "
                          "NULL UNIQUE, email TEXT, first_name TEXT, last_name TEXT, country TEXT,"
                          " language TEXT, delivered_at ") +
              (speaks_mysql(server) ? "DATETIME(6)" : "TIMESTAMP") +
              ", amount TEXT, remark TEXT, grade TEXT, state VARCHAR(20) NOT NULL)");
  surveybridge::crm::Transaction transaction(crm.database());
  crm.database().execute_each(
      "INSERT INTO orders VALUES (:p1, :p2, :p3, :p4, :p5, :p6, :p7, :p8, :p9, :p10, :p11, :p12)",
      rows.rows);
  transaction.commit();
}

std::string tables_of_the_bridge(Crm& crm, Server server) {
  if (server == Server::sqlite)
    return crm.cell("SELECT count(*) FROM sqlite_master WHERE name LIKE 'survey%'");
  // MariaDB shows the tables of every database of the server.
  return crm.cell(
      std::string("SELECT count(*) FROM information_schema.tables WHERE table_name LIKE 'survey%'"
                  " AND table_schema ") +
      (speaks_mysql(server) ? "= DATABASE()" : "NOT LIKE 'pg_%'"));
}

std::ptrdiff_t files_in(const std::string& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

mode_t mode_of_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777u : 0;
}

void converse(support::Terminal& terminal, const Conversation& lines) {
  for (const auto& [question, text] : lines) {
    ASSERT_TRUE(terminal.wait_for(question)) << question << ":\n" << terminal.shown();
    terminal.type_line(text);
  }
}

void accept_columns(support::Terminal& terminal) {
  converse(
      terminal,
      {{"is ever sent [", ""}, {"[delivered_at]: ", ""}, {"[order_no]: ", ""}, {"[email]: ", ""}});
}

Arguments Init::options(const Arguments& more) const {
  Arguments all{"init",
                "-c",
                file(),
                "--base-url",
                sandbox_.url(),
                "--token",
                "env:BRIDGE_TOKEN",
                "--connection",
                crm_.connection(),
                "--time-zone",
                "UTC",
                "--query",
                kDemoQuery};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

support::Finished Init::init(const Arguments& arguments) {
  auto ran = run(bridge_program(arguments));
  expect_no_private_words(ran.err);
  EXPECT_THAT(ran.out + ran.err, Not(HasSubstr(kToken)));
  return ran;
}

void Init::expect_ready(const std::string& said) {
  EXPECT_THAT(said, HasSubstr(file() + ": ok"));
  // Of five rows: an address that has two of them waits for a later batch with one.
  EXPECT_THAT(said, testing::ContainsRegex("push.orders: [1-5] customers in the next batch"));
  EXPECT_THAT(said, HasSubstr("POST /external/api/v3/customer/add"));
  EXPECT_THAT(said, HasSubstr("surveybridge release orders -c " + file()));
  EXPECT_THAT(said, HasSubstr("[suppress] is still a comment in the file"));
  EXPECT_THAT(sandbox_.customers(), IsEmpty());
  EXPECT_EQ(tables_of_the_bridge(crm_, server_), "0");
  const auto loaded = surveybridge::config::load(file());
  ASSERT_TRUE(std::holds_alternative<surveybridge::config::Settings>(loaded));
  const auto& push = std::get<surveybridge::config::Settings>(loaded).pushes.at(0);
  EXPECT_EQ(push.key + " " + push.when + " " + push.correlate, "order_no delivered_at OrderNumber");
  EXPECT_EQ(push.data.size(), 5u);
  EXPECT_THAT(support::read_file(file()), Not(HasSubstr(kToken)));
  EXPECT_EQ(mode_of_file(file()), 0640u);
}

}  // namespace program
