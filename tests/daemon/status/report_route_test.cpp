#include "daemon/status/report_route.hpp"

#include <gmock/gmock.h>

namespace surveybridge::daemon {
namespace {

TEST(ReportAskedIn, ReadsAQuery) {
  const auto asked = report_asked_in("from=2026-01-01&by=My%20branch%26+more&period=month");
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->from, "2026-01-01");
  EXPECT_EQ(asked->by, "My branch& more");
  EXPECT_EQ(asked->period, "month");
  EXPECT_EQ(asked->to, "");
  EXPECT_TRUE(report_asked_in(""));
}

TEST(ReportAskedIn, RefusesWhatItDoesNotKnow) {
  for (const char* query : {"texts=1", "from=1&from=2", "by=%", "by=%4", "by=%zz", "=1",
                            "from=1&to=2&push=3&by=4&period=5&from=6"})
    EXPECT_FALSE(report_asked_in(query)) << query;
}

TEST(ReportLink, IsReadAsWhatWasAskedFor) {
  ReportAsked asked;
  EXPECT_EQ(report_link(asked), "/report");
  asked.by = "a&b=c %\"<é";
  asked.from = "2026-01-01";
  const std::string link = report_link(asked);
  EXPECT_THAT(link, testing::Not(testing::HasSubstr("\"")));
  EXPECT_EQ(report_asked_in(link.substr(link.find('?') + 1))->by, asked.by);
}

TEST(ReportLinks, OfferTimesPushesAndSegments) {
  config::Settings settings;
  settings.pushes.resize(2);
  settings.pushes[0].name = "orders", settings.pushes[1].name = "repairs";
  settings.report.segments = {"Branch", "Product"};
  ReportAsked asked;
  asked.push = "repairs";
  const auto groups = report_links(settings, asked, "2026-11-23");
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_TRUE(groups[0].links[0].current) << "twelve weeks";
  EXPECT_EQ(groups[0].links[1].href, "/report?from=2026-11-01&push=repairs&period=week");
  EXPECT_FALSE(groups[1].links[1].current);
  EXPECT_TRUE(groups[1].links[2].current);
  EXPECT_TRUE(groups[2].links[0].current) << "the first segment, where none is asked for";
}

}  // namespace
}  // namespace surveybridge::daemon
