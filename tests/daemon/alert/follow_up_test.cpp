// Who is told of an answer ([pull.customers.follow_up.NAME]) by whole daemons: once, whatever
// fails.
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "connectors/crm/erasure/forget.hpp"
#include "connectors/crm/people/people.hpp"
#include "daemon/status/report.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/person.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kFollowUp = R"(
[service]
base_url = "http://127.0.0.1:1"
[service.auth]
kind = "none"
[crm]
connection = "sqlite3:///unused"
[push.orders]
brake = false
query = "SELECT id, email, delivered_at FROM orders"
key = "id"
when = "delivered_at"
start = 2026-11-01
correlate = "OrderNumber"
[push.orders.customer]
Email = "email"
[push.orders.customer.Data]
OrderNumber = "id"
[pull.customers]
from = 2026-11-01
overlap = "3650d"
[pull.customers.follow_up.unhappy]
when = [{ "Answers[1200].SelectedScalePositions[0].Value" = "<= 6" }, { IsContactRequested = true }]
to   = ["crm-team"]
link = "https://crm.example.test/orders/{key}"
[alert.crm-team]
webhook = "https://crm.example.test/hook"
kinds   = []
)";
constexpr const char* kRemark = "a secret remark";  // in one line
constexpr const char* kScore = "Answers[1200].SelectedScalePositions[0].Value";

class FollowedUp : public in_process::Shop {
 protected:
  enum class Sending {
    works,
    is_dead,
    dies_before,
    dies_after,
    loses_the_answer,
    fails,
    says_too_much
  };

  FollowedUp() {
    settings_ = in_process::settings_of(kFollowUp);
    outside_.open_messenger = [this](const config::Receiver&) {
      return std::make_unique<ToTeam>(*this);
    };
    outside_.on_exchange = [this](const service::Request& request, const auto& send) {
      if (request.url.find("/customer?") == std::string::npos) return send();
      json list = earlier_;
      for (const auto& [id, customer] : customers_)
        list.push_back(customer);
      return service::Exchange{
          service::Response{200,
                            {{"content-type", "application/json"}},
                            json{{"Customers", list}, {"NextCursor", nullptr}}.dump()}};
    };
  }

  // The customer of order 4700 + `id` has finished with this score, or has it now.
  void answer(int id, int score, bool contact = false, daemon::Duration ago = {}) {
    json& customer = customers_[id];
    if (customer.is_null()) {
      const json key{{"CustomerDataColumnId", 1},
                     {"Name", "OrderNumber"},
                     {"Value", std::to_string(4700 + id)}};
      customer = {{"Id", id},
                  {"Email", "person" + std::to_string(id) + "@example.test"},
                  {"SurveyFinishedDate", mapping::write_instant(clock_.now - ago)},
                  {"Data", json::array({key})}};
    }
    const std::string at = mapping::write_instant(clock_.now - ago);
    const json position{{"Value", score}},
        remark{{"BaseQuestionId", 1202}, {"Text", "a secret\nremark"}, {"DateAnswered", at}};
    const json grade{{"BaseQuestionId", 1200},
                     {"SelectedScalePositions", json::array({position})},
                     {"DateAnswered", at}};
    customer["LastActivityDate"] = mapping::write_instant(clock_.now);
    customer["IsContactRequested"] = contact;
    customer["Answers"] = json::array({grade, remark});
  }
  // Rows of follow-ups, without those that say since when they are there.
  std::int64_t rows() { return number("SELECT COUNT(*) FROM survey_follow_up WHERE record <> ''"); }

  std::vector<json> told_;
  Sending sending_ = Sending::works;
  std::map<int, json> customers_;
  json earlier_ = json::array();   // what each page lists before them
  std::set<std::string> refused_;  // customers that the receiver never takes
  bool takes_alerts_ = true;

