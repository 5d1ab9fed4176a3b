// Whatever is asked of the program and whatever goes wrong: neither a log nor the status page ever
// holds an address, a name, an answer or a secret. Every test of this room has its program's output
// searched for them (bridge.cpp); here it is led into temptation, command by command.
#include <set>

#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/discretion.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {
namespace {

TEST(Indiscretions, AreFoundAndNothingElse) {
  for (const char* word : {kToken, kDomain, kName, kRemark, kPassword, kPhone})
    EXPECT_EQ(indiscretions("something " + std::string(word) + "!"),
              std::vector<std::string>{word});
  EXPECT_TRUE(indiscretions("push.orders: 3 rows quarantined; the first: 17: no @").empty());
}

// What a service that quotes what it was sent says of it.
const std::string kQuote = "customer+1@" + std::string(kDomain) + " (" + kName + ", " + kPhone +
                           ") said \"" + kRemark + "\", token " + kToken;

class Discretion : public testing::TestWithParam<Server> {
 protected:
  Discretion() {
    auto rows = orders(12);
    rows[0].email = "two@at@" + std::string(kDomain);
    rows[1].email = std::string(kName) + " <x@" + kDomain + ">";
    rows[2].email = std::string(kDomain);
    rows[3].phone = "";
    rows[3].first_name = std::string(kName) + "\xE9";  // no UTF-8; PostgreSQL would not take it
    if (GetParam() != Server::sqlite) rows[3].first_name = kName;
    crm_.insert(rows);
    // A write-back that the database refuses and, if asked, tells with the row.
    crm_.execute("CREATE UNIQUE INDEX one_status ON orders (survey_status)");
  }

  void quote(int status, const std::string& path, int times, const std::string& body) {
    sandbox_.post("/sandbox/fault", {{"path", path},
                                     {"kind", "status"},
                                     {"status", status},
                                     {"times", times},
                                     {"body", body},
                                     {"content_type", "application/json"}});
  }
  void tempt() {
    const nlohmann::json state = {{"Message", kQuote},
                                  {"ModelState", {{"request.Customers[1].Email", {kQuote}}}}};
    quote(400, "customer/add", 2, state.dump());
    quote(503, "customer/add", 1, kQuote);
    quote(400, "v3/customer", 1, state.dump());
    quote(500, "rating", 1, "<html>" + kQuote + "</html>");
    quote(200, "getbouncers", 1, R"({"Bouncers":[{"Email":[")" + kQuote + R"("]}]})");
    quote(200, "customerdatacolumn", 1, "[\"" + kQuote + "\"");
  }
  // What is said on standard error, and on standard output where `all`.
  std::string ask(Arguments words, bool all = true) {
    asked_.insert(words.front());
    words.insert(words.end(), {"-c", config_});
    const auto done = support::run(bridge_program(words), std::chrono::seconds(120));
    for (const auto& word : indiscretions(done.err + (all ? done.out : "")))
      ADD_FAILURE() << words.front() << " said \"" << word << "\":\n" << done.out << done.err;
    return done.out;
  }
  void look(const std::string& path) {
    const std::string url = "http://127.0.0.1:" + std::to_string(port_) + path;
    const auto page = support::run({{"curl", "-s", "--max-time", "20", url}, {}}).out;
    EXPECT_NE(page, "") << path;
    expect_discreet(page);
  }

  Crm crm_{GetParam()};
  SandboxProgram sandbox_{{"--speed", "500000000"}};
  support::TemporaryFolder folder_;
  int port_ = support::free_port();
  std::string config_ = folder_.write(
      "bridge.toml", configuration(crm_.connection(), sandbox_.url()) +
                         "\n[status]\nlisten = \"127.0.0.1:" + std::to_string(port_) + "\"\n");
  std::set<std::string> asked_;
};

TEST_P(Discretion, IsKeptByEveryCommandWhateverGoesWrong) {
  tempt();
  ask({"check"});
  ask({"preview"}, false);  // for one pair of eyes: the very bytes that would go out
  for (int i = 0; i < 3; ++i)
    ask({"sync"});
  tempt();
  ask({"sync", "pull"});
  ask({"status"});
  ask({"status", "--json"});
  ask({"release", "orders"});
  // What the service said of a row is for who looks at that row.
  EXPECT_FALSE(indiscretions(ask({"quarantine", "list"}, false)).empty())
      << "there was no temptation";
  ask({"doubt", "list"}, false);
  ask({"suppressed"});
  ask({"explain", "1", "2", "7"}, false);
  tempt();
  ask({"verify"});
  ask({"backfill", "customers", "--from", "2025-01-01"});
  ask({"forget", orders(5).back().email});
  ask({"forget", std::string(kName) + "@@" + kDomain});
  asked_.insert("schema");  // asks nobody

  tempt();
  {
    Daemon daemon(config_);
    asked_.insert("run");
    ASSERT_TRUE(daemon.says("started with"));
    for (const char* path : {"/", "/health", "/metrics", "/nowhere"})
      look(path);
    EXPECT_EQ(daemon.stop(), 0);
  }
  const auto help = bridge({"--help"}).out;
  std::istringstream lines(help.substr(help.find("Subcommands:")));
  std::string word;
  std::getline(lines, word);
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    word = line.substr(2, line.find(' ', 2) - 2);
    EXPECT_TRUE(asked_.contains(word)) << "nobody asked " << word;
  }
}

INSTANTIATE_TEST_SUITE_P(Databases, Discretion, testing::Values(Server::sqlite, Server::postgresql),
                         server_name);

}  // namespace
}  // namespace program
