// What the restore check believes of the service's lists: their ends, refusals, unreadable records
// and customers that they lack, cannot show or move.
#include <map>
#include <regex>
#include <tuple>

#include "tests/daemon/push/restored.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;
using in_process::Restored;
using testing::HasSubstr;

const std::regex kOneRecord("[?&]Limit=1(&|$)");  // asks whether the list answers at all

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
  empty_the_tables();
  bool broken = true;
  change_lists([&](const std::string&, nlohmann::json& page) {
    auto& customers = page["Customers"];
    if (broken) customers.insert(customers.begin(), nlohmann::json{{"Id", "?"}, {"Data", 5}});
  });
  sync_hourly(3);
  EXPECT_EQ(mailed(), 2u);
  EXPECT_THAT(reason_of_brake(), HasSubstr("whose record cannot be read"));
  broken = false;
  settle_all();
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(state("1"), State::sent);
}

// The service gives new customers no date of activity. That is not seen by a record whose date of
// invitation cannot be read; by a fault of an address, which is never invited and has no date; or
// by a fault that was found when it was to be invited.
class NotOnlyAdded : public Restored, public testing::WithParamInterface<const char*> {};

TEST_P(NotOnlyAdded, IsReadByTransactionDateAllTheSame) {
  push_many(5, 3);
  // By activity the service lists only whom it has invited, none of the orders "b", and one more.
  change_lists([](const std::string& url, nlohmann::json& page) {
    if (!is_by_activity(url)) return;
    auto active = nlohmann::json::array();
    for (auto customer : page["Customers"]) {
      if (customer["Email"].get<std::string>().starts_with("personb")) continue;
      active.push_back(customer);
      active.back()["DateInvited"] = "2026-11-10T12:00:00Z";
      if (active.size() > 1) continue;
      customer.update(nlohmann::json::parse(GetParam()));
      customer["Id"] = 9999;
      customer["Email"] = "z@example.test";
      for (auto& item : customer["Data"])
        item["Value"] = "z";
      active.push_back(customer);
    }
    page["Customers"] = active;
  });
  settle_all();
  EXPECT_EQ(mailed(), 8u);
}

INSTANTIATE_TEST_SUITE_P(Records, NotOnlyAdded,
                         testing::Values(R"({"DateInvited":"31/12/2025"})",
                                         R"({"ScheduledInvitationDate":null})",
                                         R"({"ScheduledInvitationDate":"2026-11-01T00:00:00Z"})"));

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
    sync_hourly(3);
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
  answer_lists(
      [](const std::string& url) { return is_by_activity(url) ? nothing_listed() : std::nullopt; });
  settle_all();
  EXPECT_EQ(mailed(), 23u);
}

// What the ledger knows as sent has been active, so that it is listed; what it has lost has not.
TEST_F(Restored, IsReadByTransactionDateWhereOnlyWhoWasActiveIsListed) {
  push_many(3, 20);
  change_lists([](const std::string& url, nlohmann::json& page) {
    if (!is_by_activity(url)) return;
    auto& customers = page["Customers"];
    for (auto at = customers.begin(); at != customers.end();) {
      (*at)["DateInvited"] = (*at)["LastActivityDate"];
      at = at->at("Email").dump().starts_with("\"personb") ? customers.erase(at) : at + 1;
    }
  });
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
  answer_lists(
      [](const std::string& url) { return is_by_activity(url) ? nothing_listed() : std::nullopt; });
  settle_all();
  EXPECT_EQ(mailed(), 2u);
}

// Another push has a data column of its own; what its records hide is not for this push to know.
TEST_F(Restored, IsNotHeldByAnUnreadableRecordWithoutTheDataColumn) {
  order("1");
  sync();
  clock_.now += 1h;
  order("2");
  change_lists([](const std::string&, nlohmann::json& page) {
    auto other = page["Customers"].at(0);
    other["Id"] = 77;
    other["Data"] =
        nlohmann::json::parse(R"([{"CustomerDataColumnId":6,"Name":"Remark","Value":"9"}])");
    other["OptedOut"] = "perhaps";
    page["Customers"].push_back(other);
  });
  sync();
  EXPECT_EQ(reason_of_brake(), "");
  EXPECT_EQ(mailed(), 2u);
}

TEST_F(Restored, IsFoundByTheColumnsNumberWhereListsShowNoName) {
  push_many(3, 20);
  change_lists([](const std::string&, nlohmann::json& page) {
    for (auto& customer : page["Customers"])
      for (auto& item : customer["Data"])
        if (item["Name"] == "OrderNumber") item["Name"] = nullptr;
  });
  settle_all();
  EXPECT_EQ(mailed(), 23u);
}

// What a service shows of the data of customers that it lists.
struct ShownData {
  const char* name;
  const char* data;  // of those that the backup lacks
};

class WithoutKeys : public Restored, public testing::WithParamInterface<ShownData> {};

INSTANTIATE_TEST_SUITE_P(
    Shown, WithoutKeys,
    testing::Values(ShownData{"NoList", "null"}, ShownData{"EmptyList", "[]"},
                    ShownData{"NoValue", R"([{"CustomerDataColumnId":5,"Value":null}])"},
                    ShownData{"OtherColumnsAlone",
                              R"([{"CustomerDataColumnId":6,"Name":"Remark","Value":"9"}])"}),
    [](const auto& one) { return std::string(one.param.name); });

