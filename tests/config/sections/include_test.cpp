// Files that include others, and values that stand outside of the file.
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/sections/load.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::config {
namespace {

constexpr const char* kBase = R"([service]
base_url = "https://base.example.com"
timeout = "9s"
auth = { kind = "basic", user = "bridge", password = { env = "BASE" } }
[crm]
connection = "sqlite3://base.db"
connections = 7
)";

class SeveralFiles : public testing::Test {
 protected:
  void TearDown() override { ::unsetenv("BRIDGE_TEST_VALUE"); }

  Settings settings(const std::string& text) {
    auto read = load(folder_.write("main.toml", text));
    const auto* problems = std::get_if<std::vector<Problem>>(&read);
    if (problems == nullptr) return std::get<Settings>(std::move(read));
    ADD_FAILURE() << to_string(problems->front());
    return {};
  }
  // Every problem on a line, without the folder.
  std::string problems(const std::string& text) {
    std::string all;
    for (const Problem& problem : load_in_parts(folder_.write("main.toml", text)).problems)
      all += to_string(problem) + "\n";
    const std::string place = folder_.path() + "/";
    for (auto at = all.find(place); at != std::string::npos; at = all.find(place))
      all.erase(at, place.size());
    return all;
  }

  support::TemporaryFolder folder_;
};

TEST_F(SeveralFiles, AreJoinedSectionBySectionAndTheIncludingOneWins) {
  folder_.write("base.toml", kBase);
  const Settings read = settings(R"(include = "base.toml"
[service]
base_url = "https://main.example.com"
auth = { kind = "bearer", token = { env = "TOKEN" } }
)");
  EXPECT_EQ(read.service.base_url, "https://main.example.com");
  EXPECT_EQ(read.service.timeout, std::chrono::seconds{9});
  EXPECT_EQ(read.service.auth.kind, Auth::Kind::bearer) << "a table in braces is one value";
  EXPECT_EQ(read.service.auth.user, "");
  EXPECT_EQ(read.crm.connections, 7);
}

TEST_F(SeveralFiles, StandBesideTheirFileAndTheLaterOneWins) {
  std::filesystem::create_directory(folder_.path() + "/parts");
  folder_.write("base.toml", kBase);
  folder_.write("parts/first.toml", "[crm]\nconnections = 1\nconnection = \"sqlite3://1.db\"\n");
  folder_.write("parts/second.toml", "include = \"third.toml\"\n[crm]\nconnections = 2\n");
  folder_.write("parts/third.toml", "[crm]\nconnections = 3\nstatement_timeout = \"33s\"\n");
  const Settings read =
      settings("include = [\"base.toml\", \"parts/first.toml\", \"parts/second.toml\"]\n");
  EXPECT_EQ(read.crm.connections, 2);
  EXPECT_EQ(read.crm.connection.name, "sqlite3://1.db");
  EXPECT_EQ(read.crm.statement_timeout, std::chrono::seconds{33});
}

TEST_F(SeveralFiles, TellOfAProblemWhereItStands) {
  folder_.write("base.toml", "[service]\nbase_url = \"https://x.test\"\ntimeot = \"9s\"\n[crm]\n");
  EXPECT_EQ(problems("include = \"base.toml\"\n[crm]\nconnection = 5\n"),
            "base.toml:3:1: service.timeot: unknown key (did you mean \"timeout\"?)\n"
            "main.toml:3:14: crm.connection: must be \"postgresql://…\", \"odbc://…\" or "
            "\"sqlite3://…\", or { credential = \"name\" }, { file = \"/path\" } or { env = "
            "\"NAME\" }\n");
  folder_.write("base.toml", "[service\n");
  EXPECT_THAT(problems("include = \"base.toml\"\n"), testing::HasSubstr("base.toml:1:9: is not"));
}

TEST_F(SeveralFiles, AreRefusedWhereTheyAreNotThereOrIncludeThemselves) {
  folder_.write("base.toml", kBase);
  EXPECT_THAT(problems("include = \"none.toml\"\n"),
              testing::HasSubstr("main.toml:1:11: include: \"none.toml\" cannot be read: No such"));
  EXPECT_THAT(problems("include = \"main.toml\"\n"), testing::HasSubstr("includes itself"));
  folder_.write("a.toml", "include = \"b.toml\"\n");
  folder_.write("b.toml", "include = \"./a.toml\"\n");
  EXPECT_THAT(problems("include = [\"base.toml\", \"a.toml\"]\n"),
              testing::HasSubstr("b.toml:1:11: include: \"./a.toml\" includes itself"));
  for (int i = 0; i < 10; ++i)
    folder_.write(std::to_string(i) + ".toml",
                  "include = \"" + std::to_string(i + 1) + ".toml\"\n");
  EXPECT_THAT(problems("include = \"0.toml\"\n"), testing::HasSubstr("deeper than 8 files"));
  std::string many = "include = [";
  for (int i = 0; i < 40; ++i)
    many += "\"base.toml\", ";
  EXPECT_THAT(problems(many + "]\n"), testing::HasSubstr("more than 32 files"));
  EXPECT_THAT(problems("include = 5\n"), testing::HasSubstr("main.toml:1:11: include: must be"));
}

TEST_F(SeveralFiles, GiveAnyValueFromAVariableOrAFile) {
  folder_.write("base.toml", kBase);
  folder_.write("orders.sql", "SELECT id, at,\n  email FROM orders\n");
  folder_.write("zone.txt", "Europe/Amsterdam\n");
  folder_.write("days.txt", "Mon-Fri\n");
  folder_.write("closed.txt", folder_.write("closed.ics",
                                            "BEGIN:VCALENDAR\nBEGIN:VEVENT\n"
                                            "DTSTART:20261225\nEND:VEVENT\n"));
  ::setenv("BRIDGE_TEST_VALUE", "3", 1);
  const Settings read = settings(R"(include = "base.toml"
[service.pace]
max_in_flight = { env = "BRIDGE_TEST_VALUE" }
[crm]
time_zone = { file = "zone.txt" }
[push.orders]
query = { file = "orders.sql" }
key = "id"
when = "at"
start = 2026-11-01
send_days = { file = "days.txt" }
closed_file = { file = "closed.txt" }
[push.orders.customer]
Email = { column = "email" }
)");
  EXPECT_EQ(read.service.pace.max_in_flight, 3);
  EXPECT_EQ(read.crm.time_zone, "Europe/Amsterdam");
  EXPECT_EQ(read.pushes.at(0).send_days.size(), 5u);
  EXPECT_EQ(read.pushes.at(0).closed.size(), 1u);
  EXPECT_EQ(read.pushes.at(0).query, "SELECT id, at,\n  email FROM orders");
  ::setenv("BRIDGE_TEST_VALUE", "4", 1);
  EXPECT_EQ(settings("include = \"base.toml\"\n[service.pace]\n"
                     "max_in_flight = { env = \"BRIDGE_TEST_VALUE\" }\n")
                .service.pace.max_in_flight,
            4)
      << "it is read anew";
}

TEST_F(SeveralFiles, GiveDaysFromOutsideToo) {
  folder_.write("base.toml", std::string(kBase) + R"(
[push.orders]
query = "SELECT id, at, email FROM orders"
key = "id"
when = "at"
start = 2026-11-01
customer = { Email = "email" }
)");
  folder_.write("closed.txt", "[2026-12-25, 2026-12-26]\n");
  ::setenv("BRIDGE_TEST_VALUE", "Mon-Tue", 1);
  const Settings read = settings(R"(include = "base.toml"
[push.orders]
send_days = { env = "BRIDGE_TEST_VALUE" }
closed = { file = "closed.txt" }
)");
  EXPECT_EQ(read.pushes.at(0).send_days.size(), 2u);
  EXPECT_EQ(read.pushes.at(0).closed.size(), 2u);
}

// A text in another encoding would go into tables that take none.
TEST_F(SeveralFiles, TakeUtf8FromOutsideAlone) {
  folder_.write("base.toml", kBase);
  const std::string text = "include = \"base.toml\"\n[crm]\ntime_zone = { file = \"zone.txt\" }\n";
  folder_.write("zone.txt",
                "\xEF\xBB\xBF"
                "Europe/Paris\n");
  EXPECT_EQ(settings(text).crm.time_zone, "Europe/Paris");
  folder_.write("zone.txt", "Europe/Pari\xE9\n");
  EXPECT_THAT(problems(text), testing::HasSubstr("zone.txt\" is not UTF-8\n"));
}

TEST_F(SeveralFiles, NeverShowWhatStandsOutside) {
  folder_.write("base.toml", kBase);
  const std::string begin = "include = \"base.toml\"\n[service.pace]\nmax_in_flight = ";
  const std::string place = "main.toml:3:17: service.pace.max_in_flight: ";
  EXPECT_EQ(problems(begin + "{ env = \"BRIDGE_TEST_VALUE\" }\n"),
            place + "environment variable \"BRIDGE_TEST_VALUE\" is not set\n");
  for (const char* value : {"hunter2", "65", "5\nother = 6", "[[[[", "\"3\""}) {
    ::setenv("BRIDGE_TEST_VALUE", value, 1);
    EXPECT_EQ(problems(begin + "{ env = \"BRIDGE_TEST_VALUE\" }\n"),
              place +
                  "must be an integer from 1 to 64, which environment variable "
                  "\"BRIDGE_TEST_VALUE\" is not\n");
  }
  ::setenv("BRIDGE_TEST_VALUE", std::string(70'000, '1').c_str(), 1);
  EXPECT_EQ(problems(begin + "{ env = \"BRIDGE_TEST_VALUE\" }\n"),
            place + "environment variable \"BRIDGE_TEST_VALUE\" is larger than 65536 bytes\n");
  EXPECT_THAT(problems(begin + "{ file = \"none.txt\" }\n"),
              testing::HasSubstr("none.txt\" cannot be read: No such file"));
  EXPECT_THAT(problems(begin + "{ env = \"A\", file = \"b\" }\n"),
              testing::HasSubstr("must be an integer from 1 to 64, got a table"));
}

// What the other keys of the section need is asked of a value from outside, too.
TEST_F(SeveralFiles, LeaveNoRuleOutForAValueFromOutside) {
  folder_.write("base.toml",
                "[service]\nbase_url = \"https://x.test\"\n[crm]\n"
                "connection = \"sqlite3://x.db\"\n");
  ::setenv("BRIDGE_TEST_VALUE", "bearer", 1);
  EXPECT_THAT(problems("include = \"base.toml\"\n[service.auth]\n"
                       "kind = { env = \"BRIDGE_TEST_VALUE\" }\n"),
              testing::HasSubstr("service.auth.token: is required for kind \"bearer\""));
  ::setenv("BRIDGE_TEST_VALUE", "[]", 1);
  EXPECT_THAT(problems("include = \"base.toml\"\n[alert.ops]\nserver = \"smtp://127.0.0.1\"\n"
                       "from = \"bridge@x.test\"\nmail = { env = \"BRIDGE_TEST_VALUE\" }\n"),
              testing::HasSubstr("mail needs an address"));
}

}  // namespace
}  // namespace surveybridge::config
