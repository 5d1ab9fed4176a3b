// What the program says, command by command: the files of transcripts/, and the blocks of
// docs/GUIDE.md in their order. In what is expected a line "…" stands for any lines, "…" within a
// line for any text. A transcript begins with "== NAME"; each has a CRM in SQLite and a service of
// its own.
//   - and +      what stands in the usual configuration, and what instead
//   >            a further line at its end
//   usual        the usual configuration; save FILE: this one goes into another file
//   service      must be first: the options of surveysandbox
//   ^            a fault of it
//   & N          so many orders more; demo: the orders of the demo instead
//   %            SQL in the CRM
//   @ STATE KEY… rows of the ledger; = STATE KEY… those that must be there
//   ? … -> CELL  a query and its only cell
//   $ … -> N     a command and its exit code, if it is not 0; \n and \e in a word are themselves
//   | and !      all lines of its standard output, and of its standard error; |-: there is none
//   * and ~      what stands in one of the two, and what does not; none FILE: there is no file
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/program/world.hpp"
#include "tests/support/paths.hpp"

namespace program {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

const std::string kAny = "…";

// Is the text these parts with any text between them?
bool line_matches(const std::string& expected, const std::string& line) {
  std::size_t at = 0, from = 0;
  for (auto any = expected.find(kAny); any != std::string::npos; any = expected.find(kAny, from)) {
    const std::string part = expected.substr(from, any - from);
    const auto found = from > 0                 ? line.find(part, at)
                       : line.starts_with(part) ? 0
                                                : std::string::npos;
    if (found == std::string::npos) return false;
    at = found + part.size();
    from = any + kAny.size();
  }
  const std::string end = expected.substr(from);
  return from == 0 ? line == end : line.size() >= at + end.size() && line.ends_with(end);
}

bool matches(const Lines& expected, const Lines& lines, std::size_t e = 0, std::size_t l = 0) {
  if (e == expected.size()) return l == lines.size();
  if (expected[e] == kAny) {
    return matches(expected, lines, e + 1, l) ||
           (l < lines.size() && matches(expected, lines, e, l + 1));
  }
  return l < lines.size() && line_matches(expected[e], lines[l]) &&
         matches(expected, lines, e + 1, l + 1);
}

TEST(TranscriptLines, MatchOnlyWhatTheySay) {
  EXPECT_TRUE(matches({"a (1)", "…", "c…e"}, {"a (1)", "x", "y", "cde"}));
  EXPECT_TRUE(matches({"…"}, {}));
  EXPECT_TRUE(matches({"a…b…"}, {"axbx"}));
  EXPECT_FALSE(matches({"a"}, {"a", "b"}));
  EXPECT_FALSE(matches({"a."}, {"ab"}));
  EXPECT_FALSE(matches({"…", "z"}, {"a", "b"}));
  EXPECT_FALSE(matches({"ab…b"}, {"ab"}));
  EXPECT_FALSE(matches({"…b…a"}, {"ab"}));
}

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (const auto& line : lines)
    text += line + "\n";
  return text;
}

std::string replaced_all(std::string text, const std::string& old, const std::string& with) {
  return text.find(old) == std::string::npos ? text : replaced(std::move(text), old, with);
}

struct Transcript {
  std::string file, name;
  Lines lines;
};

std::ostream& operator<<(std::ostream& out, const Transcript& transcript) {
  return out << transcript.file << ": " << transcript.name;
}

std::vector<Transcript> transcripts() {
  std::vector<fs::path> files;
  for (const auto& each :
       fs::directory_iterator(support::source_dir() + "/tests/program/transcripts"))
    files.push_back(each.path());
  std::ranges::sort(files);
  std::vector<Transcript> all;
  for (const auto& file : files) {
    for (const auto& line : lines_of(support::read_file(file.string()))) {
      if (line.starts_with("== ")) {
        all.push_back({file.stem().string(), line.substr(3), {}});
      } else if (!line.empty() && line[0] != '#') {
        all.back().lines.push_back(line);
      }
    }
  }
  return all;
}

// Parted by blanks; between ' they belong to a word.
Arguments words_in(const std::string& text) {
  Arguments words(1);
  bool quoted = false;
  for (const char letter : text) {
    if (letter == '\'') {
      quoted = !quoted;
    } else if (letter == ' ' && !quoted) {
      words.emplace_back();
    } else {
      words.back() += letter;
    }
  }
  for (auto& word : words)
    word = replaced_all(replaced_all(word, "\\n", "\n"), "\\e", "\x1b");
  return words;
}

