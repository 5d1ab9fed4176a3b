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
  std::vector<std::string> refused;  // addresses of a mail that others get
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
    return service::Response{200, {}, "", 0, box_.refused};
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

  // The job alone, of a daemon whose jobs say this.
  class AlertJobAlone {
   public:
    AlertJobAlone(Alerted& shop, std::vector<daemon::JobState> states) : shop_(shop) {
      world_.open_database = [&shop] {
        return in_process::watched(crm::open_database(shop.connection_), shop.clock_, {});
      };
      world_.open_transport = [&shop] { return in_process::wired(shop.service_, {}); };
      world_.open_messenger = shop.outside_.open_messenger;
      world_.uptime = [&shop] { return shop.clock_.now.time_since_epoch(); };
      world_.owner = daemon::Random(++shop.seed_).id();
      job_.emplace(
          daemon::Shared{shop.settings_, world_, log_, pace_, *credentials_},
          [this, states = std::move(states)] {
            ++looks_;
            return states;
          },
          "crm-host", shop.seed_);
    }
    void run(daemon::Duration length) {
      const auto until = shop_.clock_.now + length;
      for (auto next = shop_.clock_.now; next <= until;
           next = std::max(job_->step(shop_.clock_.now), shop_.clock_.now))
        shop_.clock_.now = next;
      shop_.clock_.now = until;
    }
    int looks() const { return looks_; }

   private:
    Alerted& shop_;
    daemon::Environment world_;
    in_process::KeptLog log_;
    daemon::Pace pace_{shop_.settings_.service.pace,
                       [this] { return shop_.clock_.now.time_since_epoch(); }, 1};
    std::unique_ptr<service::Credentials> credentials_{
        std::get<0>(service::Credentials::make(shop_.settings_.service.auth))};
    int looks_ = 0;
    std::optional<daemon::AlertJob> job_;
  };

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
  const auto database = in_process::watched(crm::open_database(connection_), clock_, {});
  const auto shown = [&] { return daemon::report(settings_, *database, *database).alerts; };
  instance.run_until(clock_.now + 10min);
  ASSERT_EQ(shown().size(), 2u);
  EXPECT_EQ(shown()[0].receiver, "ops");
  EXPECT_TRUE(shown()[0].is_late);
  EXPECT_EQ(shown()[1].receiver, "chat");
  EXPECT_TRUE(shown()[1].told_at);
  boxes_["ops"].dead = false;
  instance.run_until(clock_.now + 15min);
  EXPECT_EQ(told().size(), 1u);
  EXPECT_EQ(told("chat").size(), 1u);
  EXPECT_TRUE(shown().at(0).told_at);
  EXPECT_FALSE(shown()[0].is_late);
  EXPECT_EQ((*job)->status().trouble, "");
}

TEST_F(Alerted, AreToldOnceWhereTheServerRefusesOneOfTheirAddresses) {
  boxes_["ops"].refused = {"550 to address 2 of 2"};
  bad_order("1");
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 1h);
  EXPECT_EQ(told().size(), 1u);
  const std::string why =
      "ops was told in part: smtps://mail.example.test answers 550 to address 2 of 2";
  const auto job = std::ranges::find(instance.jobs(), std::string("alert"),
                                     [](const auto& each) { return each->name(); });
  ASSERT_NE(job, instance.jobs().end());
  EXPECT_EQ((*job)->status().trouble, why);
  EXPECT_EQ((*job)->status().fault, daemon::JobStatus::Fault::configuration);
  EXPECT_TRUE(instance.log().has(why));
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

// Its job says so, though the report cannot be read.
TEST_F(Alerted, AreToldOfAQueryThatIsWrong) {
  order("1");
  run(1min);
  daemon::JobState push{"push.orders", {}};
  push.status.trouble = "database: there is no such column";
  push.status.fault = daemon::JobStatus::Fault::configuration;
  query("SELECT id, email, grade, delivered AS delivered_at FROM orders");
  AlertJobAlone alert(*this, {push});
  alert.run(10min);
  ASSERT_EQ(told().size(), 1u);
  EXPECT_THAT(told()[0], HasSubstr("- push.orders: database: there is no such column\n"));
}

// After a gap nobody knows yet what has gone on meanwhile.
TEST_F(Alerted, AreNotToldTooSoonAfterAGapThatAllIsWell) {
  order("1");
  run(1min);
  daemon::JobState push{"push.other", {}};
  push.status.trouble = "HTTP 401";
  push.status.fault = daemon::JobStatus::Fault::configuration;
  AlertJobAlone here(*this, {}), there(*this, {push});
  for (int minute = 0; minute < 30; ++minute) {
    here.run(1min);
    there.run(1min);
  }
  ASSERT_EQ(told().size(), 1u);
  clock_.now += 1h;  // neither reaches the database
  here.run(5min);
  there.run(5min);
  here.run(30min);
  EXPECT_EQ(told().size(), 2u) << "there is not back for longer";
  EXPECT_THAT(told().back(), HasSubstr("Well again:\n- push.other: HTTP 401"));
}

TEST_F(Alerted, AreNotToldThatAllIsWellOfWhatTheyNoLongerWant) {
  bad_order("1");
  run(10min);
  ASSERT_EQ(told().size(), 1u);
  settings_.alerts[0].kinds = {config::AlertKind::verify};
  run(1h);
  EXPECT_EQ(told().size(), 1u);
}

// A look counts what waits.
TEST_F(Alerted, ArePutToNoLookWhereTheyAreToldOfFollowUpsAlone) {
  order("1");
  run(1min);
  settings_.alerts[0].kinds.emplace();
  AlertJobAlone alert(*this, {});
  alert.run(1h);
  EXPECT_EQ(alert.looks(), 0);
  settings_.alerts[0].daily = 1h;
  alert.run(10min);
  EXPECT_GT(alert.looks(), 0) << "for the summary";
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

TEST_F(Alerted, GetASummaryThoughTheClockHasGoneBack) {
  settings_.alerts[0].kinds = {config::AlertKind::verify};
  settings_.alerts[0].daily = 1h;
  clock_.database_step = std::chrono::hours{24 * 300};
  run(2h);
  clock_.database_step = {};
  run(24h);
  EXPECT_GE(told().size(), 2u);
}

TEST_F(Alerted, GetASummaryOnceADayIfTheyWantOne) {
  settings_.alerts[0].kinds = {config::AlertKind::verify};
  settings_.alerts[0].daily = 1h;
  run(59min);
  EXPECT_EQ(told().size(), 0u);
  run(10min);
  ASSERT_EQ(told().size(), 1u);
  EXPECT_THAT(told()[0], HasSubstr("Nothing of kinds = [verify] needs a person."));
  run(1h);
  EXPECT_EQ(told().size(), 1u);
}

}  // namespace
