// The pages behind the status page, and which rows of the ledger they show.
#include "daemon/status/list_page.hpp"

#include <gmock/gmock.h>

#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using testing::HasSubstr;
using testing::Not;

const DaemonState kHere{.version = "1.2.3", .host = "crm-host"};

crm::Entry listed_entry(const std::string& key, const std::string& reason) {
  crm::Entry entry;
  entry.push = "orders";
  entry.key = key;
  entry.state = crm::State::quarantined;
  entry.reason = reason;
  entry.changed_at = TimePoint{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20}};
  return entry;
}

std::string quarantine_page(const ListedRows* rows, int page = 1) {
  return list_page_of(*list_at("/quarantine"), rows, page, kHere);
}

TEST(ListPage, ShowsKeyStateReasonSinceWhenAndWhatToType) {
  const ListedRows rows{{listed_entry("A-1", "Email: required")}, false};
  const auto page = quarantine_page(&rows);
  for (const char* part :
       {"<td data-name=\"key\">A-1</td>", "<td data-name=\"state\">quarantined</td>",
        "<td data-name=\"since\">2026-11-20T00:00:00Z</td>",
        "<td data-name=\"reason\">Email: required</td>", "surveybridge quarantine retry KEY",
        "<a href=\"/\">Status</a>", "<a href=\"/quarantine\" aria-current=\"page\">"})
    EXPECT_THAT(page, HasSubstr(part));
  EXPECT_THAT(page, Not(HasSubstr("?page="))) << "one page is all there is";
  EXPECT_THAT(page, Not(HasSubstr("http-equiv"))) << "it would scroll back while somebody reads";
}

TEST(ListPage, EscapesEveryTextOfARow) {
  auto row = listed_entry("<script>alert('k')</script>", "<b onclick=\"x\">&");
  row.push = "<i>";
  const ListedRows rows{{row}, false};
  const auto page = quarantine_page(&rows);
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(&#39;k&#39;)&lt;/script&gt;"));
  EXPECT_THAT(page, HasSubstr("&lt;b onclick=&quot;x&quot;&gt;&amp;"));
  for (const char* raw : {"<script", "<b ", "<i>"})
    EXPECT_THAT(page, Not(HasSubstr(raw)));
}

TEST(ListPage, HasNoAddressAndNoWordOfTheService) {
  const ListedRows rows{
      {listed_entry("ann@example.test", "refused by the service: Ann Smith <a@b>"),
       listed_entry("7", "Email: not an address: no @"),
       listed_entry("8", "the column \"ann@example.test\" is empty")},
      false};
  const auto page = quarantine_page(&rows);
  EXPECT_THAT(page, HasSubstr(">refused by the service</td>"));
  EXPECT_THAT(page, HasSubstr(">(an address)</td>"));
  EXPECT_THAT(page, HasSubstr("Email: not an address: no @"));
  EXPECT_THAT(page, Not(HasSubstr("Smith")));
  EXPECT_THAT(page, Not(HasSubstr("example.test")));
}

TEST(ListPage, TurnsItsPagesUpToTheLast) {
  ListedRows rows{{listed_entry("1", "")}, true};
  EXPECT_THAT(quarantine_page(&rows, 2), HasSubstr("href=\"/quarantine?page=1\""));
  EXPECT_THAT(quarantine_page(&rows, 2), HasSubstr("href=\"/quarantine?page=3\""));
  EXPECT_THAT(quarantine_page(&rows, 2), HasSubstr("Transactions 201 to 201, the oldest first"));
  const auto last = quarantine_page(&rows, kListPages);
  EXPECT_THAT(last, Not(HasSubstr("?page=26")));
  EXPECT_THAT(last, HasSubstr("More are there"));
  rows.rows.clear();
  EXPECT_THAT(quarantine_page(&rows), HasSubstr("There are none."));
  EXPECT_THAT(quarantine_page(nullptr), HasSubstr("The database does not answer."));
}

TEST(ListPage, CountsWhatItShowsWhereThatIsAll) {
  ListedRows rows{{listed_entry("1", "")}, false};
  EXPECT_THAT(quarantine_page(&rows), HasSubstr("<caption>1 transaction</caption>"));
  rows.rows.push_back(listed_entry("2", ""));
  EXPECT_THAT(quarantine_page(&rows), HasSubstr("<caption>2 transactions, the oldest first<"));
}

TEST(ListPage, ReadsItsNumberFromTheQuery) {
  EXPECT_EQ(page_in(""), 1);
  EXPECT_EQ(page_in("from=a-bookmark"), 1);
  EXPECT_EQ(page_in("from=x&page=25&to=y"), 25);
  for (const char* bad : {"page=", "page=0", "page=-1", "page=26", "page=1x", "page= 1",
                          "page=2&page=3", "page=99999999999999999999", "page=%zz"})
    EXPECT_FALSE(page_in(bad)) << bad;
}

class LedgerList : public in_process::Shop {
 protected:
  LedgerList() { sync(); }
  void set_aside(const std::string& push, crm::State state, int from, int to) {
    std::vector<crm::Ledger::SetAside> rows;
    for (int i = from; i < to; ++i)
      rows.push_back({std::to_string(1000 + i), "why"});
    crm::Ledger(*crm_).set_aside(push, state, rows);
  }
  ListedRows listed(const char* path, int page = 1) {
    return listed_rows(*crm_, {"orders", "returns"}, *list_at(path), page);
  }
};

TEST_F(LedgerList, ShowsTwoHundredRowsAPageTheOldestFirst) {
  set_aside("returns", crm::State::quarantined, 0, 250);
  set_aside("orders", crm::State::quarantined, 300, 320);
  const auto first = listed("/quarantine"), second = listed("/quarantine", 2);
  ASSERT_EQ(first.rows.size(), 200u);
  EXPECT_TRUE(first.more);
  EXPECT_TRUE(std::ranges::is_sorted(first.rows, {}, &crm::Entry::changed_at));
  ASSERT_EQ(second.rows.size(), 70u);
  EXPECT_FALSE(second.more);
  EXPECT_LE(first.rows.back().changed_at, second.rows.front().changed_at);
  EXPECT_TRUE(listed("/quarantine", 3).rows.empty());
}

TEST_F(LedgerList, SaysThatMoreAreThereFromTheFirstRowOn) {
  set_aside("orders", crm::State::quarantined, 0, 200);
  EXPECT_FALSE(listed("/quarantine").more);
  set_aside("orders", crm::State::quarantined, 200, 201);
  EXPECT_TRUE(listed("/quarantine").more);
}

TEST_F(LedgerList, HasEachStateInOnePlace) {
  set_aside("orders", crm::State::suppressed, 0, 2);
  set_aside("orders", crm::State::quarantined, 2, 3);
  sql("UPDATE survey_push SET state = 'held' WHERE \"key\" = '1002'");
  set_aside("orders", crm::State::quarantined, 3, 7);
  EXPECT_EQ(listed("/suppressed").rows.size(), 2u);
  EXPECT_EQ(listed("/doubts").rows.size(), 1u);
  EXPECT_EQ(listed("/quarantine").rows.size(), 4u);
  EXPECT_EQ(list_of(crm::State::in_doubt), "/doubts");
  EXPECT_EQ(list_of(crm::State::sent), "");
}

}  // namespace
