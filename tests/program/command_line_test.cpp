// What the program says where nothing can be done: of a wrong command line, without its database,
// its tables or its secrets, and the exit code by which a script decides whether to try again. The
// log: to the journal with fields (a socket of the test's own, in a mount namespace of the
// program's), as text, as JSON. Manual pages and completions, which say what --help says.
#include <algorithm>
#include <filesystem>
#include <sstream>

#include <sys/socket.h>
#include <sys/un.h>

#include "daemon/job/log_events.hpp"
#include "tests/program/world.hpp"
#include "tests/support/paths.hpp"

namespace program {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::Contains;
using testing::ContainsRegex;
using testing::Each;
using testing::HasSubstr;

// A configuration of which nothing is there.
struct Usage : testing::Test {
  support::TemporaryFolder folder_;
  const std::string database_ = folder_.path() + "/crm.db";
  const std::string config_ =
      folder_.write("bridge.toml", configuration("sqlite3://" + database_, "http://127.0.0.1:1"));
};

TEST_F(Usage, IsAnsweredWithTwoAndAHint) {
  const std::pair<Arguments, const char*> mistakes[] = {
      {{}, "which command?"},
      {{"frobnicate"}, "frobnicate"},
      {{"chek"}, "there is no \"chek\" (did you mean \"check\"?)"},
      {{"status", "--jsn"}, "there is no \"--jsn\" (did you mean \"--json\"?)"},
      {{"run", "--fast"}, "--fast"},
      {{"run", "-c"}, "--config"},
      {{"schema", "--database", "oracle"}, "oracle"},
      {{"preview", "-n", "0"}, "1 to 1000000"},
      {{"preview", "-n", "many"}, "many"},
      {{"status", "run"}, "run"}};
  for (const auto& [words, hint] : mistakes)
    expect(words, 2, "",
           AllOf(has(hint), testing::MatchesRegex("surveybridge: .*[.?] See surveybridge "
                                                  ".*--help\n")));
  expect({"releas", "-c", "b.toml"}, 2, "",
         AllOf(has("did you mean \"release\"?"), lacks("b.toml")));
}

TEST_F(Usage, AResultThatCouldNotBeWrittenIsNoSuccess) {
  folder_.write("crm.db", "");
  for (const Arguments& words : {Arguments{"schema"},
                                 {"status", "-c", config_},
                                 {"check", "--offline", "-c", config_},
                                 {"--help"}}) {
    expect(words, 0);
    auto program = bridge_program(words);
    program.argv.insert(program.argv.begin(), {"sh", "-c", "exec \"$@\" > /dev/full", "sh"});
    const auto ran = support::run(program);
    EXPECT_EQ(ran.status, 1) << words[0];
    EXPECT_THAT(ran.err, has("could not be written to standard output")) << words[0];
  }
}

// As with other programs: whoever ends `verify | head` has seen enough.
TEST_F(Usage, NothingIsSaidToAReaderThatHasGone) {
  for (const char* word : {"schema", "--help"}) {
    auto program = bridge_program({word});
    program.argv.insert(
        program.argv.begin(),
        {"bash", "-c", "trap '' PIPE; exec 3> >(:); wait $!; exec \"$@\" >&3", "bash"});
    const auto ran = support::run(program);
    EXPECT_EQ(ran.status, 1) << word;
    EXPECT_EQ(ran.err, "") << word;
  }
}

// `help` has the whole list, a command's own help, or what is about a word.
TEST_F(Usage, HelpAndVersionAreResults) {
  expect({"--help"}, 0, has("run", "sync", "check", "preview", "status", "schema"), "");
  expect({"--version"}, 0,
         AllOf(testing::StartsWith("surveybridge "),
               has("build: ", "libcurl/", "OpenSSL/", "PostgreSQL (libpq ", "ODBC", "SQLite 3.",
                   "SOCI 4.")),
         "");
  expect({"help"}, 0, has("\nPeople's rights:\n  forget "));
  expect({"help", "forget"}, 0,
         has("Usage: surveybridge forget [OPTIONS]", "RUNBOOK.md: A person asks to be forgotten"));
  expect({"help", "forget", "zebra"}, 2, testing::_,
         "surveybridge: help: nothing is about \"forget zebra\". See surveybridge --help\n");
}

const std::vector<Arguments> kCommands = {{"status"},
                                          {"verify"},
                                          {"suppressed"},
                                          {"doubt", "list"},
                                          {"quarantine", "list"},
                                          {"explain", "1"},
                                          {"release", "orders"}};

TEST(BrokenTables, AreAWrongConfigurationAndNotAnUnreachableDatabase) {
  BridgeOn broken(Server::sqlite);
  broken.write(replaced(broken.usual_, "correlate = \"OrderNumber\"\n", ""));
  broken.make_tables();
  broken.crm_.execute("DROP TABLE survey_push");
  broken.crm_.execute("CREATE VIEW survey_push AS SELECT * FROM gone");
  for (const auto& words : kCommands)
    broken.expect(words, 78, testing::_, has("surveybridge: database: "));
  const Crm crm(Server::postgresql);
  const auto connect = [&](const std::string& connection) {
    broken.write(replaced(broken.usual_, broken.crm_.connection(), connection));
  };
  connect("postgresql://host=127.0.0.1 dbname=crm port=" + std::to_string(support::free_port()));
  for (const auto& words : kCommands)
    broken.expect(words, 69);
  const auto synced = broken.expect({"sync"}, 69, "", has("Connection refused"));
  EXPECT_EQ(std::ranges::count(synced.err, '\n'), 1) << synced.err;
  // Another try would be refused, too.
  connect(replaced(crm.connection(), "user=bridge", "user=locked password=wrong"));
  for (const auto& words : kCommands)
    broken.expect(words, 78);
  broken.expect({"check"}, 78);
}

TEST_F(Usage, NoCommandMakesASqliteFileAndCheckNamesAConnectionThatIsNotSet) {
  for (const char* word : {"check", "sync", "status", "verify", "suppressed"}) {
    const auto ran = command({word}, config_);
    EXPECT_NE(ran.status, 0) << word;
    EXPECT_THAT(ran.err, has("there is no file \"" + database_ + "\"")) << word;
    EXPECT_FALSE(std::filesystem::exists(database_)) << word;
  }
  folder_.write("bridge.toml",
                replaced(support::read_file(config_), "\"sqlite3://" + database_ + "\"",
                         "{ env = \"BRIDGE_NO_CONNECTION\" }"));
  expect({"check", "-c", config_}, 78, testing::_, has("\"BRIDGE_NO_CONNECTION\" is not set"));
}

TEST(WithoutTheSecret, TablesCanBeLookedAt) {
  BridgeOn on(Server::sqlite);
  on.crm_.insert(orders(3));
  on.expect({"sync"}, 0);
  on.write(replaced(on.usual_, "BRIDGE_TOKEN", "NO_SUCH_VARIABLE") +
           "\n[status]\nlisten = \"127.0.0.1:0\"\ntoken = { env = \"NO_SUCH_VARIABLE\" }\n");
  for (const Arguments& words : {Arguments{"status"},
                                 {"explain", "1"},
                                 {"quarantine", "list"},
                                 {"doubt", "list"},
                                 {"suppressed"},
                                 {"report"},
                                 {"write-back", "customers"},
                                 {"forget", "nobody@example.test"}}) {
    const auto done = on.command(words);
    EXPECT_THAT(done.err, lacks("NO_SUCH_VARIABLE")) << words.front();
    EXPECT_LE(done.status, 1) << words.front() << done.err;
  }
  for (const char* word : {"sync", "verify", "check"})
    on.expect({word}, 78, testing::_, has("NO_SUCH_VARIABLE"));
}

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