// A listed customer with the person and the date of a row counts like one with an unknown key.
TEST_P(WithoutKeys, NobodyOfThemIsMailedAgain) {
  push_many(3, 20);
  change_lists([](const std::string&, nlohmann::json& page) {
    for (auto& customer : page["Customers"])
      if (customer["Email"].get<std::string>().starts_with("personb"))
        customer["Data"] = nlohmann::json::parse(GetParam().data);
  });
  settle_all();
  EXPECT_EQ(mailed(), 23u);
}

// The list is well-formed and empty: other credentials, a filter that is misunderstood.
TEST_F(Restored, IsHeldWhileTheListLacksWhatWasSent) {
  push_many(3, 20);
  answer_lists([](const std::string&) { return nothing_listed(); });
  sync();
  EXPECT_THAT(reason_of_brake(),
              HasSubstr("the service does not list 3 (`surveybridge verify` names them)"));
  EXPECT_EQ(mailed(), 23u);
  outside_.on_exchange = {};
  settle_all();
  EXPECT_EQ(mailed(), 23u);
}

// `verify` would name none of them.
TEST_F(Restored, TellsThatTheServiceNeedNotListYetWhatWasSentJustNow) {
  order("1");
  sync();
  clock_.now += 1min;
  order("2");
  answer_lists([](const std::string&) { return nothing_listed(); });
  sync();
  EXPECT_THAT(reason_of_brake(), HasSubstr("the service does not list 1, and it may list them until"
                                           " `settle` is over since then"));
  outside_.on_exchange = {};
  clock_.now += 1h;
  sync();
  EXPECT_EQ(reason_of_brake(), "") << "it ends by itself";
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

// Customers of the first page become active: a service that counts rows then lists them once more,
// and skips others.
TEST_F(Restored, IsReadAgainWhereCustomersMove) {
  push_many(100, 5);
  nlohmann::json first;
  int pages = 0;
  change_lists([&](const std::string&, nlohmann::json& page) {
    if (++pages > 2) return;
    if (pages == 1) first = page;
    auto& customers = page["Customers"];
    for (std::size_t i = 0; pages == 2 && i < customers.size(); ++i)
      customers[i] = first["Customers"][i];
  });
  settle_all();
  EXPECT_EQ(mailed(), 105u);
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
  empty_the_tables();
  answer_lists([](const std::string&) { return listed("{}"); });
  sync_hourly(3);
  EXPECT_EQ(mailed(), 3u);
  EXPECT_THAT(reason_of_brake(), HasSubstr("answers its list without a list"));
  outside_.on_exchange = {};
  settle_all();
  EXPECT_EQ(mailed(), 3u);
  EXPECT_EQ(state("1"), State::sent);
}

// Each page with one customer is answered 500.
class OnePoisoned : public Restored {
 protected:
  void poison() {
    change_answers([](const service::Request&, service::Response& response) {
      if (response.body.find("\"personbad") != std::string::npos) response = {500, {}, ""};
    });
  }
  // Three of the backup, and four since, one of which the service cannot show.
  void lose_four_with_one_poisoned() {
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
  }
  void expect_all_found(daemon::Duration within) {
    for (int i = 0; i < 3; ++i) {
      run(within);
      release(1000);
    }
    EXPECT_EQ(mailed(), 7u);
    for (const char* key : {"b1", "b2", "b3"})
      EXPECT_EQ(state(key), State::sent) << key;
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

// A first run reads the whole window of the push: two pages lie before the customer, and a third
// one has it.
TEST_F(OnePoisoned, IsToldWithinAMinuteThoughTheWholeWindowIsRead) {
  for (int i = 0; i < 250; ++i) {
    order(i == 220 ? "bad" : std::to_string(i));
    if (i % 10 != 0 && i != 219) continue;
    sync();
    clock_.now += 1min;
  }
  sync();
  ASSERT_EQ(mailed(), 250u);
  clock_.now += 1h;
  empty_the_tables();
  sql("DELETE FROM orders");
  poison();
  std::map<std::string, int> pages;
  outside_.on_exchange = [&, poisoned = outside_.on_exchange](const service::Request& request,
                                                              const auto& send) {
    auto answer = poisoned(request, send);
    const bool is_page = is_list(request) && !std::regex_search(request.url, kOneRecord);
    if (is_page && std::get<service::Response>(answer).status == 200) ++pages[request.url];
    return answer;
  };
  for (const char* key : {"n1", "n2", "n3"})
    order(key);
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 1min);
  EXPECT_THAT(reason_of_brake(), HasSubstr("does not answer for what it lists by"));
  EXPECT_THAT(pages, testing::Not(testing::IsEmpty()));
  EXPECT_THAT(pages, testing::Each(testing::Pair(testing::_, 1)));
  EXPECT_EQ(mailed(), 250u);
  clock_.now += 10min;
  instance.run_until(clock_.now + 1min);
  release(3);
  instance.run_until(clock_.now + 2min);
  EXPECT_EQ(mailed(), 253u) << reason_of_brake();
}

// What is around that customer is found.
TEST_F(OnePoisoned, HidesNobodyElse) {
  lose_four_with_one_poisoned();
  expect_all_found(1h);
}

// The list is read in parts, each of which ends by a cursor with nothing behind it.
TEST_F(OnePoisoned, HidesNobodyElseWhereEachPartEndsWithoutAList) {
  lose_four_with_one_poisoned();
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
  expect_all_found(3h);
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
                         testing::Values(std::tuple{2, 1000}, std::tuple{5, 2000}));

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

INSTANTIATE_TEST_SUITE_P(Apart, SeveralPoisonedInAPull, testing::Values(300, 1700));

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

}  // namespace
