// Every message of docs/RUNBOOK.md, section "Messages", is provoked here. And a configuration that
// uses every section (tests/config/cases/good_interface_document.toml) runs against the service's
// stand-in: only addresses and paths are changed.
#include <filesystem>
#include <regex>
#include <sstream>

#include "tests/program/world.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/raw_server.hpp"
#include "tests/support/socket_client.hpp"
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

bool has_line(const std::string& text, const std::string& message) {
  static const std::regex special(R"([.^$|()\[\]{}*+?\\])");
  const std::regex pattern(
      std::regex_replace(std::regex_replace(message, special, R"(\$&)"), std::regex("…"), ".*"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (std::regex_match(line, pattern)) return true;
  return false;
}

struct Troubleshooting : BridgeAndPostgresql {
  using Changes = std::vector<std::pair<std::string, std::string>>;

  Troubleshooting() {
    crm_.insert(orders(3));
    server_.sql("postgres", "DROP ROLE IF EXISTS poor");
    server_.sql("postgres", "CREATE ROLE poor LOGIN");
  }
  ~Troubleshooting() override {
    crm_.execute("DROP OWNED BY poor");
    server_.sql("postgres", "DROP ROLE poor");
  }
  void check(const Changes& changes, const std::string& more = "", bool offline = false) {
    std::string text = usual_ + more;
    for (const auto& [old, with] : changes)
      text = replaced(text, old, with);
    write(text);
    Arguments words{"check"};
    if (offline) words.emplace_back("--offline");
    told_ += command(words).err;
  }
  void connect(const std::string& connection) { check({{crm_.connection(), connection}}); }
  void check_service(const std::string& url, const std::string& lines) {
    check({{sandbox_.url(), url}, {"[service.auth]", lines + "[service.auth]"}});
  }
  // As a role that owns nothing.
  void check_as_poor() { connect(replaced(crm_.connection(), "user=bridge", "user=poor")); }
  std::string certificate(const std::string& name, int days) const {
    support::make_certificate(folder_.path() + "/" + name, days);
    return folder_.path() + "/" + name;
  }

  void about_the_file();
  void about_the_database();
  void about_the_service();
  void about_our_certificate();
  void about_what_waits();
  void about_the_daemon();

  support::PostgresServer& server_ = support::PostgresServer::shared();
  std::string told_;  // everything
};

void Troubleshooting::about_the_file() {
  check({{"key       = \"id\"", "key       = id"}}, "", true);
  check({{"{ env = \"BRIDGE_TOKEN\" }", "{ credential = \"t\" }"}}, "", true);
  const auto push = usual_.find("[push.orders]"), pull = usual_.find("[pull.customers]");
  check({}, replaced(usual_.substr(push, pull - push), "push.orders", "push.visits"), true);
  check({}, "\n[status]\nlisten = \"0.0.0.0:9464\"\n", true);
}

void Troubleshooting::about_the_database() {
  const std::string nobody = std::to_string(support::free_port());
  connect("postgresql://bridge:pass@word@127.0.0.1/crm");
  check({{crm_.connection(),
          "postgresql://host=0.0.0.0 port=" + nobody + " dbname=crm password=unused"},
         {sandbox_.url(), "http://127.0.0.1:" + nobody}});
  connect("odbc://Driver=MariaDB Unicode;Server=127.0.0.1;Database=crm;UID=x;Port=" + nobody);
  connect("odbc://Driver=MariaDB;Server=127.0.0.1;UID=x");
  check({{"FROM orders", "FROM oders"}});
  const Crm mariadb(Server::mariadb);
  connect(replaced(mariadb.connection(), "UID=root", "UID=nobody;PWD=wrong"));
  connect(replaced(crm_.connection(), "user=bridge", "user=nobody"));
  check_as_poor();
  write(usual_);
  make_tables();
  crm_.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO poor");
  check_as_poor();
}

// Of the service's machine, and of its clock and the database's.
void Troubleshooting::about_the_service() {
  for (const auto& [days, name] :
       {std::pair{-1, "IP:127.0.0.1"}, {40, "DNS:surveys.example.com"}, {12, "IP:127.0.0.1"}}) {
    const support::TlsServer server(days, name);
    check_service(server.url(), "ca_file = \"" + server.certificate() + "\"\n");
  }
  support::RawServer ahead([](const auto&) {
    return support::RawServer::Said{
        "HTTP/1.1 404 Not Found\r\nDate: Fri, 01 Jan 2100 00:00:00 GMT\r\nContent-Length: 0"
        "\r\n\r\n"};
  });
  const std::string database = crm_.cell("SELECT current_database()"),
                    may = "SET allow_system_table_mods = on; ";
  server_.sql(database, may +
                            "ALTER FUNCTION pg_catalog.clock_timestamp() RENAME TO its_clock;"
                            " CREATE FUNCTION pg_catalog.clock_timestamp() RETURNS timestamptz"
                            " LANGUAGE sql AS $$ SELECT its_clock() + interval '1 hour' $$");
  check({{sandbox_.url(), ahead.url()}});
  server_.sql(database, may +
                            "DROP FUNCTION pg_catalog.clock_timestamp();"
                            " ALTER FUNCTION its_clock() RENAME TO clock_timestamp");
}

void Troubleshooting::about_our_certificate() {
  const std::string own = certificate("own", 20), other = certificate("other", 20),
                    ended = certificate("ended", -1);
  const support::TlsFront front(own, own + ".pem", sandbox_.url());
  const std::string authority = "ca_file = \"" + own + ".pem\"\n";
  check_service(front.url(), authority);
  for (const auto& [pem, key] : {std::pair{own, other}, {ended, ended}, {own, own}})
    check_service(front.url(), authority + "client_certificate = { file = \"" + pem +
                                   ".pem\" }\nclient_key = { file = \"" + key + ".key\" }\n");
}

void Troubleshooting::about_what_waits() {
  check({{"FROM orders", "FROM orders WHERE id > 100"}});
  check({{"start     = 2025-01-01", "start     = 2900-01-01"}});
  check({{"look_back = \"3650d\"\ncorr", "look_back = \"1h\"\ncorr"}});
  write(usual_);
  expect({"sync", "push"}, 0);
  crm_.execute("UPDATE survey_push SET state = 'suppressed' WHERE key = '3'");
  check({});
  crm_.execute("UPDATE orders SET delivered_at = NULL WHERE id = 3");
  check({});
  crm_.execute("UPDATE orders SET delivered_at = '2999-01-01' WHERE id IN (1, 2)");
  check({});
}

void Troubleshooting::about_the_daemon() {
  const int port = support::free_port();
  write(with_page(replaced(usual_, "[crm]\n", "[crm]\nstatement_timeout = \"5s\"\n"), port));
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("started with"));
  const auto beside = crm_.open();
  beside->begin();
  beside->execute({"LOCK TABLE orders", {}});
  told_ += command({"run"}).err;
  support::SocketClient client(port);
  client.send(support::get_request("/"));  // of another host
  told_ += client.answer();
  EXPECT_TRUE(daemon.says("canceling statement due to statement timeout"));
  beside->rollback();
  EXPECT_EQ(daemon.stop(), 0);
  told_ += daemon.child().err();
}

TEST_F(Troubleshooting, EveryMessageOfThePageIsProvoked) {
  about_the_file();
  about_the_database();
  about_the_service();
  about_our_certificate();
  about_what_waits();
  about_the_daemon();
  const auto messages = messages_of_the_page();
  EXPECT_GT(messages.size(), 25u);
  for (const auto& message : messages)
    EXPECT_TRUE(has_line(told_, message)) << message << "\nin\n" << told_;
  expect_no_private_words(told_);
}

TEST(InterfaceExample, RunsFromCheckToWriteBack) {
  BridgeOn on(Server::sqlite,
              {"--speed", "500000000", "--column", "11:OrderNumber!", "--column", "12:FirstName"});
  const std::string secret = on.folder_.write("secret", "sandbox-secret\n");
  std::filesystem::permissions(secret, std::filesystem::perms::owner_read);
  std::string text = support::read_file(support::source_dir() +
                                        "/tests/config/cases/good_interface_document.toml");
  for (const auto& [old, with] : std::initializer_list<std::pair<std::string, std::string>>{
           {"https://surveys.example.com", on.sandbox_.url()},
           {"https://login.example.com/oauth2/v2.0/token", on.sandbox_.url() + "/oauth2/token"},
           {"client_id     = \"crm\"", "client_id     = \"sandbox\""},
           {"{ credential = \"client-secret\" }", "{ file = \"" + secret + "\" }"},
           {"postgresql://host=/run/postgresql dbname=crm", on.crm_.connection()},
           {"127.0.0.1:9464", "127.0.0.1:0"}})
    text = replaced(text, old, with);
  on.write(text);
  on.crm_.insert(orders(20));
  on.crm_.execute("ALTER TABLE orders ADD COLUMN state TEXT");
  on.crm_.execute(
      "UPDATE orders SET state = 'delivered', delivered_at ="
      " strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-6 days', '-' || id || ' minutes')");
  on.expect({"check"}, 0);
  on.command({"sync", "pull"});  // suppression needs the pulls first
  on.expect({"preview"}, 0);
  on.expect({"release", "orders", "--confirm", "20"}, 0);
  on.expect({"sync", "push"}, 0);
  EXPECT_EQ(on.sandbox_.customers().size(), 20u);
  on.expect({"sync", "pull"}, 0);
  EXPECT_EQ(on.crm_.count("orders WHERE survey_status IS NOT NULL"), "20");
  on.expect({"verify"}, 0);
  on.expect({"status"}, 0);
  on.expect({"explain", "1"}, 0);
}

}  // namespace
}  // namespace program
