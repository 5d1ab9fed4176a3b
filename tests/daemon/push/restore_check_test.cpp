// A ledger that is older than the service: nobody whom the service already has is mailed again.
#include "daemon/push/restore_check.hpp"

#include <functional>
#include <optional>
#include <regex>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/erasure/forget.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "mapping/values/person.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;
using testing::HasSubstr;

class Restored : public in_process::Shop {
 protected:
  explicit Restored(sandbox::Options options = still()) : Shop(std::move(options)) {
    std::swap(settings_.pulls, pulls_);
  }
  void save() {
    for (const char* table : kTables)
      sql(std::string("CREATE TABLE saved_") + table + " AS SELECT * FROM " + table);
  }
  void restore() {
    for (const char* table : kTables) {
      sql(std::string("DELETE FROM ") + table);
      sql(std::string("INSERT INTO ") + table + " SELECT * FROM saved_" + table);
    }
  }
  std::string reason_of_brake() {
    const auto found = crm_->query({"SELECT reason FROM survey_brake", {}});
    const auto* text = std::get_if<std::string>(&found.rows.at(0).at(0));
    return text == nullptr ? "" : *text;
  }
  void release(std::int64_t rows) {
    crm::Brakes(*crm_).release(
        "orders", daemon::fingerprint_of(settings_.pushes.at(0), settings_.crm.time_zone), rows);
  }
  std::size_t mailed() { return service_.customers().size(); }

  void drop_saved() {
    for (const char* table : kTables)
      sql(std::string("DROP TABLE saved_") + table);
  }
  // Orders that the backup has, and orders that it lacks; all were mailed, and it was restored.
  void push_many(int before, int after) {
    for (int i = 0; i < before; ++i)
      order("a" + std::to_string(i));
    sync();
    save();
    clock_.now += 24h;
    for (int i = 0; i < after; ++i)
      order("b" + std::to_string(i));
    sync();
    ASSERT_EQ(mailed(), static_cast<std::size_t>(before + after));
    clock_.now += 1h;
    restore();
  }
  void order_of_ann(const std::string& id) {
    sql("INSERT INTO orders VALUES ('" + id +
        "', 'ann@example.test', '5', '2026-11-09T12:00:00Z')");
  }
  // From now on the service lists her customers as opted out, and masks their address.
  void ann_opts_out() {
    outside_.on_exchange = [](const service::Request& request, const auto& send) {
      auto answer = send();
      auto* response = std::get_if<service::Response>(&answer);
      if (request.method != "GET" || response == nullptr) return answer;
      auto& body = response->body;
      for (auto at = body.find("\"ann@"); at != std::string::npos; at = body.find("\"ann@", at)) {
        body.replace(at, 4, "\"a***");
        const auto out = body.find("\"OptedOut\":false", body.rfind("\"Id\":", at));
        if (out != std::string::npos) body.replace(out, 16, "\"OptedOut\":true");
      }
      return answer;
    };
  }
  // By activity the service lists only whom it has invited, none of the orders "b", and one
  // customer more, changed so.
  void list_the_invited_and(const std::function<void(nlohmann::json& customer)>& change) {
    outside_.on_exchange = [change](const service::Request& request, const auto& send) {
      auto answer = send();
      auto* response = std::get_if<service::Response>(&answer);
      const bool by_activity = request.url.find("LastActivity") != std::string::npos;
      if (!is_list(request) || !by_activity || response == nullptr) return answer;
      auto page = nlohmann::json::parse(response->body);
      auto active = nlohmann::json::array();
      for (auto customer : page["Customers"]) {
        if (customer["Email"].template get<std::string>().starts_with("personb")) continue;
        active.push_back(customer);
        active.back()["DateInvited"] = "2026-11-10T12:00:00Z";
        if (active.size() > 1) continue;
        change(customer);
        customer["Id"] = 9999;
        customer["Email"] = "z@example.test";
        for (auto& item : customer["Data"])
          item["Value"] = "z";
        active.push_back(customer);
      }
      page["Customers"] = active;
      response->body = page.dump();
      return answer;
    };
  }
  // Whatever a person lets go, all of it.
  void settle_all() {
    for (int i = 0; i < 4; ++i) {
      sync();
      release(1000);
      clock_.now += 1h;
    }
  }

