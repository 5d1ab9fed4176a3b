// A forgotten person stays forgotten in every list, also in ratings, although the service still
// lists them.
#include "connectors/crm/erasure/forget.hpp"

#include "connectors/crm/people/people.hpp"
#include "mapping/values/person.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

class ForgetRatings : public in_process::Shop {
 protected:
  ForgetRatings() : Shop(lively()) {
    settings_.pushes.at(0).batch.approve_automatically = true;
    for (auto& pull : settings_.pulls)
      pull.overlap = 24h * 3650;  // everything is read again each time
    for (int i = 0; i < 80; ++i)
      order(std::to_string(1000 + i));
    sync();
    clock_.now += 24h * 60;
    sync();
  }
  static sandbox::Options lively() {
    sandbox::Options options = still();
    options.lives_speed = 1;
    return options;
  }
  std::string cell(const std::string& sql) {
    const auto found = crm_->query({sql, {}});
    const auto& value = found.rows.at(0).at(0);
    const auto* number = std::get_if<std::int64_t>(&value);
    return number != nullptr ? std::to_string(*number) : std::get<std::string>(value);
  }
};

TEST_F(ForgetRatings, AreErasedByTheLabelTheServiceShowsAndDoNotComeBack) {
  const std::string of_key = " FROM survey_rating_data WHERE display_name = 'Order number'";
  ASSERT_NE(cell("SELECT count(*)" + of_key), "0") << "nobody's review was approved";
  const std::string key = cell("SELECT min(value)" + of_key);
  const std::string theirs = "SELECT count(*)" + of_key + " AND value = '" + key + "'";
  const std::string others = "SELECT count(*)" + of_key + " AND value <> '" + key + "'";
  const std::string before = cell(others);
  const std::string address = "person" + key + "@example.test";
  const auto person =
      mapping::person_of(crm::People(*crm_).hash_key("the key is there already"), address);
  EXPECT_EQ(crm::forget(*crm_, *crm_, person, address, {"OrderNumber", ""}).ratings, 1);
  EXPECT_EQ(cell(theirs), "0");
  sync();
  EXPECT_EQ(cell(theirs), "0") << "pulled back";
  EXPECT_EQ(cell(others), before) << "somebody else's was lost";
}

// A page that was fetched before the person was forgotten and stored afterwards.
TEST_F(ForgetRatings, LeaveNothingOfAPageThatWasOnItsWay) {
  const std::string theirs = "SELECT count(*) FROM survey_customer WHERE email = '";
  const std::string address = "person1000@example.test", other = "person1001@example.test";
  ASSERT_EQ(cell(theirs + address + "'"), "1");
  const auto person =
      mapping::person_of(crm::People(*crm_).hash_key("the key is there already"), address);
  crm::People(*crm_).note({{person, crm::FactKind::forgotten, "forget", clock_.now}});
  sync();
  EXPECT_EQ(cell(theirs + address + "'"), "0");
  EXPECT_EQ(cell(theirs + other + "'"), "1");
  EXPECT_EQ(cell("SELECT count(*) FROM survey_customer_data WHERE customer_id NOT IN"
                 " (SELECT id FROM survey_customer)"),
            "0");
}

}  // namespace
