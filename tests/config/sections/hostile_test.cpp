// Unusual texts: for any content of the file the loader answers in bounded time, and never shows a
// secret.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "config/sections/load.hpp"
#include "config/settings.hpp"
#include "tests/support/paths.hpp"

namespace surveybridge::config {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::string said(std::string_view text) {
  const auto read = parse(text, "h.toml");
  if (read.index() == 0) return "accepted";
  std::string all;
  for (const Problem& problem : std::get<1>(read))
    all += to_string(problem) + "\n";
  return all;
}

std::string repeated(const std::string& piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += piece;
  return text;
}

std::string example_text(const std::string& name) {
  std::stringstream text;
  text << std::ifstream(support::source_dir() + "/config/examples/" + name).rdbuf();
  return text.str();
}

// Settings, or problems that each have a rule and a place in this file.
void expect_answer(const std::string& text) {
  const auto read = parse(text, "h.toml");
  const auto* problems = std::get_if<1>(&read);
  if (problems == nullptr) return;
  EXPECT_FALSE(problems->empty()) << text;
  for (const Problem& problem : *problems) {
    EXPECT_EQ(problem.place.file, "h.toml");
    EXPECT_FALSE(problem.rule.empty());
  }
}

TEST(HostileText, MayNestToAnyDepth) {
  EXPECT_EQ(said("a" + repeated(".a", 400'000) + " = 1"),
            "h.toml:1:67: nests deeper than 32 levels\n");
  EXPECT_EQ(said("[a" + repeated(".\"x y\"", 150'000) + "]"),
            "h.toml:1:196: nests deeper than 32 levels\n");
  EXPECT_EQ(said("a = " + repeated("[", 900'000)), "h.toml:1:38: nests deeper than 32 levels\n");
  EXPECT_EQ(said("a = " + repeated("[\n", 400'000)), "h.toml:33:2: nests deeper than 32 levels\n");
  EXPECT_EQ(said("a = " + repeated("{a=", 300'000)), "h.toml:1:102: nests deeper than 32 levels\n");
}

TEST(HostileText, MayHideItsDepthBehindStrings) {
  const std::string deep = "a" + repeated(".a", 100'000) + " = 1\n";
  for (const std::string before :
       {"x = '''a''''\n", "x = \"\"\"a\\\"\"\"\"\n", "x = \"\"\"\\\"\"\" b\"\"\"\n", "x = 'a\\'\n",
        "x = \"a\\\\\"\n", "x = \"\" # \"\n", "x = ''\n"}) {
    EXPECT_EQ(said(before + deep), "h.toml:2:67: nests deeper than 32 levels\n") << before;
  }
}

TEST(HostileText, NestsAsDeepAsAConfigurationNeeds) {
  EXPECT_THAT(
      said("[push.a.customer]\nA = " + repeated("[{ B = ", 10) + "\"c\"" + repeated("}]", 10)),
      Not(HasSubstr("nests")));
}

TEST(HostileText, MayHaveAStringOfAMegabyte) {
  const std::string text = "[service]\nformat = \"" + std::string(1'000'000, 'x') + "\"\n";
  EXPECT_THAT(said(text),
              HasSubstr("h.toml:2:10: service.format: must be \"json\" or \"xml\", got \"" +
                        std::string(60, 'x') + "…\"\n"));
}

TEST(HostileText, MayHaveAKeyOfAMegabyte) {
  EXPECT_THAT(said(std::string(1'000'000, 'k') + " = 1"),
              HasSubstr(": \"" + std::string(60, 'k') + "…\": unknown key (known here: include"));
}

TEST(HostileText, MayHaveManyKeys) {
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += "key" + std::to_string(i) + " = [1,2,3]\n";
  const auto read = parse(text, "h.toml");
  EXPECT_EQ(std::get<1>(read).size(), 20'002U);
}

TEST(HostileText, IsAtMostAMebibyte) {
  const std::string most = "#" + std::string(1024 * 1024 - 1, ' ');
  EXPECT_THAT(said(most), HasSubstr("is required"));
  EXPECT_EQ(said(most + " "), "h.toml: is larger than 1048576 bytes\n");
}

TEST(HostileText, MustBeUtf8WithoutControlCharacters) {
  EXPECT_THAT(said("a = \"\xff\xfe\""), HasSubstr("h.toml:1:5: is not TOML: "));
  EXPECT_THAT(said("a = \"\xc3\""), HasSubstr("h.toml:1:"));
  EXPECT_THAT(said("a = \"\xed\xa0\x80\""), HasSubstr("h.toml:1:"));
  EXPECT_THAT(said(std::string_view("a\0b = 1", 7)), HasSubstr("h.toml:1:2: is not TOML: "));
  EXPECT_THAT(said("a = \"\x1b[2J\""), HasSubstr("h.toml:1:6: is not TOML: "));
}

TEST(HostileText, MayBeginWithAByteOrderMark) {
  EXPECT_EQ(said("\xef\xbb\xbf"
                 "service = { base_url = \"https://a\" }\ncrm = { connection = \"sqlite3://a\" }"),
            "accepted");
}

// What is left after cutting may be a valid configuration; the loader only has to answer.
TEST(HostileText, CutOffAnywhereIsAnswered) {
  const std::string text = example_text("surveybridge.toml");
  ASSERT_GT(text.size(), 1000U);
  for (std::size_t length = 0; length < text.size(); length += 7)
    expect_answer(text.substr(0, length));
  EXPECT_NE(said(text.substr(0, text.find("[crm]"))), "accepted");
  EXPECT_NE(said(text.substr(0, text.find("start "))), "accepted");
}

TEST(HostileText, DamagedAnywhereIsAnswered) {
  std::string text = example_text("minimal.toml");
  for (const char damage : {'"', '\0', '[', '\xff'}) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char was = std::exchange(text[at], damage);
      expect_answer(text);
      text[at] = was;
    }
  }
}

TEST(HostileText, NeverMakesASecretShown) {
  for (const std::string secret :
       {"\"hunter2\"", "hunter2", "\"hunter2", "'hunter2'", "[\"hunter2\"]", "{ x = \"hunter2\" }",
        "{ file = \"hunter2\" }", "{ env = \"hunter2!\" }", "{ credential = \"/hunter2\" }",
        "{ env = \"A\", file = \"/hunter2\" }", "{ credential = { env = \"hunter2\" } }",
        "\"\"\"\nhunter2\n\"\"\"", "2hunter2", "0xhunter2", "1977-hunter2"}) {
    for (const std::string key : {"service.auth.token", "service.auth.client_secret",
                                  "service.auth.password", "crm.connection"}) {
      const std::string rules = said("service.auth.kind = \"bearer\"\n" + key + " = " + secret);
      EXPECT_NE(rules, "accepted");
      EXPECT_THAT(rules, Not(HasSubstr("unter2"))) << key << " = " << secret;
    }
  }
}

TEST(HostileText, NeverMakesAnUnquotedNumberShown) {
  for (const std::string secret :
       {"48151623421234567890123", "0xffffffffffffffffffffff", "1234567890.1.5", "1e99999"}) {
    EXPECT_THAT(said("[service.auth]\npassword = " + secret), Not(HasSubstr("4567890"))) << secret;
    EXPECT_THAT(said("[service.auth]\npassword = " + secret), Not(HasSubstr("ffff"))) << secret;
  }
}

TEST(Files, ThatCannotBeReadSayWhy) {
  const auto why = [](const std::string& file) {
    const auto loaded = load(file);
    return loaded.index() == 0 ? "loaded" : to_string(std::get<1>(loaded).at(0));
  };
  EXPECT_EQ(why("/no/such/bridge.toml"),
            "/no/such/bridge.toml: cannot be read: No such file or directory");
  EXPECT_EQ(why("/"), "/: is not a regular file");
  EXPECT_EQ(why("/dev/zero"), "/dev/zero: is not a regular file");
  EXPECT_EQ(why(""), ": cannot be read: No such file or directory");
}

TEST(Files, AreAtMostAMebibyte) {
  const fs::path file =
      fs::temp_directory_path() / ("large-" + std::to_string(::getpid()) + ".toml");
  std::ofstream(file) << std::string(1024 * 1024 + 1, '#');
  const auto loaded = load(file);
  fs::remove(file);
  EXPECT_EQ(to_string(std::get<1>(loaded).at(0)), file.string() + ": is larger than 1048576 bytes");
}

}  // namespace
}  // namespace surveybridge::config