  using Answer = std::optional<service::Exchange>;
  static Answer status(int code) { return service::Response{code, {}, ""}; }
  static Answer listed(const std::string& body) {
    return service::Response{200, {{"content-type", "application/json"}}, body};
  }
  static Answer nothing_listed() { return listed(R"({"Customers":[],"NextCursor":null})"); }
  static bool is_list(const service::Request& request) {
    return request.method == "GET" && request.url.find("DateFilter") != std::string::npos;
  }
  // Answers the lists of customers; empty: as the service does.
  void answer_lists(std::function<Answer(const std::string& url)> answer) {
    outside_.on_exchange = [answer](const service::Request& request, const auto& send) {
      if (is_list(request))
        if (auto given = answer(request.url)) return *std::move(given);
      return send();
    };
  }

  // The service has the customer of transaction 2, who has opted out; the ledger has lost both.
  void lose_ann_who_opts_out() {
    std::swap(settings_.pulls, pulls_);
    std::erase_if(settings_.pulls,
                  [](const auto& pull) { return pull.list != config::Pull::List::customers; });
    settings_.suppress.emplace().opted_out = true;
    order("1");
    sync();
    save();
    clock_.now += 24h;
    order_of_ann("2");
    sync();
    EXPECT_EQ(mailed(), 2u);
    ann_opts_out();
    clock_.now += 1h;
    restore();
  }

  std::vector<config::Pull> pulls_;
  std::vector<config::Push> pushes_;
  static constexpr const char* kTables[] = {"survey_push",  "survey_push_event", "survey_batch",
                                            "survey_brake", "survey_cursor",     "survey_person"};
};

// The service masks the address of whoever has opted out, and the ledger has lost whose the
// transaction is.
TEST_F(Restored, KnowsWhoOptedOutByATransactionThatItHasLost) {
  lose_ann_who_opts_out();
  sync();
  release(10);
  order_of_ann("3");
  for (int i = 0; i < 4; ++i) {
    sync();
    clock_.now += 1h;
  }
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(state("3"), State::suppressed);
}

// Nobody knows whose that customer is before its row is back in the CRM.
TEST_F(Restored, KnowsWhoOptedOutWhenTheRowComesBack) {
  lose_ann_who_opts_out();
  sql("DELETE FROM orders WHERE id = '2'");
  const auto go_on = [&] {
    for (int i = 0; i < 4; ++i) {
      sync();
      release(10);
      clock_.now += 1h;
    }
  };
  go_on();
  answer_lists([](const std::string&) { return nothing_listed(); });
  order_of_ann("2");
  go_on();
  ASSERT_NE(state("2"), State::pending);
  order_of_ann("3");
  go_on();
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(state("3"), State::suppressed);
}

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

// The pulls have not told yet who was invited since the backup.
TEST_F(Restored, KnowsWhomTheServiceWasAskedToMail) {
  settings_.pulls = pulls_;
  settings_.suppress = config::Suppress{};
  settings_.suppress->contact = {{.days = 90}};
  order("1");
  sync();
  save();
  clock_.now += 1h;
  order_of_ann("2");
  sync();
  ASSERT_EQ(mailed(), 2u);
  restore();
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    const bool pull = request.url.find("DateFilter.To=") != std::string::npos &&
                      request.url.find("LastActivity") != std::string::npos;
    return pull ? service::Exchange{service::Response{
                      200, {{"content-type", "application/json"}}, R"({"Customers":[]})"}}
                : send();
  };
  order_of_ann("3");
  for (int i = 0; i < 4; ++i) {
    clock_.now += 1h;
    sync();
    release(10);
  }
  EXPECT_EQ(state("2"), State::sent);
  EXPECT_EQ(mailed(), 2u);
}

// The service gives new customers no date of activity, and the row of what was lost comes back to
// the CRM only after another of that person.
TEST_F(Restored, CountsForContactWhatItHasLostThoughItsRowIsNotBack) {
  settings_.suppress = config::Suppress{};
  settings_.suppress->contact = {{.days = 90}};
  order("1");
  sync();
  save();
  clock_.now += 1h;
  order_of_ann("2");
  sync();
  ASSERT_EQ(mailed(), 2u);
  restore();
  sql("DELETE FROM orders WHERE id = '2'");
  order_of_ann("3");
  const auto go_on = [&] {
    for (int i = 0; i < 4; ++i) {
      clock_.now += 1h;
      sync();
      release(10);
    }
  };
  go_on();
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(state("3"), State::suppressed);
  order_of_ann("2");
  go_on();
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(state("2"), State::sent);
}

