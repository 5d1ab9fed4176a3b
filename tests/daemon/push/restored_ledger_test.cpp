// A ledger that is older than the service: nobody whom the service already has is mailed again,
// however the ledger was lost, and whenever that is noticed.
#include "tests/daemon/push/restored.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;
using in_process::Restored;
using testing::HasSubstr;

TEST_F(Restored, SendsNobodyAgainAndAsksAPerson) {
  order("1");
  sync();
  save();
  clock_.now += 24h;
  order("2");
  order("3");
  sync();
  ASSERT_EQ(mailed(), 3u);
  clock_.now += 1h;
  restore();
  order("4");
  sync();
  EXPECT_EQ(mailed(), 3u);
  EXPECT_NE(reason_of_brake().find("the service lists 2 transactions"), std::string::npos)
      << reason_of_brake();
  release(10);
  clock_.now += 1h;
  sync();
  EXPECT_EQ(mailed(), 4u);
  for (const char* key : {"1", "2", "3", "4"})
    EXPECT_EQ(state(key), State::sent) << key;
}

TEST_F(Restored, IsMadeWholeThoughTheLedgerIsLost) {
  order("1");
  order("2");
  sync();
  clock_.now += 1h;
  sql("DELETE FROM survey_push");
  sync();
  EXPECT_NE(reason_of_brake().find("the service lists 2 transactions"), std::string::npos);
  sync();
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(state("1"), State::sent);
  EXPECT_EQ(state("2"), State::sent);
}

TEST_F(Restored, IsFoundWhileTheDaemonRuns) {
  settings_.pushes.at(0).batch.size = 1;
  in_process::Instance instance(settings_, outside_, 7, true);
  const auto run = [&] {
    for (int i = 0; i < 200; ++i) {
      in_process::TimePoint next = daemon::kNever;
      for (auto& job : instance.jobs())
        next = std::min(next, job->step(clock_.now));
      clock_.now += 1s;
    }
  };
  order("1");
  run();
  save();
  clock_.now += 24h;
  order("2");
  run();
  ASSERT_EQ(mailed(), 2u);
  restore();
  order("3");
  run();
  EXPECT_EQ(mailed(), 2u);
  EXPECT_NE(state("2"), State::pending);
}

// Somebody deletes rows of the ledger alone, or restores its table in part.
TEST_F(Restored, IsFoundWhereRowsAreLostUnderADaemonThatSentThem) {
  for (int i = 0; i < 10; ++i)
    order("a" + std::to_string(i));
  in_process::Instance instance(settings_, outside_, 7);
  instance.run_until(clock_.now + 10min);
  ASSERT_EQ(mailed(), 10u);
  sql("DELETE FROM survey_push WHERE key < 'a5'");
  order("b");
  instance.run_until(clock_.now + 2h);
  EXPECT_EQ(mailed(), 11u);
  EXPECT_EQ(state("a0"), State::sent);
  EXPECT_EQ(state("b"), State::sent);
}

TEST_F(Restored, IsFoundWithWhatAnotherProcessHasSent) {
  for (const char* key : {"a0", "a1", "a2"})
    order(key);
  sync();
  clock_.now += 10min;
  in_process::Instance instance(settings_, outside_, 7);
  for (const char* key : {"c0", "c1", "c2"})
    order(key);
  instance.run_until(clock_.now + 10min);
  ASSERT_EQ(mailed(), 6u);
  sql("DELETE FROM survey_push");
  order("d");
  instance.run_until(clock_.now + 2h);
  EXPECT_EQ(mailed(), 6u);
  EXPECT_THAT(reason_of_brake(), HasSubstr("the service lists 3 transactions"));
  release(10);
  instance.run_until(clock_.now + 2h);
  EXPECT_EQ(mailed(), 7u);
}