// "SELECT 1 -> 1"
std::pair<std::string, std::string> parted(const std::string& text, const std::string& otherwise) {
  const auto arrow = text.rfind(" -> ");
  if (arrow == std::string::npos) return {text, otherwise};
  return {text.substr(0, arrow), text.substr(arrow + 4)};
}

class ATranscript : public testing::TestWithParam<Transcript> {
 protected:
  void follow(const std::string& line) {
    if (line.starts_with("service ")) {
      world_ = std::make_unique<BridgeOn>(Server::sqlite, words_in(line.substr(8)));
      return;
    }
    if (!world_) world_ = std::make_unique<BridgeOn>(Server::sqlite);
    const std::string word = line.substr(0, line.find(' ')),
                      text = here(line.substr(std::min(line.size(), word.size() + 1)));
    SCOPED_TRACE(line);
    if (word.size() > 1 && line != "|-") return act(word, text);
    if (std::string("%^&@$?=").find(line[0]) != std::string::npos) return act(word, text);
    const std::string both = ran_.out + ran_.err;
    switch (line[0]) {
      case '|':
        return out_.push_back(line == "|-" ? line : text);
      case '!':
        return err_.push_back(text);
      case '-':
        return changes_.push_back({text, ""});
      case '+':
        changes_.back().second += (changes_.back().second.empty() ? "" : "\n") + text;
        return;
      case '>':
        more_ += "\n" + text;
        return;
      case '*':
        EXPECT_THAT(both, has(text));
        return;
      case '~':
        EXPECT_THAT(both, lacks(text));
        return;
      default:
        FAIL() << "what is this?";
    }
  }
  // Of the last command; before the next one.
  void compare() {
    for (const auto& [expected, said] : {std::pair{&out_, &ran_.out}, {&err_, &ran_.err}}) {
      if (expected->empty()) continue;
      const Lines wanted = *expected == Lines{"|-"} ? Lines{} : *expected;
      EXPECT_TRUE(matches(wanted, lines_of(*said))) << command_ << "\nsaid:\n"
                                                    << *said << "instead of:\n"
                                                    << text_of(wanted);
      expected->clear();
    }
  }

 private:
  // What is done at once, and what is looked at.
  void act(const std::string& word, const std::string& text) {
    const std::string file = world_->folder_.path() + "/" + text;
    if (word == "usual") {
      forget_changes();
      world_->write(world_->usual_);
    } else if (word == "save") {
      std::ofstream(file) << configured();
      forget_changes();
    } else if (word == "none") {
      EXPECT_FALSE(fs::exists(file));
    } else if (word == "demo") {
      make_demo_orders(world_->crm_, Server::sqlite);
    } else if (word == "%") {
      world_->crm_.execute(text);
    } else if (word == "^") {
      world_->sandbox_.fault(text);
    } else if (word == "&") {
      world_->crm_.insert(orders(std::stoi(text), next_));
      next_ += std::stoi(text);
    } else if (word == "@" || word == "=") {
      rows(words_in(text), word == "@");
    } else if (word == "?") {
      const auto [query, cell] = parted(text, "");
      EXPECT_EQ(world_->crm_.cell(query), cell);
    } else if (word == "$") {
      run(text);
    } else {
      FAIL() << "what is this?";
    }
  }
  std::string here(std::string text) const {
    text = replaced_all(text, "{init}",
                        "init -c {folder}/new.toml --base-url {url} --connection {connection}"
                        " --time-zone UTC");
    for (const auto& [name, value] :
         std::map<std::string, std::string>{{"{config}", world_->config_},
                                            {"{folder}", world_->folder_.path()},
                                            {"{url}", world_->sandbox_.url()},
                                            {"{connection}", world_->crm_.connection()}})
      text = replaced_all(text, name, value);
    return text;
  }
  std::string configured() const {
    std::string text = world_->usual_;
    for (const auto& [old, with] : changes_)
      text = replaced(text, old, with);
    return text + more_;
  }
  void forget_changes() {
    changes_.clear();
    more_.clear();
  }
  void rows(const Arguments& words, bool add) {
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (add) {
        world_->add_row(words[i], words[0]);
      } else {
        EXPECT_EQ(world_->crm_.cell("SELECT state FROM survey_push WHERE key = '" + words[i] + "'"),
                  words[0])
            << words[i] << " after " << command_;
      }
    }
  }
  void run(const std::string& text) {
    compare();
    if (!changes_.empty() || !more_.empty()) {
      world_->write(configured());
      forget_changes();
    }
    const auto [command, status] = parted(text, "0");
    command_ = command;
    Arguments words = words_in(command);
    if (std::ranges::find(words, "-c") == words.end()) words = with_file(words, world_->config_);
    ran_ = expect(words, std::stoi(status));
  }

  std::unique_ptr<BridgeOn> world_;
  std::int64_t next_ = 1;  // order
  std::vector<std::pair<std::string, std::string>> changes_;
  std::string more_, command_;
  Lines out_, err_;
  support::Finished ran_;
};

