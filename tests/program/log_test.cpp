// The log of the real program: to the journal with fields, as text with the offset from UTC, as
// JSON. The journal is a socket of the test's own, in a mount namespace of the program's.
#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <sys/un.h>

#include "daemon/job/log_events.hpp"
#include "tests/program/bridge_and_crm.hpp"

namespace program {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;

// What journald reads: each datagram a message, its fields as lines.
class Journal {
 public:
  explicit Journal(const std::string& folder) : socket_(::socket(AF_UNIX, SOCK_DGRAM, 0)) {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    (folder + "/socket").copy(name.sun_path, sizeof name.sun_path - 1);
    if (::bind(socket_, reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0)
      throw std::runtime_error("no socket " + folder);
  }
  ~Journal() { ::close(socket_); }
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // All messages that have come.
  std::vector<std::string> read() {
    std::vector<std::string> messages;
    std::string buffer(65536, '\0');
    for (;;) {
      const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (got < 0) return messages;
      messages.push_back(buffer.substr(0, static_cast<std::size_t>(got)));
    }
  }

 private:
  int socket_;
};

class LogOf : public BridgeAndSqlite {
 protected:
  LogOf() {
    auto rows = orders(3);
    rows[2].email = "nobody";
    crm_.insert(rows);
  }
  // As systemd starts it, with its journal in `folder`.
  support::Finished under_systemd(const std::string& folder, const std::string& words) {
    const std::string script =
        "mkdir -p /run/systemd/journal && mount --bind '" + folder +
        "' /run/systemd/journal && export JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) &&"
        " exec \"$0\" " +
        words + " -c '" + config_ + "'";
    auto program = bridge_program({});
    program.argv = {"unshare", "--mount", "bash", "-c", script, program.argv.at(0)};
    return support::run(program);
  }
};

TEST_F(LogOf, GoesToTheJournalWithFieldsAndPriorities) {
  const support::TemporaryFolder folder;
  Journal journal(folder.path());
  const auto ran = under_systemd(folder.path(), "sync push");
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_EQ(ran.err, "") << "nothing is said twice";
  const auto messages = journal.read();
  const std::string id = std::string(surveybridge::daemon::kQuarantined.message_id);
  EXPECT_THAT(messages, testing::Contains(testing::AllOf(
                            HasSubstr("MESSAGE=push.orders: 1 row quarantined; the first: 3: "),
                            HasSubstr("\nPRIORITY=4\n"), HasSubstr("\nSURVEYBRIDGE_KEY=3\n"),
                            HasSubstr("\nSURVEYBRIDGE_JOB=push.orders\n"),
                            HasSubstr("\nSYSLOG_IDENTIFIER=surveybridge\n"),
                            HasSubstr("\nMESSAGE_ID=" + id + "\n"))));
}

TEST_F(LogOf, SaysAtAStartWhatIsWrongAsErrors) {
  const support::TemporaryFolder folder;
  Journal journal(folder.path());
  write(replaced(usual_, "key       =", "kay       ="));
  EXPECT_EQ(under_systemd(folder.path(), "run").status, 78);
  const auto messages = journal.read();
  EXPECT_THAT(messages, testing::Contains(HasSubstr("push.orders.kay: unknown key")));
  EXPECT_THAT(messages, testing::Each(HasSubstr("\nPRIORITY=3\n")));
}

TEST_F(LogOf, IsAnObjectALineWhereItIsToBeRead) {
  const auto ran = run(bridge_program({"sync", "push", "--log-format", "json", "-c", config_}));
  EXPECT_EQ(ran.status, 1) << ran.err;
  std::istringstream lines(ran.err);
  bool said = false;
  for (std::string line; std::getline(lines, line);) {
    const json object = json::parse(line);
    EXPECT_THAT(object.at("time").get<std::string>(), testing::EndsWith("Z"));
    said = said || (object.value("event", "") == "quarantined" && object.at("key") == "3" &&
                    object.at("level") == "warn" && object.at("job") == "push.orders");
  }
  EXPECT_TRUE(said) << ran.err;
  const auto bad = run(bridge_program(
      {"run", "--log-format", "json", "-c", folder_.write("bad.toml", "[servise]\n")}));
  EXPECT_EQ(bad.status, 78);
  EXPECT_EQ(json::parse(bad.err.substr(0, bad.err.find('\n'))).at("level"), "error") << bad.err;
  EXPECT_EQ(run(bridge_program({"sync", "--log-format", "xml", "-c", config_})).status, 2);
}

TEST_F(LogOf, HasTheOffsetFromUtcOnEveryLine) {
  auto program = bridge_program({"sync", "push", "-c", config_}, {"TZ=Asia/Kolkata"});
  const auto ran = run(program);
  std::istringstream lines(ran.err);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_THAT(line, ContainsRegex("^20[0-9-]+ [0-9:.]+[+]05:30 (info|warning|error) "));
  EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace program
