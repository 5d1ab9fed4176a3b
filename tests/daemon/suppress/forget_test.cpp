// A forgotten person stays forgotten in every list, also in ratings, although the service still
// lists them.
#include "connectors/crm/erasure/forget.hpp"

#include "connectors/crm/people/people.hpp"
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
};

TEST_F(ForgetRatings, AreErasedByTheLabelTheServiceShowsAndDoNotComeBack) {
  const std::string of_key = " FROM survey_rating_data WHERE display_name = 'Order number'";
  ASSERT_NE(cell("SELECT count(*)" + of_key), "0") << "nobody's review was approved";
  const std::string key = cell("SELECT min(value)" + of_key);
  const std::string theirs = "SELECT count(*)" + of_key + " AND value = '" + key + "'";
  const std::string others = "SELECT count(*)" + of_key + " AND value <> '" + key + "'";
  const std::string before = cell(others);
  EXPECT_EQ(forget("person" + key + "@example.test", {"OrderNumber", ""}).ratings, 1);
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
  crm::People(*crm_).note({{person(address), crm::FactKind::forgotten, "forget", clock_.now}});
  sync();
  EXPECT_EQ(cell(theirs + address + "'"), "0");
  EXPECT_EQ(cell(theirs + other + "'"), "1");
  EXPECT_EQ(cell("SELECT count(*) FROM survey_customer_data WHERE customer_id NOT IN"
                 " (SELECT id FROM survey_customer)"),
            "0");
}

// Their transaction's key still says whose the customer is.
TEST_F(ForgetRatings, LeaveNothingOfACustomerWhoseAddressTheServiceMasks) {
  const std::string address = "person1000@example.test";
  const std::string id = cell("SELECT id FROM survey_customer WHERE email = '" + address + "'");
  forget(address);
  const std::string theirs = "SELECT count(*) FROM survey_customer WHERE id = " + id;
  ASSERT_EQ(cell(theirs), "0");
  for (const std::string masked : {"null", "\"p***@example.test\""}) {
    change_answers([&](const service::Request&, service::Response& response) {
      const std::string whole = "\"" + address + "\"";
      for (auto at = response.body.find(whole); at != std::string::npos;
           at = response.body.find(whole))
        response.body.replace(at, whole.size(), masked);
    });
    sync();
    EXPECT_EQ(cell(theirs), "0") << masked;
  }
  EXPECT_NE(cell("SELECT count(*) FROM survey_customer"), "0");
}

// Other people, whose addresses have a part of the forgotten one.
class ForgetOfNeighbours : public in_process::Shop {
 protected:
  void order_of(const std::string& key, const std::string& address) {
    crm_->execute(
        {"INSERT INTO orders VALUES (:p1, :p2, '5', '2026-11-09T12:00:00Z')", {key, address}});
  }
  void forget(const std::string& address) { Shop::forget(address, {"OrderNumber", ""}); }
};

// ann@mail.co is another person than ann@mail.com, and so is "ann@mail.test" where
// ann@mail.test.example is forgotten.
TEST_F(ForgetOfNeighbours, MailsNobodyAgainWhoseAddressIsTheBeginOfAForgottenOne) {
  order_of("A-ann@mail.co", "ann@mail.co");
  order_of("A-ann@mail.com", "ann@mail.com");
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 2h);
  ASSERT_EQ(service_.customers().size(), 2u);
  forget("ann@mail.com");
  instance.run_until(clock_.now + 24h);
  EXPECT_EQ(service_.customers().size(), 2u) << "ann@mail.co is mailed twice";
  EXPECT_EQ(state("A-ann@mail.co"), crm::State::sent);
}

TEST_F(ForgetOfNeighbours, LeavesTheRecordOfWhoseAddressIsTheBeginOfAForgottenOne) {
  order_of("1", "ann@mail.co");
  order_of("2", "ann@mail.com");
  sync();
  clock_.now += 1h;
  sync();
  ASSERT_EQ(cell("SELECT count(*) FROM survey_customer WHERE email = 'ann@mail.co'"), "1");
  forget("ann@mail.com");
  EXPECT_EQ(cell("SELECT count(*) FROM survey_customer WHERE email = 'ann@mail.co'"), "1");
}

// Rows in doubt of other people: their addresses end with the forgotten one, or it begins with
// theirs.
class DoubtsOfOthers : public ForgetOfNeighbours,
                       public testing::WithParamInterface<const char*> {};

TEST_P(DoubtsOfOthers, AreStillLookedUp) {
  const std::string other = GetParam();
  settings_.pulls.clear();
  order("0");
  sync();
  order_of("7", other);
  order_of("K-" + other, other);
  outside_.on_exchange = in_process::lose_answers;
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 10s);
  ASSERT_EQ(state("K-" + other), crm::State::in_doubt);
  forget("ann@mail.com");
  EXPECT_EQ(cell("SELECT count(*) FROM survey_push WHERE email = '" + other + "'"), "2");
  outside_.on_exchange = {};
  in_process::Instance next(settings_, outside_, ++seed_);
  next.run_until(clock_.now + 48h);
  EXPECT_EQ(state("7"), crm::State::sent);
  EXPECT_EQ(state("K-" + other), crm::State::sent);
  EXPECT_EQ(service_.customers().size(), 3u);
}

// A person sends a row again whose date is older than look_back by now.
TEST_F(ForgetOfNeighbours, LetsAnOldRowWithAnErasedKeyGoWhereAPersonSendsIt) {
  settings_.pulls.clear();
  settings_.pushes.at(0).look_back = 24h * 10;
  order_of("K-bob@mail.com", "bob@mail.com");
  order_of("K-jo-ann@mail.com", "joanna@mail.com");
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    if (request.method != "POST") return send();
    return service::Exchange{service::Failure{service::Failure::Kind::unknown, "lost", 0}};
  };
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 48h);
  ASSERT_EQ(state("K-bob@mail.com"), crm::State::held);
  forget("ann@mail.com");
  clock_.now += 24h * 20;
  crm::Ledger(*crm_).decide("orders", crm::State::pending, {"K-bob@mail.com", "K-jo-ann@mail.com"},
                            "resend");
  outside_.on_exchange = {};
  in_process::Instance next(settings_, outside_, ++seed_);
  next.run_until(clock_.now + 24h);
  EXPECT_EQ(state("K-bob@mail.com"), crm::State::sent);
  EXPECT_EQ(state("K-jo-ann@mail.com"), crm::State::sent);
}

// A person sends the row of somebody again who was forgotten meanwhile.
TEST_F(ForgetOfNeighbours, MailsNobodyWhoIsForgottenAlthoughAPersonSendsTheirRowAgain) {
  settings_.pulls.clear();
  order_of("7", "ann@mail.com");
  order_of("8", "bob@mail.com");
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    if (request.method != "POST") return send();
    return service::Exchange{service::Failure{service::Failure::Kind::unknown, "lost", 0}};
  };
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 48h);
  ASSERT_EQ(state("7"), crm::State::held);
  forget("ann@mail.com");
  outside_.on_exchange = {};
  crm::Ledger(*crm_).decide("orders", crm::State::pending, {"7", "8"}, "goes out again");
  in_process::Instance next(settings_, outside_, ++seed_);
  next.run_until(clock_.now + 24h);
  EXPECT_EQ(state("7"), crm::State::suppressed);
  EXPECT_EQ(state("8"), crm::State::sent);
  EXPECT_EQ(service_.customers().size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Addresses, DoubtsOfOthers,
                         testing::Values("ann@mail.co", "jo-ann@mail.com", "jo.ann@mail.com",
                                         "bob@mail.com"));

}  // namespace