  // All messages that have come since the last call.
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

struct LogOf : BridgeAndSqlite {
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
  const std::string id = std::string(surveybridge::daemon::kQuarantined.message_id);
  EXPECT_THAT(
      journal.read(),
      Contains(has("MESSAGE=push.orders: 1 row quarantined; the first: 3: ", "\nPRIORITY=4\n",
                   "\nSURVEYBRIDGE_KEY=3\n", "\nSURVEYBRIDGE_JOB=push.orders\n",
                   "\nSYSLOG_IDENTIFIER=surveybridge\n", "\nMESSAGE_ID=" + id + "\n")));
  write(replaced(usual_, "key       =", "kay       ="));
  EXPECT_EQ(under_systemd(folder.path(), "run").status, 78);
  EXPECT_THAT(journal.read(), AllOf(Contains(HasSubstr("push.orders.kay: unknown key")),
                                    Each(HasSubstr("\nPRIORITY=3\n"))));
}

TEST_F(LogOf, IsAnObjectALineOrHasTheOffsetFromUtcOnEveryLine) {
  const auto lines_of = [&](const Arguments& words, const Arguments& environment, int status) {
    const auto ran = run(bridge_program(words, environment));
    EXPECT_EQ(ran.status, status) << ran.err;
    std::vector<std::string> lines;
    std::istringstream text(ran.err);
    for (std::string line; std::getline(text, line);)
      lines.push_back(line);
    return lines;
  };
  bool said = false;
  for (const auto& line :
       lines_of({"sync", "push", "--log-format", "json", "-c", config_}, {}, 1)) {
    const json object = json::parse(line);
    EXPECT_THAT(object.at("time").get<std::string>(), testing::EndsWith("Z"));
    said = said || (object.value("event", "") == "quarantined" && object.at("key") == "3" &&
                    object.at("level") == "warn" && object.at("job") == "push.orders");
  }
  EXPECT_TRUE(said);
  const std::string bad = folder_.write("bad.toml", "[servise]\n");
  const auto wrong = lines_of({"run", "--log-format", "json", "-c", bad}, {}, 78);
  EXPECT_EQ(json::parse(wrong.at(0)).at("level"), "error");
  lines_of({"sync", "--log-format", "xml", "-c", config_}, {}, 2);
  crm_.execute("UPDATE survey_push SET state = 'pending' WHERE key = '3'");
  const auto offset = lines_of({"sync", "push", "-c", config_}, {"TZ=Asia/Kolkata"}, 1);
  EXPECT_FALSE(offset.empty());
  EXPECT_THAT(offset, Each(ContainsRegex("^20[0-9-]+ [0-9:.]+[+]05:30 (info|warning|error) ")));
}

struct Manual : testing::Test {
  void SetUp() override { ASSERT_EQ(bridge({"manual", folder_.path()}).status, 0); }
  std::string page(const std::string& name) {
    return support::read_file(folder_.path() + "/" + name);
  }
  // What bash offers after these words, the last of which is incomplete.
  std::string offered(const std::string& words, int at) {
    return support::run({{"bash", "-c",
                          "source '" + folder_.path() + "/bash/surveybridge'\nCOMP_WORDS=(" +
                              words + ") COMP_CWORD=" + std::to_string(at) +
                              "\n_surveybridge\necho \"${COMPREPLY[@]}\""},
                         {}})
        .out;
  }

