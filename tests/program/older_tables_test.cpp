// Read-only commands on tables of an earlier version, before a daemon or sync has run.
#include <gtest/gtest.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {
namespace {

class OlderTables : public testing::TestWithParam<Server> {
 protected:
  OlderTables() {
    auto rows = orders(4);
    rows[3].email = "nobody";
    crm_.insert(rows);
    bridge({"sync", "-c", config_});
  }
  // Removes what the first version did not have.
  void age() {
    for (const char* table : {"survey_pace", "survey_write", "survey_brake", "survey_person",
                              "survey_verify", "survey_seal", "survey_release"})
      crm_.execute(std::string("DROP TABLE ") + table);
    crm_.execute("ALTER TABLE survey_cursor DROP COLUMN ignored");
    crm_.execute("ALTER TABLE survey_push DROP COLUMN not_before");
  }
  support::Finished command(Arguments words, const std::string& config) {
    words.insert(words.end(), {"-c", config});
    return bridge(words);
  }

  struct Reading {
    Arguments words;
    int status;
    const char* says;
  };
  const std::vector<Reading> readings_ = {
      {{"status"}, 1, "quarantined"},
      {{"status", "--json"}, 1, "\"state\":\"sent\",\"rows\":3"},
      {{"explain", "1"}, 0, "push.orders: transaction 1: sent"},
      {{"quarantine", "list"}, 1, "not an address"},
      {{"doubt", "list"}, 0, ""},
      {{"suppressed"}, 0, ""},
      {{"verify"}, 0, "0  differences"},
      // Comes last, because it changes nothing.
      {{"preview"}, 0, "push.orders: nothing waits: "},
  };

  Crm crm_{GetParam()};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  std::string config_ =
      folder_.write("bridge.toml", configuration(crm_.connection(), sandbox_.url()));
};

TEST_P(OlderTables, AreReadByEveryCommandThatReads) {
  for (const auto& [words, status, says] : readings_) {
    age();
    const auto done = command(words, config_);
    EXPECT_EQ(done.status, status) << words.front() << ": " << done.out << done.err;
    EXPECT_NE(done.out.find(says), std::string::npos) << words.front() << ": " << done.out;
  }
}

INSTANTIATE_TEST_SUITE_P(Databases, OlderTables,
                         testing::Values(Server::sqlite, Server::postgresql), server_name);

// An account that may only read.
class ReadersTables : public OlderTables {
 protected:
  ReadersTables() {
    crm_.execute("DROP ROLE IF EXISTS reader");
    crm_.execute("CREATE ROLE reader LOGIN");
    crm_.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader");
    reader_ = folder_.write(
        "reader.toml",
        configuration(replaced(crm_.connection(), "bridge", "reader"), sandbox_.url()));
  }
  ~ReadersTables() override {
    crm_.execute("DROP OWNED BY reader");
    crm_.execute("DROP ROLE reader");
  }
  std::string reader_;
};

TEST_P(ReadersTables, AreReadAsTheyAreByAnAccountThatMayNotMendThem) {
  age();
  for (const auto& [words, status, says] : readings_) {
    if (words.front() == "preview") continue;  // works on copies of what is missing
    const auto done = command(words, reader_);
    EXPECT_EQ(done.status, status) << words.front() << ": " << done.out << done.err;
    EXPECT_NE(done.out.find(says), std::string::npos) << words.front() << ": " << done.out;
  }
  const auto told = command({"status"}, reader_);
  EXPECT_NE(told.out.find("tables  of an earlier version"), std::string::npos) << told.out;
}

INSTANTIATE_TEST_SUITE_P(Databases, ReadersTables, testing::Values(Server::postgresql),
                         server_name);

}  // namespace
}  // namespace program
