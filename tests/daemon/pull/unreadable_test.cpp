// A record that cannot be read is set aside; its list goes on, and it is tried again when it
// changes.
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

class UnreadableRecord : public in_process::Shop {
 protected:
  UnreadableRecord() {
    for (const char* id : {"1", "2", "3"})
      order(id);
    change_answers([this](const service::Request& request, service::Response& response) {
      if (broken_ && request.url.find("/customer?") != std::string::npos) spoil(response.body);
    });
  }
  // The customer of order 2 took a half second more than whole ones.
  static void spoil(std::string& body) {
    const auto at = body.find("person2@example.test");
    if (at == std::string::npos) return;
    const std::string field = "\"CompletionTimeInSeconds\":";
    const auto begin = body.rfind(field, at);
    ASSERT_NE(begin, std::string::npos) << body;
    const auto value = begin + field.size();
    body.replace(value, body.find_first_of(",}", value) - value, "12.5");
  }
  std::string text(const std::string& query) {
    return std::get<std::string>(crm_->query({query, {}}).rows.at(0).at(0));
  }

  bool broken_ = true;
};

TEST_F(UnreadableRecord, IsSetAsideAndTheOthersAreStored) {
  sync();
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 2);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_cursor WHERE list = 'customers'"
                   " AND finished_at IS NOT NULL"),
            1);
  EXPECT_EQ(text("SELECT list FROM survey_unreadable"), "customers");
  EXPECT_NE(text("SELECT reason FROM survey_unreadable").find("CompletionTimeInSeconds"),
            std::string::npos);
  const std::string raw = text("SELECT raw FROM survey_unreadable");
  EXPECT_EQ(raw.front(), '{');
  EXPECT_EQ(raw.back(), '}');
  EXPECT_NE(raw.find("person2@example.test"), std::string::npos);
  EXPECT_EQ(raw.find("person1@example.test"), std::string::npos);
}

TEST_F(UnreadableRecord, StillShowsTheLedgerThatItsTransactionArrived) {
  sync();
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push WHERE customer_id IS NOT NULL"), 3);
}

TEST_F(UnreadableRecord, LosesItsTextWhereItIsOlderThanIsKept) {
  settings_.pulls.at(0).keep = 24h;
  sync();
  EXPECT_EQ(number("SELECT COUNT(raw) FROM survey_unreadable"), 1);
  outside_.on_exchange = {};
  clock_.now += 24h * 7;
  sync();
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_unreadable"), 1);
  EXPECT_EQ(number("SELECT COUNT(raw) FROM survey_unreadable"), 0);
}

TEST_F(UnreadableRecord, IsStoredOnceItCanBeRead) {
  sync();
  clock_.now += 20min;
  broken_ = false;
  sync();
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 3);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_unreadable"), 0);
}

}  // namespace