// Of whoever was forgotten the ledger keeps no address, not even of a row in doubt.
TEST_F(Restored, LetsWhatIsListedPassTheRulesUnlessItsPersonWasForgotten) {
  settings_.suppress = config::Suppress{};
  settings_.suppress->contact = {{.days = 90}};
  crm::make_schema(*crm_);
  const std::string address = "ann@example.test";
  const auto person = mapping::person_of(daemon::person_key(*crm_), address);
  crm::Ledger(*crm_).settle_listed("orders", {{"2", 77, person}});
  daemon::SuppressionCheck check("orders", settings_, [] { return daemon::Duration{0}; });
  const auto screened = [&](const char* key) {
    daemon::BatchItem item{{key, address, clock_.now, ""}, mapping::Record(mapping::customer())};
    return check.rule(*crm_, *crm_, {item}, clock_.now);
  };
  EXPECT_EQ(screened("2").go.size(), 1u);
  EXPECT_EQ(screened("3").suppressed.size(), 1u);
  crm::mark_forgotten(*crm_, person, "");
  EXPECT_EQ(screened("2").suppressed.size(), 1u);
}

// The database is away when the first of two pages is to be stored.
TEST_F(Restored, LosesNoPageThatCouldNotBeStored) {
  push_many(3, 150);
  bool listed = false, failed = false;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    listed = listed || is_list(request);
    return send();
  };
  outside_.on_moment = [&](const in_process::Moment& moment) {
    if (moment.what != in_process::Moment::What::commit || !listed) return;
    if (!std::exchange(failed, true))
      throw crm::DatabaseError(crm::DatabaseError::Kind::connection, "away");
  };
  settle_all();
  EXPECT_TRUE(failed);
  EXPECT_EQ(mailed(), 153u);
}

// What was read before the service asked for patience is not read again.
TEST_F(Restored, IsReadOnWhereTheServiceHasThrottledTheCheck) {
  order("1");
  sync();
  clock_.now += 1h;
  int first = 0, second = 0;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (!is_list(request) || request.url.find("LastActivity") == std::string::npos) return send();
    if (request.url.find("Cursor=") == std::string::npos) {
      ++first;
      return *listed(R"({"Customers":[{"Id":77,"Email":"x@example.test"}],"NextCursor":"2"})");
    }
    if (++second == 1) return *status(429);
    return *nothing_listed();
  };
  order("2");
  sync();
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 2);
}

// The tables were made anew: one record hides whose it is, and the rest of the list is not read.
TEST_F(Restored, HoldsAFirstRunThatWasComparedInPartOnly) {
  order("1");
  order("2");
  sync();
  ASSERT_EQ(mailed(), 2u);
  clock_.now += 1h;
  for (const char* table : kTables)
    sql(std::string("DELETE FROM ") + table);
  bool broken = true;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    auto answer = send();
    auto* response = std::get_if<service::Response>(&answer);
    if (!is_list(request) || response == nullptr || !broken) return answer;
    const std::string list = "\"Customers\":[";
    const auto at = response->body.find(list);
    if (at != std::string::npos) response->body.insert(at + list.size(), R"({"Id":"?","Data":5},)");
    return answer;
  };
  for (int i = 0; i < 3; ++i) {
    sync();
    clock_.now += 1h;
  }
  EXPECT_EQ(mailed(), 2u);
  EXPECT_THAT(reason_of_brake(), HasSubstr("whose record cannot be read"));
  broken = false;
  settle_all();
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(state("1"), State::sent);
}

// The service gives new customers no date of activity; that is not seen by a record whose date of
// invitation cannot be read.
TEST_F(Restored, TakesNoUnreadableRecordForACustomerThatWasOnlyAdded) {
  push_many(5, 3);
  list_the_invited_and([](nlohmann::json& customer) { customer["DateInvited"] = "31/12/2025"; });
  settle_all();
  EXPECT_EQ(mailed(), 8u);
}

// A fault of an address has no date: it is never invited.
TEST_F(Restored, TakesNoCustomerWithAFaultForOneThatWasOnlyAdded) {
  push_many(5, 3);
  list_the_invited_and(
      [](nlohmann::json& customer) { customer["ScheduledInvitationDate"] = nullptr; });
  settle_all();
  EXPECT_EQ(mailed(), 8u);
}

