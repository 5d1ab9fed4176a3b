// Walks of a customer list with interruptions.
#include <algorithm>

#include <gmock/gmock.h>

#include "daemon/reconcile/verify_job.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

constexpr const char* kList = "/external/api/v3/customer?";

class Walks : public in_process::Shop {
 protected:
  void pull_alone() {
    settings_.pushes.clear();
    settings_.pulls.resize(1);
  }
  void push_alone() { settings_.pulls.clear(); }
  // A page of the list by its cursor; the first cursor is empty.
  using PageOf = std::function<service::Response(const std::string& cursor)>;
  void list(PageOf page_of) {
    outside_.on_exchange = [this, page_of](const service::Request& request, const auto& send) {
      if (request.method == "POST") return in_process::lose_answers(request, send);
      if (request.url.find(kList) == std::string::npos) return send();
      if (moves_none_ && request.url.find("LastActivityDateFilter.From=") != std::string::npos &&
          request.url.find("LastActivityDateFilter.To=") == std::string::npos)
        return service::Exchange{page("", "")};  // who has moved since? Nobody
      if (request.url.find("TransactionDateFilter.From=") != std::string::npos &&
          request.url.find("TransactionDateFilter.To=") == std::string::npos)
        return service::Exchange{page("", "")};  // what does a first run find? Nothing
      ++listed_;
      const auto at = request.url.find("Cursor=");
      const auto begin = at == std::string::npos ? request.url.size() : at + 7;
      const auto end = std::min(request.url.find('&', begin), request.url.size());
      return service::Exchange{page_of(request.url.substr(begin, end - begin))};
    };
  }
  // How often a sync of these jobs waits before its end; stops after a thousand steps.
  int waits_of(std::vector<std::unique_ptr<daemon::SupervisedJob>>& jobs) {
    int waits = 0, steps = 0;
    const daemon::SyncClock clock{[this] { return clock_.now; },
                                  [&](daemon::TimePoint until) {
                                    waits += until > clock_.now ? 1 : 0;
                                    clock_.now = std::max(clock_.now, until);
                                    return ++steps < 1000;
                                  }};
    result_ = daemon::sync(jobs, clock, [](const auto&, const auto&) {});
    return waits;
  }
  int waits_of_sync() {
    in_process::Instance instance(settings_, outside_, ++seed_, true);
    return waits_of(instance.jobs());
  }
  // The same for a verify; `read`: looks at what it has read.
  int waits_of_verify(const std::function<void(const daemon::VerifyJob&)>& read = {}) {
    daemon::Environment world;
    world.open_transport = [this] { return in_process::wired(service_, {}, outside_.on_exchange); };
    world.uptime = [this] { return clock_.now.time_since_epoch(); };
    in_process::KeptLog log;
    daemon::Pace pace(settings_.service.pace, world.uptime, 1);
    auto credentials = std::get<0>(service::Credentials::make(settings_.service.auth));
    const daemon::Shared shared{settings_, world, log, pace, *credentials, true};
    std::vector<std::unique_ptr<daemon::SupervisedJob>> jobs;
    auto verify = std::make_unique<daemon::VerifyJob>(settings_.pushes.at(0), shared, 1);
    const daemon::VerifyJob& job = *verify;
    jobs.push_back(
        std::make_unique<daemon::SupervisedJob>(std::move(verify), log, world.uptime, 1));
    const int waits = waits_of(jobs);
    if (read) read(job);
    return waits;
  }
  const daemon::SyncResult::Done& done(const std::string& job) const {
    return *std::ranges::find(result_.jobs, job, &daemon::SyncResult::Done::job);
  }
  static service::Response page(const std::string& customers, const std::string& next) {
    return {200,
            {{"content-type", "application/json"}},
            R"({"NextCursor":")" + next + R"(","Customers":[)" + customers + "]}"};
  }
  static std::string customer(int id) {
    return R"({"Id":)" + std::to_string(id) + R"(,"Email":"x@example.test"})";
  }
  // A list of `pages` with one customer each; requests for `refused` pages fail.
  struct Refusal {
    int page, times, status;
  };
  void list_of(int pages, Refusal refusal) {
    list([=, times = refusal.times](const std::string& cursor) mutable {
      const int at = cursor.empty() ? 1 : std::stoi(cursor);
      if (at == refusal.page && times-- > 0) return service::Response{refusal.status, {}, "{}"};
      return page(customer(at), at == pages ? "" : std::to_string(at + 1));
    });
  }
  static constexpr int kAlways = 1'000'000;

  bool moves_none_ = true;  // no customer has been active lately
  int listed_ = 0;          // pages requested
  daemon::SyncResult result_;
};

constexpr const char* kPull = "pull.customers.LastActivityDate";