// The daemon was started after they were sent, and its check has passed.
TEST_F(Restored, IsMadeWholeUnderADaemonByTheCustomersThatWerePulled) {
  settings_.pulls = pulls_;
  for (const char* key : {"a0", "a1", "a2"})
    order(key);
  run(24h);
  ASSERT_EQ(mailed(), 3u);
  ASSERT_EQ(number("SELECT count(*) FROM survey_invitation WHERE key IS NOT NULL"), 3);
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 10min);
  sql("DELETE FROM survey_push WHERE key <> 'a0'");
  order("b");
  instance.run_until(clock_.now + 24h);
  EXPECT_EQ(mailed(), 4u);
  EXPECT_EQ(state("a1"), State::sent);
  EXPECT_EQ(state("b"), State::sent);
}

TEST_F(Restored, IsNotSuspectedWithoutCause) {
  order("1");
  sync();
  clock_.now += 24h;
  order("2");
  sync();
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(reason_of_brake(), "");
}

// A person is asked once, and the answer holds for what was lacking.
TEST_F(Restored, AsksAPersonWhereCredentialsMayOnlyAdd) {
  order("1");
  sync();
  answer_lists([](const std::string&) { return status(403); });
  order("2");
  EXPECT_EQ(sync().result.exit_code, daemon::kNeedsPerson);
  EXPECT_THAT(reason_of_brake(), HasSubstr("it is not known whether the ledger is older"));
  EXPECT_EQ(mailed(), 1u);
  clock_.now += 1h;
  sync();
  EXPECT_EQ(mailed(), 1u);
  release(1);
  EXPECT_EQ(sync().result.exit_code, daemon::kDone);
  EXPECT_EQ(state("2"), State::sent);
  clock_.now += 1h;
  order("3");
  EXPECT_EQ(sync().result.exit_code, daemon::kDone);
  EXPECT_EQ(state("3"), State::sent);
  EXPECT_EQ(reason_of_brake(), "");
}

// Nothing waits: the word is about the check alone.
TEST_F(Restored, IsLetGoWithoutARow) {
  order("1");
  sync();
  answer_lists([](const std::string&) { return status(403); });
  sync();
  EXPECT_NE(reason_of_brake(), "");
  clock_.now += 1min;
  release(0);
  EXPECT_EQ(reason_of_brake(), "");
  order("2");
  sync();
  EXPECT_EQ(mailed(), 2u);
}

// What is let go ends with the first check that has proof.
TEST_F(Restored, AsksAgainAfterAProof) {
  order("1");
  sync();
  answer_lists([](const std::string&) { return status(403); });
  sync();
  release(0);
  sync();
  EXPECT_EQ(reason_of_brake(), "");
  outside_.on_exchange = {};
  clock_.now += 1h;
  sync();
  answer_lists([](const std::string&) { return status(403); });
  order("2");
  sync();
  EXPECT_NE(reason_of_brake(), "");
  EXPECT_EQ(mailed(), 1u);
}

// The hold ends with its reason, and without a person.
TEST_F(Restored, IsNotHeldLongerThanTheProofIsLacking) {
  order("1");
  sync();
  clock_.now += 1h;
  order("2");
  bool works = false;
  answer_lists([&](const std::string&) { return works ? std::nullopt : nothing_listed(); });
  in_process::Instance instance(settings_, outside_, 7);
  instance.run_until(clock_.now + 10min);
  EXPECT_EQ(mailed(), 1u);
  EXPECT_NE(reason_of_brake(), "");
  works = true;
  instance.run_until(clock_.now + 2h);
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(reason_of_brake(), "");
}

// By itself the next check would be made later.
TEST_F(Restored, IsCheckedAgainAtOnceWhenAPersonWantsItNow) {
  order("1");
  sync();
  clock_.now += 1h;
  order("2");
  bool works = false;
  answer_lists([&](const std::string&) { return works ? std::nullopt : nothing_listed(); });
  in_process::Instance instance(settings_, outside_, 7);
  instance.run_until(clock_.now + 110min);
  ASSERT_NE(reason_of_brake(), "");
  works = true;
  for (const auto& job : instance.jobs()) {
    if (job->name() != "push.orders") continue;
    job->make_due();
    for (int i = 0; i < 30; ++i) {
      job->step(clock_.now);
      clock_.now += 1s;
    }
  }
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(reason_of_brake(), "");
}

