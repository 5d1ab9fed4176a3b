// What a message of the log is to the journal, to a reader of JSON, and in docs/RUNBOOK.md.

#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "daemon/job/log.hpp"
#include "daemon/job/log_events.hpp"
#include "tests/support/paths.hpp"

namespace surveybridge::daemon {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(OneLine, HasNoCommandToATerminalAndNoHiddenLetter) {
  EXPECT_EQ(one_line("a\x1b[31mb\x7f"), "a\\x1b[31mb\\x7f");
  for (const std::string mark : {"\u0080", "\u009b", "\u061c", "\u200b", "\u200f", "\u2028",
                                 "\u202e", "\u2066", "\ufeff", "\U000e0041"}) {
    const std::string shown = one_line("a" + mark + "b");
    EXPECT_EQ(shown.find(mark), std::string::npos) << shown;
    EXPECT_EQ(shown.substr(0, 3), "a\\x") << shown;
    EXPECT_EQ(shown.back(), 'b');
  }
  EXPECT_EQ(one_line("caf\u00e9 \u20ac \u4e2d \U0001f600"), "caf\u00e9 \u20ac \u4e2d \U0001f600");
}

const LogFields kAbout{.job = "push.orders", .key = "4\n7", .batch = "b1", .event = &kHeld};

TEST(JournalFields, NameTheJobTheKeyTheBatchAndTheEvent) {
  EXPECT_THAT(journal_fields(Log::Level::error, "2 rows are held", kAbout),
              ElementsAre("MESSAGE=push.orders: 2 rows are held", "PRIORITY=3",
                          "SYSLOG_IDENTIFIER=surveybridge", "SURVEYBRIDGE_JOB=push.orders",
                          "SURVEYBRIDGE_KEY=4\\x0a7", "SURVEYBRIDGE_BATCH=b1",
                          "MESSAGE_ID=" + std::string(kHeld.message_id)));
}

TEST(JournalFields, LeaveOutWhatIsNotKnown) {
  EXPECT_THAT(journal_fields(Log::Level::warn, "a\nb", {}),
              ElementsAre("MESSAGE=a\\x0ab", "PRIORITY=4", "SYSLOG_IDENTIFIER=surveybridge"));
  EXPECT_EQ(journal_fields(Log::Level::info, "", {}).at(1), "PRIORITY=6");
}

TEST(JsonLines, AreOneObjectEachWhateverTheTextHolds) {
  const std::chrono::sys_time<std::chrono::milliseconds> at{
      std::chrono::milliseconds{1'700'000'000'123}};
  const auto whole = nlohmann::json::parse(json_line(at, Log::Level::error, "2 \"rows\"", kAbout));
  EXPECT_EQ(whole, (nlohmann::json{{"time", "2023-11-14T22:13:20.123Z"},
                                   {"level", "error"},
                                   {"message", "2 \"rows\""},
                                   {"job", "push.orders"},
                                   {"key", "4\\x0a7"},
                                   {"batch", "b1"},
                                   {"event", "held"},
                                   {"message_id", kHeld.message_id}}));
  const std::string odd = json_line(at, Log::Level::info, "a\n\xff\xfe\x7f\xc3\xa9", {});
  EXPECT_EQ(std::ranges::count(odd, '\n'), 0);
  EXPECT_EQ(nlohmann::json::parse(odd).at("message"), "a\\x0a\\xff\\xfe\\x7f\\xc3\\xa9");
  EXPECT_EQ(nlohmann::json::parse(odd).size(), 3u);
}

TEST(JsonLines, AreBoundedAndCutNoCharacter) {
  std::string wide = "x";
  for (int i = 0; i < 5000; ++i)
    wide += "é";
  const auto whole = nlohmann::json::parse(json_line({}, Log::Level::info, wide, {.key = wide}));
  EXPECT_LE(whole.at("message").get<std::string>().size(), 2000u);
  EXPECT_TRUE(whole.at("message").get<std::string>().ends_with("é"));
}

std::string table_of_events() {
  std::string table = "| Event | `MESSAGE_ID` | When |\n|---|---|---|\n";
  for (const LogEvent* event : kLogEvents) {
    table += "| " + std::string(event->name) + " | `" + std::string(event->message_id) + "` | " +
             std::string(event->meaning) + " |\n";
  }
  return table;
}

TEST(LogEvents, AreInTheDocument) {
  std::ifstream file(support::source_dir() + "/docs/RUNBOOK.md");
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_THAT(page.str(), HasSubstr("\n" + table_of_events() + "\n"));
}

TEST(LogEvents, HaveAnIdOfTheirOwn) {
  std::set<std::string_view> ids, names;
  for (const LogEvent* event : kLogEvents) {
    EXPECT_EQ(event->message_id.size(), 32u);
    EXPECT_EQ(event->message_id.find_first_not_of("0123456789abcdef"), std::string_view::npos);
    ids.insert(event->message_id);
    names.insert(event->name);
  }
  EXPECT_EQ(ids.size(), kLogEvents.size());
  EXPECT_EQ(names.size(), kLogEvents.size());
}

}  // namespace
}  // namespace surveybridge::daemon