 private:
  class ToTeam final : public service::Transport {
   public:
    explicit ToTeam(FollowedUp& shop) : shop_(shop) {}
    service::Exchange send(const service::Request& request) override {
      using Kind = service::Failure::Kind;
      const Sending sending = std::exchange(
          shop_.sending_, shop_.sending_ == Sending::is_dead ? Sending::is_dead : Sending::works);
      if (sending == Sending::is_dead) return service::Failure{Kind::not_connected, "away"};
      if (sending == Sending::dies_before) throw in_process::Died{};
      const auto body = json::parse(request.body);
      const bool is_refused =
          body.contains("fields")
              ? shop_.refused_.contains(body["fields"]["Customer"].get<std::string>())
              : !shop_.takes_alerts_;
      if (is_refused) return service::Response{400, {}, ""};
      shop_.told_.push_back(body);
      if (sending == Sending::dies_after) throw in_process::Died{};
      if (sending == Sending::loses_the_answer) return service::Failure{Kind::unknown, "cut"};
      if (sending == Sending::fails) return service::Response{504, {}, ""};
      if (sending == Sending::says_too_much) return service::Failure{Kind::too_large, "", 200};
      return service::Response{200, {}, ""};
    }

   private:
    FollowedUp& shop_;
  };
};

TEST_F(FollowedUp, IsAnAnswerOnceWithinOnePull) {
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 1min);
  answer(1, 3);
  answer(2, 9);
  instance.run_until(clock_.now + 7min);
  ASSERT_EQ(told_.size(), 1u);
  const json fields{{"Customer", "1"},
                    {"Transaction", "4701"},
                    {kScore, "3"},
                    {"Link", "https://crm.example.test/orders/4701"}};
  EXPECT_EQ(told_[0]["fields"], fields);
  EXPECT_EQ(told_[0]["again"], false);
  EXPECT_THAT(told_[0]["title"].get<std::string>(), HasSubstr("unhappy: Customer 1"));
  answer(1, 2);  // changed, and read again with each page
  answer(2, 9, true);
  instance.run_until(clock_.now + 1h);
  ASSERT_EQ(told_.size(), 2u);
  EXPECT_EQ(told_[1]["fields"]["Customer"], "2");
  for (const auto& line : instance.log().lines())
    for (const char* private_word : {"@", "4701", "secret"})
      EXPECT_THAT(line, Not(HasSubstr(private_word)));
  run(1h);  // started again
  EXPECT_EQ(told_.size(), 2u);
}

TEST_F(FollowedUp, ShowsWhatTheReceiverMaySee) {
  settings_.pulls.at(0).follow_ups.at(0).fields = {
      {"Score", kScore, {}}, {"Remark", "Answers[1202].Text", {}}, {"Phone", "Data[Phone]", {}}};
  run(1min);
  answer(1, 3);
  run(10min);
  ASSERT_EQ(told_.size(), 1u);
  const json fields{{"Customer", "1"},
                    {"Transaction", "4701"},
                    {"Score", "3"},
                    {"Remark", kRemark},
                    {"Link", "https://crm.example.test/orders/4701"}};
  EXPECT_EQ(told_[0]["fields"], fields);
}

TEST_F(FollowedUp, IsAnAnswerOnceByTwoDaemons) {
  in_process::Instance one(settings_, outside_, 1), two(settings_, outside_, 2);
  for (int minute = 0; minute < 40; ++minute) {
    const auto until = clock_.now + 1min;
    if (minute % 10 == 1) answer(minute, 1);
    one.run_until(until);
    two.run_until(until);
  }
  EXPECT_EQ(told_.size(), 4u);
}

TEST_F(FollowedUp, IsNoAnswerThatWasGivenBeforeOrLongAgo) {
  for (int id = 1; id <= 50; ++id)
    answer(id, 1, true, 1h);
  run(1h);
  EXPECT_EQ(told_.size(), 0u) << "the first pull";
  clock_.now += 24h * 8;  // the daemon is away
  answer(51, 1, false, 24h * 7 + 1h);
  answer(52, 1, false, 24h * 6);
  run(1h);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(told_[0]["fields"]["Customer"], "52");
}

TEST_F(FollowedUp, IsAnAnswerThoughTheDaemonDiesBehindItsPage) {
  run(1min);
  answer(1, 3);
  outside_.on_moment = [this](const in_process::Moment& moment) {
    using in_process::Moment;
    const bool is_commit =
        moment.what == Moment::What::commit && moment.side == Moment::Side::after;
    if (is_commit && rows() > 0) throw in_process::Died{};
  };
  EXPECT_THROW(run(10min), in_process::Died);
  EXPECT_EQ(told_.size(), 0u);
  outside_.on_moment = {};
  run(1h);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(told_[0]["again"], false);
}

