#include "sandbox/flags.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sandbox {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

struct Outcome {
  std::optional<Flags> flags;
  int exit = 0;
  std::string out, err;
};

Outcome read(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "surveysandbox");
  Outcome outcome;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  outcome.flags = read_flags(static_cast<int>(arguments.size()), arguments.data(), outcome.exit);
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}

TEST(Flags, HaveDefaultsThatAreTheOptions) {
  const Outcome outcome = read({});
  ASSERT_TRUE(outcome.flags);
  EXPECT_EQ(outcome.flags->port, 0);
  EXPECT_EQ(outcome.flags->options.token, "sandbox-token");
  EXPECT_TRUE(outcome.flags->options.strict);
}

TEST(Flags, SetWhatTheyName) {
  const auto flags = read({"--port",          "8080",
                           "--speed",         "86400",
                           "--column",        "7:OrderNumber!:Order number",
                           "--column",        "8:Old~",
                           "--limit",         "minute:600",
                           "--limit",         "write:concurrent:2",
                           "--visible-after", "30s",
                           "--behind",        "90d",
                           "--lenient",       "--ignore",
                           "Statuses",        "--xml-expect-order"})
                         .flags;
  ASSERT_TRUE(flags);
  EXPECT_EQ(flags->port, 8080);
  ASSERT_THAT(flags->options.columns, SizeIs(2));
  EXPECT_EQ(flags->options.columns[0].display_name, "Order number");
  EXPECT_TRUE(flags->options.columns[0].required);
  EXPECT_TRUE(flags->options.columns[1].archived);
  EXPECT_THAT(flags->options.limits, SizeIs(2));
  EXPECT_EQ(flags->options.visible_after, std::chrono::seconds(30));
  EXPECT_EQ(flags->behind, std::chrono::hours(90 * 24));
  EXPECT_FALSE(flags->options.strict);
  EXPECT_TRUE(flags->options.ignored.contains("Statuses"));
  EXPECT_TRUE(flags->options.style.xml.expect_alphabetical);
}

TEST(Flags, AreRefusedWithTheirName) {
  const std::vector<std::vector<const char*>> bad = {
      {"--port", "70000"},         {"--port", "x"},     {"--limit", "hour:5"},
      {"--column", "OrderNumber"}, {"--column", "1:!"}, {"--speed", "-1"},
      {"--visible-after", "30"},   {"--nonsense"},      {"--column", "99999999999999999999:x"}};
  for (const auto& arguments : bad) {
    const Outcome outcome = read(arguments);
    EXPECT_FALSE(outcome.flags) << arguments[0];
    EXPECT_EQ(outcome.exit, 2) << arguments[0];
    EXPECT_THAT(outcome.err, HasSubstr(arguments[0]));
    EXPECT_EQ(outcome.out, "");
  }
}

TEST(Flags, ExplainThemselves) {
  const Outcome help = read({"--help"});
  EXPECT_FALSE(help.flags);
  EXPECT_EQ(help.exit, 0);
  EXPECT_THAT(help.out, HasSubstr("Examples:"));
  EXPECT_THAT(help.out, HasSubstr("--xml-expect-order"));
}

}  // namespace
}  // namespace sandbox
