// What the receivers of [alert] get from whole daemons: restarted, two of them, without a database.
#include "daemon/alert/alert_job.hpp"

#include <map>

#include <gmock/gmock.h>

#include "connectors/crm/daemon_state/verify_store.hpp"
#include "mapping/values/base64.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Box {
  std::vector<std::string> texts;  // of the messages, as people read them
  bool dead = false;
};

class ToBox final : public service::Transport {
 public:
  explicit ToBox(Box& box) : box_(box) {}
  service::Exchange send(const service::Request& request) override {
    if (box_.dead)
      return service::Failure{service::Failure::Kind::not_connected, "cannot reach the server"};
    const std::string& body = request.body;
    box_.texts.push_back(
        request.mail ? mapping::read_base64(body.substr(body.find("\r\n\r\n") + 4)).value() : body);
    return service::Response{200, {}, ""};
  }

 private:
  Box& box_;
};

class Alerted : public in_process::Shop {
 protected:
  Alerted() {
    settings_.pulls.clear();
    config::Receiver ops;
    ops.name = "ops";
    ops.mail = {"ops@example.test"};
    ops.from = "bridge@example.test";
    ops.server = "smtps://mail.example.test";
    settings_.alerts = {ops};
    outside_.open_messenger = [this](const config::Receiver& receiver) {
      return std::make_unique<ToBox>(boxes_[receiver.name]);
    };
  }
  std::vector<std::string>& told(const std::string& receiver = "ops") {
    return boxes_[receiver].texts;
  }
  // A row without a date, which is set aside.
  void bad_order(const std::string& id) {
    order(id);
    sql("UPDATE orders SET delivered_at = NULL WHERE id = '" + id + "'");
  }

  std::map<std::string, Box> boxes_;
};

TEST_F(Alerted, AreToldOnceOfWhatNeedsAPersonAndOnceThatItIsWellAgain) {
  settings_.pushes.at(0).brake = true;
  order("4711");
  run(10min);
  ASSERT_EQ(told().size(), 1u);
  EXPECT_THAT(told()[0], AllOf(HasSubstr("- orders: the brake holds: "),
                               HasSubstr("\n  surveybridge release orders -c test.toml\n"),
                               Not(HasSubstr("4711")), Not(HasSubstr("@"))));
  run(1h);  // started again
  EXPECT_EQ(told().size(), 1u);
  release(1);
  run(1h);
  ASSERT_EQ(told().size(), 2u);
  EXPECT_THAT(told()[1], HasSubstr("Well again:\n- orders: the brake holds: "));
  EXPECT_EQ(mailed(), 1u);
  run(1h);
  EXPECT_EQ(told().size(), 2u);
}

TEST_F(Alerted, AreToldOnceByTwoDaemons) {
  bad_order("1");
  in_process::Instance one(settings_, outside_, 1), two(settings_, outside_, 2);
  for (int minute = 0; minute < 30; ++minute) {
    const auto until = clock_.now + 1min;
    one.run_until(until);
    two.run_until(until);
  }
  EXPECT_EQ(told().size(), 1u);
}

TEST_F(Alerted, AreNotHeldUpByAnotherWhoseServerIsDead) {
  auto chat = settings_.alerts[0];
  chat.name = "chat";
  chat.mail.clear();
  chat.webhook = {config::Secret::From::plain, "https://chat.example.test/hook"};
  settings_.alerts.push_back(chat);
  boxes_["ops"].dead = true;
  bad_order("1");
  order("2");
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 10min);
  EXPECT_EQ(mailed(), 1u);
  ASSERT_EQ(told("chat").size(), 1u);
  EXPECT_THAT(told("chat")[0], HasSubstr("surveybridge quarantine list --groups"));
  const auto job = std::ranges::find(instance.jobs(), std::string("alert"),
                                     [](const auto& each) { return each->name(); });
  ASSERT_NE(job, instance.jobs().end());
  EXPECT_EQ((*job)->status().trouble, "ops could not be told: cannot reach the server");
  EXPECT_TRUE((*job)->status().degraded);
  EXPECT_TRUE(instance.log().has("ops could not be told: cannot reach the server"));
  boxes_["ops"].dead = false;
  instance.run_until(clock_.now + 10min);
  EXPECT_EQ(told().size(), 1u);
  EXPECT_EQ(told("chat").size(), 1u);
  EXPECT_EQ((*job)->status().trouble, "");
}

TEST_F(Alerted, AreToldThatTheDatabaseIsAway) {
  bool away = false;
  outside_.on_moment = [&](const in_process::Moment&) {
    if (away) throw crm::DatabaseError(crm::DatabaseError::Kind::connection, "nobody answers");
  };
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 1min);
  away = true;
  instance.run_until(clock_.now + 4min);
  EXPECT_EQ(told().size(), 0u);
  instance.run_until(clock_.now + 1h);
  ASSERT_EQ(told().size(), 1u);
  EXPECT_THAT(told()[0], HasSubstr("nothing is sent or read: nobody answers"));
  away = false;
  instance.run_until(clock_.now + 1h);
  ASSERT_EQ(told().size(), 2u);
  EXPECT_THAT(told()[1], HasSubstr("Well again:\n- database: it does not answer"));
}

TEST_F(Alerted, GetWhatVerifyFoundAndNothingElseIfTheyWantThat) {
  settings_.alerts[0].kinds = {config::AlertKind::verify};
  bad_order("1");
  run(10min);
  EXPECT_EQ(told().size(), 0u);
  crm::store_verify_result(*crm_, {"orders", clock_.now, 1, 0, 2, ""});
  run(10min);
  ASSERT_EQ(told().size(), 1u);
  EXPECT_THAT(told()[0], HasSubstr("the last verify found 0 transactions not accounted for and 2"));
}

TEST_F(Alerted, GetASummaryOnceADayIfTheyWantOne) {
  settings_.alerts[0].kinds = {config::AlertKind::verify};
  settings_.alerts[0].daily = 1h;
  run(59min);
  EXPECT_EQ(told().size(), 0u);
  run(10min);
  ASSERT_EQ(told().size(), 1u);
  EXPECT_THAT(told()[0], HasSubstr("Nothing needs a person."));
  run(1h);
  EXPECT_EQ(told().size(), 1u);
}

}  // namespace