TEST_F(Walks, DoNotEndAtOneEmptyPageThatCouldNotBeStoredAtFirst) {
  pull_alone();
  bool empty_listed = false, failed = false;
  list([&](const std::string& cursor) {
    if (cursor.empty()) return page(customer(1), "empty");
    empty_listed = empty_listed || cursor == "empty";
    return cursor == "empty" ? page("", "last") : page(customer(2), "");
  });
  outside_.on_moment = [&](const in_process::Moment& moment) {
    if (moment.what != in_process::Moment::What::commit || !empty_listed) return;
    if (!std::exchange(failed, true))
      throw crm::DatabaseError(crm::DatabaseError::Kind::busy, "busy");
  };
  sync();
  EXPECT_TRUE(failed);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 2);
}
// They stand in the history already, as pages whose cursors were used.
TEST_F(Walks, DoNotTakeForRepeatedThePagesThatCouldNotBeStoredTogether) {
  pull_alone();
  bool failed = false;
  list_of(9, {});
  outside_.beside = in_process::Beside::ends_at_once;
  outside_.on_moment = [&](const in_process::Moment& moment) {
    if (moment.what == in_process::Moment::What::list) clock_.now += 2s;  // so that the pace lets
    if (moment.what != in_process::Moment::What::commit || listed_ < 7) return;
    if (!std::exchange(failed, true))
      throw crm::DatabaseError(crm::DatabaseError::Kind::busy, "busy");
  };
  sync();
  EXPECT_TRUE(failed);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 9);
}

TEST_F(Walks, StoreNoMoreThanMaxPagesThoughTheyAreStoredTogether) {
  pull_alone();
  settings_.pulls.at(0).max_pages = 4;
  list_of(9, {});
  outside_.beside = in_process::Beside::ends_at_once;
  outside_.on_moment = [&](const in_process::Moment& moment) {
    if (moment.what == in_process::Moment::What::list) clock_.now += 2s;
  };
  waits_of_sync();
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 3);
}

TEST_F(Walks, StoreAPageWithAnUnreadableRecordAloneSoThatTheLaterStateCounts) {
  pull_alone();
  list([&](const std::string& cursor) {
    const int at = cursor.empty() ? 1 : std::stoi(cursor);
    const std::string unreadable = R"({"Id":2,"Email":{"no":"text"}})";
    return page(at == 2 ? unreadable : customer(at == 3 ? 2 : at),
                at == 6 ? "" : std::to_string(at + 1));
  });
  outside_.beside = in_process::Beside::ends_at_once;
  outside_.on_moment = [&](const in_process::Moment& moment) {
    if (moment.what == in_process::Moment::What::list) clock_.now += 2s;
  };
  sync();
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 5);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_unreadable"), 0) << "it was read a page later";
}

TEST_F(Walks, DoNotEndAtACursorThatComesAgainThoughItsPagesWereFetchedAhead) {
  pull_alone();
  list([&](const std::string& cursor) {
    const int at = cursor.empty() ? 1 : std::stoi(cursor);
    return page(customer(at), std::to_string(at == 4 ? 2 : at + 1));
  });
  outside_.beside = in_process::Beside::ends_at_once;
  outside_.on_moment = [&](const in_process::Moment& moment) {
    if (moment.what == in_process::Moment::What::list) clock_.now += 2s;
  };
  waits_of_sync();
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 4);
  EXPECT_TRUE(done(kPull).gave_up);
  EXPECT_NE(done(kPull).status.trouble.find("does not end"), std::string::npos)
      << done(kPull).status.trouble;
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_cursor WHERE watermark IS NOT NULL"), 0);
}

TEST_F(Walks, OfAPullReadOnPastEmptyPages) {
  pull_alone();
  list([&](const std::string& cursor) {
    const int at = cursor.empty() ? 1 : std::stoi(cursor);
    return page(at < 40 ? "" : customer(at), at == 41 ? "" : std::to_string(at + 1));
  });
  sync();
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 2);
}

// The first hundred customers are on pages of their own, by one cursor; then there are only empty
// ones, by other cursors.
TEST_F(Walks, OfAPullSayThatAListDoesNotEnd) {
  pull_alone();
  int at = 0;
  list([&](const std::string& cursor) {
    at = cursor.empty() ? 1 : at + 1;
    return page(at > 100 ? "" : customer(at), at > 100 ? std::to_string(at) : "same");
  });
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 6min);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 100);
  EXPECT_TRUE(instance.log().has("1000 pages after the last new record are empty"));
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_cursor WHERE list = 'customers' AND"
                   " finished_at IS NOT NULL"),
            0);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_cursor WHERE watermark IS NOT NULL"), 0);
}