// The CRM was restored with the ledger: what was mailed since is entered again an hour later.
TEST_F(Restored, KnowsWhatTheServiceListsWhenItsRowComesBack) {
  push_many(3, 20);
  sql("DELETE FROM orders WHERE id LIKE 'b%'");
  sync();
  EXPECT_EQ(reason_of_brake(), "") << "nothing waits";
  clock_.now += 1h;
  for (int i = 0; i < 20; ++i)
    order("b" + std::to_string(i));
  settle_all();
  EXPECT_EQ(mailed(), 23u);
  EXPECT_EQ(state("b7"), State::sent);
  order("c");
  sync();
  EXPECT_EQ(mailed(), 24u);
}

// The pull has read it before.
TEST_F(Restored, KnowsWhatAPullHasListed) {
  settings_.pulls = pulls_;
  push_many(3, 20);
  sql("DELETE FROM orders WHERE id LIKE 'b%'");
  auto pushes = std::exchange(settings_.pushes, {});
  sync();
  settings_.pushes = std::move(pushes);
  answer_lists([](const std::string& url) {
    const bool check = url.find("DateFilter.To") == std::string::npos;
    return check ? status(403) : std::nullopt;
  });
  sync();
  release(0);
  for (int i = 0; i < 20; ++i)
    order("b" + std::to_string(i));
  settle_all();
  EXPECT_EQ(mailed(), 23u);
}

// A person has looked: that customer is another transaction.
TEST_F(Restored, SendsWhatAPersonSendsAllTheSame) {
  push_many(1, 1);
  sql("DELETE FROM orders WHERE id = 'b0'");
  sync();
  sql("INSERT INTO orders VALUES ('b0', 'another@example.test', '5', '2026-11-10T23:00:00Z')");
  sync();
  clock_.now += 2h;
  sync();
  ASSERT_EQ(state("b0"), State::held);
  crm::Ledger(*crm_).decide("orders", State::pending, {"b0"}, "goes out again");
  release(10);
  sync();
  EXPECT_EQ(state("b0"), State::sent);
  EXPECT_EQ(mailed(), 3u);
}

// Set aside before it was ever sent, says the restored ledger.
TEST_F(Restored, LooksUpWhatAPersonTriesAgain) {
  push_many(1, 1);
  crm::Ledger(*crm_).set_aside("orders", State::quarantined, {{"b0", "no address"}});
  sync();
  EXPECT_EQ(state("b0"), State::quarantined);
  crm::Ledger(*crm_).retry("orders", {"b0"}, "retry");
  settle_all();
  EXPECT_EQ(state("b0"), State::sent);
  EXPECT_EQ(mailed(), 2u);
}

// The service stores ten bytes of a key.
class RestoredWithCutKeys : public Restored {
 protected:
  RestoredWithCutKeys() : Restored(cut()) {}

 private:
  static sandbox::Options cut() {
    auto options = still();
    options.data_values = sandbox::Options::DataValues::cut;
    return options;
  }
};

// It was refused before the backup and arrived after it, under a key that is not its own.
TEST_F(RestoredWithCutKeys, HoldARowThatTheLedgerKnowsAsRefused) {
  const std::string key = "2026-11-10-0001";
  order("1");
  sync();
  order(key);
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    if (request.method != "POST") return send();
    return service::Exchange(
        service::Failure{service::Failure::Kind::not_connected, "connection refused", 0});
  };
  sync();
  ASSERT_EQ(state(key), State::pending);
  save();
  outside_.on_exchange = {};
  clock_.now += 24h;
  sync();
  ASSERT_EQ(state(key), State::sent);
  clock_.now += 1h;
  restore();
  settle_all();
  EXPECT_EQ(state(key), State::held);
  EXPECT_EQ(mailed(), 2u);
  crm::Ledger(*crm_).decide("orders", State::pending, {key}, "goes out again");
  sync();
  EXPECT_EQ(state(key), State::sent) << "a person's word counts";
}

