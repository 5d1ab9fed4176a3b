// A read-back while database statements fail.
#include <algorithm>
#include <set>

#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

class ReadBack : public in_process::Shop {
 protected:
  ReadBack() {
    settings_.pulls.clear();
    settings_.pushes.at(0).doubt = config::Push::Doubt::resend;
    settings_.pushes.at(0).settle = 10min;
    outside_.on_exchange = [this](const service::Request& request, const auto& send) {
      if (request.method != "POST" || !lost_) return send();
      return service::Exchange{service::Failure{service::Failure::Kind::unknown, "lost", 0}};
    };
    outside_.on_moment = [this](const in_process::Moment& moment) {
      const bool query = moment.what == in_process::Moment::What::query &&
                         moment.side == in_process::Moment::Side::before;
      if (query && --until_failure_ == 0)
        throw crm::DatabaseError(crm::DatabaseError::Kind::busy, "busy");
    };
    order("900");
    sync();
  }
  // An order that did not arrive, and whose outcome is unknown.
  void lose(const std::string& id) {
    clock_.now += 20min;
    order(id);
    lost_ = true;
    sync();
    lost_ = false;
    ASSERT_EQ(state(id), State::in_doubt);
    clock_.now += 20min;
  }
  // Reads back while statement number `failing` fails. False: there are fewer statements.
  bool read_back(int failing) {
    in_process::Instance instance(settings_, outside_, ++seed_);
    auto& job = **std::ranges::find_if(
        instance.jobs(), [](const auto& guard) { return guard->name() == "reconcile.orders"; });
    until_failure_ = failing;
    // A daemon that has just started waits for `settle`. Two rounds behind it: where the query that
    // settles the first one fails, all of it is asked again.
    for (const daemon::TimePoint end = clock_.now + 25min; clock_.now < end;)
      clock_.now = std::max(clock_.now, job.step(clock_.now));
    return std::exchange(until_failure_, 0) <= 0;
  }

  bool lost_ = false;
  int until_failure_ = 0;
};

TEST_F(ReadBack, HoldsNobodyWhoMayGoAgainWhicheverQueryFails) {
  bool failed = true;
  for (int failing = 1; failed; ++failing) {
    const std::string id = std::to_string(failing);
    lose(id);
    failed = read_back(failing);
    ASSERT_EQ(state(id), State::pending)
        << "query " << failing << ": " << crm::Ledger(*crm_).find("orders", id)->reason;
    sync();
  }
}

// The service may still work on what it got during an outage that this daemon has not seen.
TEST_F(ReadBack, BelievesNoAbsenceUntilADaemonHasHeardFromTheServiceForSettle) {
  lose("1");  // 20 minutes ago
  in_process::Instance instance(settings_, outside_, ++seed_);
  const auto begun = clock_.now;
  instance.run_until(begun + 9min);
  EXPECT_EQ(state("1"), State::in_doubt);
  instance.run_until(begun + 25min);
  EXPECT_EQ(state("1"), State::sent);
}

struct Unanswered {
  const char* name;
  int status;
  const char* body = "";
};

// The service answers so to each search that would show one customer.
class OneUnanswered : public ReadBack, public testing::WithParamInterface<Unanswered> {
 protected:
  OneUnanswered() {
    clock_.now += 20min;
    order("901");
    order("902");
    outside_.on_exchange = in_process::lose_answers;
    in_process::Instance instance(settings_, outside_, ++seed_);
    instance.run_until(clock_.now + 10s);
    change_answers([](const service::Request&, service::Response& response) {
      if (response.body.find("\"person901@example.test\"") != std::string::npos)
        response = {GetParam().status, {{"content-type", "application/json"}}, GetParam().body};
    });
    clock_.now += 20min;
  }
};

TEST_P(OneUnanswered, DoesNotKeepTheOthersInDoubt) {
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 2h);
  EXPECT_EQ(state("902"), State::sent);
  EXPECT_EQ(state("901"), State::in_doubt) << "its absence is not proved";
  EXPECT_TRUE(instance.log().has("the service does not answer a search for"));
  EXPECT_FALSE(instance.log().has("works again"));
}

TEST_P(OneUnanswered, IsHeldAfterADayAndSaidNoLonger) {
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 48h);
  EXPECT_EQ(state("901"), State::held);
  for (auto& job : instance.jobs()) {
    if (job->name() == "reconcile.orders") {
      EXPECT_EQ(job->status().trouble, "");
    }
  }
  EXPECT_EQ(service_.customers().size(), 3u);
}

