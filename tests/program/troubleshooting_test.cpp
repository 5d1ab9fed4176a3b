// Every message of docs/RUNBOOK.md, section "Messages", is provoked here, and every message that is
// provoked here is in its tables.
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/program/bridge_and_crm.hpp"
#include "tests/program/private_words.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/raw_server.hpp"
#include "tests/support/tls_front.hpp"
#include "tests/support/tls_server.hpp"

namespace program {
namespace {

// The first column of the section's tables; a cell may have several messages: "`a`, `b`".
std::vector<std::string> messages_of_the_page() {
  const std::string runbook = support::read_file(support::source_dir() + "/docs/RUNBOOK.md");
  const auto begin = runbook.find("\n## Messages\n");
  if (begin == std::string::npos) return {};
  std::istringstream page(runbook.substr(begin, runbook.find("\n## ", begin + 1) - begin));
  std::vector<std::string> messages;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `")) continue;
    std::string cell = line.substr(3, line.find("` |") - 3);
    const std::string between = "`, `";
    for (auto at = cell.find(between); at != std::string::npos; at = cell.find(between)) {
      messages.push_back(cell.substr(0, at));
      cell.erase(0, at + between.size());
    }
    messages.push_back(cell);
  }
  return messages;
}

std::regex pattern_of(const std::string& message) {
  static const std::regex special(R"([.^$|()\[\]{}*+?\\])");
  return std::regex(
      std::regex_replace(std::regex_replace(message, special, R"(\$&)"), std::regex("…"), ".*"));
}

bool has_line(const std::string& text, const std::string& message) {
  const std::regex pattern = pattern_of(message);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (std::regex_match(line, pattern)) return true;
  return false;
}

class Troubleshooting : public BridgeAndPostgresql {
 protected:
  Troubleshooting() {
    crm_.insert(orders(3));
    server_.sql("postgres", "DROP ROLE IF EXISTS poor");
    server_.sql("postgres", "CREATE ROLE poor LOGIN");
  }
  ~Troubleshooting() override {
    crm_.execute("DROP OWNED BY poor");
    server_.sql("postgres", "DROP ROLE poor");
  }

  std::string said(const Arguments& arguments, const std::string& text,
                   const Arguments& environment = {}) {
    Arguments all = arguments;
    all.insert(all.end(), {"-c", write(text)});
    return support::run(bridge_program(all, environment)).err;
  }
  std::string checked(const std::string& old, const std::string& with) {
    return said({"check"}, replaced(usual_, old, with));
  }
  std::string connected(const std::string& connection) {
    return checked(crm_.connection(), connection);
  }
  // As a role that owns nothing.
  std::string as_poor() {
    return connected(replaced(crm_.connection(), "user=bridge", "user=poor"));
  }

  void about_the_file();
  void about_the_database();
  void about_the_rights();
  void about_the_service();
  void about_the_machines();
  void about_our_certificate();
  void about_locks();
  void about_what_waits();
  void about_the_daemon();