// Nothing of what this daemon knows was lost; another one's batch was.
TEST_F(Restored, IsFoundByADaemonThatStoodStill) {
  order("1");
  in_process::Instance instance(settings_, outside_, 7);
  instance.run_until(clock_.now + 1h);
  ASSERT_EQ(mailed(), 1u);
  save();
  order("2");
  sync();
  ASSERT_EQ(mailed(), 2u);
  restore();
  clock_.now += 1h;
  instance.run_until(clock_.now + 2h);
  EXPECT_EQ(mailed(), 2u);
}

// A standby without the commit takes over while the request is under way.
TEST_F(Restored, IsFoundByADaemonThatLosesItsOwnLastClaim) {
  bool lost = false;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    auto answer = send();
    if (request.method == "POST" && !std::exchange(lost, true)) restore();
    return answer;
  };
  in_process::Instance instance(settings_, outside_, 7);
  instance.run_until(clock_.now + 2min);
  save();
  order("1");
  instance.run_until(clock_.now + 2h);
  EXPECT_TRUE(lost);
  EXPECT_EQ(mailed(), 1u);
  EXPECT_EQ(state("1"), State::sent);
}

// It saw the other one's batch.
TEST_F(Restored, IsFoundByADaemonThatClaimedNothingOfIt) {
  order("1");
  sync();
  save();
  order("2");
  in_process::Instance instance(settings_, outside_, 7);
  in_process::Instance other(settings_, outside_, 8);
  other.run_until(clock_.now + 2min);
  ASSERT_EQ(mailed(), 2u);
  instance.run_until(clock_.now + 5min);
  other.leave();
  restore();
  instance.run_until(clock_.now + 2h);
  EXPECT_EQ(mailed(), 2u);
}

// The check began by what the newer ledger remembered, and waits for a service that is away.
TEST_F(Restored, IsFoundWhereItHappensWhileACheckIsUnderWay) {
  order("1");
  sync();
  save();
  clock_.now += 72h;
  order("2");
  sync();
  clock_.now += 28h;
  order("3");
  sync();
  ASSERT_EQ(mailed(), 3u);
  clock_.now += 20h;
  bool away = true;
  answer_lists([&](const std::string&) { return away ? status(503) : std::nullopt; });
  order("4");
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 30min);
  ASSERT_EQ(mailed(), 3u);
  restore();
  away = false;
  for (int i = 0; i < 4; ++i) {
    instance.run_until(clock_.now + 6h);
    release(100);
  }
  EXPECT_EQ(mailed(), 4u) << reason_of_brake();
  EXPECT_EQ(state("2"), State::sent);
}

// The key is the same by chance, or another system uses the column: only a person can tell.
TEST_F(Restored, HoldsARowWhoseKeySomebodyElsesCustomerHas) {
  order("1");
  sync();
  clock_.now += 1h;
  order("2");
  service_.handle({"POST",
                   "/external/api/v3/customer/add",
                   {{"Content-Type", "application/json"}},
                   R"({"Customers":[{"Email":"somebody@else.test","Data":[)"
                   R"({"CustomerDataColumnId":1,"Value":"2"}]}]})"});
  ASSERT_EQ(mailed(), 2u);
  sync();
  EXPECT_EQ(state("2"), State::in_doubt);
  release(10);
  clock_.now += 2h;
  sync();
  EXPECT_EQ(state("2"), State::held);
  EXPECT_EQ(mailed(), 2u);
}

// Another name, and a ledger that knows nothing of it.
TEST_F(Restored, IsNoticedWhereAPushWasRenamed) {
  for (const char* id : {"1", "2", "3"})
    order(id);
  sync();
  ASSERT_EQ(mailed(), 3u);
  clock_.now += 48h;
  settings_.pushes.at(0).name = "sales";
  order("4");
  sync();
  EXPECT_EQ(mailed(), 3u);
  release(10, "sales");
  for (int i = 0; i < 3; ++i) {
    clock_.now += 1h;
    sync();
  }
  EXPECT_EQ(mailed(), 4u);
  for (const char* id : {"1", "2", "3", "4"}) {
    const auto entry = crm::Ledger(*crm_).find("sales", id);
    ASSERT_TRUE(entry.has_value()) << id;
    EXPECT_EQ(entry->state, State::sent) << id << ": " << entry->reason;
  }
}