// A service whose cursor names an open search, which moves on with each request.
TEST_F(Walks, OfAPullBeginAgainWhereAPageOfACursorThatComesAgainMayBeLost) {
  pull_alone();
  int at = 0, begun = 0;
  list([&](const std::string& cursor) {
    if (cursor.empty()) ++begun;
    at = cursor.empty() ? 1 : at + 1;
    if (at == 5 && begun == 1) return service::Response{503, {}, ""};
    return page(customer(at), at == 9 ? "" : "same");
  });
  waits_of_sync();
  EXPECT_FALSE(done(kPull).gave_up) << done(kPull).status.trouble;
  EXPECT_EQ(begun, 2);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 9);
}

// Nor one that is no text. What is on its page is stored.
TEST_F(Walks, OfAPullNeitherStoreNorSendACursorThatIsTooLong) {
  pull_alone();
  const std::string endless(daemon::kCursorBytesMax + 1, 'x');
  const std::pair<std::string, std::string> cases[] = {
      {'"' + endless + '"', "the next cursor has 8193 bytes, more than 8192"},
      {"[]", "the next cursor is no text"},
      {R"({"Value":"x"})", "the next cursor is no text"},
      {R"("a\u0000b")", "the next cursor is no text"}};
  outside_.on_moment = [&](const in_process::Moment& moment) {
    if (moment.what == in_process::Moment::What::list) clock_.now += 2s;  // so that the pace lets
  };
  for (const auto beside : {outside_.beside, in_process::Beside::ends_at_once}) {
    outside_.beside = beside;
    for (const auto& [unusable, why] : cases) {
      list([&](const std::string& cursor) {
        EXPECT_TRUE(cursor.empty() || cursor == "second") << unusable << cursor;
        auto answer = page(customer(cursor.empty() ? 1 : 2), cursor.empty() ? "second" : "@");
        if (!cursor.empty()) answer.body.replace(answer.body.find(R"("@")"), 3, unusable);
        return answer;
      });
      waits_of_sync();
      EXPECT_TRUE(done(kPull).gave_up);
      EXPECT_NE(done(kPull).status.trouble.find(why), std::string::npos)
          << done(kPull).status.trouble;
      EXPECT_EQ(number("SELECT COUNT(*) FROM survey_cursor WHERE cursor NOT IN ('', 'second')"), 0);
      EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 2) << unusable;
      sql("DELETE FROM survey_customer");
      sql("DELETE FROM survey_cursor");
    }
  }
}

TEST_F(Walks, OfAPullGoOnWhereTheStoredCursorCannotBeSent) {
  pull_alone();
  for (const int status : {413, 414, 431}) {
    list_of(3, {2, 1, status});
    waits_of_sync();
    EXPECT_FALSE(done(kPull).gave_up) << done(kPull).status.trouble;
    EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 3) << status;
    sql("DELETE FROM survey_customer");
    sql("DELETE FROM survey_cursor");
  }
}

// The search for an order that is sent finds it; the one in doubt would be listed after the empty
// pages.
TEST_F(Walks, OfASearchThatDoesNotEndProveNoAbsence) {
  push_alone();
  settings_.pushes.at(0).doubt = config::Push::Doubt::resend;
  settings_.pushes.at(0).settle = 10min;
  order("known");
  sync();
  clock_.now += 20min;
  order("2");
  int pages = 0;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.method == "POST") return in_process::lose_answers(request, send);
    const bool searches = request.url.find("EmailAddresses=") != std::string::npos ||
                          request.url.find("Value=2") != std::string::npos;
    if (!searches) return send();
    return service::Exchange{page("", std::to_string(++pages))};
  };
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 2h);
  EXPECT_EQ(state("2"), crm::State::held);
  EXPECT_EQ(service_.customers().size(), 2U);
}

// The lease of the page before lets the next one be read, but not stored.
TEST_F(Walks, OfAPullStoreNothingUnderALeaseThatAnotherHas) {
  pull_alone();
  int second = 0;
  std::int64_t stored = -1;
  list([&](const std::string& cursor) {
    if (cursor == "2" && ++second == 1)
      sql("UPDATE survey_lease SET owner = 'another', fence = fence + 1"
          " WHERE name LIKE 'pull.customers.%'");
    if (cursor == "2" && second == 2) stored = number("SELECT COUNT(*) FROM survey_customer");
    if (cursor.empty()) return page(customer(1), "2");
    return cursor == "2" ? page(customer(2), "3") : page(customer(3), "");
  });
  waits_of_sync();
  EXPECT_EQ(second, 2) << "read again once the lease is free";
  EXPECT_EQ(stored, 1);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 3);
}

TEST_F(Walks, OfAPullGoOnWhereACursorWasLostOnce) {
  pull_alone();
  list_of(20, {15, 1, 410});
  waits_of_sync();
  EXPECT_FALSE(done(kPull).gave_up) << done(kPull).status.trouble;
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 20);
}

