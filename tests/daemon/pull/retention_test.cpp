// `keep` limits the stored records, not the facts about people.
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

class Keep : public in_process::Shop {
 protected:
  // A transaction that the service knows completely; its list is read 100 days later.
  void begin(const std::string& pull, const std::string& suppress) {
    settings_.pulls.clear();
    settings_.pushes.at(0).look_back = 24h * 300;
    order("1");
    sync();
    ASSERT_EQ(service_.customers().size(), 1u);
    clock_.now += 24h * 100;
    pull_and_suppress(pull + "keep = \"30d\"\n[suppress]\n" + suppress);
    sql("INSERT INTO orders VALUES ('2', 'person1@example.test', '5', '2027-02-17T12:00:00Z')");
  }
  void list(const std::string& path, const std::string& answer) {
    outside_.on_exchange = [=](const service::Request& request, const auto& send) {
      if (request.url.find(path + "?") == std::string::npos) return send();
      return service::Exchange{
          service::Response{200, {{"content-type", "application/json"}}, answer}};
    };
  }
};

TEST_F(Keep, LetsNobodyBeMailedWhoOptedOutLongerAgo) {
  begin("[pull.customers]\nfrom = 2026-11-01\n", "opted_out = true\n");
  list("/external/api/v3/customer",
       R"({"NextCursor":"","Customers":[{"Id":1,"Email":"person1@example.test","OptedOut":true,)"
       R"("OptedOutDate":"2026-11-12T00:00:00Z","LastActivityDate":"2026-11-12T00:00:00Z",)"
       R"("Data":[{"CustomerDataColumnId":1,"Value":"1"}]}]})");
  sync();
  EXPECT_EQ(service_.customers().size(), 1u) << "who opted out was mailed";
  EXPECT_EQ(state("2"), crm::State::suppressed);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 0) << "it is stored though too old";
}

TEST_F(Keep, LetsNobodyBeMailedWhoseAddressBouncedLongerAgo) {
  begin("[pull.bouncers]\nlook_back = \"3650d\"\n", "bounced = true\n");
  list("/external/api/v3/customer/getbouncers",
       R"({"NextCursor":"","Bouncers":[{"Email":"person1@example.test",)"
       R"("Reason":"hard bounce","DateSent":"2026-11-12T00:00:00Z"}]})");
  sync();
  EXPECT_EQ(service_.customers().size(), 1u) << "an address that bounced for good was mailed";
  EXPECT_EQ(state("2"), crm::State::suppressed);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_bouncer"), 0) << "it is stored though too old";
}

// The history of statuses is pruned when a window of the customers has been read.
TEST_F(Keep, OfTheHistoryRemovesWhatIsOlder) {
  settings_.pushes.at(0).batch.approve_automatically = true;
  order("1");
  sync();
  sync();
  const std::string rows = "SELECT COUNT(*) FROM survey_customer_history";
  ASSERT_EQ(number(rows), 0) << "a new customer has no history";
  sql("INSERT INTO survey_customer_history (customer_id, version, seen_at, stage, bounced,"
      " opted_out) SELECT customer_id, 1, seen_at, stage, 0, 0 FROM survey_invitation");
  sql("UPDATE survey_invitation SET seen_at = NULL");
  sql("INSERT INTO survey_customer_history (customer_id, version, seen_at, stage, bounced,"
      " opted_out) SELECT customer_id, 2, '2026-12-01T00:00:00.000000Z', 'opened', 0, 0"
      " FROM survey_customer_history");
  settings_.report.keep_history = 24h * 400;
  clock_.now += 24h * 100;
  sync();
  EXPECT_EQ(number(rows), 2);
  settings_.report.keep_history = 24h * 30;
  clock_.now += 24h;
  sync();
  EXPECT_EQ(number(rows), 1);
  EXPECT_EQ(number("SELECT MIN(version) FROM survey_customer_history"), 2);
  settings_.report.keep_history = 0ms;
  sync();
  EXPECT_EQ(number(rows), 0) << "off";
}

}  // namespace