// Without a data column nobody can look them up: a person decides. Another person's row with a key
// that was used before is another transaction.
TEST_F(Restored, HoldsWhatAPushOfAnotherNameHasSentWithoutADataColumn) {
  settings_.pushes.at(0).correlate.clear();
  for (const char* id : {"1", "2", "3"})
    order(id);
  sync();
  ASSERT_EQ(mailed(), 3u);
  clock_.now += 48h;
  settings_.pushes.at(0).name = "sales";
  sql("UPDATE orders SET email = 'other@example.test' WHERE id = '3'");
  order("4");
  settings_.pushes.at(0).doubt = config::Push::Doubt::resend;
  for (int i = 0; i < 3; ++i) {
    sync();
    release(10, "sales");
    clock_.now += 1h;
  }
  EXPECT_EQ(mailed(), 5u);
  for (const char* id : {"1", "2"}) {
    const auto entry = crm::Ledger(*crm_).find("sales", id);
    ASSERT_TRUE(entry.has_value()) << id;
    EXPECT_EQ(entry->state, State::held) << id;
    EXPECT_THAT(entry->reason,
                HasSubstr("[push.orders], which is not configured any more, has sent it"));
  }
}

// A part of a push that was split has a data column of its own. Another survey about the same
// orders may have one, too: a person knows.
TEST_F(Restored, HoldsWhatAPushOfAnotherNameHasSentByAnotherDataColumn) {
  for (const char* id : {"1", "2", "3"})
    order(id);
  sync();
  ASSERT_EQ(mailed(), 3u);
  clock_.now += 48h;
  auto& push = settings_.pushes.at(0);
  push.name = "sales";
  push.correlate = "Remark";
  push.data.at(0).column = "Remark";
  push.doubt = config::Push::Doubt::resend;
  order("4");
  for (int i = 0; i < 3; ++i) {
    sync();
    release(10, "sales");
    clock_.now += 1h;
  }
  EXPECT_EQ(mailed(), 4u);
  for (const char* id : {"1", "2", "3"})
    EXPECT_EQ(crm::Ledger(*crm_).find("sales", id)->state, State::held) << id;
  EXPECT_EQ(crm::Ledger(*crm_).find("sales", "4")->state, State::sent);
}

// Two files on one store ask the same people about the same orders.
TEST_F(Restored, SendsWhatAPushOfAnotherFileHasSentThatGoesOn) {
  settings_.pushes.at(0).correlate.clear();
  auto& push = settings_.pushes.at(0);
  const auto as = [&](const char* name) {
    push.name = name;
    sync();
    release(10, name);
    sync();
    clock_.now += 1h;
  };
  order("1");
  as("sales");
  sql("UPDATE orders SET email = 'other@example.test' WHERE id = '1'");
  as("delivery");
  ASSERT_EQ(mailed(), 2u);
  order("2");
  as("sales");
  as("delivery");
  EXPECT_EQ(mailed(), 4u);
}

// The service lists it only after it is asked under the new name.
TEST_F(Restored, SendsNoRowThatAPushOfAnotherNameHasInDoubt) {
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    const bool searches = request.url.find("EmailAddresses") != std::string::npos ||
                          request.url.find("DataFilters") != std::string::npos;
    return searches ? service::Exchange{service::Response{503, {}, ""}}
                    : in_process::lose_answers(request, send);
  };
  order("1");
  in_process::Instance(settings_, outside_, 7).run_until(clock_.now + 2min);
  ASSERT_EQ(state("1"), State::in_doubt);
  settings_.pushes.at(0).name = "sales";
  bool listed = false;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.method != "GET" || listed || request.url.find("/customer?") == std::string::npos)
      return send();
    return *nothing_listed();
  };
  sync();
  release(10, "sales");
  sync();
  EXPECT_EQ(mailed(), 1u);
  listed = true;
  for (int i = 0; i < 3; ++i) {
    clock_.now += 2h;
    sync();
  }
  EXPECT_EQ(mailed(), 1u);
  EXPECT_EQ(crm::Ledger(*crm_).find("sales", "1")->state, State::sent);
}