TEST_P(OneUnanswered, IsSettledWhereTheServiceAnswersAgain) {
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 2h);
  in_process::Outside well = outside_;
  well.on_exchange = {};
  in_process::Instance other(settings_, well, ++seed_);
  other.run_until(clock_.now + 1h);
  EXPECT_EQ(state("901"), State::sent);
}

INSTANTIATE_TEST_SUITE_P(By, OneUnanswered,
                         testing::Values(Unanswered{"Broken", 500}, Unanswered{"Forbidden", 403},
                                         Unanswered{"Rejected", 400}, Unanswered{"Misplaced", 404},
                                         Unanswered{"Unreached", 504},
                                         Unanswered{"CutOff", 200, R"({"Customers":[{"Id":)"}),
                         [](const auto& test) { return std::string(test.param.name); });

// The record that cannot be listed is the one that the control search asks for, too.
TEST_F(ReadBack, FindsARowAloneWhereNeitherItsSearchNorTheControlIsAnswered) {
  clock_.now += 20min;
  order("901");
  outside_.on_exchange = in_process::lose_answers;
  in_process::Instance(settings_, outside_, ++seed_).run_until(clock_.now + 10s);
  ASSERT_EQ(state("901"), State::in_doubt);
  change_answers([](const service::Request& request, service::Response& response) {
    const bool alone = request.url.find("DataFilters") != std::string::npos &&
                       response.body.find("\"person901@example.test\"") != std::string::npos;
    if (in_process::is_walk(request)) response = in_process::no_customers();
    if (in_process::is_search(request) && !alone) response = {400, {}, ""};
  });
  clock_.now += 20min;
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 2h);
  EXPECT_EQ(state("901"), State::sent);
}

// A copy of the shop for tests has the same keys.
TEST_F(ReadBack, EndsNoDoubtByACustomerOfATest) {
  clock_.now += 20min;
  order("901");
  outside_.on_exchange = in_process::lose_answers;
  in_process::Instance(settings_, outside_, ++seed_).run_until(clock_.now + 10s);
  ASSERT_EQ(state("901"), State::in_doubt);
  change_answers([](const service::Request&, service::Response& response) {
    const std::string no = "\"IsTest\":false";
    for (auto at = response.body.find(no); at != std::string::npos; at = response.body.find(no))
      response.body.replace(at, no.size(), "\"IsTest\":true");
  });
  clock_.now += 20min;
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 2h);
  EXPECT_EQ(state("901"), State::held);
}

TEST_F(ReadBack, LooksForThreeRowsAloneWhereNoSearchIsAnswered) {
  clock_.now += 20min;
  for (int i = 1; i <= 9; ++i)
    order(std::to_string(900 + i));
  outside_.on_exchange = in_process::lose_answers;
  in_process::Instance(settings_, outside_, ++seed_).run_until(clock_.now + 10s);
  std::set<std::string> alone;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (in_process::is_walk(request)) return service::Exchange{in_process::no_customers()};
    if (!in_process::is_search(request)) return send();
    const auto at = request.url.find("DataFilters");
    if (at != std::string::npos) alone.insert(request.url.substr(at));
    return service::Exchange{service::Response{400, {}, ""}};
  };
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 30h);
  EXPECT_EQ(state("909"), State::held);
  EXPECT_LE(alone.size(), 4u) << "three and the control";
}

// No search is answered for longer than a day.
TEST_F(ReadBack, HoldsNobodyForAPlainOutage) {
  clock_.now += 20min;
  order("901");
  order("902");
  outside_.on_exchange = in_process::lose_answers;
  in_process::Instance(settings_, outside_, ++seed_).run_until(clock_.now + 10s);
  ASSERT_EQ(state("901"), State::in_doubt);
  bool away = true;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    const bool lists = request.url.find("/customer?") != std::string::npos;
    return away && lists ? service::Exchange{service::Response{504, {}, ""}} : send();
  };
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 30h);
  EXPECT_EQ(state("901"), State::in_doubt);
  EXPECT_EQ(state("902"), State::in_doubt);
  away = false;
  instance.run_until(clock_.now + 1h);
  EXPECT_EQ(state("901"), State::sent);
  EXPECT_EQ(state("902"), State::sent);
}