TEST_F(Walks, OfAPullEndASyncWhereNoCursorIsEverKnown) {
  pull_alone();
  list_of(3, {2, kAlways, 400});
  EXPECT_LT(waits_of_sync(), 60) << "with the window divided a few times";
  EXPECT_TRUE(done(kPull).gave_up);
  EXPECT_NE(done(kPull).status.trouble.find("cursor"), std::string::npos);
}

TEST_F(Walks, OfAPullBackOffWhereNoCursorIsEverKnown) {
  pull_alone();
  list_of(3, {2, kAlways, 400});
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 1h);
  EXPECT_LT(listed_, 100);
  EXPECT_GT(listed_, 20) << "it has given up";
}

TEST_F(Walks, OfAPullGoOnAfterTheDatabasesClockWasAheadForAMoment) {
  pull_alone();
  list_of(1, {});
  const auto begun = clock_.now;
  clock_.now += 24h * 30;
  sync();
  clock_.now = begun;
  listed_ = 0;
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(begun + 1h);
  EXPECT_GT(listed_, 1);
}

TEST_F(Walks, OfASearchGoOnWhereACursorWasLostOnce) {
  push_alone();
  order("1");
  list_of(20, {15, 1, 410});
  waits_of_sync();
  EXPECT_FALSE(done("reconcile.orders").gave_up) << done("reconcile.orders").status.trouble;
  EXPECT_GE(listed_, 34);
}

TEST_F(Walks, OfASearchEndASyncWhereASecondPageNeverComes) {
  push_alone();
  sync();  // the check of a first run
  for (const int status : {400, 500}) {
    order(std::to_string(status));
    list_of(3, {2, kAlways, status});
    EXPECT_LT(waits_of_sync(), 22) << status;
    EXPECT_NE(done("reconcile.orders").status.trouble, "") << status;
  }
}

TEST_F(Walks, ThatVerifyEndWhereASecondPageNeverComes) {
  moves_none_ = false;
  for (const int status : {400, 500}) {
    list_of(3, {2, kAlways, status});
    const int most = status == 500 ? 100 : 20;  // it looks for the part that is not answered
    EXPECT_LT(waits_of_verify(), most) << status;
    EXPECT_TRUE(result_.jobs.at(0).gave_up) << status;
  }
}

// A page with one customer is answered 500, whether the customers have a date of their transaction
// or not.
TEST_F(Walks, ThatVerifyReadAroundWhatTheServiceDoesNotAnswer) {
  push_alone();
  for (const char* key : {"1", "2", "bad", "3"}) {
    order(key);
    sync();
    clock_.now += 1h;
  }
  change_answers([](const service::Request&, service::Response& response) {
    if (response.body.find("\"personbad") != std::string::npos) response = {500, {}, ""};
  });
  for (const bool dated : {false, true}) {
    config::FieldRule date;
    date.field = "TransactionDate";
    date.source.column = "delivered_at";
    if (dated) settings_.pushes.at(0).customer.rules.push_back(date);
    waits_of_verify([](const daemon::VerifyJob& job) {
      std::vector<std::string> keys;
      for (const auto& [key, listed] : job.listed())
        keys.push_back(key);
      EXPECT_THAT(keys, testing::ElementsAre("1", "2", "3"));
      EXPECT_THAT(job.left_out(), testing::HasSubstr("does not answer for what it lists by"));
    });
    EXPECT_FALSE(result_.jobs.at(0).gave_up) << result_.jobs.at(0).status.trouble;
  }
}

// What was read of one account, or from a later day, says nothing of what is to be read now.
TEST_F(Walks, AreBegunAnewForAnotherServiceOrWithAnEarlierBeginning) {
  pull_alone();
  const auto from = [&](const char* day) {
    settings_.pulls.at(0).from =
        in_process::settings_of("[pull.customers]\nfrom = " + std::string(day)).pulls.at(0).from;
  };
  bool from_first = false;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    from_first = from_first || request.url.find("From=2026-11-01") != std::string::npos;
    return send();
  };
  const auto reads_from_first = [&] {
    clock_.now += 24h;
    from_first = false;
    sync();
    return from_first;
  };
  from("2026-11-05");
  EXPECT_FALSE(reads_from_first());
  from("2026-11-01");
  EXPECT_TRUE(reads_from_first());
  EXPECT_FALSE(reads_from_first()) << "once";
  settings_.service.base_url = "https://another.example.test";
  EXPECT_TRUE(reads_from_first());
  settings_.service.auth.user = "another";
  EXPECT_TRUE(reads_from_first());
  EXPECT_FALSE(reads_from_first());
  from("2026-11-03");
  EXPECT_FALSE(reads_from_first());
}

}  // namespace