// The fault was found when it was to be invited.
TEST_F(Restored, TakesNoCustomerThatWasActiveAfterItsInvitationWasDueForOneThatWasOnlyAdded) {
  push_many(5, 3);
  list_the_invited_and([](nlohmann::json& customer) {
    customer["ScheduledInvitationDate"] = "2026-11-01T00:00:00Z";
  });
  settle_all();
  EXPECT_EQ(mailed(), 8u);
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

TEST_F(Restored, IsNotBelievedWholeAfterOneRefusal) {
  for (const int code : {403, 404, 400, 410, 503}) {
    SCOPED_TRACE(code);
    const std::string before = std::to_string(code) + "a", after = std::to_string(code) + "b";
    order(before);
    sync();
    save();
    clock_.now += 24h;
    order(after);
    sync();
    clock_.now += 1h;
    const std::size_t all = mailed();
    restore();
    int times = 0;
    answer_lists([&](const std::string&) { return ++times == 1 ? status(code) : std::nullopt; });
    for (int i = 0; i < 3; ++i) {
      sync();
      clock_.now += 1h;
    }
    release(10);
    sync();
    EXPECT_EQ(mailed(), all);
    EXPECT_EQ(state(after), State::sent);
    outside_.on_exchange = {};
    drop_saved();
  }
}

TEST_F(Restored, IsReadAgainWhereACursorExpires) {
  push_many(60, 60);
  int times = 0;
  answer_lists([&](const std::string& url) {
    const bool cursor = url.find("Cursor=") != std::string::npos;
    return cursor && ++times == 1 ? status(410) : std::nullopt;
  });
  settle_all();
  EXPECT_EQ(mailed(), 120u);
}

// For less than a minute the service answers without a list behind each cursor.
TEST_F(Restored, BelievesNoAnswerWithoutAListForTheEndAtOnce) {
  push_many(60, 60);
  std::optional<in_process::TimePoint> since;
  answer_lists([&](const std::string& url) {
    if (url.find("Cursor=") == std::string::npos) return Answer{};
    if (!since) since = clock_.now;
    return clock_.now < *since + 59s ? status(204) : Answer{};
  });
  settle_all();
  EXPECT_TRUE(since);
  EXPECT_EQ(mailed(), 120u);
}

TEST_F(Restored, IsHeldWhereEachCursorExpires) {
  push_many(60, 60);
  answer_lists([](const std::string& url) {
    return url.find("Cursor=") != std::string::npos ? status(410) : std::nullopt;
  });
  sync();
  EXPECT_THAT(reason_of_brake(), HasSubstr("ends before it was read"));
  EXPECT_EQ(mailed(), 120u);
}

// A service may date a customer's activity only once the customer has acted.
TEST_F(Restored, IsReadByTransactionDateWhereNewCustomersHaveNoActivity) {
  push_many(3, 20);
  answer_lists([](const std::string& url) {
    return url.find("LastActivityDateFilter") != std::string::npos ? nothing_listed()
                                                                   : std::nullopt;
  });
  settle_all();
  EXPECT_EQ(mailed(), 23u);
}

// What the ledger knows as sent has been active, so that it is listed; what it has lost has not.
TEST_F(Restored, IsReadByTransactionDateWhereOnlyWhoWasActiveIsListed) {
  push_many(3, 20);
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    auto answer = send();
    auto* response = std::get_if<service::Response>(&answer);
    if (!is_list(request) || response == nullptr ||
        request.url.find("LastActivityDateFilter") == std::string::npos)
      return answer;
    auto page = nlohmann::json::parse(response->body);
    auto& customers = page["Customers"];
    for (auto at = customers.begin(); at != customers.end();) {
      (*at)["DateInvited"] = (*at)["LastActivityDate"];
      at = at->at("Email").dump().starts_with("\"personb") ? customers.erase(at) : at + 1;
    }
    response->body = page.dump();
    return answer;
  };
  settle_all();
  EXPECT_EQ(mailed(), 23u);
}