  support::PostgresServer& server_ = support::PostgresServer::shared();
  std::string told_;  // everything
};

void Troubleshooting::about_the_file() {
  told_ += checked("key       = \"id\"", "key       = id");
  told_ += checked("key       = \"id\"", "kay       = \"id\"");
  told_ +=
      said({"verify"}, replaced(usual_, "{ env = \"BRIDGE_TOKEN\" }", "{ credential = \"t\" }"));
  told_ += said({"verify"}, replaced(usual_, "BRIDGE_TOKEN", "BRIDGE_NO_TOKEN"));
  const std::string secret = folder_.write("token", "play");
  ASSERT_EQ(::chmod(secret.c_str(), 0644), 0);
  told_ += said({"verify"},
                replaced(usual_, "{ env = \"BRIDGE_TOKEN\" }", "{ file = \"" + secret + "\" }"));
  const auto push = usual_.find("[push.orders]"), pull = usual_.find("[pull.customers]");
  const std::string second =
      replaced(usual_.substr(push, pull - push), "push.orders", "push.visits");
  told_ += said({"check", "--offline"}, usual_ + second);
  told_ += connected(crm_.connection() + " password=unused");
  told_ += support::run(bridge_program({"chek"})).err;
}

void Troubleshooting::about_the_database() {
  const std::string nobody = std::to_string(support::free_port());
  told_ += connected("sqlite3://db=/x");
  told_ += connected("sqlite3://" + folder_.path() + "/none.db");
  told_ += connected("postgresql://host=127.0.0.1 prot=5544 dbname=crm");
  told_ += connected("postgresql://bridge:pass@word@127.0.0.1/crm");
  told_ += connected("postgresql://host=127.0.0.1 port=" + nobody + " dbname=crm");
  told_ += connected("postgresql://host=0.0.0.0 port=" + nobody + " dbname=crm");
  told_ +=
      connected("odbc://Driver=MariaDB Unicode;Server=127.0.0.1;Database=crm;UID=x;Port=" + nobody);
  told_ += connected("odbc://Driver=MariaDB;Server=127.0.0.1;UID=x");
  told_ += checked("FROM orders", "FROM oders");
  const Crm mariadb(Server::mariadb);
  told_ += connected(replaced(mariadb.connection(), "UID=root", "UID=nobody;PWD=wrong"));
  told_ += connected(replaced(crm_.connection(), "user=bridge", "user=nobody"));
}

void Troubleshooting::about_the_rights() {
  told_ += as_poor();
  write(usual_);
  make_tables();
  crm_.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO poor");
  told_ += as_poor();
}

void Troubleshooting::about_the_service() {
  const std::string nobody = "http://127.0.0.1:" + std::to_string(support::free_port());
  told_ += checked(sandbox_.url(), nobody);
  told_ += said({"check"}, replaced(usual_, "BRIDGE_TOKEN", "OTHER_TOKEN"), {"OTHER_TOKEN=wrong"});
  told_ += checked("FROM orders", "FROM orders WHERE id > 100");
  told_ += checked("start     = 2025-01-01", "start     = 2900-01-01");
  told_ += checked("look_back = \"3650d\"\ncorr", "look_back = \"1h\"\ncorr");
  told_ += support::run(bridge_program(
                            {"sync", "push", "-c", write(replaced(usual_, "brake = false\n", ""))}))
               .out;
}

// Of the service's machine, and of its clock and the database's.
void Troubleshooting::about_the_machines() {
  const auto shown = [&](const support::TlsServer& server) {
    return said({"check"},
                replaced(replaced(usual_, sandbox_.url(), server.url()), "[service.auth]",
                         "ca_file = \"" + server.certificate() + "\"\n[service.auth]"));
  };
  told_ += shown(support::TlsServer(-1));
  told_ += shown(support::TlsServer(40, "DNS:surveys.example.com"));
  told_ += shown(support::TlsServer(12));
  support::RawServer ahead([](const auto&) {
    return support::RawServer::Said{
        "HTTP/1.1 404 Not Found\r\nDate: Fri, 01 Jan 2100 00:00:00 GMT\r\nContent-Length: 0"
        "\r\n\r\n"};
  });
  told_ += checked(sandbox_.url(), ahead.url());
  const std::string database = crm_.cell("SELECT current_database()"),
                    may = "SET allow_system_table_mods = on; ";
  server_.sql(database, may +
                            "ALTER FUNCTION pg_catalog.clock_timestamp() RENAME TO its_clock;"
                            " CREATE FUNCTION pg_catalog.clock_timestamp() RETURNS timestamptz"
                            " LANGUAGE sql AS $$ SELECT its_clock() + interval '1 hour' $$");
  told_ += said({"check"}, usual_);
  server_.sql(database, may +
                            "DROP FUNCTION pg_catalog.clock_timestamp();"
                            " ALTER FUNCTION its_clock() RENAME TO clock_timestamp");
}

void Troubleshooting::about_our_certificate() {
  const auto made = [&](const std::string& name, int days) {
    support::make_certificate(folder_.path() + "/" + name, days);
    return folder_.path() + "/" + name;
  };
  const std::string own = made("own", 20), other = made("other", 20), ended = made("ended", -1);
  const support::TlsFront front(own, own + ".pem", sandbox_.url());
  const auto shown = [&](const std::string& keys) {
    return said({"check"}, replaced(replaced(usual_, sandbox_.url(), front.url()), "[service.auth]",
                                    "ca_file = \"" + own + ".pem\"\n" + keys + "[service.auth]"));
  };
  const auto pair = [&](const std::string& certificate, const std::string& key) {
    return shown("client_certificate = { file = \"" + certificate +
                 ".pem\" }\nclient_key = { file = \"" + key + ".key\" }\n");
  };
  told_ += shown("");
  told_ += pair(own, other);
  told_ += pair(ended, ended);
  told_ += pair(own, own);
}

void Troubleshooting::about_locks() {
  const std::string hasty = replaced(usual_, "[crm]\n", "[crm]\nstatement_timeout = \"5s\"\n");
  const auto beside = crm_.open();
  beside->begin();
  beside->execute({"LOCK TABLE orders", {}});
  told_ += said({"status"}, usual_);
  told_ += support::run(bridge_program({"status", "-c", write(usual_)})).out;
  Daemon daemon(write(hasty));
  EXPECT_TRUE(daemon.says("canceling statement due to statement timeout"));
  beside->rollback();
  EXPECT_EQ(daemon.stop(), 0);
  told_ += daemon.child().err();
}

void Troubleshooting::about_what_waits() {
  ASSERT_EQ(bridge({"release", "orders", "--confirm", "3", "-c", write(usual_)}).status, 0);
  const auto sent = bridge({"sync", "push", "-c", write(usual_)});
  ASSERT_EQ(sent.status, 0) << sent.out << sent.err;
  crm_.execute("UPDATE survey_push SET state = 'suppressed' WHERE key = '3'");
  told_ += said({"check"}, usual_);
  crm_.execute("UPDATE orders SET delivered_at = NULL WHERE id = 3");
  told_ += said({"check"}, usual_);
}

void Troubleshooting::about_the_daemon() {
  const int number = support::free_port();
  const std::string port = std::to_string(number), page = with_page(usual_, number);
  told_ += said({"check"}, replaced(page, "127.0.0.1:" + port, "0.0.0.0:" + port));
  told_ += said({"check"}, page + "token = { env = \"SHORT\" }\n", {"SHORT=short"});
  Daemon daemon(write(page));
  ASSERT_TRUE(daemon.says("started with"));
  told_ += support::run(bridge_program({"run", "-c", write(page)})).err;
  told_ += support::run({{"curl", "-s", "--max-time", "20", "-H", "Host: bridge.example.com",
                          "http://127.0.0.1:" + port + "/"},
                         {}})
               .out;
  write(replaced(page, "kind  =", "kynd  ="));
  daemon.child().signal(SIGHUP);
  ASSERT_TRUE(daemon.says("stays in force"));
  EXPECT_EQ(daemon.stop(), 0);
  told_ += daemon.child().err();
}

TEST_F(Troubleshooting, EveryMessageOfThePageIsProvoked) {
  about_the_file();
  about_the_database();
  about_the_rights();
  about_the_service();
  about_the_machines();
  about_our_certificate();
  about_locks();
  about_what_waits();
  about_the_daemon();
  const auto messages = messages_of_the_page();
  EXPECT_GT(messages.size(), 25u);
  for (const auto& message : messages)
    EXPECT_TRUE(has_line(told_, message)) << message << "\nin\n" << told_;
  expect_no_private_words(told_);
}

}  // namespace
}  // namespace program