TEST_F(FollowedUp, SaysWhatMayHaveBeenToldBefore) {
  run(1min);
  answer(1, 3);
  sending_ = Sending::dies_before;
  EXPECT_THROW(run(10min), in_process::Died);
  run(1h);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(told_[0]["again"], true);
  for (const auto sending : {Sending::dies_after, Sending::loses_the_answer, Sending::fails}) {
    told_.clear();
    answer(10 + static_cast<int>(sending), 3);
    sending_ = sending;
    if (sending == Sending::dies_after) {
      EXPECT_THROW(run(10min), in_process::Died);
    }
    run(1h);
    ASSERT_EQ(told_.size(), 2u);
    EXPECT_EQ(told_[0]["again"], false);
    EXPECT_EQ(told_[1]["again"], true);
    EXPECT_EQ(told_[0]["id"], told_[1]["id"]);
  }
}

TEST_F(FollowedUp, WaitsForADeadReceiverAndIsForgotten) {
  run(1min);
  sending_ = Sending::is_dead;
  answer(1, 3);
  answer(2, 3);
  run(10min);
  ASSERT_EQ(rows(), 2);
  const auto database = in_process::watched(crm::open_database(connection_), clock_, {});
  const auto waiting = [&] { return daemon::report(settings_, *database, *database).follow_ups; };
  ASSERT_EQ(waiting().size(), 1u);
  EXPECT_EQ(waiting()[0].list + "." + waiting()[0].name, "customers.unhappy");
  EXPECT_EQ(waiting()[0].messages, 2);
  EXPECT_LE(clock_.now - waiting()[0].since.value(), 10min);
  EXPECT_GT(clock_.now - waiting()[0].since.value(), 1min);
  settings_.pulls.at(0).follow_ups.at(0).to = {"somebody-else"};
  EXPECT_TRUE(waiting().empty()) << "nobody sends these";
  settings_.pulls.at(0).follow_ups.at(0).to = {"crm-team"};
  const std::string address = "person1@example.test";
  const auto person =
      mapping::person_of(crm::People(*crm_).hash_key("the key is there already"), address);
  const auto found = crm::find_person(*crm_, *crm_, person, address, {"OrderNumber"});
  const auto table = std::ranges::find(found.store, "survey_follow_up", &crm::FoundTable::table);
  ASSERT_NE(table, found.store.end());
  EXPECT_EQ(table->rows.size(), 1u);
  crm::forget(*crm_, *crm_, person, address, {"OrderNumber"});
  EXPECT_EQ(rows(), 1);
  sending_ = Sending::works;
  run(1h);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_TRUE(waiting().empty());
  EXPECT_EQ(told_[0]["fields"]["Customer"], "2");
  EXPECT_EQ(told_[0]["again"], false);
}

// One that was pushed with the customer, or copied from an earlier survey, has no date.
TEST_F(FollowedUp, IsNoAnswerThatNobodyHasGivenYet) {
  settings_.pulls.at(0).follow_ups.at(0).fields = {{"Remark", "Answers[1202].Text", {}}};
  run(1min);
  answer(1, 2);
  for (auto& copied : customers_[1]["Answers"])
    copied["DateAnswered"] = nullptr;
  const json all_copied = customers_[1]["Answers"];
  customers_[1].erase("SurveyFinishedDate");
  run(10min);
  EXPECT_EQ(told_.size(), 0u);
  answer(1, 0);  // not finished
  customers_[1]["Answers"] = json::array({customers_[1]["Answers"][0], all_copied[1]});
  run(10min);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(told_[0]["fields"][kScore], "0");
  EXPECT_FALSE(told_[0]["fields"].contains("Remark"));
}

TEST_F(FollowedUp, IsGivenUpInWords) {
  settings_.pulls.at(0).follow_ups.at(0).within = 2h;
  run(1min);
  sending_ = Sending::is_dead;
  answer(1, 3);
  answer(2, 3);
  const auto words = [](in_process::Instance& instance) {
    return std::ranges::count_if(instance.log().lines(), [](const std::string& line) {
      return line.find(
                 "pull.customers.follow_up.unhappy: 2 records could not be told of within 2 "
                 "h and are given up") != std::string::npos;
    });
  };
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 1h);
  EXPECT_EQ(words(instance), 0);
  instance.run_until(clock_.now + 5h);
  EXPECT_EQ(words(instance), 1);
  in_process::Instance next(settings_, outside_, ++seed_);
  next.run_until(clock_.now + 1h);
  EXPECT_EQ(words(next), 0) << "it was told before";
  const auto database = in_process::watched(crm::open_database(connection_), clock_, {});
  const auto shown = daemon::report(settings_, *database, *database).follow_ups;
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(shown[0].messages, 0);
  EXPECT_EQ(shown[0].given_up, 2);
}

