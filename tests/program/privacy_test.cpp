// In every situation neither a log nor the status page contains an address, a name, an answer or a
// secret. Every test of this room searches its program's output for them (bridge.cpp); this test
// provokes messages command by command.
#include <set>

#include "tests/program/world.hpp"

namespace program {
namespace {

TEST(PrivateWords, AreFoundAndNothingElse) {
  for (const char* word : {kToken, kDomain, kName, kRemark, kPassword, kPhone})
    EXPECT_EQ(private_words_in("something " + std::string(word) + "!"),
              std::vector<std::string>{word});
  EXPECT_TRUE(private_words_in("push.orders: 3 rows quarantined; the first: 17: no @").empty());
}

// The words of a service that quotes what it was sent.
const std::string kQuote = "customer+1@" + std::string(kDomain) + " (" + kName + ", " + kPhone +
                           ") said \"" + kRemark + "\", token " + kToken;

struct Privacy : BridgeAndCrm {
  Privacy() : BridgeAndCrm({"--speed", "500000000"}) {
    write(with_page(usual_, port_));
    auto rows = orders(12);
    rows[0].email = "two@at@" + std::string(kDomain);
    rows[1].email = std::string(kName) + " <x@" + kDomain + ">";
    rows[2].email = std::string(kDomain);
    rows[3].phone = "";
    rows[3].first_name = std::string(kName);
    if (GetParam() == Server::sqlite) rows[3].first_name += "\xE9";  // PostgreSQL would refuse it
    crm_.insert(rows);
    // A write-back that the database refuses, with a message that quotes the row.
    crm_.execute("CREATE UNIQUE INDEX one_status ON orders (survey_status)");
  }

  void quote(int status, const std::string& path, int times, const std::string& body) {
    const std::string fault =
        "before:" + std::to_string(status) + ":" + path + ":" + std::to_string(times);
    sandbox_.post("/sandbox/fault",
                  {{"fault", fault}, {"body", body}, {"content_type", "application/json"}});
  }
  void tempt() {
    const nlohmann::json state = {{"Message", kQuote},
                                  {"ModelState", {{"request.Customers[1].Email", {kQuote}}}}};
    quote(400, "customer/add", 12, state.dump());  // until rows stand alone
    quote(503, "customer/add", 1, kQuote);
    quote(400, "v3/customer", 1, state.dump());
    quote(500, "rating", 1, "<html>" + kQuote + "</html>");
    quote(200, "getbouncers", 1, R"({"Bouncers":[{"Email":[")" + kQuote + R"("]}]})");
    tempt_columns();
  }
  void tempt_columns() { quote(200, "customerdatacolumn", 1, "[\"" + kQuote + "\""); }
  // Its output is what `preview` shows; standard error holds the reasons of what failed.
  support::Finished init(const std::string& file) {
    asked_.insert("init");
    const auto done = support::run(
        bridge_program({"init", "--yes", "-c", folder_.path() + "/" + file, "--base-url",
                        sandbox_.url(), "--token", "env:BRIDGE_TOKEN", "--connection",
                        crm_.connection(), "--time-zone", "UTC", "--query",
                        "SELECT id, email, first_name, last_name, delivered_at FROM orders"}),
        std::chrono::seconds(120));
    expect_no_private_words(done.err);
    return done;
  }
  // Standard error, and standard output if `all`.
  std::string ask(const Arguments& words, bool all = true) {
    asked_.insert(words.front());
    const auto done =
        support::run(bridge_program(with_file(words, config_)), std::chrono::seconds(120));
    for (const auto& word : private_words_in(done.err + (all ? done.out : "")))
      ADD_FAILURE() << words.front() << " said \"" << word << "\":\n" << done.out << done.err;
    return done.out;
  }
  void look(const std::string& path) {
    const auto page = body_of(port_, path);
    EXPECT_NE(page, "") << path;
    expect_no_private_words(page);
  }

  int port_ = support::free_port();
  std::set<std::string> asked_;
};

TEST_P(Privacy, IsKeptByEveryCommandWhateverGoesWrong) {
  tempt();
  EXPECT_NE(init("first.toml").status, 0) << "the service's data columns cannot be read";
  init("second.toml");
  tempt_columns();
  ask({"check"});
  ask({"preview"}, false);  // its output is the bytes that would go out
  ask({"test", folder_.write("tests.toml",
                             "[[test]]\npush = \"orders\"\nrow = { email = \"x\" }\n"
                             "customer = { Email = \"y\" }\n")});
  tempt_columns();
  ask({"plan", config_});
  ask({"plan", config_});
  for (int i = 0; i < 3; ++i)
    ask({"sync"});
  tempt();
  ask({"sync", "pull"});
  ask({"status"});
  ask({"status", "--json"});
  ask({"release", "orders"});
  // The service's words about a row are shown where a person looks at that row.
  EXPECT_FALSE(private_words_in(ask({"quarantine", "list"}, false)).empty())
      << "there was no temptation";
  ask({"doubt", "list"}, false);
  ask({"suppressed"});
  ask({"rows"}, false);
  ask({"explain", "1", "2", "7"}, false);
  tempt();
  ask({"verify"});
  // Its output has the domains of bounces; report_test.cpp searches it for the rest.
  ask({"report", "--from", "2020-01-01"}, false);
  ask({"backfill", "customers", "--from", "2025-01-01"});
  ask({"write-back", "customers"});
  ask({"move", "--from", config_});
  ask({"alert", "test"});
  ask({"export", orders(5).back().email}, false);  // its output is what is known of the person
  ask({"export", std::string(kName) + "@@" + kDomain});
  ask({"forget", orders(5).back().email});
  ask({"forget", std::string(kName) + "@@" + kDomain});
  // These use neither database nor service.
  asked_.merge(std::set<std::string>{"help", "schema", "config-schema"});

  tempt();
  {
    Daemon daemon(config_);
    asked_.insert("run");
    ASSERT_TRUE(daemon.says("started with"));
    for (const char* path : {"/", "/quarantine", "/doubts", "/suppressed", "/health", "/ready",
                             "/metrics", "/nowhere"})
      look(path);
    ask({"now"});
    EXPECT_EQ(daemon.stop(), 0);
  }
  for (const auto& word : commands_of_help())
    EXPECT_TRUE(asked_.contains(word)) << "nobody asked " << word;
}

INSTANTIATE_TEST_SUITE_P(Databases, Privacy, testing::Values(Server::sqlite, Server::postgresql),
                         server_name);

}  // namespace
}  // namespace program
