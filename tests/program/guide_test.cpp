// Runs docs/GUIDE.md: every block in its order, and compares the output with the page. A line "…"
// stands for any lines, "…" within a line for any text.
#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/program/bridge.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_folder.hpp"

namespace program {
namespace {

struct Block {
  std::string kind;  // sh, sql, toml, "toml FILE", …
  std::vector<std::string> lines;
};

std::vector<Block> blocks_of(const std::string& file) {
  std::ifstream in(support::source_dir() + "/" + file);
  std::vector<Block> blocks;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.push_back({line.substr(3), {}});
    } else if (inside) {
      blocks.back().lines.push_back(line);
    }
  }
  return blocks;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines)
    text += line + "\n";
  return text;
}

std::string replaced_all(std::string text, const std::string& old, const std::string& with) {
  for (auto at = text.find(old); at != std::string::npos; at = text.find(old, at + with.size()))
    text.replace(at, old.size(), with);
  return text;
}

bool line_matches(const std::string& expected, const std::string& line) {
  static const std::regex special(R"([.^$|()\[\]{}*+?\\])");
  const std::string quoted = std::regex_replace(expected, special, R"(\$&)");
  return std::regex_match(line, std::regex(replaced_all(quoted, "…", ".*")));
}

bool matches(const std::vector<std::string>& expected, const std::vector<std::string>& lines,
             std::size_t e = 0, std::size_t l = 0) {
  if (e == expected.size()) return l == lines.size();
  if (expected[e] == "…") {
    return matches(expected, lines, e + 1, l) ||
           (l < lines.size() && matches(expected, lines, e, l + 1));
  }
  return l < lines.size() && line_matches(expected[e], lines[l]) &&
         matches(expected, lines, e + 1, l + 1);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
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
    support::Program program;
    std::istringstream words(command);
    for (std::string word; words >> word;) {
      if (word != "&") program.argv.push_back(word);
    }
    program.argv[0] = support::bin_dir() + "/" + program.argv[0];
    sandbox_ = std::make_unique<support::ChildProcess>(program);
    ASSERT_TRUE(sandbox_->wait_for("http://", std::chrono::seconds(20)));
  }
  void follow(const Block& block) {
    std::vector<std::string> expected;
    std::string command;
    const auto check = [&] {
      if (command.starts_with("surveysandbox ")) return start_sandbox(command);
      const std::string said = command.empty() ? "" : shell(command);
      EXPECT_TRUE(matches(expected, lines_of(said))) << "$ " << command << "\nsaid:\n"
                                                     << said << "instead of:\n"
                                                     << joined(expected);
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

  support::TemporaryFolder folder_;
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
      config_ += here(joined(block.lines)) + "\n";
      folder_.write("bridge.toml", config_);
    } else if (block.kind.starts_with("toml ")) {
      folder_.write(block.kind.substr(5), here(joined(block.lines)));
    } else if (block.kind == "sql") {
      EXPECT_EQ(shell("sqlite3 -bail crm.db <<'END'\n" + joined(block.lines) + "END"), "");
    } else if (block.kind == "sh") {
      ASSERT_NO_FATAL_FAILURE(follow(block));
    }
  }
  EXPECT_EQ(shell("surveybridge check --offline -c bridge.toml"), "bridge.toml: ok (offline)\n");
}

TEST(GuideLines, MatchOnlyWhatTheySay) {
  EXPECT_TRUE(matches({"a (1)", "…", "c…e"}, {"a (1)", "x", "y", "cde"}));
  EXPECT_TRUE(matches({"…"}, {}));
  EXPECT_FALSE(matches({"a"}, {"a", "b"}));
  EXPECT_FALSE(matches({"a."}, {"ab"}));
  EXPECT_FALSE(matches({"…", "z"}, {"a", "b"}));
}

}  // namespace
}  // namespace program