  support::TemporaryFolder folder_;
};

TEST_F(Manual, HasAPageForEachCommandOfHelpAndEverySetting) {
  const auto commands = commands_of_help();
  for (const auto& name : commands)
    EXPECT_TRUE(std::filesystem::exists(folder_.path() + "/man1/surveybridge-" + name + ".1"))
        << name;
  EXPECT_GT(commands.size(), 15u);
  EXPECT_EQ(page("surveybridge.schema.json"), bridge({"config-schema"}).out);
  EXPECT_THAT(commands, testing::Not(Contains("manual")));
  EXPECT_THAT(page("man1/surveybridge-quarantine.1"),
              has("\n.SH SYNOPSIS\n\\fBsurveybridge quarantine\\fR"
                  " [\\fIOPTION\\fR]... [\\fIaction\\fR] [\\fIkey\\fR]...\n",
                  ".TP\n\\fB\\-\\-since\\fR \\fIVALUE\\fR\nRows that came into their state at",
                  "What to do (one of list, retry, drop)\n",
                  ".TP\n\\fB\\-\\-all\\fR\n",  // a flag takes nothing
                  ".SH EXAMPLES\n.TP\n\\fBsurveybridge quarantine list"));
  EXPECT_THAT(page("man5/surveybridge.toml.5"),
              has(".SH [service.pace]\n", ".TP\n\\fBmax_in_flight\\fR\n", ".SH [push.NAME]\n",
                  ".SH [[pull.customers.write]]\n"));  // there may be several
}

TEST_F(Manual, CompletesCommandsOptionsAndValues) {
  EXPECT_EQ(offered("surveybridge sta", 1), "status\n");
  EXPECT_EQ(offered("surveybridge status --j", 2), "--json\n");
  EXPECT_EQ(offered("surveybridge quarantine re", 2), "retry\n");
  EXPECT_EQ(offered("surveybridge check --c", 2), "--config\n");
  for (const char* file : {"zsh/_surveybridge", "fish/surveybridge.fish"})
    EXPECT_THAT(page(file), has("Where everything stands", "retry")) << file;
}

}  // namespace
}  // namespace program