// The ledger has claimed rows, and knows none as sent, so that nothing is missing.
TEST_F(Restored, IsReadByTransactionDateWhereNothingIsKnownAsSent) {
  outside_.on_exchange = in_process::lose_answers;
  order("1");
  in_process::Instance first(settings_, outside_, ++seed_);
  first.run_until(clock_.now + 10s);
  ASSERT_EQ(state("1"), State::in_doubt);
  save();
  outside_.on_exchange = {};
  clock_.now += 1h;
  order("2");
  sync();
  ASSERT_EQ(mailed(), 2u);
  restore();
  clock_.now += 1h;
  answer_lists([](const std::string& url) {
    return url.find("LastActivityDateFilter") != std::string::npos ? nothing_listed()
                                                                   : std::nullopt;
  });
  settle_all();
  EXPECT_EQ(mailed(), 2u);
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
      return url.find("LastActivityDateFilter") != std::string::npos ? nothing_listed()
                                                                     : std::nullopt;
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

// Another push has a data column of its own; what its records hide is not for this push to know.
TEST_F(Restored, IsNotHeldByAnUnreadableRecordWithoutTheDataColumn) {
  order("1");
  sync();
  clock_.now += 1h;
  order("2");
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    auto answer = send();
    auto* response = std::get_if<service::Response>(&answer);
    if (!is_list(request) || response == nullptr) return answer;
    auto page = nlohmann::json::parse(response->body);
    auto other = page["Customers"].at(0);
    other["Id"] = 77;
    other["Data"] =
        nlohmann::json::parse(R"([{"CustomerDataColumnId":6,"Name":"Remark","Value":"9"}])");
    other["OptedOut"] = "perhaps";
    page["Customers"].push_back(other);
    response->body = page.dump();
    return answer;
  };
  sync();
  EXPECT_EQ(reason_of_brake(), "");
  EXPECT_EQ(mailed(), 2u);
}

// Each page with one customer is answered 500.
class OnePoisoned : public Restored {
 protected:
  void poison() {
    outside_.on_exchange = [](const service::Request& request, const auto& send) {
      auto answer = send();
      auto* response = std::get_if<service::Response>(&answer);
      const bool shows = response != nullptr && request.method == "GET" &&
                         response->body.find("\"personbad") != std::string::npos;
      return shows ? service::Exchange{service::Response{500, {}, ""}} : answer;
    };
  }
  void run(daemon::Duration length) {
    in_process::Instance instance(settings_, outside_, ++seed_);
    instance.run_until(clock_.now + length);
  }
};

// Without a restore a person lets the push go once, and not at each start.
TEST_F(OnePoisoned, HoldsThePushOnceUntilAPersonLetsItGo) {
  order("bad");
  for (int i = 0; i < 8; ++i) {
    clock_.now += 1min;
    order(std::to_string(i));
    sync();
  }
  poison();
  order("9");
  run(20min);
  EXPECT_THAT(reason_of_brake(), HasSubstr("does not answer for what it lists by"));
  EXPECT_EQ(mailed(), 9u);
  release(1);
  run(20min);
  EXPECT_EQ(mailed(), 10u);
  order("10");
  run(20min);
  EXPECT_EQ(mailed(), 11u) << reason_of_brake();
}

// What is around that customer is found.
TEST_F(OnePoisoned, HidesNobodyElse) {
  push_many(3, 0);
  for (const char* key : {"b1", "bad", "b2", "b3"}) {
    clock_.now += 1h;
    order(key);
    sync();
  }
  ASSERT_EQ(mailed(), 7u);
  clock_.now += 1h;
  restore();
  sql("DELETE FROM orders WHERE id = 'bad'");  // whether it was sent cannot be known
  poison();
  for (int i = 0; i < 3; ++i) {
    run(1h);
    release(1000);
  }
  EXPECT_EQ(mailed(), 7u);
  for (const char* key : {"b1", "b2", "b3"})
    EXPECT_EQ(state(key), State::sent) << key;
}

// The list is read in parts, each of which ends by a cursor with nothing behind it.
TEST_F(OnePoisoned, HidesNobodyElseWhereEachPartEndsWithoutAList) {
  push_many(3, 0);
  for (const char* key : {"b1", "bad", "b2", "b3"}) {
    clock_.now += 1h;
    order(key);
    sync();
  }
  ASSERT_EQ(mailed(), 7u);
  clock_.now += 1h;
  restore();
  sql("DELETE FROM orders WHERE id = 'bad'");  // whether it was sent cannot be known
  poison();
  outside_.on_exchange = [poisoned = outside_.on_exchange](const service::Request& request,
                                                           const auto& send) {
    if (!is_list(request)) return poisoned(request, send);
    if (request.url.find("Cursor=end") != std::string::npos)
      return service::Exchange{service::Response{204, {}, ""}};
    auto answer = poisoned(request, send);
    auto* response = std::get_if<service::Response>(&answer);
    if (response != nullptr && response->body.find("\"Email\"") != std::string::npos)
      response->body = std::regex_replace(response->body, std::regex(R"("NextCursor":null)"),
                                          R"("NextCursor":"end")");
    return answer;
  };
  for (int i = 0; i < 3; ++i) {
    run(3h);
    release(1000);
  }
  EXPECT_EQ(mailed(), 7u);
  for (const char* key : {"b1", "b2", "b3"})
    EXPECT_EQ(state(key), State::sent) << key;
}

