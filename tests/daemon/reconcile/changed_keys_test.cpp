// A service that stores the keys of transactions in another form: in capitals, or cut to ten bytes.
// An answer is lost, and the customer is there under a key that no transaction has.
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;
using DataValues = sandbox::Options::DataValues;

struct Form {
  const char* name;
  DataValues values;
  const char* known;  // stored as it came
  const char* lost;   // stored in another form
  const char* other;  // of another person, likewise
};

class ChangedKeys : public in_process::Shop, public testing::WithParamInterface<Form> {
 protected:
  static sandbox::Options storing(DataValues values) {
    auto options = still();
    options.data_values = values;
    return options;
  }
  ChangedKeys() : Shop(storing(GetParam().values)) {
    settings_.pulls.clear();
    settings_.pushes.at(0).doubt = config::Push::Doubt::resend;
    settings_.pushes.at(0).settle = 10min;
    order(GetParam().known);
    sync();
  }
  void lose_answer_of(const std::string& key) {
    clock_.now += 20min;
    order(key);
    outside_.on_exchange = in_process::lose_answers;
    sync();
    outside_.on_exchange = {};
    ASSERT_EQ(state(key), State::in_doubt);
    ASSERT_EQ(service_.customers().size(), 2u);
  }
};

TEST_P(ChangedKeys, HoldARowWhoseCustomerIsListedUnderOne) {
  const std::string key = GetParam().lost;
  lose_answer_of(key);
  run(2h);
  EXPECT_EQ(state(key), State::held);
  EXPECT_NE(reason(key).find("under a key that no transaction has: customer "), std::string::npos)
      << reason(key);
  EXPECT_EQ(service_.customers().size(), 2u);
}

// The service hides the address, so that nothing is like the row; no key of its form is known.
TEST_P(ChangedKeys, ProveNoAbsenceWhereTheServiceHidesTheAddress) {
  const std::string key = GetParam().lost;
  lose_answer_of(key);
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    if (request.url.find("EmailAddresses") == std::string::npos) return send();
    return service::Exchange{in_process::no_customers()};
  };
  run(23h);
  EXPECT_EQ(state(key), State::in_doubt);
  run(2h);
  EXPECT_EQ(state(key), State::held);
  EXPECT_NE(reason(key).find("no key of its form"), std::string::npos) << reason(key);
  EXPECT_EQ(service_.customers().size(), 2u);
}

// A backup of the ledger from before two of its transactions comes back.
TEST_P(ChangedKeys, DoubtRowsThatARestoredLedgerDoesNotKnow) {
  clock_.now += 20min;
  for (const std::string key : {GetParam().lost, GetParam().other})
    order(key);
  sync();
  ASSERT_EQ(service_.customers().size(), 3u);
  for (const char* table : {"survey_push", "survey_push_event"})
    sql(std::string("DELETE FROM ") + table + " WHERE key <> '" + GetParam().known + "'");
  sql("DELETE FROM survey_batch WHERE id NOT IN (SELECT batch FROM survey_push)");
  sql("DELETE FROM survey_cursor");
  run(2h);
  EXPECT_EQ(service_.customers().size(), 3u);
  EXPECT_EQ(state(GetParam().lost), State::held) << reason(GetParam().lost);
  EXPECT_EQ(state(GetParam().other), State::held);
}

INSTANTIATE_TEST_SUITE_P(Forms, ChangedKeys,
                         testing::Values(Form{"Upper", DataValues::upper, "A000", "b001", "c002"},
                                         Form{"Cut", DataValues::cut, "A-00", "order-2026-000001",
                                              "2026-Order-000002"}),
                         [](const auto& form) { return std::string(form.param.name); });

}  // namespace
