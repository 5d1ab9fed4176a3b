#include "daemon/commands/offline.hpp"

#include <gmock/gmock.h>

#include "tests/in_process/instance.hpp"

namespace {

using namespace surveybridge;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kBefore = R"([service]
base_url = "http://127.0.0.1:1"
[crm]
connection = "sqlite3:///unused"
)";

constexpr const char* kPush = R"([push.orders]
query = "SELECT * FROM orders"
key = "id"
when = "at"
start = 2026-11-01
[push.orders.customer]
)";

std::vector<std::string> problems(const std::string& text) {
  std::vector<std::string> found;
  for (const auto& problem : daemon::offline_problems(in_process::settings_of(kBefore + text)))
    found.push_back(to_string(problem));
  return found;
}

TEST(Offline, BelievesTheColumnsThatAMapNamesAnywhere) {
  EXPECT_THAT(problems(std::string(kPush) + R"(
Email = { template = "{box}@{host}" }
SendDate = { column = "at", not_before = "promised" }
AnswersToCopy = ["answer", { template = "{tens}{ones}", number = "comma" }]
)"),
              IsEmpty());
}

TEST(Offline, FindsWhatDoesNotFitItsField) {
  EXPECT_THAT(problems(std::string(kPush) + R"(
Email = { column = "email", date = "%d-%m-%Y", max_length = 9 }
Priority = { column = "tier", map = { a = "high" } }
)"),
              ElementsAre("test.toml:12:9: push.orders.customer.Email: max_length would cut an "
                          "address",
                          "test.toml:13:12: push.orders.customer.Priority: expected an integer, "
                          "got the string \"high\""));
}

TEST(Offline, LooksForNoPathInAConstantOfAWriteBack) {
  EXPECT_THAT(problems(R"([pull.bouncers]
look_back = "60d"
[[pull.bouncers.write]]
table = "orders"
match = { id = "Data[OrderNumber]", kind = { value = 2 } }
set = { bounced = { value = 1 } }
)"),
              IsEmpty());
}

TEST(Offline, FollowsThePathsOfWriteBacks) {
  EXPECT_THAT(problems(R"([pull.customers]
from = 2026-11-01
[[pull.customers.write]]
table = "orders"
match = { id = "Data[OrderNumber]" }
set = { status = "Status.StatusName", score = "Answers[x].Text", said = "Answers" }
[pull.ratings]
from = 2026-11-01
[[pull.ratings.write]]
table = "orders"
match = { id = "Emial" }
set = { rating = "Answers[1].Score" }
)"),
              ElementsAre("test.toml:10:47: pull.customers.write.set.score: \"Answers[x].Text\": "
                          "Answers[x]: expected a number from 0",
                          "test.toml:10:73: pull.customers.write.set.said: \"Answers\": Answers "
                          "is a list: say which, as Answers[0]",
                          testing::StartsWith("test.toml:15:16: pull.ratings.write.match.id: "
                                              "\"Emial\": ")));
}

TEST(Offline, FindsAPathOfAFollowUpThatNoRecordHas) {
  using testing::StartsWith;
  const std::string key = "pull.customers.follow_up.unhappy.";
  EXPECT_THAT(problems(R"([pull.customers]
from = 2026-11-01
[pull.customers.follow_up.unhappy]
when = { OptedOut = "<= 6", Emial = "x" }
to = ["team"]
fields = { Phone = "Answers" }
[alert.team]
webhook = "https://crm.example.test/hook"
)"),
              ElementsAre(StartsWith("test.toml:8:21: " + key + "when: \"OptedOut\" is "),
                          StartsWith("test.toml:8:37: " + key + "when: \"Emial\": "),
                          StartsWith("test.toml:10:20: " + key + "fields.Phone: \"Answers\": ")));
}

}  // namespace
