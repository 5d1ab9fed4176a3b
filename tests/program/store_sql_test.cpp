// The SQL that a store in PostgreSQL is sent, by the server's own log, uses the words of
// docs/STORE.md only: what a distributed database that speaks PostgreSQL must have.
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/paths.hpp"

namespace program {
namespace {

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Words outside of quotes, in small letters; without parameters and names of one letter.
std::set<std::string> words_of(const std::string& sql) {
  std::set<std::string> words;
  for (std::size_t i = 0; i < sql.size(); ++i) {
    if (sql[i] == '\'' || sql[i] == '"') {
      i = std::min(sql.find(sql[i], i + 1), sql.size());
      continue;
    }
    if (!is_letter(sql[i])) continue;
    std::string word;
    for (; i < sql.size() && (is_letter(sql[i]) || (sql[i] >= '0' && sql[i] <= '9')); ++i)
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(sql[i])));
    --i;
    if (word.size() > 1) words.insert(word);
  }
  return words;
}

// What this user has sent. A statement of several lines goes on with a tab.
std::vector<std::string> statements_of(const std::string& log, const std::string& user) {
  std::vector<std::string> statements;
  std::istringstream lines(log);
  bool ours = false;
  for (std::string line; std::getline(lines, line);) {
    if (ours && line.starts_with("\t")) {
      statements.back() += "\n" + line;
      continue;
    }
    ours = false;
    const bool said =
        line.starts_with("<" + user + "> LOG:") && line.find("parameters:") == std::string::npos;
    const auto text = said ? line.find(": ", line.find("LOG:") + 5) : std::string::npos;
    if (text == std::string::npos) continue;
    ours = true;
    statements.push_back(line.substr(text + 2));
  }
  return statements;
}

// The words in the blocks of docs/STORE.md.
std::set<std::string> allowed() {
  std::istringstream lines(support::read_file(support::source_dir() + "/docs/STORE.md"));
  std::set<std::string> words;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = line == "```sql-words";
    } else if (inside) {
      words.merge(words_of(line));
    }
  }
  return words;
}

// "word (statement)" of each word that is not allowed.
std::map<std::string, std::string> refused(const std::vector<std::string>& statements) {
  const auto known = allowed();
  std::map<std::string, std::string> all;
  for (const auto& statement : statements) {
    for (const auto& word : words_of(statement))
      if (!known.contains(word)) all[word] = statement.substr(0, 300);
  }
  return all;
}

TEST(StoreSql, IsHeldToTheListInTheDocument) {
  support::PostgresServer server({"log_statement=all", "log_line_prefix=<%u> "});
  Crm store(server), crm(Server::sqlite);
  store.execute("CREATE ROLE store LOGIN");
  store.execute("GRANT ALL ON SCHEMA public TO store");
  crm.insert(orders(300));
  SandboxProgram sandbox({"--speed", "0"});
  sandbox.fault("before:reset:customer/add:1");
  const support::TemporaryFolder folder;
  const std::string text = configuration(crm.connection(), sandbox.url());
  const std::string before = folder.write("before.toml", text);
  const std::string after = folder.write(
      "after.toml", text + "[store]\nconnection = \"" +
                        replaced(store.connection(), "user=bridge", "user=store") + "\"\n");
  const auto command = [](Arguments words, const std::string& config) {
    words.insert(words.end(), {"-c", config});
    return bridge(words);
  };
  command({"sync"}, before);
  ASSERT_EQ(command({"move", "--confirm", "--from", before}, after).status, 0);
  const std::vector<Arguments> round = {{"check"},
                                        {"sync"},
                                        {"status"},
                                        {"verify"},
                                        {"report"},
                                        {"release", "orders"},
                                        {"explain", "1", "--push", "orders"},
                                        {"forget", "--unknown", "nobody@example.test"},
                                        {"doubt", "list"},
                                        {"sync", "push"},
                                        {"sync", "pull"}};
  for (const auto& words : round)
    command(words, after);
  EXPECT_EQ(store.cell("SELECT count(*) FROM survey_push"), "300");
  const auto statements = statements_of(server.log(), "store");
  EXPECT_GT(statements.size(), 500u) << "the log has the statements";
  for (const auto& [word, statement] : refused(statements))
    ADD_FAILURE() << "docs/STORE.md does not have \"" << word << "\": " << statement;
}

TEST(StoreSql, IsRefusedWithAFeatureThatIsNotOnTheList) {
  const auto found = refused({R"(SELECT "key" FROM "survey_push" FOR UPDATE SKIP LOCKED)",
                              "CREATE TEMPORARY TABLE x (y xml)", "LISTEN orders"});
  for (const char* word : {"skip", "locked", "temporary", "xml", "listen"})
    EXPECT_TRUE(found.contains(word)) << word;
  EXPECT_FALSE(found.contains("survey_push")) << "names of ours are in quotes";
}

}  // namespace
}  // namespace program
