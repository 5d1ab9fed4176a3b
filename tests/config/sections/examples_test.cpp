// The example files are copied by users: each must load without a change.
#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/sections/load.hpp"
#include "config/settings.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string said(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems)
    text += to_string(problem) + "\n";
  return text;
}

Settings example(const std::string& name) {
  auto loaded = load(support::source_dir() + "/config/examples/" + name);
  if (const auto* problems = std::get_if<1>(&loaded)) {
    ADD_FAILURE() << said(*problems);
    return {};
  }
  return std::get<Settings>(std::move(loaded));
}

TEST(Examples, AllLoad) {
  int count = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(support::source_dir() + "/config/examples")) {
    if (file.path().extension() != ".toml") continue;
    example(file.path().filename());
    ++count;
  }
  EXPECT_GE(count, 3);
}

// What a reader sees first.
TEST(Examples, OfTheReadmeAreWholeInTwelveLines) {
  const auto readme = support::read_file(support::source_dir() + "/README.md");
  const std::string begin = "```toml\n";
  const auto from = readme.find(begin);
  ASSERT_NE(from, std::string::npos);
  const auto text = readme.substr(from + begin.size(),
                                  readme.find("```", from + begin.size()) - from - begin.size());
  EXPECT_LE(std::ranges::count(text, '\n'), 12);
  const auto loaded = parse(text, "README.md");
  if (const auto* problems = std::get_if<1>(&loaded)) FAIL() << said(*problems);
  EXPECT_EQ(std::get<Settings>(loaded).pushes.size(), 1U);
  EXPECT_LE(std::ranges::count(readme, '\n'), 120);
}

TEST(Examples, HaveTheExpectedSettings) {
  const Settings settings = example("surveybridge.toml");
  EXPECT_EQ(settings.service.base_url, "https://surveys.example.com");
  EXPECT_EQ(settings.service.auth.kind, Auth::Kind::oauth2);
  EXPECT_EQ(settings.service.auth.client_secret.name, "client-secret");
  EXPECT_EQ(settings.crm.connection.from, Secret::From::plain);
  ASSERT_EQ(settings.pushes.size(), 1U);
  const Push& orders = settings.pushes.front();
  EXPECT_EQ(orders.name, "orders");
  EXPECT_EQ(orders.every, std::chrono::seconds(30));
  EXPECT_TRUE(orders.query.starts_with("SELECT id"));
  EXPECT_TRUE(orders.query.ends_with("'delivered'"));
  EXPECT_EQ(orders.start.local, std::chrono::local_days(std::chrono::year(2026) / 11 / 1));
  EXPECT_EQ(orders.batch.approve_automatically, true);
  EXPECT_EQ(orders.batch.batch_name, "orders {date}");
  ASSERT_EQ(settings.pulls.size(), 3U);
  EXPECT_THAT(settings.pulls[0].by, ElementsAre("LastActivityDate"));
  EXPECT_THAT(settings.pulls[1].by, ElementsAre("ReviewApprovedDate"));
  EXPECT_EQ(settings.pulls[2].look_back, std::chrono::hours(24 * 60));
  ASSERT_EQ(settings.pulls[0].filters.size(), 1U);
  EXPECT_EQ(settings.pulls[0].filters[0].name, "IncludeNotes");
  ASSERT_EQ(settings.pulls[0].walks.size(), 2U);
  EXPECT_EQ(settings.pulls[0].walks[0].name, "OptedOutDate");
  EXPECT_EQ(settings.pulls[0].walks[0].every, std::chrono::hours(1));
  EXPECT_EQ(settings.pulls[0].walks[1].name, "nightly");
  EXPECT_EQ(settings.pulls[0].walks[1].filters.size(), 1U);
  ASSERT_EQ(settings.pulls[0].writes.size(), 1U);
  EXPECT_EQ(settings.pulls[0].writes[0].set[0].path, "Status.StatusName");
}

TEST(Examples, KeepFieldsInTheOrderWritten) {
  const Push orders = example("surveybridge.toml").pushes.at(0);
  std::vector<std::string> fields;
  for (const FieldRule& rule : orders.customer.rules)
    fields.push_back(rule.field);
  EXPECT_THAT(fields, ElementsAre("Email", "TransactionDate", "SendDate", "Priority", "Answers"));
  const FieldRule& send = orders.customer.rules[2];
  EXPECT_EQ(send.source.column, "delivered_at");
  EXPECT_EQ(send.source.plus, std::chrono::hours(48));
  EXPECT_EQ(send.source.at, std::chrono::minutes(600));
  EXPECT_EQ(std::get<std::int64_t>(orders.customer.rules[3].source.value.value()), 0);
  const FieldRule& answers = orders.customer.rules[4];
  ASSERT_EQ(answers.items.size(), 2U);
  const FieldRule& positions = answers.items[0].rules.at(2);
  EXPECT_EQ(positions.items.at(0).rules.at(0).source.column, "grade");
  const FieldRule& files = answers.items[1].rules.at(1);
  EXPECT_EQ(files.items.at(0).rules.at(1).source.folder, "/srv/crm/photos");
  ASSERT_EQ(orders.data.size(), 2U);
  EXPECT_EQ(orders.data[1].source.max_length, 50);
  EXPECT_EQ(orders.data[1].place.line, orders.data[0].place.line + 1);
}

TEST(Examples, TakeDefaultsForWhatTheyDoNotSay) {
  const Settings settings = example("minimal.toml");
  EXPECT_EQ(settings.service.timeout, std::chrono::seconds(60));
  EXPECT_EQ(settings.service.time_zone, "UTC");
  EXPECT_EQ(settings.pushes.at(0).batch.size, 100);
  EXPECT_EQ(settings.pushes.at(0).doubt, Push::Doubt::hold);
  EXPECT_THAT(settings.pulls.at(0).by, ElementsAre("LastActivityDate"));
  EXPECT_THAT(settings.pulls.at(0).writes, IsEmpty());
}

}  // namespace
}  // namespace surveybridge::config