// So many customers that the service cannot show, so many milliseconds apart.
class SeveralPoisoned : public OnePoisoned,
                        public testing::WithParamInterface<std::tuple<int, int>> {};

TEST_P(SeveralPoisoned, HoldThePushUntilAPersonLetsItGo) {
  const auto [count, gap] = GetParam();
  order("0");
  sync();
  clock_.now += 1h;
  for (int i = 0; i < count; ++i) {
    order("bad" + std::to_string(i));
    sync();
    clock_.now += std::chrono::milliseconds(gap);
  }
  for (int i = 1; i < 8; ++i) {
    clock_.now += 1min;
    order(std::to_string(i));
    sync();
  }
  const auto all = mailed();
  ASSERT_EQ(all, static_cast<std::size_t>(count) + 8);
  poison();
  clock_.now += 1min;
  order("99");
  run(2h);
  EXPECT_THAT(reason_of_brake(), HasSubstr("does not answer"));
  release(1);
  run(2h);
  EXPECT_EQ(mailed(), all + 1);
}

INSTANTIATE_TEST_SUITE_P(Apart, SeveralPoisoned,
                         testing::Combine(testing::Values(2, 5), testing::Values(1000, 2000)));

class SeveralPoisonedInAPull : public OnePoisoned, public testing::WithParamInterface<int> {};

TEST_P(SeveralPoisonedInAPull, AreLeftOut) {
  for (const char* key : {"0", "1", "bad0", "bad1", "2", "3"}) {
    order(key);
    sync();
    const bool bad = std::string_view(key).starts_with("bad");
    clock_.now += bad ? std::chrono::milliseconds(GetParam()) : std::chrono::milliseconds(60'000);
  }
  settings_.pulls = pulls_;
  clock_.now += 1h;
  poison();
  run(24h);
  EXPECT_EQ(number("SELECT count(*) FROM survey_customer"), 4);
}

INSTANTIATE_TEST_SUITE_P(Apart, SeveralPoisonedInAPull, testing::Values(300, 1000, 1700, 2700));

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

// A list that fails as a whole is no single customer's fault: it is waited for.
TEST_F(OnePoisoned, IsNotSupposedWhereTheListFailsAsAWhole) {
  order("1");
  sync();
  clock_.now += 1h;
  order("2");
  bool works = false;
  answer_lists([&](const std::string&) { return works ? std::nullopt : status(500); });
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 1h);
  EXPECT_EQ(reason_of_brake(), "");
  EXPECT_EQ(mailed(), 1u);
  works = true;
  instance.run_until(clock_.now + 10min);
  EXPECT_EQ(mailed(), 2u);
}

TEST_F(Restored, IsFoundByTheColumnsNumberWhereListsShowNoName) {
  push_many(3, 20);
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    auto answer = send();
    if (auto* response = std::get_if<service::Response>(&answer);
        response != nullptr && is_list(request))
      response->body = std::regex_replace(response->body, std::regex(R"("OrderNumber")"), "null");
    return answer;
  };
  settle_all();
  EXPECT_EQ(mailed(), 23u);
}

// The list is well-formed and empty: other credentials, a filter that is misunderstood.
TEST_F(Restored, IsHeldWhileTheListLacksWhatWasSent) {
  push_many(3, 20);
  answer_lists([](const std::string&) { return nothing_listed(); });
  sync();
  EXPECT_THAT(reason_of_brake(), HasSubstr("the service does not list 3"));
  EXPECT_EQ(mailed(), 23u);
  outside_.on_exchange = {};
  settle_all();
  EXPECT_EQ(mailed(), 23u);
}