// A row that had waited for longer than look_back was mailed after the backup, and the service
// dates no activity of new customers.
class Waited : public Restored {
 protected:
  using Then = config::Suppress::Contact::Then;
  // Two of Ann's, of which the second one may not go yet, and then the backup.
  void keep_one_back(const std::string& date_column, Then then = Then::delay) {
    auto& date = settings_.pushes.at(0).customer.rules.emplace_back();
    date.field = "TransactionDate";
    date.source.column = date_column;
    settings_.suppress = config::Suppress{};
    settings_.suppress->contact = {{.days = 20, .then = then}};
    order_of_ann("1");
    sync();
    order_of_ann("2");
    sync();
    ASSERT_EQ(state("2"), then == Then::delay ? State::pending : State::suppressed);
    clock_.now += 19 * 24h;
    for (const std::string id : {"3", "4", "5", "6", "7"})
      sql("INSERT INTO orders VALUES ('" + id + "', 'person" + id +
          "@example.test', '5', '2026-11-28T12:00:00Z')");
    sync();
    save();
    clock_.now += 48h;
  }
  void judge_again() { ASSERT_EQ(crm::Ledger(*crm_).judge_again("orders", {"2"}, "again"), 1); }
  // So many are mailed by now, and the ledger is that of the backup.
  void lose_it(std::size_t mailed_by_now) {
    sync();
    ASSERT_EQ(mailed(), mailed_by_now);
    clock_.now += 1h;
    restore();
    answer_lists([](const std::string& url) {
      return is_by_activity(url) ? nothing_listed() : std::nullopt;
    });
  }
};

TEST_F(Waited, IsFoundByTheDatesOfTheOldestRows) {
  keep_one_back("delivered_at");
  lose_it(7);
  settle_all();
  EXPECT_EQ(mailed(), 7u);
}

constexpr const char* kOrderedLongAgo =
    "SELECT id, email, grade, delivered_at, CASE WHEN id IN ('1', '2', '8')"
    " THEN '2026-06-01T12:00:00Z' ELSE delivered_at END AS ordered_at FROM orders";

TEST_F(Waited, IsFoundWhereItsDateIsAnother) {
  query(kOrderedLongAgo);
  keep_one_back("ordered_at");
  lose_it(7);
  settle_all();
  EXPECT_EQ(mailed(), 7u);
}

// It came and was mailed after the backup.
TEST_F(Waited, IsFoundWhereItsDateIsAnotherAndTheLedgerHasNothingOfIt) {
  query(kOrderedLongAgo);
  keep_one_back("ordered_at");
  sql("INSERT INTO orders VALUES ('8', 'person8@example.test', '5', '2026-11-30T12:00:00Z')");
  lose_it(8);
  settle_all();
  EXPECT_EQ(mailed(), 8u);
}

// The check was made while the row was suppressed, and is not made again.
class WaitedSuppressed : public Waited, public testing::WithParamInterface<const char*> {};

TEST_P(WaitedSuppressed, IsFoundWhereItIsJudgedAgainAfterTheCheck) {
  query(kOrderedLongAgo);
  keep_one_back(GetParam(), Then::block);
  judge_again();
  lose_it(7);
  ASSERT_EQ(state("2"), State::suppressed);
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 1h);
  release(1000);
  judge_again();
  instance.run_until(clock_.now + 4h);
  EXPECT_EQ(mailed(), 7u);
  EXPECT_EQ(state("2"), State::sent);
}

INSTANTIATE_TEST_SUITE_P(Dates, WaitedSuppressed, testing::Values("delivered_at", "ordered_at"));

}  // namespace