// Two daemons look up the same row at the same time.
TEST_F(ReadBack, SaysNothingOfARowThatAnotherInstanceHasSettled) {
  for (const bool other : {true, false}) {
    const std::string key = other ? "1" : "2";
    clock_.now += 20min;
    order(key);
    outside_.on_exchange = in_process::lose_answers;
    in_process::Instance first(settings_, outside_, ++seed_);
    first.run_until(clock_.now + 10s);
    ASSERT_EQ(state(key), State::in_doubt);
    outside_.on_exchange = [&](const service::Request& request, const auto& send) {
      if (in_process::is_walk(request)) return service::Exchange{in_process::no_customers()};
      if (other && request.url.find("EmailAddresses") != std::string::npos)
        crm::Ledger(*crm_).resolve("orders", {{key, State::sent, "found by another"}});
      return send();
    };
    in_process::Instance second(settings_, outside_, ++seed_);
    second.run_until(clock_.now + 5min);
    EXPECT_EQ(state(key), State::sent);
    EXPECT_EQ(second.log().has("1 row in doubt had arrived"), !other);
  }
}

// The service has the row; its searches stop working after the control search has been made.
TEST_F(ReadBack, BelievesNoSearchesThatFailAfterTheControlSearch) {
  clock_.now += 20min;
  order("1");
  int searches = 0, blind_from = 1'000'000;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.method == "POST") return in_process::lose_answers(request, send);
    if (!in_process::is_search(request) || ++searches < blind_from) return send();
    return service::Exchange{
        service::Response{200, {{"content-type", "application/json"}}, R"({"Customers":[]})"}};
  };
  settings_.pushes.at(0).settle = 10min;
  blind_from = 1;
  sync();
  ASSERT_EQ(state("1"), State::in_doubt);
  clock_.now += 20min;
  searches = 0;
  blind_from = 2;  // behind the control search
  read_back(1'000'000);
  EXPECT_GT(searches, 3);
  EXPECT_EQ(state("1"), State::in_doubt);
}

TEST_F(ReadBack, HoldsARowWhoseSearchIsAnsweredWithoutAListThreeTimes) {
  lose("1");
  int asked = 0;
  outside_.on_exchange = [&asked](const service::Request& request, const auto& send) {
    if (request.url.find("EmailAddresses") == std::string::npos) return send();
    ++asked;
    return service::Exchange{service::Response{204, {}, ""}};
  };
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 1h);
  EXPECT_EQ(state("1"), State::held);
  EXPECT_EQ(asked % 3, 0) << asked;
}

class Undone : public ReadBack {
 protected:
  Undone() {
    auto& push = settings_.pushes.at(0);
    push.doubt = config::Push::Doubt::hold;
    push.look_back = 24h * 30;
    auto dated = push.customer.rules.at(0);
    dated.field = "TransactionDate";
    dated.source.column = "delivered_at";
    push.customer.rules.push_back(dated);
  }
  // A person takes back `doubt sent` days later: neither address nor date of the row is known.
  void undo(const std::string& key) {
    crm::Ledger ledger(*crm_);
    ASSERT_EQ(ledger.decide("orders", State::sent, {key}, std::string(crm::kMarkedSent) + "jo"), 1);
    clock_.now += 24h * 5;
    ASSERT_EQ(ledger.undo_sent("orders", {key}, "jo was wrong"), 1);
  }
};

TEST_F(Undone, IsSentWhereTheServiceHasIt) {
  clock_.now += 20min;
  order("1");
  sql("UPDATE orders SET delivered_at = '2026-11-02T12:00:00Z' WHERE id = '1'");
  outside_.on_exchange = in_process::lose_answers;
  in_process::Instance(settings_, outside_, ++seed_).run_until(clock_.now + 10s);
  outside_.on_exchange = {};
  undo("1");
  sync();
  EXPECT_EQ(state("1"), State::sent) << crm::Ledger(*crm_).find("orders", "1")->reason;
}

TEST_F(Undone, GoesOutAgainWithResendWhereTheServiceDoesNotHaveIt) {
  settings_.pushes.at(0).doubt = config::Push::Doubt::resend;
  lose("1");
  undo("1");
  sync();
  ASSERT_EQ(state("1"), State::pending);
  sync();
  EXPECT_EQ(state("1"), State::sent) << crm::Ledger(*crm_).find("orders", "1")->reason;
}

TEST_F(Undone, IsHeldAtOnceWhereTheServiceDoesNotHaveIt) {
  lose("1");
  undo("1");
  sync();
  EXPECT_EQ(state("1"), State::held) << crm::Ledger(*crm_).find("orders", "1")->reason;
}

}  // namespace