TEST_P(ATranscript, IsWhatTheProgramSays) {
  for (const auto& line : GetParam().lines)
    ASSERT_NO_FATAL_FAILURE(follow(line));
  compare();
}

INSTANTIATE_TEST_SUITE_P(Of, ATranscript, testing::ValuesIn(transcripts()),
                         [](const auto& each) { return each.param.file + "_" + each.param.name; });

struct Block {
  std::string kind;  // sh, sql, toml, "toml FILE", …
  Lines lines;
};

std::vector<Block> blocks_of(const std::string& file) {
  std::vector<Block> blocks;
  bool inside = false;
  for (const auto& line : lines_of(support::read_file(support::source_dir() + "/" + file))) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.push_back({line.substr(3), {}});
    } else if (inside) {
      blocks.back().lines.push_back(line);
    }
  }
  return blocks;
}

class Guide : public testing::Test {
 protected:
  std::string here(const std::string& text) {
    return replaced_all(replaced_all(text, "8085", std::to_string(port_)), "15432",
                        std::to_string(port_of_tunnel_));
  }
  std::string shell(const std::string& script) {
    const auto done =
        support::run({{"bash", "-c",
                       "cd '" + folder_.path() + "' && export PATH=" + support::bin_dir() +
                           ":$PATH SURVEY_TOKEN=play\n{ " + script + "\n} 2>&1"},
                      {}},
                     std::chrono::seconds(120));
    return done.out;
  }
  // The one command that keeps running.
  void start_sandbox(const std::string& command) {
    support::Program program{words_in(replaced_all(command, " &", "")), {}};
    program.argv[0] = support::bin_dir() + "/" + program.argv[0];
    sandbox_ = std::make_unique<support::ChildProcess>(program);
    ASSERT_TRUE(sandbox_->wait_for("http://", std::chrono::seconds(20)));
  }
  void follow(const Block& block) {
    Lines expected;
    std::string command;
    const auto check = [&] {
      if (command.starts_with("surveysandbox ")) return start_sandbox(command);
      const std::string said = command.empty() ? "" : shell(command);
      EXPECT_TRUE(matches(expected, lines_of(said))) << "$ " << command << "\nsaid:\n"
                                                     << said << "instead of:\n"
                                                     << text_of(expected);
    };
    for (const auto& line : block.lines) {
      if (!line.starts_with("$ ")) {
        expected.push_back(here(line));
        continue;
      }
      check();
      command = here(line.substr(2));
      expected.clear();
    }
    check();
  }

  support::TemporaryFolder folder_{support::TemporaryFolder::Place::memory};
  int port_ = support::free_port();
  int port_of_tunnel_ = support::free_port();  // nothing listens there
  std::unique_ptr<support::ChildProcess> sandbox_;
  std::string config_;
};

TEST_F(Guide, DoesWhatItSays) {
  const auto blocks = blocks_of("docs/GUIDE.md");
  ASSERT_GT(blocks.size(), 10u);
  for (const auto& block : blocks) {
    if (block.kind == "toml") {
      config_ += here(text_of(block.lines)) + "\n";
      folder_.write("bridge.toml", config_);
    } else if (block.kind.starts_with("toml ")) {
      folder_.write(block.kind.substr(5), here(text_of(block.lines)));
    } else if (block.kind == "sql") {
      EXPECT_EQ(shell("sqlite3 -bail crm.db <<'END'\n" + text_of(block.lines) + "END"), "");
    } else if (block.kind == "sh") {
      ASSERT_NO_FATAL_FAILURE(follow(block));
    }
  }
  EXPECT_EQ(shell("surveybridge check --offline -c bridge.toml"), "bridge.toml: ok (offline)\n");
}

}  // namespace
}  // namespace program