// The database fails when the check ends, after the last of the keys that were asked for one by
// one.
TEST_F(Restored, AsksForTheLastKeyAgainWhereTheDatabaseFailsAtTheEnd) {
  push_many(3, 0);
  int asked = 0;
  bool failed = false;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    auto answer = send();
    auto* response = std::get_if<service::Response>(&answer);
    if (response == nullptr) return answer;
    if (request.url.find("LastActivityDateFilter") != std::string::npos)
      return *listed(  // all of ours were active before the window
          R"({"Customers":[{"Id":1,"ScheduledInvitationDate":"2099-01-01T00:00:00Z"}]})");
    if (request.url.find("DataFilters") == std::string::npos) return answer;
    ++asked;
    static const std::regex activity(R"("LastActivityDate":("[^"]*"|null))");
    response->body = std::regex_replace(response->body, activity,
                                        R"("LastActivityDate":"2020-01-01T00:00:00Z")");
    return answer;
  };
  outside_.on_moment = [&](const in_process::Moment& moment) {
    using What = in_process::Moment::What;
    const bool of_database = moment.what == What::query || moment.what == What::write;
    if (of_database && asked == 3 && !std::exchange(failed, true))
      throw crm::DatabaseError(crm::DatabaseError::Kind::busy, "busy");
  };
  sync();
  EXPECT_TRUE(failed);
  EXPECT_EQ(asked, 4);
  EXPECT_EQ(mailed(), 3u);
  EXPECT_EQ(reason_of_brake(), "");
}

TEST_F(Restored, IsHeldWhileARecordCannotBeRead) {
  push_many(1, 1);
  answer_lists([](const std::string&) {
    return listed(R"({"Customers":[{"Id":{"no":"number"}}],"NextCursor":null})");
  });
  sync();
  EXPECT_THAT(reason_of_brake(), HasSubstr("cannot be read"));
  EXPECT_EQ(mailed(), 2u);
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

// Customers of the first page become active: a service that counts rows then lists them once more,
// and skips others.
TEST_F(Restored, IsReadAgainWhereCustomersMove) {
  push_many(100, 5);
  nlohmann::json first;
  int pages = 0;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    auto answer = send();
    auto* response = std::get_if<service::Response>(&answer);
    if (!is_list(request) || response == nullptr || ++pages > 2) return answer;
    auto page = nlohmann::json::parse(response->body);
    if (pages == 1) first = page;
    auto& customers = page["Customers"];
    for (std::size_t i = 0; pages == 2 && i < customers.size(); ++i)
      customers[i] = first["Customers"][i];
    response->body = page.dump();
    return answer;
  };
  settle_all();
  EXPECT_EQ(mailed(), 105u);
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
  settings_.pushes.swap(pushes_);
  sync();
  settings_.pushes.swap(pushes_);
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
  crm::Brakes(*crm_).release(
      "sales", daemon::fingerprint_of(settings_.pushes.at(0), settings_.crm.time_zone), 10);
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

// Whoever may only add is no worse off than before.
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
  crm::Brakes(*crm_).release(
      "sales", daemon::fingerprint_of(settings_.pushes.at(0), settings_.crm.time_zone), 10);
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

TEST_F(Restored, HoldsAFirstRunWhereTheServiceRefusesItsListsUntilAPersonLetsItGo) {
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    if (request.url.find("DateFilter") == std::string::npos) return send();
    return service::Exchange{service::Response{403, {}, ""}};
  };
  order("1");
  sync();
  EXPECT_EQ(mailed(), 0u);
  EXPECT_THAT(reason_of_brake(), HasSubstr("the service lists no customers"));
  clock_.now += 1min;
  release(1);
  sync();
  EXPECT_EQ(mailed(), 1u);
}

// The tables were made anew, and nothing says what the list should hold.
TEST_F(Restored, HoldsAFirstRunWhereTheServiceListsNothingWithoutAList) {
  for (const char* id : {"1", "2", "3"})
    order(id);
  sync();
  ASSERT_EQ(mailed(), 3u);
  clock_.now += 1h;
  for (const char* table : kTables)
    sql(std::string("DELETE FROM ") + table);
  answer_lists([](const std::string&) { return listed("{}"); });
  for (int i = 0; i < 3; ++i) {
    sync();
    clock_.now += 1h;
  }
  EXPECT_EQ(mailed(), 3u);
  EXPECT_THAT(reason_of_brake(), HasSubstr("answers its list without a list"));
  outside_.on_exchange = {};
  settle_all();
  EXPECT_EQ(mailed(), 3u);
  EXPECT_EQ(state("1"), State::sent);
}

}  // namespace