TEST_F(FollowedUp, IsToldWhereOnlyTheNumberOfTheAnswerCanBeRead) {
  run(1min);
  answer(1, 3);
  sending_ = Sending::says_too_much;
  run(1h);
  EXPECT_EQ(told_.size(), 1u);
}

TEST_F(FollowedUp, HoldsUpNothingElseWhereItIsRefusedForGood) {
  settings_.alerts.at(0).daily = 0min;
  run(1min);
  refused_ = {"1"};
  for (int id = 1; id <= 3; ++id)
    answer(id, 3);
  run(25h);
  const auto of = [&](const std::string& id) {
    return std::ranges::count_if(told_, [&](const json& told) {
      return told.contains("fields") && told["fields"]["Customer"] == id;
    });
  };
  EXPECT_EQ(of("2"), 1);
  EXPECT_EQ(of("3"), 1);
  EXPECT_EQ(told_.size(), 3u) << "and a summary";
  refused_.clear();
  run(1h);
  EXPECT_EQ(of("1"), 1);
}

TEST_F(FollowedUp, IsNotHeldUpByManyThatAreRefusedForGood) {
  run(1min);
  constexpr int kMany = crm::FollowUpStore::kWaiting + 5;
  for (int id = 1; id <= kMany; ++id) {
    refused_.insert(std::to_string(id));
    answer(id, 3);
  }
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 6h);
  EXPECT_EQ(told_.size(), 0u);
  answer(kMany + 1, 3);
  answer(kMany + 2, 3);
  instance.run_until(clock_.now + 15min);
  EXPECT_EQ(told_.size(), 2u);
  refused_.clear();
  instance.run_until(clock_.now + 3h);
  EXPECT_EQ(told_.size(), kMany + 2u) << "each is tried again";
}

TEST_F(FollowedUp, IsNotHeldUpInSyncByOneThatIsRefused) {
  sync();
  clock_.now += 1min;
  refused_ = {"1", "3"};
  for (int id = 1; id <= 4; ++id)
    answer(id, 3);
  sync();
  EXPECT_EQ(told_.size(), 2u);
  refused_.clear();
  sync();
  EXPECT_EQ(told_.size(), 4u);
}

TEST_F(FollowedUp, IsNotHeldUpByAnAlertThatIsRefusedForGood) {
  settings_.alerts.at(0).kinds.reset();
  takes_alerts_ = false;
  order("9");
  sql("UPDATE orders SET delivered_at = NULL WHERE id = '9'");  // set aside
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 10min);
  answer(1, 3);
  answer(2, 3);
  instance.run_until(clock_.now + 30min);
  EXPECT_EQ(told_.size(), 2u);
  takes_alerts_ = true;
  refused_ = {"3"};
  answer(3, 3);
  instance.run_until(clock_.now + 30min);
  const auto is_alert = [](const json& told) { return !told.contains("fields"); };
  EXPECT_TRUE(std::ranges::any_of(told_, is_alert)) << "nor does an answer hold up an alert";
}

TEST_F(FollowedUp, IsWhatAPageShowsLast) {
  run(1min);
  for (int id = 1; id <= 2; ++id) {
    answer(id, 3);
    earlier_.push_back(customers_[id]);
  }
  answer(1, 2);
  answer(2, 9);
  run(10min);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(told_[0]["fields"][kScore], "2");
}

TEST_F(FollowedUp, IsNoAnswerAgainThatKeepHadRemoved) {
  settings_.pulls.at(0).keep = 24h;
  run(1min);
  answer(1, 3);
  answer(2, 3);
  customers_[2].erase("SurveyFinishedDate");  // given in part
  run(10min);
  EXPECT_EQ(told_.size(), 2u);
  clock_.now += 48h;
  run(1h);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 0);
  answer(1, 2);  // the last activity is now
  answer(2, 2);
  run(1h);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 2);
  EXPECT_EQ(told_.size(), 2u);
}

TEST_F(FollowedUp, IsAnAnswerThatSyncReads) {
  sync();
  clock_.now += 1min;
  answer(1, 3);
  sync();
  EXPECT_EQ(told_.size(), 1u);
  sync();
  EXPECT_EQ(told_.size(), 1u);
}

}  // namespace
